"""Compares moves, ends and node counts of the naive interpreter with other programs.

    variants.py ORACLE DEFINITIONS [--positions N] [--seed N] [--record FOLDER] GAME...

Random positions of each game, most of them from random play and some with few men, are held
against Fairy-Stockfish, through the package `pyffish`, and against python-chess where it has the
game: the legal moves, the winner if a move ends the game, and else the number of replies.
With --record, node counts of two plies are written to FOLDER/GAME.txt.
Exits with 1 if anything differs.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator

import chess
import chess.variant
import pyffish

SHOWN = 5
WINNERS = {True: "White", False: "Black", None: "draw"}

#: A legal move with the number of replies, or with the winner or "draw".
Replies = dict[str, str]


class Peer(typing.NamedTuple):
    """A game as other programs know it."""

    fairy: str
    board: Callable[[str], chess.Board] | None
    #: The letters of men that a position with few men has, and of those that each side has.
    men: str
    royals: str
    #: Ranks on which White's pawns stand, counted from 0, and Black's.
    pawns: tuple[range, range] = (range(1, 7), range(1, 7))
    #: The option of the definition.
    option: str = ""


ANTICHESS = chess.variant.AntichessBoard
GAMES = {
    "antichess": Peer("antichess", ANTICHESS, "KQRBNP", ""),
    "suicide": Peer(
        "suicide", chess.variant.SuicideBoard, "KQRBNP", "", option=":stalemate=fewer-men"
    ),
    "atomic": Peer("atomic", chess.variant.AtomicBoard, "QRBNP", "Kk"),
    "three-check": Peer("3check", chess.variant.ThreeCheckBoard, "QRBNP", "Kk"),
    "racing-kings": Peer("racingkings", chess.variant.RacingKingsBoard, "QRBN", "Kk"),
    "horde": Peer(
        "horde", chess.variant.HordeBoard, "QRBNP", "Pk", (range(7), range(1, 7))
    ),
    "shatranj": Peer("shatranj", None, "QRBNP", "Kk"),
    "makruk": Peer("makruk", None, "RSNMP", "Kk", (range(2, 5), range(3, 6))),
}


def only_kings(fen: str) -> bool:
    return sum(letter.isalpha() for letter in fen.split()[0]) == 2


def fairy_end(variant: str, fen: str, line: list[str]) -> str | None:
    """The winner after a line of play, if the game is over."""
    if variant == "shatranj" and only_kings(pyffish.get_fen(variant, fen, line)):
        # Fairy-Stockfish plays on when both sides are bare.
        return "draw"
    over, value = pyffish.is_immediate_game_end(variant, fen, line)
    if not over:
        if pyffish.legal_moves(variant, fen, line):
            return None
        value = pyffish.game_result(variant, fen, line)
    white = (fen.split()[1] == "w") == (len(line) % 2 == 0)
    return WINNERS[None if value == 0 else (value > 0) == white]


def fairy_replies(variant: str, fen: str) -> Replies:
    if fairy_end(variant, fen, []):
        return {}
    moves = pyffish.legal_moves(variant, fen, [])
    after = {move: fairy_end(variant, fen, [move]) for move in moves}
    return {
        move: end or str(len(pyffish.legal_moves(variant, fen, [move])))
        for move, end in after.items()
    }


def board_end(board: chess.Board) -> str | None:
    if board.is_variant_win():
        return WINNERS[board.turn]
    if board.is_variant_loss():
        return WINNERS[not board.turn]
    if board.is_variant_draw():
        return "draw"
    if any(board.legal_moves):
        return None
    return WINNERS[not board.turn] if board.is_check() else "draw"


def board_replies(board: chess.Board) -> Replies:
    replies: Replies = {}
    if board_end(board):
        return replies
    for move in list(board.legal_moves):
        board.push(move)
        replies[move.uci()] = board_end(board) or str(board.legal_moves.count())
        board.pop()
    return replies


def played(peer: Peer, rng: random.Random) -> str:
    """A position of random play that is not over."""
    fen = pyffish.start_fen(peer.fairy)
    for _ in range(rng.randint(0, 120)):
        after = pyffish.get_fen(
            peer.fairy, fen, [rng.choice(pyffish.legal_moves(peer.fairy, fen, []))]
        )
        if fairy_end(peer.fairy, after, []):
            break
        fen = after
    return fen


def sparse(peer: Peer, rng: random.Random) -> str:
    """A diagram of a few men on random squares."""
    letters = list(peer.royals) or [rng.choice(peer.men), rng.choice(peer.men).lower()]
    letters += [
        letter.lower() if rng.random() < 0.5 else letter
        for letter in rng.choices(peer.men, k=rng.randint(1, 5))
    ]
    at: dict[int, str] = {}
    for letter in letters:
        ranks = peer.pawns[letter == "p"] if letter in "Pp" else range(8)
        squares = [rank * 8 + file for rank in ranks for file in range(8)]
        at[rng.choice([square for square in squares if square not in at])] = letter
    rows = []
    for rank in reversed(range(8)):
        row = "".join(at.get(rank * 8 + file, "1") for file in range(8))
        for ones in range(8, 1, -1):
            row = row.replace("1" * ones, str(ones))
        rows.append(row)
    checks = f"{rng.randint(1, 3)}+{rng.randint(1, 3)} " if peer.fairy == "3check" else ""
    return f"{'/'.join(rows)} {rng.choice('wb')} - - {checks}0 1"


def is_position(peer: Peer, fen: str) -> bool:
    """Whether a diagram of few men is a position that is not over."""
    if peer.board:
        board = peer.board(fen)
        # Some games have no king.
        fine = chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING
        return not board.status() & ~fine and not board.was_into_check() and not board_end(board)
    kings = [divmod(i, 8) for i in king_squares(fen)]
    apart = max(abs(a - b) for a, b in zip(*kings))
    fields = fen.split()
    turned = " ".join([fields[0], "b" if fields[1] == "w" else "w", *fields[2:]])
    checks = pyffish.gives_check(peer.fairy, turned, [])
    return apart > 1 and not checks and not fairy_end(peer.fairy, fen, [])


def king_squares(fen: str) -> list[int]:
    squares, at = {}, 0
    for letter in fen.split()[0].replace("/", ""):
        squares[letter] = at
        at += int(letter) if letter.isdigit() else 1
    return [squares["K"], squares["k"]]


def positions(peer: Peer, count: int, rng: random.Random) -> Iterator[str]:
    for _ in range(count * 7 // 10):
        yield played(peer, rng)
    for _ in range(count - count * 7 // 10):
        while not is_position(peer, fen := sparse(peer, rng)):
            pass
        yield fen


def written(fen: str) -> str:
    """A FEN as the interpreter reads it: counts of moves that Fairy-Stockfish adds are left out."""
    fields = fen.split()
    kept = [field for field in fields[4:-2] if "+" in field]
    return " ".join([*fields[:4], *kept, *fields[-2:]])


def nodes(replies: Replies) -> tuple[int, int]:
    return len(replies), sum(int(reply) for reply in replies.values() if reply.isdigit())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("oracle")
    parser.add_argument("definitions", type=pathlib.Path)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("games", nargs="*", metavar="GAME")
    arguments = parser.parse_intermixed_args()
    different = 0
    for name in arguments.games or GAMES:
        peer = GAMES[name]
        file = arguments.definitions / ("antichess" if name == "suicide" else name)
        fens = list(positions(peer, arguments.positions, random.Random(arguments.seed)))
        lines = subprocess.run(
            [arguments.oracle, f"{file}.toml{peer.option}", "replies"],
            input="".join(f"{written(fen)}\n" for fen in fens),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.splitlines()
        wrong, recorded = 0, []
        for fen, line in zip(fens, lines, strict=True):
            pairs = [text.partition(" ")[::2] for text in line.split(", ") if text]
            theirs = {"Fairy-Stockfish": fairy_replies(peer.fairy, fen)}
            if peer.board:
                theirs["python-chess"] = board_replies(peer.board(fen))
            recorded.append(f"{written(fen)}; {' '.join(map(str, nodes(dict(pairs))))}\n")
            for program, replies in theirs.items():
                odd = sorted(set(pairs) ^ set(replies.items()))
                wrong += bool(odd)
                if odd and wrong <= SHOWN:
                    print(f"{name}: {fen}: the interpreter and {program} differ in {odd[:6]}")
        print(f"{name}: {len(fens)} positions, {wrong} differences")
        different += wrong
        if arguments.record:
            (arguments.record / f"{name}.txt").write_text("".join(recorded))
    sys.exit(1 if different else 0)


main()
