"""Compares the Python package with chess.syzygy: values and exceptions on random boards."""

import argparse
import pathlib
import random
import sys
import tempfile

import chess
import chess.syzygy
import chess.variant
import retrograde

PIECES = "QRBNP"


def random_board(rng, men):
    """A legal board of so many men, now and then with an e.p. square."""
    while True:
        others = [rng.choice(PIECES) for _ in range(men - 2)]
        squares = rng.sample(range(64), men)
        board = chess.Board(None)
        board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
        board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
        for letter, square in zip(others, squares[2:]):
            letter = letter if rng.random() < 0.5 else letter.lower()
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = rng.random() < 0.5
        board.halfmove_clock = rng.choice([0, 0, 0, 7, 99])
        pawns = board.pieces(chess.PAWN, not board.turn)
        pushed = [
            s for s in pawns if chess.square_rank(s) == (3 if board.turn == chess.BLACK else 4)
        ]
        if pushed:
            back = -8 if board.turn == chess.BLACK else 8
            board.ep_square = pushed[0] + back
        if not board.is_valid():
            board.ep_square = None
        if board.is_valid():
            return board


def outcome(ask, *arguments):
    """The value that a call gives, or the kind of exception as a user can catch it."""
    try:
        return ask(*arguments)
    except (retrograde.MissingTableError, chess.syzygy.MissingTableError):
        return "MissingTableError"
    except KeyError:
        return "KeyError"


def no_table(board):
    """Whether the rules alone know who wins."""
    return not any(board.legal_moves) or board.is_insufficient_material()


class Comparison:
    """Counts what was compared, and remembers what differs."""

    def __init__(self):
        self.compared = self.rounded = self.one_sided = self.ended = self.by_moves = 0
        self.different = []

    def add(self, what, board, theirs, ours, whole=None):
        self.compared += 1
        if theirs == ours:
            return
        both = isinstance(theirs, int) and isinstance(ours, int)
        if "dtz" in what and both and theirs * ours > 0 and abs(theirs - ours) == 1:
            self.rounded += 1
            return
        if theirs in ("MissingTableError", None, 17) and ours in (-2, -1, 0) and no_table(board):
            # The rules know it, but they ask for a table first.
            self.ended += 1
            return
        if "dtz" in what and theirs in ("MissingTableError", None, 17) and isinstance(ours, int):
            # Their files have one side to move: for the other they ask the tables that
            # promotions lead to, which may be missing.
            self.one_sided += 1
            return
        if theirs in ("MissingTableError", None, 17) and whole is not None and ours == whole:
            # Moves settle it; they try captures only.
            self.by_moves += 1
            return
        self.different.append((what, board.fen(), theirs, ours))

    def board(self, board, theirs, ours, all_tables=None):
        """`all_tables` are those that our answers must agree with."""
        whole = {}
        for name in ("probe_wdl", "probe_dtz"):
            if all_tables is not None:
                whole[name[-3:]] = outcome(getattr(all_tables, name), board)
            self.add(
                name,
                board,
                outcome(getattr(theirs, name), board),
                outcome(getattr(ours, name), board),
                whole.get(name[-3:]),
            )
        for name in ("get_wdl", "get_dtz"):
            for default in ((), (17,)):
                self.add(
                    name,
                    board,
                    outcome(getattr(theirs, name), board, *default),
                    outcome(getattr(ours, name), board, *default),
                    whole.get(name[-3:]),
                )


def some_tables(folder, syzygy, tables, rng):
    """Two folders that have the same materials: all of three men, half of those of four."""
    theirs, ours = folder / "syzygy", folder / "retrograde"
    (ours / "orthodox").mkdir(parents=True)
    theirs.mkdir()
    for path in sorted(syzygy.glob("*.rtbw")):
        if len(path.stem) > len("KQvK") and rng.random() < 0.5:
            continue
        for end in (".rtbw", ".rtbz"):
            (theirs / (path.stem + end)).symlink_to(path.with_suffix(end).resolve())
        for end in (".wdl", ".dtm", ".dtz"):
            source = tables / "orthodox" / (path.stem + end)
            (ours / "orthodox" / source.name).symlink_to(source.resolve())
    return theirs, ours


