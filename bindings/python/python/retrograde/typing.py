"""Types of arguments and answers, for users of the Python package who check theirs."""

from __future__ import annotations

from os import PathLike
from typing import Literal, Protocol, TypedDict

__all__ = [
    "BatchMetric",
    "Board",
    "Category",
    "Colour",
    "Condition",
    "End",
    "FaultKind",
    "High",
    "Metric",
    "Path",
    "Phase",
    "Position",
    "Side",
    "ValueMetric",
]


class Board(Protocol):
    """The attributes of a ``chess.Board`` that are read."""

    @property
    def pawns(self) -> int: ...
    @property
    def knights(self) -> int: ...
    @property
    def bishops(self) -> int: ...
    @property
    def rooks(self) -> int: ...
    @property
    def queens(self) -> int: ...
    @property
    def kings(self) -> int: ...
    @property
    def occupied_co(self) -> list[int]: ...
    @property
    def turn(self) -> bool: ...
    @property
    def castling_rights(self) -> int: ...
    @property
    def ep_square(self) -> int | None: ...
    @property
    def halfmove_clock(self) -> int: ...
    @property
    def fullmove_number(self) -> int: ...
    def fen(self) -> str: ...


class High(TypedDict):
    """The side that is High, and the distances of the kings from the centre."""

    side: Colour
    white_distance: int
    black_distance: int


Position = str | Board
Path = str | PathLike[str]
Colour = Literal["white", "black"]
Side = Literal["white", "black", "w", "b"] | bool
#: A number, or the lowest and the highest one.
Condition = int | tuple[int | None, int | None]
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss", "unknown"]
End = Literal[
    "checkmate",
    "stalemate",
    "exhaustion",
    "blocked",
    "extinction",
    "bare",
    "checks",
    "explosion",
    "hill",
    "king-capture",
    "king-capture-draw",
    "king-capture-loss",
]
FaultKind = Literal["missing-table", "unsupported"]
#: What there are files of.
Metric = Literal["wdl", "dtm", "dtz", "thresholds", "mates", "helpmate"]
#: What ``Tablebase.probe_many`` gives.
BatchMetric = Literal["wdl", "dtm", "dtz", "thresholds"]
#: What ``Table.values`` gives.
ValueMetric = Literal["wdl", "dtm", "dtz", "thresholds", "mates"]
Phase = Literal[
    "waiting",
    "reading",
    "solving",
    "zeroing",
    "writing",
    "packing",
    "replacing",
    "made",
    "kept",
]
