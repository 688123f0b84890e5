"""Compares tables with Gaviota and Syzygy tables that python-chess reads, for `crosscheck tables`.

    published.py gaviota FOLDER MATERIAL         depths, as `crosscheck depths` writes them, of stdin
    published.py rights SYZYGY TABLES PROGRAM    every KPvKP position with an en passant right
    published.py reader SYZYGY READER POSITIONS  our Syzygy reader, on random positions

Exits with 1 if an answer differs.
"""

import json
import pathlib
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator

import chess
import chess.gaviota
import chess.syzygy

SHOWN = 10
CATEGORIES = {2: "win", 1: "cursed-win", 0: "draw", -1: "blessed-loss", -2: "loss"}


def ask(command: list[str], boards: list[chess.Board]) -> list[str]:
    """Asks a program about positions, each of which it answers with a line."""
    fens = "".join(f"{board.fen()}\n" for board in boards)
    ran = subprocess.run(command, input=fens, stdout=subprocess.PIPE, text=True, check=False)
    return ran.stdout.splitlines()


def verdict(differences: Iterable[str | None], words: str) -> int:
    """Shows the first differences, and says how many positions were compared, and how many
    differ."""
    compared = different = 0
    for difference in differences:
        compared += 1
        if difference:
            different += 1
            if different <= SHOWN:
                print(f"    {difference}")
    print(f"{words.format(compared)}, {different} differ")
    return 0 if compared and not different else 1


def gaviota(folder: str, material: str) -> int:
    def differences() -> Iterator[str | None]:
        with chess.gaviota.PythonTablebase() as tables:
            tables.add_directory(folder)
            for line in sys.stdin:
                fen, ours = line.rstrip("\n").split("\t")
                board = chess.Board(fen)
                theirs = "mated" if board.is_checkmate() else str(tables.probe_dtm(board))
                different = f"{fen}: Retrograde {ours}, Gaviota {theirs}"
                yield different if ours != theirs else None

    words = "depth to mate of {} positions up to symmetry compared with Gaviota"
    return verdict(differences(), f"{material}: {words}")


def positions() -> Iterator[chess.Board]:
    """Every KPvKP position with an en passant right that a legal move can use."""
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
    """Positions of two pawns with the kings on all squares where they may stand."""
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
    """The distances that are right: the file of this ending is rounded."""
    if board.is_checkmate():
        return (0,)
    plies = abs(tables.probe_dtz(board))
    return (plies, plies + 1) if plies else (None,)


def rights(syzygy: str, folder: str, program: str) -> int:
    boards, rounded = list(positions()), 0
    answers = ask([program, "probe", "orthodox", "--json", "--tables", folder, "-"], boards)

    def differences() -> Iterator[str | None]:
        nonlocal rounded
        with chess.syzygy.open_tablebase(syzygy) as tables:
            for board, line in zip(boards, answers, strict=True):
                answer = json.loads(line)
                ours = answer.get("category", answer.get("error"))
                theirs = tables.probe_wdl(board)
                plies, possible = answer.get("dtz_plies"), distances(tables, board)
                rounded += plies in possible[1:]
                different = ours != CATEGORIES[theirs] or plies not in possible
                words = f"Retrograde {ours}, {plies} plies, Syzygy {theirs}, {possible[0]}"
                yield f"{board.fen()}: {words}" if different else None

    found = list(differences())
    return verdict(
        found,
        "KPvKP: {} positions with an e.p. right, all of the whole board, compared with Syzygy,"
        f" results and distances, {rounded} of them a ply longer than in a rounded file",
    )


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
    """The line that the reader should write, with a dash for what the file lacks."""
    wdl = tables.probe_wdl(board)
    if wdl == 0:
        return "0 -"
    # Values of files are counted from the shortest distance, which is 1.
    value, success = tables.probe_dtz_table(board, wdl)
    return f"{wdl} {value + 1}" if success >= 0 else f"{wdl} -"


def reader(syzygy: str, program: str, wanted: str) -> int:
    """Positions have the colours either way round, and one in ten an en passant right; the stored
    DTZ is compared for those without."""
    rng, count = random.Random(1), int(wanted)
    names = sorted(path.stem for path in pathlib.Path(syzygy).glob("*.rtbw"))
    boards = rng.sample(list(positions()), count // 10)
    while len(boards) < count:
        board = random_position(rng, rng.choice(names))
        if board is not None:
            boards.append(board)
    answers = ask([program, "read", "--syzygy", syzygy], boards)

    def differences() -> Iterator[str | None]:
        with chess.syzygy.open_tablebase(syzygy) as tables:
            for board, answer in zip(boards, answers, strict=True):
                theirs = expected(tables, board)
                if board.ep_square is not None:
                    # The files know no rights: only the result counts.
                    answer, theirs = answer.split()[0], theirs.split()[0]
                different = f"{board.fen()}: the reader {answer}, python-chess {theirs}"
                yield different if theirs != answer else None

    words = f"random positions of {len(names)} endings, {count // 10} with an e.p. right"
    return verdict(differences(), f"Syzygy reader: {{}} {words}, compared with python-chess")


if __name__ == "__main__":
    sys.exit({"gaviota": gaviota, "rights": rights, "reader": reader}[sys.argv[1]](*sys.argv[2:]))
