#!/usr/bin/env python3
"""Writes the perft files of High Chess, rules/tests/perft/high-chess*.txt.

The moves come from python-chess; passes, High and Low, and vitality are
implemented here from docs/RULES.md, so that the counts owe nothing to the move
generator that they test. The files come out the same every time. Takes about a
minute. Needs the package `chess` (version 1.11.2).
"""

import pathlib
import random

import chess

FOLDER = pathlib.Path(__file__).parents[1] / "rules/tests/perft"
FULL = 50
MOST_NODES = 15_000


def steps_to_the_centre():
    """H1, found by walking: how many king steps each square is from the centre."""
    steps = {square: 0 for square in (chess.D4, chess.E4, chess.D5, chess.E5)}
    queue = list(steps)
    for square in queue:
        for target in chess.SquareSet(chess.BB_KING_ATTACKS[square]):
            if target not in steps:
                steps[target] = steps[square] + 1
                queue.append(target)
    return steps


STEPS = steps_to_the_centre()


def high(board):
    """H1: the side that is High."""
    white, black = (STEPS[board.king(colour)] for colour in chess.COLORS)
    return chess.WHITE if white < black else chess.BLACK


class State:
    """A position with its vitality counters."""

    def __init__(self, board, vitality, full, both):
        self.board = board
        self.vitality = dict(vitality)
        self.full = full
        self.both = both

    def moves(self):
        """The legal moves; the null move is the pass."""
        if self.vitality[not self.board.turn] == 0:  # H6
            return []
        moves = list(self.board.legal_moves)
        if not self.board.is_check():  # H2
            moves.append(chess.Move.null())
        return moves

    def play(self, move):
        mover = self.board.turn
        vital = self.board.has_pseudo_legal_en_passant() or (  # H7
            bool(move)
            and (
                self.board.is_capture(move)
                or self.board.piece_type_at(move.from_square) == chess.PAWN
            )
        )
        after = State(self.board.copy(stack=False), self.vitality, self.full, self.both)
        after.board.push(move)
        if vital:  # H4
            after.vitality[mover] = self.full
            if self.both:
                after.vitality[not mover] = self.full
        elif high(after.board) != mover:  # H3, H5
            after.vitality[mover] -= 1
        return after

    def perft(self, depth):
        if depth == 0:
            return 1
        moves = self.moves()
        if depth == 1:
            return len(moves)
        return sum(self.play(move).perft(depth - 1) for move in moves)

    def fen(self):
        men, turn, _, _ = self.board.epd(en_passant="fen").split()
        ep = "-"
        if self.board.ep_square is not None:
            ep = chess.square_name(self.board.ep_square)
        white, black = self.vitality[chess.WHITE], self.vitality[chess.BLACK]
        return f"{men} {turn} - {ep} {white}+{black} 0 1"


def is_position(board):
    """O6, and pawns where pawns can be."""
    outer = chess.BB_RANK_1 | chess.BB_RANK_8
    return not board.pawns & outer and not board.was_into_check()


def put(board, square, letter):
    board.set_piece_at(square, chess.Piece.from_symbol(letter))


def any_men(dice, board):
    """Up to five men beside the kings; pawns stand at home half of the time."""
    letters = "Kk" + "".join(dice.choices("QRBNPPPqrbnppp", k=dice.randint(0, 5)))
    at_home = dice.random() < 0.5
    for letter, square in zip(letters, dice.sample(chess.SQUARES, len(letters))):
        if at_home and letter in "Pp":
            square = square % 8 + (8 if letter == "P" else 48)
        put(board, square, letter)


def after_a_double_step(dice, board):
    """A pawn has just passed an enemy pawn; lines lead to the king behind."""
    turn = board.turn
    letters = "KPprrbq" if turn else "kpPRRBQ"
    rank = 4 if turn else 3
    file = dice.randrange(8)
    beside = file + dice.choice([-1, 1])
    if beside not in range(8):
        return
    others = dice.sample(letters[3:], dice.randint(0, 2))
    men = [letters[0], "k" if turn else "K", *others]
    for letter, square in zip(men, dice.sample(chess.SQUARES, len(men))):
        put(board, square, letter)
    put(board, chess.square(file, rank), letters[2])
    put(board, chess.square(beside, rank), letters[1])
    ahead = 1 if turn else -1
    board.ep_square = chess.square(file, rank + ahead)
    if board.occupied & (
        chess.BB_SQUARES[board.ep_square]
        | chess.BB_SQUARES[chess.square(file, rank + 2 * ahead)]
    ):
        board.clear()


def cornered(dice, board):
    """A bare king at the edge against king and piece, and a blocked pawn."""
    mine, theirs = ("K", "kqr") if board.turn else ("k", "KQR")
    edge = chess.SquareSet(chess.BB_RANK_1 | chess.BB_RANK_8)
    put(board, dice.choice(list(edge)), mine)
    for letter in (theirs[0], dice.choice(theirs[1:])):
        free = [square for square in chess.SQUARES if not board.piece_at(square)]
        put(board, dice.choice(free), letter)
    square = dice.randrange(16, 40)
    if dice.random() < 0.5 and not board.occupied >> square & 0x101:
        put(board, square, "P")
        put(board, square + 8, "p")


