"""Fixtures of the tests: the three-man tables that ship with the project."""

from __future__ import annotations

import os
import pathlib
import shutil

import pytest

import retrograde

ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLES = pathlib.Path(os.environ.get("RETROGRADE_TEST_TABLES", ROOT / "tables"))


@pytest.fixture(scope="session")
def tables(tmp_path_factory) -> pathlib.Path:
    """A copy without the tables that somebody may have made beside those that ship."""
    folder = tmp_path_factory.mktemp("shipped") / "tables"
    for line in (TABLES / "SHA256SUMS").read_text().splitlines():
        name = line.split()[1]
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TABLES / name, folder / name)
    return folder


@pytest.fixture
def orthodox(tables):
    with retrograde.open_tablebase(tables) as tablebase:
        yield tablebase


@pytest.fixture
def high_chess(tables):
    with retrograde.open_tablebase(tables, "high-chess") as tablebase:
        yield tablebase


@pytest.fixture(autouse=True)
def beside_tables(monkeypatch, tables):
    """The examples in docstrings name the folder `tables`."""
    monkeypatch.chdir(tables.parent)
