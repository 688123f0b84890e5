"""Boards, as python-chess has them. The stand-in here has what is read of one."""

from __future__ import annotations

import pytest

import retrograde

KINDS = {"k": "kings", "q": "queens", "r": "rooks", "b": "bishops", "n": "knights", "p": "pawns"}


class Board:
    """Enough of a board to be asked about."""

    uci_variant = "chess"

    def __init__(self, fen: str) -> None:
        placement, turn, self.castling, ep, *clocks = fen.split()
        for name in KINDS.values():
            setattr(self, name, 0)
        self.occupied_co = [0, 0]
        for row, text in enumerate(placement.split("/")):
            file = 0
            for letter in text:
                if letter.isdigit():
                    file += int(letter)
                    continue
                square = 1 << (7 - row) * 8 + file
                name = KINDS[letter.lower()]
                setattr(self, name, getattr(self, name) | square)
                self.occupied_co[letter.isupper()] |= square
                file += 1
        self.turn = turn == "w"
        self.castling_rights = 0 if self.castling == "-" else 1 << 7
        self.ep_square = None if ep == "-" else (int(ep[1]) - 1) * 8 + ord(ep[0]) - ord("a")
        self.halfmove_clock = int(clocks[0]) if clocks else 0
        self.fullmove_number = int(clocks[1]) if clocks else 1
        self.text = fen

    def fen(self) -> str:
        return self.text


FENS = [
    "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
    "8/8/8/3k4/8/8/8/KQ6 b - - 0 1",
    "8/8/8/3k4/8/8/8/KQ6 w - - 90 120",
    "k7/1Q6/K7/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/4k3/8/4P3/4K3 b - - 3 9",
    "8/8/8/8/4p3/8/3k4/K7 w - - 0 1",
]


@pytest.mark.parametrize("fen", FENS)
def test_boards_and_fens_agree(orthodox, fen):
    board = Board(fen)
    assert orthodox.probe_wdl(board) == orthodox.probe_wdl(fen)
    assert orthodox.probe_dtz(board) == orthodox.probe_dtz(fen)
    assert orthodox.probe_dtm(board) == orthodox.probe_dtm(fen)
    assert orthodox.probe(board, moves=True, line=True) == orthodox.probe(
        fen, moves=True, line=True
    )
    assert list(orthodox.probe_many([board, fen]).wdl) == [orthodox.probe_wdl(fen)] * 2


def test_ep_squares(orthodox):
    # After 1. e4 a board has the square e3, whether a capture is possible or not.
    fen = "8/8/8/8/4P3/8/3k4/7K b - e3 0 1"
    board = Board(fen)
    assert orthodox.probe_wdl(board) == orthodox.probe_wdl(fen)
    # One that means nothing is forgiven, as python-chess does.
    board.ep_square = 63
    assert orthodox.probe_wdl(board) == orthodox.probe_wdl(fen)
    # Only the capture is known, and it wins.
    missing = Board("8/8/8/8/4Pp2/8/3k4/7K b - e3 0 1")
    assert orthodox.probe_wdl(missing) == 2
    missing.ep_square = None
    with pytest.raises(retrograde.MissingTableError):
        orthodox.probe_wdl(missing)


def test_castling_rights(orthodox):
    board = Board("8/8/8/3k4/8/8/8/4K2R w K - 0 1")
    with pytest.raises(KeyError, match="castling"):
        orthodox.probe_wdl(board)
    assert orthodox.get_wdl(board, 4) == 4
    assert orthodox.probe(board).error.kind == "unsupported"
    # Rights that mean nothing are not in the FEN.
    board = Board("8/8/8/3k4/8/8/8/4K2R w - - 0 1")
    board.castling_rights = 1 << 56
    assert orthodox.probe_wdl(board) == orthodox.probe(board).wdl == 2
    assert orthodox.probe_many([board]).wdl.tolist() == [2]


