#!/usr/bin/env python3
"""Plots the bytes of small tables beside Syzygy's, from the tables in docs/COMPARE.md.

    scripts/plot-sizes.py --out docs/images/sizes.svg

Needs matplotlib.
"""

import argparse
import re
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot-sizes.py needs matplotlib: python3 -m pip install matplotlib")
matplotlib.use("svg")
# Same input, same file.
matplotlib.rcParams["svg.hashsalt"] = "retrograde"
import matplotlib.pyplot as plt  # noqa: E402

# The columns of Syzygy's bytes and of ours.
METRICS = {"WDL": (1, 2), "DTZ": (4, 5)}


def endings(text: str) -> list[list[str]]:
    """The cells of the rows about bytes whose first one is an ending."""
    _, _, text = text.partition("\n## Bytes\n")
    text, _, _ = text.partition("\n## ")
    rows = [line.strip("| \n").split("|") for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in row] for row in rows]
    return [row for row in rows if re.fullmatch(r"K[QRBNP]*vK[QRBNP]*", row[0]) and len(row) > 7]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compare", default="docs/COMPARE.md")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()

    with open(args.compare, encoding="utf-8") as file:
        rows = endings(file.read())
    figure, panels = plt.subplots(1, 2, figsize=(10, 6.6), layout="constrained")
    for axes, (metric, (theirs, ours)) in zip(panels, METRICS.items()):
        sizes = [[int(row[column].replace(",", "")) for column in (theirs, ours)] for row in rows]
        order = sorted(range(len(rows)), key=lambda place: sizes[place][0])
        places = range(len(order))
        pairs = [sizes[place] for place in order]
        axes.hlines(places, *zip(*pairs), color="0.8", linewidth=1, zorder=0)
        for column, (marker, label) in enumerate([("s", "Syzygy"), ("o", "Retrograde, small")]):
            axes.plot([pair[column] for pair in pairs], places, marker, label=label, markersize=4)
        axes.set_yticks(places, [rows[place][0] for place in order], fontsize=7)
        axes.set_title(f"bytes of {metric}", fontsize=10)
        axes.set_xscale("log")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(args.out, metadata={"Date": None})


if __name__ == "__main__":
    main()
