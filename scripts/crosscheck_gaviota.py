#!/usr/bin/env python3
"""Compares the DTM of one ending with Gaviota's table.

Reads lines of a FEN, a tab and the depth from standard input, as `crosscheck
depths` writes them. Needs the package `chess`; exits with 1 if a depth
differs.
"""

import argparse
import sys

import chess
import chess.gaviota

SHOWN = 10


def expected(tables: chess.gaviota.PythonTablebase, board: chess.Board) -> str:
    """The depth, written as we write ours."""
    if board.is_checkmate():
        return "mated"
    return str(tables.probe_dtm(board))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gaviota", required=True, help="the folder with .gtb.cp4 files")
    parser.add_argument("name", help="the material, for the report")
    arguments = parser.parse_args()

    compared = different = 0
    with chess.gaviota.PythonTablebase() as tables:
        tables.add_directory(arguments.gaviota)
        for line in sys.stdin:
            fen, ours = line.rstrip("\n").split("\t")
            theirs = expected(tables, chess.Board(fen))
            compared += 1
            if ours != theirs:
                different += 1
                if different <= SHOWN:
                    print(f"    {fen}: Retrograde {ours}, Gaviota {theirs}")
    print(
        f"{arguments.name}: depth to mate of {compared} positions up to symmetry compared"
        f" with Gaviota, {different} differ"
    )
    return 0 if compared and not different else 1


if __name__ == "__main__":
    sys.exit(main())
