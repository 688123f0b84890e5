#!/usr/bin/env python3
"""Compares orthodox tables with the statistics that Syzygy's generator prints.

They say for every ending how many positions are won, drawn and lost, with cursed wins and
losses apart, and for how many it takes how many plies to a zeroing move. Those of all
endings of up to six men have been published in one file. With pawns they count
placements that are mirror images of each other once, without pawns the eight images of
one; identical pieces are told apart. Exits with 1 if a number differs, but for how long
cursed wins take to a zeroing move: that is counted in another way (docs/RULES.md, O4), and
a difference is only shown.
"""

import argparse
import itertools
import json
import math
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

# Numbers by what they count: ("win", plies), ("loss", plies) or a category.
Numbers = Counter[tuple[str, int] | str]
Sides = dict[str, Numbers]

CATEGORIES = {
    "wins": "win",
    "cursed wins": "cursed-win",
    "draws": "draw",
    "cursed losses": "blessed-loss",
    "losses": "loss",
}
OTHER = {"white": "black", "black": "white"}


def published(path: str) -> dict[str, Sides]:
    """The numbers of every ending in the file."""
    endings: dict[str, Sides] = {}
    side = Counter()
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if found := re.match(r"#+ (\S+) #+", line):
                sides = endings[found[1]] = {"white": Counter(), "black": Counter()}
            elif found := re.match(r"(White|Black) to move:", line):
                side = sides[found[1].lower()]
            elif found := re.match(r"(\d+) positions (win|lose) in (\d+) ply", line):
                decided = "win" if found[2] == "win" else "loss"
                side[decided, int(found[3])] += int(found[1])
            elif found := re.match(r"(\d+) positions are (.+)\.", line):
                side[CATEGORIES[found[2]]] += int(found[1])
    return endings


class Tables:
    """Our tables."""

    def __init__(self, program: str, folder: str) -> None:
        self.program = program
        self.folder = folder

    def ask(self, *arguments: str, given: str = "") -> list[dict]:
        command = [self.program, *arguments, "--json", "--tables", self.folder]
        ran = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def counts(self, ending: str) -> Sides:
        """The numbers of an ending, all images counted."""
        [stats] = self.ask("stats", "orthodox", ending)
        sides = {}
        for side in OTHER:
            cursed, blessed = stats["cursed_win"][side], stats["blessed_loss"][side]
            numbers: Numbers = Counter()
            numbers["win"] = stats["win"][side] - cursed
            numbers["cursed-win"] = cursed
            numbers["draw"] = stats["draw"][side]
            numbers["blessed-loss"] = blessed
            numbers["loss"] = stats["loss"][side] - blessed
            for category, histogram in stats["dtz_histogram"][side].items():
                for plies, count in histogram.items():
                    numbers[distance(category.replace("_", "-"), int(plies))] += count
            sides[side] = numbers
        return sides

    def symmetric(self, ending: str) -> Sides:
        """The numbers of the positions that have four images and not eight: all men stand
        on one of the long diagonals. Those on the other are as many."""
        sides: Sides = {"white": Counter(), "black": Counter()}
        fens = list(on_diagonal(ending))
        for fen, answer in zip(fens, self.ask("probe", "orthodox", given="\n".join(fens))):
            if "error" in answer:
                continue  # not a position: the side that is not to move is in check
            numbers = sides["white" if " w " in fen else "black"]
            category = answer["category"]
            numbers[category] += 2
            if category != "draw":
                numbers[distance(category, abs(answer["dtz_plies"]))] += 2
        return sides


def distance(category: str, plies: int) -> tuple[str, int]:
    """Plies to a zeroing move as the generator counts them: 100 more if that is played in
    time but leads to a cursed win."""
    if category in ("cursed-win", "blessed-loss") and plies <= 100:
        plies += 100
    return "win" if category.endswith("win") else "loss", plies


def on_diagonal(ending: str) -> Iterator[str]:
    """Every placement of the men on a1-h8, with both sides to move."""
    white, black = ending.split("v")
    men = white + black.lower()
    placements = {
        tuple(sorted(zip(squares, men)))
        for squares in itertools.permutations(range(8), len(men))
    }
    for placement in sorted(placements):
        at = dict(placement)
        ranks = [
            "8" if rank not in at else f"{rank or ''}{at[rank]}{7 - rank or ''}"
            for rank in reversed(range(8))
        ]
        for turn in "wb":
            yield f"{'/'.join(ranks)} {turn} - - 0 1"


def ours(tables: Tables, ending: str) -> Sides:
    """Our numbers as the generator counts."""
    sides = tables.counts(ending)
    images = 2
    if "P" not in ending:
        images = 8
        for side, numbers in tables.symmetric(ending).items():
            sides[side].update(numbers)
    orders = math.prod(
        math.factorial(count) for men in ending.split("v") for count in Counter(men).values()
    )
    for numbers in sides.values():
        for number, count in numbers.items():
            numbers[number] = Fraction(count * orders, images)
    return sides


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--published", required=True, help="the file with the statistics")
    parser.add_argument("--tables", required=True, help="the folder with our tables")
    parser.add_argument("--program", default="target/release/retrograde")
    parser.add_argument("endings", nargs="+", help="such as KQvKR")
    arguments = parser.parse_args()

    endings = published(arguments.published)
    tables = Tables(arguments.program, arguments.tables)
    compared = different = cursed = 0
    for ending in arguments.endings:
        theirs, swapped = endings.get(ending), False
        if theirs is None:
            theirs, swapped = endings["v".join(reversed(ending.split("v")))], True
        for side, numbers in ours(tables, ending).items():
            expected = theirs[OTHER[side] if swapped else side]
            for number in sorted(set(numbers) | set(expected), key=str):
                compared += 1
                if numbers[number] == expected[number]:
                    continue
                if isinstance(number, tuple) and number[1] > 100:
                    cursed += 1
                else:
                    different += 1
                print(
                    f"{ending}, {side} to move, {number}: Retrograde {numbers[number]},"
                    f" published {expected[number]}"
                )
    print(
        f"{len(arguments.endings)} endings, {compared} numbers compared, {different} differ;"
        f" {cursed} distances of cursed wins and losses differ"
    )
    return 0 if compared and not different else 1


if __name__ == "__main__":
    sys.exit(main())
