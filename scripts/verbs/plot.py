"""Draws the pictures of the documentation."""

import csv
import json
import math
import re
from pathlib import Path
from typing import Any

import lib

FILES = [f"{metric}_bytes" for metric in ("wdl", "dtz", "dtm", "thresholds", "mates")]
# Below this the costs are those of starting the program.
FEWEST = 1_000_000


def pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        lib.fail("this takes matplotlib: python3 -m pip install matplotlib", 2)
    matplotlib.use("svg")
    # Same input, same file.
    matplotlib.rcParams["svg.hashsalt"] = "retrograde"
    import matplotlib.pyplot

    return matplotlib.pyplot


def save(figure: Any, panels: list[Any], out: Path, **legend: Any) -> None:
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].legend(frameon=False, **legend)
    figure.savefig(out, metadata={"Date": None})


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


@lib.command
def costs(*, out: Path, costs: Path = lib.ROOT / "generator/make/src/plan/costs.csv") -> None:
    """Plots what endings cost against their size, from generator/make/src/plan/costs.csv.

    Prints the slopes: the power of the number of positions with which a cost grows, by least
    squares over the endings of four men and more. Needs matplotlib.

    out: the picture, an SVG file
    costs: the measurements
    """
    with costs.open(encoding="ascii") as file:
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
    # Title, and the cost of a row; None where it is not known.
    values = {
        "CPU seconds": lambda row: float(row["cpu_seconds"] or 0),
        "MiB of memory": lambda row: float(row["memory_mib"] or 0),
        "MB of files": megabytes,
    }
    figure, panels = pyplot().subplots(1, 3, figsize=(10, 3.8), layout="constrained")
    for axes, (title, cost) in zip(panels, values.items()):
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
    save(figure, panels, out, fontsize=8)


@lib.command
def depths(materials: list[str], *, out: Path, tables: Path = lib.ROOT / "tables") -> None:
    """Plots how many moves the lost positions of some endings last.

        scripts/run plot depths --out docs/images/depths.svg KQvKR KBNvK KRvKN

    The counts come from `retrograde stats`, which needs the tables. Needs matplotlib.

    materials: the endings
    out: the picture, an SVG file
    tables: the table folder
    """
    lib.build("retrograde")
    figure, axes = pyplot().subplots(figsize=(8, 3.6), layout="constrained")
    for material in materials:
        stats = lib.said(
            lib.RETROGRADE, "stats", "orthodox", material, "--json", "--tables", tables
        )
        losses = json.loads(stats)["histogram"]["black"]["loss"]
        counts = {int(plies) // 2: count for plies, count in losses.items()}
        moves = sorted(counts)
        label = f"{material}: up to {moves[-1]} moves"
        axes.plot(moves, [counts[m] for m in moves], label=label, linewidth=1.6)
    axes.set_xlabel("moves to mate")
    axes.set_ylabel("positions, Black to move")
    axes.set_yscale("log")
    save(figure, [axes], out)


def endings(text: str) -> list[list[str]]:
    """The cells of the rows about bytes whose first one is an ending."""
    _, _, text = text.partition("\n## Bytes\n")
    text, _, _ = text.partition("\n## ")
    rows = [line.strip("| \n").split("|") for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in row] for row in rows]
    return [row for row in rows if re.fullmatch(r"K[QRBNP]*vK[QRBNP]*", row[0]) and len(row) > 7]


@lib.command
def sizes(*, out: Path, compare: Path = lib.ROOT / "docs/COMPARE.md") -> None:
    """Plots the bytes of small tables beside Syzygy's, from the tables in docs/COMPARE.md.

    Needs matplotlib.

    out: the picture, an SVG file
    compare: the page
    """
    rows = endings(compare.read_text())
    figure, panels = pyplot().subplots(1, 2, figsize=(10, 6.6), layout="constrained")
    # The columns of Syzygy's bytes and of ours.
    for axes, (metric, columns) in zip(panels, {"WDL": (1, 2), "DTZ": (4, 5)}.items()):
        pairs = [[int(row[column].replace(",", "")) for column in columns] for row in rows]
        order = sorted(range(len(rows)), key=lambda place: pairs[place][0])
        places, pairs = range(len(order)), [pairs[place] for place in order]
        axes.hlines(places, *zip(*pairs), color="0.8", linewidth=1, zorder=0)
        for column, (marker, label) in enumerate([("s", "Syzygy"), ("o", "Retrograde, small")]):
            axes.plot([pair[column] for pair in pairs], places, marker, label=label, markersize=4)
        axes.set_yticks(places, [rows[place][0] for place in order], fontsize=7)
        axes.set_title(f"bytes of {metric}", fontsize=10)
        axes.set_xscale("log")
    save(figure, list(panels), out, fontsize=8)


STYLE = """<style>
.cell{fill:#f2f2ee}.heat{fill:#1f6fb2}text{font:13px sans-serif;fill:#1b1d21}.over{fill:#fff}
@media(prefers-color-scheme:dark){.cell{fill:#212429}.heat{fill:#4d9be0}.under{fill:#e6e6e3}}
</style>"""


@lib.command
def high(*, out: Path, claims: Path = lib.ROOT / "docs/claims/high-chess.html") -> None:
    """Takes the map of HC0 out of the report on the designers' claims, as a picture of its own.

        scripts/run plot high --out docs/images/high.svg

    It shows how often White wins in High Chess what orthodox chess draws, by the square of the
    white king.

    out: the picture, an SVG file
    claims: the page of the report
    """
    article = re.search(r'<article id="HC0">.*?</article>', claims.read_text(), re.DOTALL)
    found = article and re.search(r'<svg class="heat"(.*?)>(.*?)</svg>', article[0])
    if not found:
        lib.fail(f"{claims} has no map for HC0")
    attributes, squares = found.groups()
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="402" height="402"{attributes}>'
    out.write_text(f"{head}{STYLE}{squares}</svg>\n")