def test_clocks(orthodox):
    board = Board(FENS[0])
    for name in ("halfmove_clock", "fullmove_number"):
        for wrong in (-1, 1 << 40):
            setattr(board, name, wrong)
            with pytest.raises(ValueError, match=f"{name} of a board is a number from 0"):
                orthodox.probe(board)
            setattr(board, name, 1)


def test_variants(orthodox, tables):
    board = Board("8/8/2k5/8/8/2K5/8/8 w - - 0 1")
    board.uci_variant = "kingofthehill"
    with pytest.raises(KeyError, match="kingofthehill"):
        orthodox.probe_wdl(board)
    with retrograde.open_tablebase(tables, "king-of-the-hill") as hill:
        assert hill.probe_wdl(board) == 2
        assert hill.probe_dtm(board) == 1
    with retrograde.open_tablebase(tables, "chess99") as chess99:
        with pytest.raises(TypeError, match="9x9"):
            chess99.probe_wdl(board)


@pytest.mark.parametrize(
    ("variant", "game", "fen", "dtm"),
    [
        ("atomic", "atomic", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 9),
        ("antichess", "antichess", "8/8/8/8/8/8/1k6/K7 w - - 0 1", -1),
        ("giveaway", "antichess", "8/8/8/8/8/8/1k6/K7 w - - 0 1", -1),
        ("racingkings", "racing-kings", "8/7K/8/8/8/8/8/k7 w - - 0 1", 1),
        ("kingofthehill", "king-of-the-hill", "8/8/2k5/8/8/2K5/8/8 w - - 0 1", 1),
    ],
)
def test_boards_of_variants(tables, orthodox, variant, game, fen, dtm):
    board = Board(fen)
    board.uci_variant = variant
    with retrograde.open_tablebase(tables, game) as tablebase:
        assert tablebase.probe_dtm(board) == tablebase.probe_dtm(fen) == dtm
        assert tablebase.probe_wdl(board) == (2 if dtm > 0 else -2)
        assert tablebase.probe(board) == tablebase.probe(fen)
        assert list(tablebase.probe_many([board]).wdl) == [2 if dtm > 0 else -2]
    with pytest.raises(KeyError, match=variant):
        orthodox.probe_wdl(board)


def test_variants_that_are_options(tables):
    # White cannot move: it has won, or, with as many men as Black, drawn.
    board = Board("8/8/8/8/8/p7/P7/8 w - - 0 1")
    results = {"antichess": 2, "antichess:stalemate=fewer-men": 0}
    for game, wdl in results.items():
        with retrograde.open_tablebase(tables, game) as tablebase:
            for variant in ("antichess", "giveaway", "suicide"):
                board.uci_variant = variant
                if (variant == "suicide") == (wdl == 0):
                    assert tablebase.probe_wdl(board) == wdl
                else:
                    with pytest.raises(KeyError, match=variant):
                        tablebase.probe_wdl(board)


def test_boards_that_are_no_positions(orthodox):
    empty = Board("8/8/8/8/8/8/8/8 w - - 0 1")
    touching = Board("8/8/8/3k4/3K4/8/8/Q7 w - - 0 1")
    for board in (empty, touching):
        for ask in (orthodox.probe_wdl, orthodox.get_wdl, orthodox.probe):
            with pytest.raises(retrograde.PositionError):
                ask(board)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kings", None),
        ("kings", -1),
        ("queens", 1 << 64),
        ("pawns", "x"),
        ("occupied_co", 5),
        ("occupied_co", []),
        ("occupied_co", [1]),
        ("ep_square", 1000),
        ("ep_square", "e3"),
        ("castling_rights", None),
    ],
)
def test_boards_with_nonsense(orthodox, name, value):
    board = Board(FENS[0])
    setattr(board, name, value)
    with pytest.raises((TypeError, OverflowError, IndexError, ValueError)):
        orthodox.probe_wdl(board)


def test_pieces_on_one_square(orthodox):
    board = Board(FENS[0])
    board.rooks = board.queens
    with pytest.raises(ValueError, match="contradict"):
        orthodox.probe_wdl(board)
