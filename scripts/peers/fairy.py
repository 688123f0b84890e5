"""Compares moves with those of Fairy-Stockfish, through the package `pyffish`.

    fairy.py random MOVES      random positions of some games, by the example `moves` of the rules
    fairy.py examples PROGRAM  positions of random games of the games in games/examples/

Exits with 1 if anything differs.

Fairy-Stockfish has King of the Hill, and can play extinction-mating with pseudo-royal pieces. It
does not have kings: there it only generates the moves of the pieces, all kings being commoners,
and tells whether a single king is in check; this script decides which king that is.
"""

import argparse
import itertools
import pathlib
import random
import re
import subprocess
import sys

import pyffish

SHOWN = 10
SPARES = {"king": "K", "queen": "Q", "duke": "KN"}
FILES = "abcdefgh"

Board = dict[str, str]  # Square: letter.


def kings_config(spare: str) -> str:
    """Two variants: the moves of the pieces, and check; spare kings are M."""
    common = f"castling = false\ncustomPiece1 = m:{SPARES[spare]}\n"
    return (
        f"[{spare}-men:chess]\nking = -\ncommoner = k\npromotionPieceTypes = qrbnk\n{common}\n"
        f"[{spare}-check:chess]\n{common}\n"
    )


EXTINCTION = """[extinction-of-pieces:chess]
king = -
commoner = k
castling = false
extinctionValue = loss
extinctionPieceTypes = kqrbn
extinctionPseudoRoyal = true
"""


def placement(board: Board) -> str:
    """The first field of a FEN."""
    ranks = ("".join(board.get(f"{file}{rank}", "1") for file in FILES) for rank in range(8, 0, -1))
    return re.sub("1+", lambda ones: str(len(ones[0])), "/".join(ranks))


def fen(board: Board, turn: str, ep: str = "-") -> str:
    return f"{placement(board)} {turn} - {ep} 0 1"


def other(turn: str) -> str:
    return "b" if turn == "w" else "w"


def is_of(letter: str, turn: str) -> bool:
    return letter.isupper() == (turn == "w")


class Kings:
    """K1-K6, on top of moves of men and of check to one king."""

    def __init__(self, corner: str, promote: str, spare: str, tie: str) -> None:
        self.corner, self.promote, self.spare, self.tie = corner, promote, spare, tie
        self.id = (
            f"kings:black-corner={corner},promote-to-king={promote},"
            f"spare-king={spare},tie-break={tie}"
        )
        self.men, self.check = f"{spare}-men", f"{spare}-check"

    def royal(self, board: Board, turn: str) -> str:
        """K1."""
        king = "K" if turn == "w" else "k"
        kings = [square for square, letter in board.items() if letter == king]
        from_right = turn == "b" and self.corner == "h8"
        from_top = turn == "b" and self.tie == "home"

        def order(square: str) -> tuple[int, int]:
            file, rank = FILES.index(square[0]), int(square[1])
            return (-file if from_right else file, -rank if from_top else rank)

        return min(kings, key=order)

    def with_roles(self, board: Board, royals: set[str]) -> Board:
        """Spare kings become M, royal ones stay K."""
        return {
            square: {"K": "M", "k": "m"}.get(letter, letter) if square not in royals else letter
            for square, letter in board.items()
        }

    def attacked(self, board: Board, turn: str, enemy: str) -> bool:
        """Whether a side's royal king is attacked; `enemy` is the royal king
        of the other side, which may differ from the one of this board (K2)."""
        roles = self.with_roles(board, {self.royal(board, turn), enemy})
        return pyffish.gives_check(self.check, fen(roles, turn), [])

    def is_position(self, board: Board, turn: str) -> bool:
        return not self.attacked(board, other(turn), self.royal(board, turn))

    def answer(self, board: Board, turn: str, ep: str) -> tuple[str, set[str]]:
        enemy = self.royal(board, other(turn))
        roles = self.with_roles(board, {self.royal(board, turn), enemy})
        legal = set()
        for move in pyffish.legal_moves(self.men, fen(roles, turn, ep), []):
            if move.endswith("k") and self.promote == "off":
                continue
            if not self.attacked(self.after(board, move, ep), turn, enemy):
                legal.add(move)
        if legal:
            return "-", legal
        return ("checkmate" if self.attacked(board, turn, enemy) else "stalemate"), legal

    def after(self, board: Board, move: str, ep: str) -> Board:
        start, arrival, promotion = move[:2], move[2:4], move[4:]
        after = dict(board)
        letter = after.pop(start)
        if letter in "Pp" and arrival == ep:
            del after[arrival[0] + start[1]]
        if promotion:
            letter = promotion.upper() if letter.isupper() else promotion
        after[arrival] = letter
        return after


