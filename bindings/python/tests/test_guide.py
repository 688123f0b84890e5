"""The examples of the guide."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys

from conftest import ROOT

PAGES = [ROOT / "docs" / "guide" / name for name in ("python.md", "other-languages.md")]
GUIDE = "\n".join(page.read_text() for page in PAGES)


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_examples(tables, tmp_path, monkeypatch):
    shutil.copytree(tables, tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks("pycon"))
    example = doctest.DocTestParser().get_doctest(text, {}, "guide", "guide", 0)
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert runner.tries > 20
    assert runner.failures == 0


def test_the_process_that_is_kept_running(tables, tmp_path):
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    program = target / "release" / "retrograde"
    if not program.exists():
        import pytest

        pytest.skip("the program has not been built")
    shutil.copytree(tables, tmp_path / "tables")
    (block,) = blocks("python")
    run = subprocess.run(
        [sys.executable, "-c", block],
        cwd=tmp_path,
        env={"PATH": str(program.parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stdout == "loss 24 Kd8\n"
