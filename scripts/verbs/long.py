"""Runs tests that take too long for `cargo test`."""

import os

import lib


@lib.command
def depths() -> None:
    """Compares the longest wins of five-man endings with the published ones.

    Solves them in memory; then makes KRRvKP for kings and looks up a puzzle in it. Takes several
    minutes and 10 GB of memory.
    """
    lib.run("cargo", "test", "-p", "retrograde-solve", "--test", "known", "--", "--ignored")
    lib.run("cargo", "test", "-p", "retrograde", "--test", "tables", "royals::", "--", "--ignored")


@lib.command
def problems() -> None:
    """Solves mate problems, and proves by plain search that their keys are the only ones.

    Takes about two minutes.
    """
    tests = ("--test", "all", "problems::", "--", "--ignored")
    lib.run("cargo", "test", "-p", "retrograde-search", *tests)


@lib.command
def shares(count: int = 1000, seconds: str = "10", games: list[str] | None = None) -> None:
    """Tries the search on positions whose tables it is not given.

    Makes the tables of four men of each game (default: all) in target/search-tables, then
    searches COUNT random positions of each (default: 1000), with nothing but the tables of three
    men that ship with the project. The search must never contradict the tables, and must decide
    every win of at most 9 plies; of the rest it prints the share that it decides within SECONDS
    each (default: 10).

    With the defaults this takes a night: most drawn positions use up their time. With 1000
    positions and a tenth of a second it takes ten minutes.

    count: how many positions of each game
    seconds: how long each
    games: all unless some are named
    """
    lib.build("retrograde")
    made = lib.ROOT / "target" / "search-tables"
    for game in games or lib.games():
        lib.generate(game, "--men", 4, out=made)
    asked = {
        "TABLES": made,
        "COUNT": count,
        "SECONDS": seconds,
        "GAMES": " ".join(games or lib.games()),
    }
    variables = {f"RETROGRADE_SHARES_{name}": str(value) for name, value in asked.items()}
    tests = ("--test", "all", "--", "--ignored", "--nocapture", "shares")
    lib.run("cargo", "test", "-p", "retrograde-search", *tests, env=os.environ | variables)