class Extinction:
    """Pieces alone: then pseudo-royal pieces are what E2 says."""

    id = "extinction-mating"
    variant = "extinction-of-pieces"

    def is_position(self, board: Board, turn: str) -> bool:
        return not pyffish.gives_check(self.variant, fen(board, other(turn)), [])

    def answer(self, board: Board, turn: str, ep: str) -> tuple[str, set[str]]:
        legal = set(pyffish.legal_moves(self.variant, fen(board, turn, ep), []))
        if legal:
            return "-", legal
        check = pyffish.gives_check(self.variant, fen(board, turn), [])
        return ("checkmate" if check else "stalemate"), legal


class Hill(Extinction):
    """T1-T3."""

    id = "king-of-the-hill"
    variant = "kingofthehill"

    def is_position(self, board: Board, turn: str) -> bool:
        king = "K" if turn == "w" else "k"
        hill = any(board.get(square) == king for square in ("d4", "e4", "d5", "e5"))
        return not hill and super().is_position(board, turn)

    def answer(self, board: Board, turn: str, ep: str) -> tuple[str, set[str]]:
        # Kings on the hill end the game, whatever moves there are.
        if pyffish.is_immediate_game_end(self.variant, fen(board, turn), [])[0]:
            return "hill", set()
        return super().answer(board, turn, ep)


def any_square(dice: random.Random, letter: str, board: Board) -> str:
    while True:
        rank = dice.randint(2, 7) if letter in "Pp" else dice.randint(1, 8)
        if letter in "Pp" and dice.random() < 0.3:
            rank = 7 if letter == "P" else 2
        square = f"{dice.choice(FILES)}{rank}"
        if square not in board:
            return square


def place(dice: random.Random, letters: str, board: Board) -> None:
    for letter in letters:
        board[any_square(dice, letter, board)] = letter


def with_kings(dice: random.Random, most: int = 3) -> tuple[Board, str, str]:
    """A random position of one to so many kings a side and up to five other men, now and then with
    a right to take en passant."""
    turn, ep, board = dice.choice("wb"), "-", {}
    if dice.random() < 0.3:
        file = dice.randrange(8)
        beside = file + dice.choice((-1, 1))
        rank, passed, pawns = (5, 6, "Pp") if turn == "w" else (4, 3, "pP")
        if 0 <= beside < 8:
            board[f"{FILES[file]}{rank}"] = pawns[1]
            board[f"{FILES[beside]}{rank}"] = pawns[0]
            ep = f"{FILES[file]}{passed}"
    others = "".join(dice.choices("QRBNPPqrbnpp", k=dice.randint(0, 5)))
    kings = "K" * dice.randint(1, most) + "k" * dice.randint(1, most)
    place(dice, kings + others, board)
    if ep != "-":
        # The pawn came from beyond, over empty squares.
        origin = ep[0] + ("7" if turn == "w" else "2")
        if ep in board or origin in board:
            ep = "-"
    return board, turn, ep


def of_pieces(dice: random.Random) -> tuple[Board, str, str]:
    """A random position of one to five pieces a side."""
    board: Board = {}
    for letters in ("KQRBN", "kqrbn"):
        place(dice, "".join(dice.choices(letters, k=dice.randint(1, 5))), board)
    return board, dice.choice("wb"), "-"


def with_two_kings(dice: random.Random) -> tuple[Board, str, str]:
    """Positions with one king a side."""
    return with_kings(dice, 1)


def compare(moves: str, game: Kings | Extinction, wanted: int, dice: random.Random) -> int:
    """Compares so many positions of a game; returns how many differ."""
    boards, found = [], 0
    any_board = {Kings: with_kings, Extinction: of_pieces, Hill: with_two_kings}[type(game)]
    while found < wanted:
        board, turn, ep = any_board(dice)
        is_position = game.is_position(board, turn)
        found += is_position
        boards.append((board, turn, ep, is_position))
    fens = [fen(board, turn, ep) for board, turn, ep, _ in boards]
    run = subprocess.run(
        [moves, game.id], input="\n".join(fens) + "\n", capture_output=True, text=True, check=True
    )
    lines = run.stdout.splitlines()
    if len(lines) != len(fens):
        raise SystemExit(f"{game.id}: {len(lines)} answers to {len(fens)} positions")
    different, total, ends = 0, 0, {"-": 0, "checkmate": 0, "stalemate": 0, "hill": 0}
    for (board, turn, ep, is_position), text, line in zip(boards, fens, lines):
        if not is_position:
            same, expected = line.startswith("!"), "no position"
        else:
            end, legal = game.answer(board, turn, ep)
            words = line.split()
            same = words[0] == end and set(words[1:]) == legal and len(words) - 1 == len(legal)
            expected = " ".join([end, *sorted(legal)])
            total += len(legal)
            ends[end] += 1
        if not same:
            different += 1
            if different <= SHOWN:
                print(f"{game.id}: {text}\n  here:    {line}\n  pyffish: {expected}")
    print(
        f"{game.id}: {found} positions with {total} moves, {ends['checkmate']} mates, "
        f"{ends['stalemate']} stalemates, {ends['hill']} on the hill, {len(boards) - found} illegal diagrams: "
        f"{different} differ",
        flush=True,
    )
    return different


