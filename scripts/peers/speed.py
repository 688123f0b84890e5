"""Measures the Python package: processor time a probe, beside chess.syzygy if it is there."""

import argparse
import importlib.util
import pathlib
import random
import time

import retrograde

MATERIALS = ["KQvK", "KRvK", "KPvK", "KQvKR", "KRvKN", "KBNvK", "KPvKP", "KRvKP"]


def fens(tablebase, count, rng):
    """Random positions of some materials."""
    found = []
    for material in MATERIALS:
        table = tablebase.table(material)
        while len(found) < count * (MATERIALS.index(material) + 1) // len(MATERIALS):
            fen = table.fen(rng.randrange(len(table)), rng.choice(["white", "black"]))
            if fen:
                found.append(fen)
    rng.shuffle(found)
    return found


def microseconds(ask, positions, rounds=5):
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for position in positions:
            ask(position)
        best = min(best, time.process_time() - began)
    return best / len(positions) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=pathlib.Path, required=True)
    parser.add_argument(
        "--also",
        type=pathlib.Path,
        action="append",
        default=[],
        help="a folder with tables of the same materials, for many at once",
    )
    parser.add_argument("--syzygy", type=pathlib.Path)
    arguments = parser.parse_args()
    rng = random.Random(1)
    tablebase = retrograde.open_tablebase(arguments.tables)
    random_fens = fens(tablebase, 4000, rng)
    few_fens = random_fens[:40] * 100
    kinds = [("FEN", random_fens, few_fens)]
    theirs = None
    if importlib.util.find_spec("chess"):
        import chess
        import chess.syzygy

        boards = [chess.Board(fen) for fen in random_fens]
        kinds.append(("board", boards, boards[:40] * 100))
        if arguments.syzygy and arguments.syzygy.exists():
            theirs = chess.syzygy.open_tablebase(str(arguments.syzygy))
    for name in ("probe_wdl", "probe_dtz", "probe_dtm"):
        for kind, many, few in kinds:
            ask = getattr(tablebase, name)
            line = f"{name}({kind}): random {microseconds(ask, many):.2f} us, 40 again and again {microseconds(ask, few):.2f} us"
            if theirs and kind == "board" and name != "probe_dtm":
                ask = getattr(theirs, name)
                line += f"; chess.syzygy: {microseconds(ask, many, 1):.1f} us, {microseconds(ask, few, 1):.1f} us"
            print(line)
    many = fens(tablebase, 400_000, rng)
    for folder in [arguments.tables, *arguments.also]:
        measure_many(folder, many)


def measure_many(folder, many):
    """Many positions at once, with whatever metrics all tables of the materials have."""
    tablebase = retrograde.open_tablebase(folder)
    tables = dict(tablebase.list_tables())
    metrics = [m for m in ("dtm", "dtz") if all(m in tables[name] for name in MATERIALS)]
    for wanted in (None, metrics[:1], metrics)[: len(metrics) + 1]:
        best = best_wall = float("inf")
        for _ in range(4):
            began, wall = time.process_time(), time.perf_counter()
            tablebase.probe_many(many, wanted)
            best_wall = min(best_wall, time.perf_counter() - wall)
            best = min(best, time.process_time() - began)
        named = ", ".join(["wdl", *(wanted or [])])
        print(
            f"probe_many of {len(many)} in {folder} ({named}):"
            f" {len(many) / best_wall / 1e6:.2f} million a second"
            f" by the clock, {len(many) / best / 1e6:.2f} a second of processor time"
        )


if __name__ == "__main__":
    main()
