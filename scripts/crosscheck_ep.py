#!/usr/bin/env python3
"""Compares every four-man position with an en passant right with Syzygy.

All KPvKP positions in which a pawn can be taken en passant, on the whole board,
go through `retrograde probe`, which answers with WDL and DTZ. Needs the package
`chess`; exits with 1 if an answer differs.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator

import chess
import chess.syzygy

SHOWN = 10
CATEGORIES = {2: "win", 1: "cursed-win", 0: "draw", -1: "blessed-loss", -2: "loss"}


def positions() -> Iterator[chess.Board]:
    """Every KPvKP position with a right that a legal move can use."""
    for turn in chess.COLORS:
        rank, passed = (4, 5) if turn else (3, 2)
        for pushed in range(8):
            for taker in (pushed - 1, pushed + 1):
                if not 0 <= taker < 8:
                    continue
                board = chess.Board(None)
                board.turn = turn
                board.set_piece_at(chess.square(pushed, rank), chess.Piece(chess.PAWN, not turn))
                board.set_piece_at(chess.square(taker, rank), chess.Piece(chess.PAWN, turn))
                yield from with_kings(board, chess.square(pushed, passed))


def with_kings(pawns: chess.Board, passed: chess.Square) -> Iterator[chess.Board]:
    """The same with the kings on all squares where they may stand."""
    origin = passed + (8 if pawns.turn else -8)
    free = [s for s in chess.SQUARES if not pawns.piece_at(s) and s not in (passed, origin)]
    for white in free:
        for black in free:
            if chess.square_distance(white, black) < 2:
                continue
            board = pawns.copy(stack=False)
            board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
            board.ep_square = passed
            if not board.was_into_check() and board.has_legal_en_passant():
                yield board


def distances(tables: chess.syzygy.Tablebase, board: chess.Board) -> tuple[int | None, ...]:
    """What the distance may be: the file of this ending is rounded."""
    if board.is_checkmate():
        return (0,)
    plies = abs(tables.probe_dtz(board))
    return (plies, plies + 1) if plies else (None,)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--syzygy", required=True, help="the folder with .rtbw files")
    parser.add_argument("--tables", required=True, help="the folder with Retrograde's tables")
    parser.add_argument("--retrograde", required=True, help="the program `retrograde`")
    arguments = parser.parse_args()

    boards = list(positions())
    answers = subprocess.run(
        [arguments.retrograde, "probe", "orthodox", "--json", "--tables", arguments.tables, "-"],
        input="".join(f"{board.fen()}\n" for board in boards),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout.splitlines()

    different = rounded = 0
    with chess.syzygy.open_tablebase(arguments.syzygy) as tables:
        for board, line in zip(boards, answers, strict=True):
            answer = json.loads(line)
            ours = answer.get("category", answer.get("error"))
            theirs = tables.probe_wdl(board)
            plies, possible = answer.get("dtz_plies"), distances(tables, board)
            rounded += plies in possible[1:]
            if ours != CATEGORIES[theirs] or plies not in possible:
                different += 1
                if different <= SHOWN:
                    print(
                        f"    {board.fen()}: Retrograde {ours}, {plies} plies,"
                        f" Syzygy {theirs}, {possible[0]}"
                    )
    print(
        f"KPvKP: {len(boards)} positions with an e.p. right, all of the whole board, compared with"
        f" Syzygy, results and distances, {rounded} of them a ply longer than in a rounded file,"
        f" {different} differ"
    )
    return 0 if boards and not different else 1


if __name__ == "__main__":
    sys.exit(main())
