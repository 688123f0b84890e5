#!/usr/bin/env python3
"""Plots how many moves the lost positions of some endings last.

    scripts/plot-depths.py --out docs/images/depths.svg KQvKR KBNvK KRvKN

The counts come from `retrograde stats`, which needs the tables (see --tables).
Needs matplotlib.
"""

import argparse
import json
import subprocess
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot-depths.py needs matplotlib: python3 -m pip install matplotlib")
matplotlib.use("svg")
# Same input, same file.
matplotlib.rcParams["svg.hashsalt"] = "retrograde"
import matplotlib.pyplot as plt  # noqa: E402


def lost_by_moves(retrograde: str, tables: str, material: str) -> dict[int, int]:
    """For each number of moves, how many positions with Black to move are lost in it."""
    command = [retrograde, "stats", "orthodox", material, "--json", "--tables", tables]
    stats = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    losses = stats["histogram"]["black"]["loss"]
    return {int(plies) // 2: count for plies, count in losses.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("materials", nargs="+", metavar="MATERIAL")
    parser.add_argument("--retrograde", default="target/release/retrograde")
    parser.add_argument("--tables", default="tables")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()

    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    for material in args.materials:
        counts = lost_by_moves(args.retrograde, args.tables, material)
        moves = sorted(counts)
        label = f"{material}: up to {moves[-1]} moves"
        axes.plot(moves, [counts[m] for m in moves], label=label, linewidth=1.6)
    axes.set_xlabel("moves to mate")
    axes.set_ylabel("positions, Black to move")
    axes.set_yscale("log")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(args.out, metadata={"Date": None})


if __name__ == "__main__":
    main()
