"""Draws the board of a FEN as SVG, for notebooks."""

from __future__ import annotations

import html
import re

_SIZE = 36
_SIGNS = dict(zip("KQRBNP", "\u265a\u265b\u265c\u265d\u265e\u265f"))


def squares(fen: str) -> list[list[str]]:
    """The ranks of a FEN from the top, each square a letter or empty."""
    ranks = []
    for rank in fen.split()[0].split("/"):
        row: list[str] = []
        for run, piece in re.findall(r"(\d+)|(.)", rank):
            row += [""] * int(run) if run else [piece]
        ranks.append(row)
    return ranks


def svg(fen: str) -> str:
    """The board, with White at the bottom; pieces of which there is no sign are letters."""
    ranks = squares(fen)
    height, width = len(ranks), max(map(len, ranks))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * _SIZE}" height="{height * _SIZE}"'
        f' viewBox="0 0 {width} {height}" role="img"><title>{html.escape(fen)}</title>'
    ]
    for y, rank in enumerate(ranks):
        for x, piece in enumerate(rank):
            # The square a1 is dark.
            fill = "#b58863" if (x + height - 1 - y) % 2 == 0 else "#f0d9b5"
            parts.append(f'<rect x="{x}" y="{y}" width="1" height="1" fill="{fill}"/>')
            if piece:
                colours = ("#fff", "#000") if piece.isupper() else ("#000", "#fff")
                sign = html.escape(_SIGNS.get(piece.upper(), piece.upper()))
                parts.append(
                    f'<text x="{x + 0.5}" y="{y + 0.8}" font-size="0.8" text-anchor="middle"'
                    f' fill="{colours[0]}" stroke="{colours[1]}" stroke-width="0.02">{sign}</text>'
                )
    return "".join(parts) + "</svg>"


def page(fen: str, text: str) -> str:
    """The board with a line of text below it, as HTML."""
    return f"<div>{svg(fen)}<div>{html.escape(text)}</div></div>"
