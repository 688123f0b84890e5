"""What the tests have in common: the three-man tables that ship with the project."""

from __future__ import annotations

import os
import pathlib

import pytest

import retrograde

ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLES = pathlib.Path(os.environ.get("RETROGRADE_TEST_TABLES", ROOT / "tables"))


@pytest.fixture(scope="session")
def tables() -> pathlib.Path:
    return TABLES


@pytest.fixture
def orthodox(tables):
    with retrograde.open_tablebase(tables) as tablebase:
        yield tablebase


@pytest.fixture
def high_chess(tables):
    with retrograde.open_tablebase(tables, "high-chess") as tablebase:
        yield tablebase


@pytest.fixture(autouse=True)
def in_root(monkeypatch):
    """The examples in docstrings name the folder `tables`."""
    monkeypatch.chdir(ROOT)