def random_positions(moves: str, positions: int, seed: int) -> int:
    """Compares which random diagrams are positions, their legal moves, and mate or stalemate."""
    pyffish.load_variant_config("".join(map(kings_config, SPARES)) + EXTINCTION)
    default = ("a8", "on", "king", "home")
    options = itertools.product(("a8", "h8"), ("on", "off"), SPARES, ("home", "rank1"))
    others = [Kings(*option) for option in options if option != default]
    games = [Kings(*default), Extinction(), Hill()]
    # The other options share a quarter as many.
    work = [(game, positions) for game in games]
    work += [(game, positions // 4 // len(others) + 1) for game in others]
    return sum(compare(moves, game, some, random.Random(seed)) for game, some in work)


EXAMPLES = pathlib.Path(__file__).parents[2] / "games" / "examples"
# Fairy-Stockfish has the other games under their names.
HEXAPAWN = pathlib.Path(__file__).with_name("hexapawn.ini").read_text()
HEXAPAWNS = {
    3: "ppp/3/PPP w - - 0 1",
    4: "pppp/4/4/PPPP w - - 0 1",
    5: "ppppp/5/5/5/PPPPP w - - 0 1",
}
OPTIONS = {"hexapawn": [(f":board={n}x{n}", f"hexapawn-{n}") for n in HEXAPAWNS]}
# Games that are played without castling here.
NO_CASTLING = {"centaur"}


def moves(variant: str, fen: str) -> list[str]:
    """The legal moves; none if the game is over."""
    if pyffish.is_immediate_game_end(variant, fen, [])[0]:
        return []
    return pyffish.legal_moves(variant, fen, [])


def divided(variant: str, fen: str) -> dict[str, int]:
    """The number of answers to each move."""
    after = {move: pyffish.get_fen(variant, fen, [move]) for move in moves(variant, fen)}
    return {move: len(moves(variant, next_fen)) for move, next_fen in after.items()}


def played(variant: str, count: int, dice: random.Random) -> list[str]:
    """The array, and positions of random games from it."""
    array = pyffish.start_fen(variant)
    if variant in NO_CASTLING:
        array = array.replace("KQkq", "-")
    fens, fen = [array], array
    while len(fens) < count:
        legal = moves(variant, fen)
        if not legal or dice.random() < 0.01:
            fen = array
            continue
        fen = pyffish.get_fen(variant, fen, [dice.choice(legal)])
        fens.append(fen)
    return fens


def compare_game(retrograde: str, game: str, variant: str, fens: list[str]) -> int:
    """Counts the positions that differ."""
    different, lines = 0, 0
    for fen in fens:
        run = subprocess.run(
            [retrograde, "perft", game, fen, "--depth", "2", "--divide"],
            capture_output=True,
            text=True,
            check=False,
        )
        answer = [line.split() for line in run.stdout.splitlines()]
        ours = {words[0]: int(words[1]) for words in answer if len(words) == 2}
        theirs = divided(variant, fen)
        lines += sum(theirs.values())
        if run.returncode or ours != theirs:
            different += 1
            odd = {move for move in {*ours, *theirs} if ours.get(move) != theirs.get(move)}
            print(f"{game}: {fen}: {run.stderr.strip() or sorted(odd)}")
    name = game.removeprefix(f"{EXAMPLES}/")
    print(
        f"{name}: {len(fens)} positions, {lines} lines of two plies: {different} differ", flush=True
    )
    return different


def examples(retrograde: str, positions: int, seed: int) -> int:
    """Compares the lines of two plies, counted move by move."""
    pyffish.load_variant_config(
        "".join(HEXAPAWN.format(n=n, array=array) for n, array in HEXAPAWNS.items())
    )
    different = 0
    for path in sorted(EXAMPLES.glob("*.toml")):
        for option, variant in OPTIONS.get(path.stem, [("", path.stem)]):
            fens = played(variant, positions, random.Random(seed))
            different += compare_game(retrograde, f"{path}{option}", variant, fens)
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("random", "examples"))
    parser.add_argument("program")
    parser.add_argument("--positions", type=int, required=True, help="positions a game")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    work = {"random": random_positions, "examples": examples}[asked.what]
    return 1 if work(asked.program, asked.positions, asked.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
