"""The command that the package installs, and the questions that it answers in a process."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest

import retrograde

KQK = "8/8/8/3k4/8/8/8/KQ6 w - -"


def command(*words, program=(sys.executable, "-m", "retrograde")):
    return subprocess.run([*program, *map(str, words)], capture_output=True, text=True)


def test_the_command_is_installed(tmp_path):
    program = shutil.which("retrograde", path=sysconfig.get_path("scripts"))
    for way in ((program,), (sys.executable, "-m", "retrograde")):
        ran = command("--version", program=way)
        assert (ran.returncode, ran.stdout) == (0, f"retrograde {retrograde.__version__}\n")
    assert command("tables", "--unpack", tmp_path).returncode == 0
    ran = command("probe", "orthodox", KQK, "--tables", tmp_path)
    assert "White mates in 9 moves" in ran.stdout
    ran = command("probe", "orthodox", "8/8 w - -", "--tables", tmp_path)
    assert ran.returncode == 2 and ran.stderr.startswith("error: ")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of the files of Linux")
def test_a_module_that_is_loaded_catches_no_signals():
    script = "import retrograde; print(open('/proc/self/status').read())"
    ran = command("-c", script, program=(sys.executable,))
    caught = next(line for line in ran.stdout.splitlines() if line.startswith("SigCgt:"))
    # Bit 5 is SIGABRT.
    assert int(caught.split()[1], 16) & 1 << 5 == 0


def test_searching(tmp_path):
    fen = "7k/8/5KQ1/8/8/8/6Q1/8 w - -"
    answer = retrograde.open_tablebase(tmp_path).search(fen, plies=3, moves=True, line=True)
    assert (answer.category, answer.depth_plies, len(answer.line)) == ("win", 1, 1)
    assert answer.moves[0].depth_plies == 0
    unknown = retrograde.open_tablebase(tmp_path).search(KQK, plies=1)
    assert unknown.category == "unknown" and "not decided" in str(unknown.error)
    with pytest.raises(ValueError, match="name plies, seconds or nodes"):
        retrograde.open_tablebase(tmp_path).search(KQK)


def test_what_lies_in_the_working_folder_is_no_module(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit(1)")
    (tmp_path / "retrograde.py").write_text("raise SystemExit(1)")
    answer = retrograde.open_tablebase(tmp_path).search("7k/8/5KQ1/8/8/8/8/8 w - -", plies=1)
    assert answer.category == "win"


def test_searching_in_a_game_of_ones_own(tmp_path):
    text = 'name = "small"\nextends = "orthodox"\nboard.size = "5x5"\n'
    tablebase = retrograde.open_tablebase(tmp_path, game=text)
    answer = tablebase.search("4k/5/2KQ1/5/5 w - -", plies=5)
    assert answer.category == "win" and answer.game.startswith("small@")


def test_verifying(tables, tmp_path):
    found = retrograde.verify("orthodox", ["KQvK", "KRvK"], tables=tables)
    assert found.sound and len(found.lines) == 2 and "all of them right" in found.summary
    with pytest.raises(retrograde.MissingTableError):
        retrograde.verify("orthodox", "KQvK", tables=tmp_path)
    with pytest.raises(ValueError):
        retrograde.verify("orthodox", "KXvK", tables=tables)
    folder = pathlib.Path(tmp_path, "orthodox")
    folder.mkdir()
    (folder / "KQvK.wdl").write_text("no table")
    with pytest.raises(retrograde.CorruptTableError):
        retrograde.verify("orthodox", "KQvK", tables=tmp_path)


def test_comparing(tables):
    found = retrograde.compare("orthodox", "king-of-the-hill", "KQvK", tables=tables)
    assert found and all(isinstance(claim, dict) for claim in found)


def test_boards_for_notebooks(orthodox):
    answer = orthodox.probe(KQK, line=True)
    for thing in (answer, answer.line):
        svg = thing._repr_svg_()
        assert svg.startswith("<svg ") and svg.count("<rect ") == 64 and svg.count("<text ") == 3
        assert svg in thing._repr_html_()
    assert "win, depth 17 plies" in answer._repr_html_()