#: The games that boards of variants are positions of.
VARIANTS = {
    chess.variant.AtomicBoard: "atomic",
    chess.variant.AntichessBoard: "antichess",
    chess.variant.GiveawayBoard: "antichess",
    chess.variant.SuicideBoard: "antichess:stalemate=fewer-men",
    chess.variant.KingOfTheHillBoard: "king-of-the-hill",
    chess.variant.RacingKingsBoard: "racing-kings",
}


def variants(shipped, rng, different):
    """Compares boards of variants with their FENs, and ended games with what python-chess says."""
    compared = 0
    for kind, game in VARIANTS.items():
        with retrograde.open_tablebase(str(shipped), game) as tables:
            for _ in range(2_000):
                board = kind(None)
                men = "Kk" + (rng.choice("QRN") if game == "racing-kings" else rng.choice(PIECES))
                if "antichess" in game:
                    men = rng.choice("KQRBNP") + rng.choice("kqrbnp")
                for letter, square in zip(men, rng.sample(range(64), len(men))):
                    board.set_piece_at(square, chess.Piece.from_symbol(letter))
                board.turn = rng.random() < 0.5
                if not board.is_valid():
                    continue
                try:
                    ours = outcome(tables.probe_wdl, board)
                except retrograde.PositionError:
                    # It takes boards that no game can come to, such as of one that was won before.
                    continue
                compared += 1
                if ours != outcome(tables.probe_wdl, board.fen()):
                    different.append((game, board.fen(), "not as its FEN"))
                if board.is_game_over() and ours != "MissingTableError":
                    result = {"1-0": 2, "0-1": -2}.get(board.result(), 0)
                    theirs = result if board.turn == chess.WHITE else -result
                    if ours != theirs:
                        different.append((game, board.fen(), theirs, ours))
    return compared


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--syzygy", type=pathlib.Path, required=True)
    parser.add_argument("--tables", type=pathlib.Path, required=True)
    parser.add_argument("--shipped", type=pathlib.Path, required=True)
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    boards = [random_board(rng, rng.choice([3, 4])) for _ in range(arguments.boards)]
    result = Comparison()
    with (
        chess.syzygy.open_tablebase(str(arguments.syzygy)) as theirs,
        retrograde.open_tablebase(str(arguments.tables)) as ours,
    ):
        for board in boards:
            result.board(board, theirs, ours)
        for fen in (
            chess.STARTING_FEN,
            "8/8/8/3k4/8/8/8/4K2R w K - 0 1",
            "r3k3/8/8/8/8/8/8/4K3 b q - 0 1",
            "8/8/8/3k4/8/8/8/K7 w - - 0 1",
            "8/qqqqq3/8/3k4/8/8/8/K7 w - - 0 1",
            "k7/1Q6/K7/8/8/8/8/8 b - - 0 1",
        ):
            result.board(chess.Board(fen), theirs, ours)
    with tempfile.TemporaryDirectory() as folder:
        their_folder, our_folder = some_tables(
            pathlib.Path(folder), arguments.syzygy, arguments.tables, rng
        )
        with (
            chess.syzygy.open_tablebase(str(their_folder)) as theirs,
            retrograde.open_tablebase(str(our_folder)) as ours,
            retrograde.open_tablebase(str(arguments.tables)) as whole,
        ):
            for board in boards[: arguments.boards // 2]:
                result.board(board, theirs, ours, whole)
    boards_of_variants = variants(arguments.shipped, rng, result.different)
    for line in result.different[:20]:
        print("different:", *line)
    print(
        f"{result.compared} answers compared with chess.syzygy, {result.rounded} distances a ply"
        f" apart, {result.one_sided} that their one-sided files do not have,"
        f" {result.ended} of ended games that they have no table of,"
        f" {result.by_moves} that moves settle,"
        f" {boards_of_variants} boards of variants, {len(result.different)} different"
    )
    return 1 if result.different else 0


if __name__ == "__main__":
    sys.exit(main())
