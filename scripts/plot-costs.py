#!/usr/bin/env python3
"""Plots what endings cost against their size, from generator/make/src/plan/costs.csv.

    scripts/plot-costs.py --out docs/images/costs.svg

Prints the slopes: the power of the number of positions with which a cost grows, by least
squares over the endings of four men and more. Needs matplotlib.
"""

import argparse
import csv
import math
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot-costs.py needs matplotlib: python3 -m pip install matplotlib")
matplotlib.use("svg")
# Same input, same file.
matplotlib.rcParams["svg.hashsalt"] = "retrograde"
import matplotlib.pyplot as plt  # noqa: E402

FILES = [f"{metric}_bytes" for metric in ("wdl", "dtz", "dtm", "thresholds", "mates")]
# Title, and the cost of a row; None where it is not known.
COSTS = [
    ("CPU seconds", lambda row: number(row["cpu_seconds"])),
    ("MiB of memory", lambda row: number(row["memory_mib"])),
    ("MB of files", lambda row: megabytes(row)),
]
# Below this the costs are those of starting the program.
FEWEST = 1_000_000


def number(text: str) -> float | None:
    return float(text) if text else None


def megabytes(row: dict[str, str]) -> float | None:
    # Each game has some of the metrics.
    sizes = [float(row[name]) for name in FILES if row[name]]
    return sum(sizes) / 1e6 if sizes else None


def slope(points: list[tuple[float, float]]) -> float:
    """The slope of the logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x >= FEWEST and y > 0]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    above = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return above / sum((x - mean_x) ** 2 for x, _ in logs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--costs", default="generator/make/src/plan/costs.csv")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()

    with open(args.costs, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    kinds = {
        "orthodox, without pawns": lambda r: r["game"] == "orthodox" and "P" not in r["ending"],
        "orthodox, with pawns": lambda r: r["game"] == "orthodox" and "P" in r["ending"],
        "High Chess": lambda r: r["game"] == "high-chess",
        "kings, wild 9": lambda r: r["game"] in ("kings", "wild9"),
        "Chess 99": lambda r: r["game"] == "chess99",
        "extinction": lambda r: r["game"].startswith("extinction"),
        "King of the Hill": lambda r: r["game"] == "king-of-the-hill",
    }
    figure, panels = plt.subplots(1, 3, figsize=(10, 3.8), layout="constrained")
    for axes, (title, cost) in zip(panels, COSTS):
        for marker, (kind, belongs) in zip("osD^vPX", kinds.items(), strict=True):
            known = [(float(r["positions"]), cost(r)) for r in rows if belongs(r)]
            points = [(x, y) for x, y in known if y]
            if not points:
                continue
            axes.plot(*zip(*points), marker, label=kind, markersize=3.5, alpha=0.7)
            if kind.startswith("orthodox"):
                print(f"{title}, {kind}: positions to the power of {slope(points):.2f}")
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("positions")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(args.out, metadata={"Date": None})


if __name__ == "__main__":
    main()