def random_state(dice, full, both, place, plies, wanted):
    """A position that `wanted` likes, some plies into random play."""
    while True:
        board = chess.Board(None)
        board.turn = dice.random() < 0.5
        place(dice, board)
        kings = [len(board.pieces(chess.KING, colour)) for colour in chess.COLORS]
        if kings != [1, 1] or not is_position(board):
            continue
        vitality = {
            colour: dice.randint(1, min(full, 4 if dice.random() < 0.7 else full))
            for colour in chess.COLORS
        }
        state = State(board, vitality, full, both)
        for _ in range(dice.randint(0, plies)):
            moves = [move for move in state.moves() if 0 not in state.play(move).vitality.values()]
            if not moves:
                break
            state = state.play(dice.choice(moves))
        if wanted(state):
            return state


def in_words(state):
    """What is special about a position, for a remark."""
    words = []
    board = state.board
    if board.is_checkmate():
        words.append("mate")
    elif board.is_check():
        words.append("check")
    elif not any(board.legal_moves):
        words.append("only a pass")
    if board.has_pseudo_legal_en_passant() and not board.has_legal_en_passant():
        words.append("e.p. stands but is illegal")
    if board.ep_square is not None and not board.has_pseudo_legal_en_passant():
        words.append("e.p. square without a taker")
    return ", ".join(words)


def line(state):
    counts = []
    for depth in range(1, 7):
        nodes = state.perft(depth)
        if nodes > MOST_NODES:
            break
        counts.append(f";D{depth} {nodes}")
        if nodes == 0:
            break
    remark = in_words(state)
    return f"{state.fen()} {' '.join(counts)}" + (f" # {remark}" if remark else "")


def write(name, game, full, both, each, fixed, seed):
    dice = random.Random(seed)
    def stands(state):
        return state.board.has_pseudo_legal_en_passant()

    def may_take(state):
        return state.board.has_legal_en_passant()

    def in_check(state):
        return state.board.is_check()

    def may_move(state):
        return any(state.board.legal_moves)

    def anything(_):
        return True

    wishes = [
        ("Random positions", each, any_men, 6, anything),
        ("Heights that a king's step may turn over", each, any_men, 6, close),
        ("In check", each // 2, any_men, 2, in_check),
        ("E.p. counts", each // 2, after_a_double_step, 0, stands),
        (
            "E.p. counts, though no capture is legal",
            each // 2,
            after_a_double_step,
            0,
            lambda state: stands(state) and not may_take(state),
        ),
        (
            "An e.p. square that does not count",
            each // 4,
            any_men,
            1,
            lambda state: state.board.ep_square is not None and not stands(state),
        ),
        (
            "Nothing but a pass",
            each // 2,
            cornered,
            0,
            lambda state: not in_check(state) and not may_move(state),
        ),
        (
            "Mates",
            2,
            cornered,
            0,
            lambda state: in_check(state) and not may_move(state),
        ),
    ]
    text = [
        f"# Perft of {game}, written by scripts/perft_high_chess.py",
        f"# with python-chess {chess.__version__}, run as a separate program. A line is a FEN",
        "# and, after semicolons, depths with node counts; what stands after # is a",
        "# remark.",
    ]
    if fixed:
        text += ["", "# Chosen positions."]
    for fen in fixed:
        men, turn, castling, ep, vitality = fen.split()
        white, black = vitality.split("+")
        board = chess.Board(f"{men} {turn} {castling} {ep} 0 1")
        counters = {chess.WHITE: int(white), chess.BLACK: int(black)}
        text.append(line(State(board, counters, full, both)))
    for title, number, place, plies, wanted in wishes:
        text += ["", f"# {title}."]
        for _ in range(number):
            text.append(line(random_state(dice, full, both, place, plies, wanted)))
    (FOLDER / name).write_text("\n".join(text) + "\n")


def close(state):
    """Heights that one king step can turn over."""
    white, black = (STEPS[state.board.king(colour)] for colour in chess.COLORS)
    return abs(white - black) <= 1


CHOSEN = [
    # Two bare kings, fresh, worn and nearly exhausted.
    "8/8/8/3k4/8/8/8/K7 w - - 50+50",
    "8/8/8/8/8/2k5/8/K7 w - - 3+1",
    "8/8/8/8/8/2k5/8/K7 b - - 2+2",
    "k7/8/8/8/8/8/8/7K w - - 1+1",
    # Mates and exhaustion at once.
    "k7/8/1K6/8/8/8/8/7R w - - 1+1",
    "7k/5K2/8/8/8/8/8/6R1 w - - 1+50",
    "K7/8/1k6/8/8/8/8/7r b - - 50+1",
    # Pawns that restore vitality.
    "8/1p6/8/2P5/8/k7/8/K7 b - - 2+2",
    "4k3/P6p/8/8/8/8/p6P/4K3 w - - 2+1",
]

if __name__ == "__main__":
    write("high-chess.txt", "High Chess", FULL, False, 20, CHOSEN, 1)
    write("high-chess-both.txt", "High Chess with vital-restores = both", FULL, True, 12, CHOSEN, 2)
    write("high-chess-vitality-3.txt", "High Chess with vitality = 3", 3, False, 12, [], 3)
