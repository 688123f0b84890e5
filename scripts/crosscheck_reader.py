#!/usr/bin/env python3
"""Compares the Syzygy reader of scripts/crosscheck with that of python-chess.

Both read random positions of the endings in a Syzygy folder, with the colours
either way round; one in ten has an en passant right. WDL is compared for all of
them, and the stored DTZ for those without a right. Needs the package `chess`;
exits with 1 if an answer differs.
"""

import argparse
import pathlib
import random
import subprocess
import sys

import chess
import chess.syzygy

import crosscheck_ep

SHOWN = 10


def random_position(rng: random.Random, name: str) -> chess.Board | None:
    """A random position of an ending, or None if the draw is not a legal one."""
    white, black = name.split("v")
    if rng.random() < 0.5:
        white, black = black, white
    letters = white + black.lower()
    board = chess.Board(None)
    for letter, square in zip(letters, rng.sample(chess.SQUARES, len(letters)), strict=True):
        if letter in "Pp" and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = rng.random() < 0.5
    # Kings that touch are in check too.
    return None if board.was_into_check() else board


def expected(tables: chess.syzygy.Tablebase, board: chess.Board) -> str:
    """The line that the reader should write, with a dash for what the file
    lacks."""
    wdl = tables.probe_wdl(board)
    if wdl == 0:
        return "0 -"
    # Values of files are counted from the shortest distance, which is 1.
    value, success = tables.probe_dtz_table(board, wdl)
    return f"{wdl} {value + 1}" if success >= 0 else f"{wdl} -"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--syzygy", required=True, help="the folder with .rtbw files")
    parser.add_argument("--reader", required=True, help="the program `crosscheck`")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    rng = random.Random(arguments.seed)
    names = sorted(path.stem for path in pathlib.Path(arguments.syzygy).glob("*.rtbw"))
    boards = rng.sample(list(crosscheck_ep.positions()), arguments.positions // 10)
    rights = len(boards)
    while len(boards) < arguments.positions:
        board = random_position(rng, rng.choice(names))
        if board is not None:
            boards.append(board)

    answers = subprocess.run(
        [arguments.reader, "read", "--syzygy", arguments.syzygy],
        input="".join(f"{board.fen()}\n" for board in boards),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.splitlines()

    different = 0
    with chess.syzygy.open_tablebase(arguments.syzygy) as tables:
        for board, answer in zip(boards, answers, strict=True):
            theirs = expected(tables, board)
            if board.ep_square is not None:
                # The files know no rights: only the result counts.
                answer, theirs = answer.split()[0], theirs.split()[0]
            if theirs != answer:
                different += 1
                if different <= SHOWN:
                    print(f"    {board.fen()}: the reader {answer}, python-chess {theirs}")
    print(
        f"Syzygy reader: {len(boards)} random positions of {len(names)} endings, {rights} with an"
        f" e.p. right, compared with python-chess (seed {arguments.seed}), {different} differ"
    )
    return 0 if boards and not different else 1


if __name__ == "__main__":
    sys.exit(main())
