"""Questions that the command ``retrograde`` answers in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from typing import Any

from . import _errors
from ._results import Answer, Verification
from .typing import Path


def _paths(option: str, paths: Path | Iterable[Path] | None) -> list[str]:
    """An option for each path."""
    if paths is None:
        return []
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [f"{option}={os.fspath(path)}" for path in several]


def _options(**given: object) -> list[str]:
    """The options that are given."""
    return [f"--{name}={value}" for name, value in given.items() if value is not None]


#: Starts the command. What lies where the program was started is no module of it, which
#: PYTHONSAFEPATH says from Python 3.11 on only.
_START = """
import sys
sys.path[:] = filter(None, sys.path)
from retrograde.__main__ import main
sys.exit(main())
"""


def _run(*words: str | os.PathLike[str], fine: tuple[int, ...] = (0,)) -> tuple[int, str, str]:
    """Runs the command: its exit code, and what it writes. Another exit code than those that are
    fine is raised."""
    program = [sys.executable, "-c", _START, *(os.fspath(word) for word in words)]
    settings = os.environ | {"PYTHONUTF8": "1"}
    ran = subprocess.run(
        program, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=settings
    )
    if ran.returncode in fine:
        return ran.returncode, ran.stdout, ran.stderr
    message = ran.stderr.strip().removeprefix("error: ")
    match ran.returncode:
        case 2:
            raise ValueError(message)
        case 3:
            raise _errors.MissingTableError(message)
        case 4:
            raise _errors.CorruptTableError(message)
        case 6:
            raise _errors.ResourceError(message)
        case 75:
            raise KeyboardInterrupt
        case _:
            raise _errors.Error(message)


def search(
    origin: tuple[str, str],
    folders: list[os.PathLike[str]],
    limits: tuple[int | None, float | None, int | None],
    moves: bool,
    line: bool,
) -> Answer:
    """The answer about a position, which is given by its game, as pickles name it, and its FEN."""
    game, fen = origin
    plies, seconds, nodes = limits
    if plies is seconds is nodes is None:
        raise ValueError("name plies, seconds or nodes")
    words = [*_options(search=plies, time=seconds, nodes=nodes), *_paths("--tables", folders)]
    words += ["--moves"] * moves + ["--line"] * line
    with tempfile.TemporaryDirectory() as made:
        if "\n" in game:
            path = os.path.join(made, "game.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(game)
            game = path
        # Exit code 3 is that of an answer that says which table is missing.
        _, text, _ = _run("probe", game, fen, "--json", *words, fine=(0, 3))
    return Answer(origin, text.strip())


def verify(
    game: str | os.PathLike[str],
    materials: str | Iterable[str] | None = None,
    *,
    men: int | None = None,
    sample: int | None = None,
    independent: bool = False,
    tables: Path | Iterable[Path] | None = None,
    threads: int | None = None,
    games: Path | Iterable[Path] | None = None,
) -> Verification:
    """Derives the values of tables again from the rules, and compares them: all, or ``sample`` index
    values of each material.

    Does what ``retrograde verify`` does, in a process of its own; Ctrl-C stops it, and the next call
    continues. Without materials it is those in the folders.

    >>> retrograde.verify("orthodox", ["KQvK"], tables="tables").sound
    True
    """
    words = [materials] if isinstance(materials, str) else list(materials or [])
    words += _options(men=men, sample=sample, threads=threads)
    words += ["--independent"] * independent + _paths("--tables", tables)
    code, text, told = _run(*_paths("--games", games), "verify", game, *words, fine=(0, 1))
    summary = told.strip().rpartition("\n")[2]
    return Verification({"sound": code == 0, "summary": summary, "lines": text.splitlines()})


def compare(
    first: str | os.PathLike[str],
    second: str | os.PathLike[str],
    materials: str | Iterable[str] | None = None,
    *,
    men: int | None = None,
    tables: Path | Iterable[Path] | None = None,
    threads: int | None = None,
    games: Path | Iterable[Path] | None = None,
) -> list[dict[str, Any]]:
    """What two games, or two rules of a game, make of the same placements.

    The array that ``retrograde compare --json`` prints; it runs in a process of its own, and makes
    the tables that are missing.

    >>> found = retrograde.compare("orthodox", "king-of-the-hill", ["KPvK"], tables="tables")
    >>> len(found) > 0
    True
    """
    words = [materials] if isinstance(materials, str) else list(materials or [])
    words += _options(men=men, threads=threads) + _paths("--tables", tables)
    _, text, _ = _run(*_paths("--games", games), "compare", first, second, *words, "--json")
    found: list[dict[str, Any]] = json.loads(text)
    return found
