#!/usr/bin/env python3
"""Compares the moves of the games in games/examples/ with those of Fairy-Stockfish.

The array of each game, and positions of random games, go through `retrograde perft --divide` and
through the package `pyffish`: the lines of two plies are counted move by move. Exits with 1 if
anything differs.
"""

import argparse
import pathlib
import random
import subprocess
import sys

import pyffish

EXAMPLES = pathlib.Path(__file__).parents[1] / "games" / "examples"
# Fairy-Stockfish has the other games under their names.
HEXAPAWN = """[hexapawn-{n}:chess]
king = -
queen = -
rook = -
bishop = -
knight = -
maxFile = {n}
maxRank = {n}
promotionPieceTypes = -
promotionRegionWhite = -
promotionRegionBlack = -
doubleStep = false
castling = false
stalemateValue = loss
flagPiece = p
flagRegionWhite = *{n}
flagRegionBlack = *1
startFen = {array}

"""
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
    """For each move how many answers it has."""
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


def compare(retrograde: str, game: str, variant: str, fens: list[str]) -> int:
    """How many positions differ."""
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
    print(f"{name}: {len(fens)} positions, {lines} lines of two plies: {different} differ", flush=True)
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--retrograde", required=True, help="the program")
    parser.add_argument("--positions", type=int, default=500, help="positions a game")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    pyffish.load_variant_config(
        "".join(HEXAPAWN.format(n=n, array=array) for n, array in HEXAPAWNS.items())
    )
    different = 0
    for path in sorted(EXAMPLES.glob("*.toml")):
        for option, variant in OPTIONS.get(path.stem, [("", path.stem)]):
            fens = played(variant, arguments.positions, random.Random(arguments.seed))
            different += compare(arguments.retrograde, f"{path}{option}", variant, fens)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
