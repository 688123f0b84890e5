"""The classes of results in the Python package: answers, games, plans and progress.

A result reads its attributes from the JSON object that the command line prints, parsed. Values
are compared, hashed, copied and pickled by that object.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    NoReturn,
    TypeVar,
    cast,
    final,
    get_args,
    overload,
)

from . import _board, _native
from .typing import Category, Colour, End, FaultKind, High, Metric, Phase

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_T = TypeVar("_T")
_NUMBERS = {"win": 2, "cursed-win": 1, "draw": 0, "blessed-loss": -1, "loss": -2}

#: The words that fields may hold.
_WORDS = {
    "category": Category,
    "category_at_clock_0": Category,
    "winner": Colour,
    "win_by": Literal["mate", "exhaustion"],
    "end": End,
    "line_end": End,
    "kind": FaultKind,
}


class Field(Generic[_T]):
    """A field of a result's object: None if the object lacks it."""

    name: str

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, result: None, owner: type) -> Field[_T]: ...
    @overload
    def __get__(self, result: _Record, owner: type) -> _T: ...
    def __get__(self, result: _Record | None, owner: type) -> Field[_T] | _T:
        if result is None:
            return self
        value = result._object.get(self.name)
        # Results are frozen: nobody gets hold of their own lists.
        return cast(_T, copy.deepcopy(value) if isinstance(value, (dict, list)) else value)

    def __set__(self, result: _Record, value: NoReturn) -> None:
        raise AttributeError(f"{self.name} of {result!r} cannot be set")


class _Record:
    """A class with fields of an object."""

    __slots__ = ("_object",)

    def __init_subclass__(cls) -> None:
        cls.__module__ = "retrograde"

    def __init__(self, fields: dict[str, Any]) -> None:
        self._object = fields


class _Value(_Record):
    """A record that equals others with the same contents."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._object,)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(repr(self.__reduce__()[1]))


class _Told(_Value):
    """A value about a position, which is given by its game, as pickles name it, and its FEN."""

    __slots__ = ("_origin",)

    def __init__(self, origin: tuple[str, str], fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self._origin = origin


@final
class Fault(_Value):
    """The reason why a position has no answer."""

    __slots__ = ()
    kind = Field[FaultKind]("`missing-table`, or `unsupported` if no table can have the position.")
    message = Field[str]("The fault, and what to do about it.")

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return _fault, (self.kind, self.message)

    def __repr__(self) -> str:
        return f"<Fault {self.kind}: {self.message}>"


@final
class Vitality(_Value):
    """The counters of vitality, and what each side needs."""

    __slots__ = ()
    white = Field[int]("White's points.")
    black = Field[int]("Black's points.")
    white_needs = Field[int]("The points that White needs to win; one more than all for never.")
    black_needs = Field[int]("The points that Black needs to win; one more than all for never.")
    white_mates = Field[int | None](
        "The points with which White forces mate; None without a table of mates."
    )
    black_mates = Field[int | None](
        "The points with which Black forces mate; None without a table of mates."
    )

    @property
    def thresholds(self) -> npt.NDArray[np.uint8]:
        """The least vitality with which White wins, for each vitality of Black from the fewest
        points that it can have: an array of numpy."""
        return _native._bytes(self._object["thresholds"])

    def __reduce__(self) -> tuple[Any, ...]:
        return _vitality, (json.dumps(self._object),)

    def __repr__(self) -> str:
        return (
            f"<Vitality {self.white}+{self.black}, White needs {self.white_needs},"
            f" Black {self.black_needs}>"
        )


@final
class Move(_Told):
    """A legal move and what it leads to, from the view of the side that makes it: `win` is a win
    for that side. Plies are counted from the position after the move.

    Moves can be compared, hashed, copied and pickled.
    """

    __slots__ = ("_after",)
    uci = Field[str]("The move in UCI's long form.")
    san = Field[str]("The move in algebraic notation.")
    category = Field[Category](
        "The result after it, for the side that makes it, at the half-move clock that it leaves:"
        " `win`, `cursed-win`, `draw`, `blessed-loss`, `loss` or `unknown`."
    )
    winner = Field[Colour | None]("Who wins: `white` or `black`; None for a draw.")
    depth_plies = Field[int | None](
        "Plies from the position after it to the end, not negative; 0 if it mates. None for a"
        " draw, in games with vitality, and without a depth table."
    )
    dtz_plies = Field[int | None](
        "Plies from the position after it to the next capture, pawn move or mate, not negative;"
        " None for a draw and in games without the fifty-move rule."
    )
    end = Field[End | None]("The end of the game by the move; None if it goes on.")
    white = Field[int | None]("White's points after it, in games with vitality.")
    black = Field[int | None]("Black's points after it, in games with vitality.")
    needs = Field[int | None](
        "The points with which the mover wins by it, given the other's before the move: one more"
        " than the full counter for never. None in games without vitality, and without a table."
    )
    vital = Field[bool | None]("Whether it restores vitality (H7), if the game has any.")
    zeroing = Field[bool | None]("Orthodox chess: whether it is a capture or a pawn move.")
    double_check = Field[bool | None](
        "Whether it leaves both kings attacked, in games where kings are captured."
    )
    royal_after = Field[dict[Colour, list[str]] | None](
        "The squares of the royal pieces of each side after it, in games with several kings."
    )

    def __init__(self, origin: tuple[str, str], fields: dict[str, Any], after: str) -> None:
        super().__init__(origin, fields)
        self._after = after

    @property
    def wdl(self) -> int | None:
        """The category as a number, 2 to -2; None if it is unknown."""
        return _NUMBERS.get(self.category)

    @property
    def fen(self) -> str:
        """The FEN of the position after it."""
        return self._after

    def as_dict(self) -> dict[str, Any]:
        """The object that `retrograde probe --json --moves` prints."""
        return copy.deepcopy(self._object)

    def __reduce__(self) -> tuple[Any, ...]:
        return _move, (*self._origin, json.dumps(self._object))

    def __repr__(self) -> str:
        depth = "" if self.depth_plies is None else f", depth {self.depth_plies} plies"
        return f"<Move {self.uci} {self.san}: {self.category}{depth}>"


@final
class Line(_Told, Sequence[str]):
    """Best play to the end.

    A sequence of its moves in UCI's long form. Lines can be compared, hashed, copied and
    pickled.
    """

    __slots__ = ()
    moves = Field[list[str]]("The moves in UCI's long form; none for a draw.")
    end = Field[End | None]("The end of the line; None for a draw that is not the end of the game.")

    @property
    def san(self) -> list[str]:
        """The moves in algebraic notation."""
        return _native._san(*self._origin, self.moves)

    def __len__(self) -> int:
        return len(self._object["moves"])

    @overload
    def __getitem__(self, place: int, /) -> str: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[str]: ...
    def __getitem__(self, place: int | slice, /) -> str | list[str]:
        moves: list[str] = self._object["moves"]
        return moves[place]

    def __reduce__(self) -> tuple[Any, ...]:
        return _line, (*self._origin, self.moves, self.end)

    def __repr__(self) -> str:
        return f"<Line {' '.join(self)} ({self.end or 'draw'})>"

    def _repr_svg_(self) -> str:
        return _board.svg(self._origin[1])

    def _repr_html_(self) -> str:
        return _board.page(self._origin[1], f"{' '.join(self.san)} ({self.end or 'draw'})")


@final
class Answer(_Told):
    """The answer about a position.

    The names are those of `retrograde probe --json`; what a game does not have, and what is
    not known, is None. Answers can be compared, hashed, copied and pickled.
    """

    __slots__ = ("_json",)
    fen = Field[str]("The position as it was understood.")
    game = Field[str]("The id of the game with its options.")
    material = Field[str]("The material in normal form, such as `KQvKR`.")
    category = Field[Category](
        "The result for the side to move, at the half-move clock of the position: `win`,"
        " `cursed-win`, `draw`, `blessed-loss`, `loss` or `unknown`."
    )
    clock = Field[int | None]("The half-move clock; None in games without the fifty-move rule.")
    category_at_clock_0 = Field[Category | None](
        "The category with the half-move clock at 0; None also in games without the fifty-move"
        " rule."
    )
    winner = Field[Colour | None]("Who wins: `white` or `black`; None for a draw.")
    depth_plies = Field[int | None](
        "Plies to the end with best play, not negative. They leave the fifty-move rule and the"
        " clock out of account. None for a draw, in games with vitality, and without a depth"
        " table."
    )
    dtz_plies = Field[int | None](
        "Plies to the next capture, pawn move or mate with the clock at 0, not negative; None for"
        " a draw and in games without the fifty-move rule."
    )
    win_by = Field[Literal["mate", "exhaustion"] | None](
        "The kind of win: `mate` or `exhaustion`; None in games without vitality."
    )
    check = Field[bool]("Whether the side to move is attacked.")
    checks = Field[dict[Colour, bool] | None]("Which kings are attacked, if kings are captured.")
    double_check = Field[bool | None]("Whether both kings are attacked, if kings are captured.")
    checkmate = Field[bool]("Whether the side to move is mated.")
    stalemate = Field[bool]("Whether the side to move is stalemated.")
    royal = Field[dict[Colour, list[str]] | None](
        "The squares of the royal pieces of each side, in games with several kings."
    )
    royal_attacked = Field[dict[Colour, list[str]] | None](
        "The squares of the royal pieces that are attacked, in games with several kings."
    )
    dead = Field[bool | None]("Whether the pieces alone make it a draw, in orthodox chess.")
    helpmate = Field[dict[Colour, bool] | None](
        "Whether either side can be mated by any moves of both, in orthodox chess; None also"
        " without a helpmate table, unless the rules alone tell."
    )
    high = Field[High | None](
        "The side that is High, and the kings' distances from the centre, in games with vitality."
    )
    end = Field[End | None]("The end of the game; None if it goes on.")

    def __init__(self, origin: tuple[str, str], text: str) -> None:
        super().__init__(origin, json.loads(text))
        self._json = text

    @property
    def wdl(self) -> int | None:
        """The category as a number, 2 to -2, which holds at the half-move clock, unlike
        `Tablebase.probe_wdl`; None if it is unknown."""
        return _NUMBERS.get(self.category)

    @property
    def vitality(self) -> Vitality | None:
        """The counters, and what each side needs, in games with vitality."""
        fields = self._object.get("vitality")
        return None if fields is None else Vitality(fields)

    @property
    def moves(self) -> list[Move] | None:
        """The legal moves, best first; None if they were not asked for."""
        moves = self._object.get("moves")
        return None if moves is None else _moves(self._origin, moves)

    @property
    def line(self) -> Line | None:
        """Best play; None if it was not asked for, or a table is missing."""
        moves, end = map(self._object.get, ("line", "line_end"))
        return None if moves is None else Line(self._origin, {"moves": moves, "end": end})

    @property
    def error(self) -> Fault | None:
        """The reason why the category is unknown; None if it is not."""
        fields = self._object.get("error")
        return None if fields is None else Fault(fields)

    def to_json(self) -> str:
        """The line that `retrograde probe --json` prints."""
        return self._json

    def as_dict(self) -> dict[str, Any]:
        """The object that `retrograde probe --json` prints, as a dictionary."""
        return copy.deepcopy(self._object)

    def __reduce__(self) -> tuple[Any, ...]:
        return _answer, (*self._origin, self._json)

    def __repr__(self) -> str:
        depth = "" if self.depth_plies is None else f", depth {self.depth_plies} plies"
        dtz = "" if self.dtz_plies is None else f", DTZ {self.dtz_plies}"
        return f'<Answer "{self.fen}": {self.category}{depth}{dtz}>'

    def _repr_svg_(self) -> str:
        return _board.svg(self.fen)

    def _repr_html_(self) -> str:
        return _board.page(self.fen, repr(self)[len("<Answer ") : -1])


@final
class Batch(_Record):
    """The values of many positions, in the order in which they were given."""

    __slots__ = ()
    wdl = Field["npt.NDArray[np.int8]"](
        "The results, as by `Tablebase.probe_wdl`; -128 if unknown."
    )
    dtm = Field["npt.NDArray[np.int16] | None"](
        "The depths, as by `Tablebase.probe_dtm`; -32768 if unknown. None if not asked for."
    )
    dtz = Field["npt.NDArray[np.int16] | None"](
        "The plies, as by `Tablebase.probe_dtz`; -32768 if unknown. None if not asked for."
    )
    thresholds = Field["npt.NDArray[np.uint8] | None"](
        "The thresholds of each position, a row each, if the game has vitality; 0 if unknown."
    )
    white_mates = Field["npt.NDArray[np.uint8] | None"](
        "The points that White needs to force mate, if the game has vitality; 0 if unknown."
    )
    black_mates = Field["npt.NDArray[np.uint8] | None"](
        "The points that Black needs to force mate, if the game has vitality; 0 if unknown."
    )

    @property
    def errors(self) -> dict[int, Exception]:
        """The exceptions of positions that have no values, by the place of the position."""
        return dict(self._object["errors"])

    def __len__(self) -> int:
        return len(self._object["wdl"])

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} positions, {len(self.errors)} without values>"


@final
class Verification(_Value):
    """The result of verifying tables."""

    __slots__ = ()
    sound = Field[bool]("Whether all values and statistics are right.")
    summary = Field[str]("How much was verified, and how it came out.")
    lines = Field[list[str]]("What was found: a line for each material and each wrong value.")

    def __repr__(self) -> str:
        return f"<Verification: {self.summary}>"


@final
class GameOption(_Value):
    """A rule option of a game."""

    __slots__ = ()
    name = Field[str]("The name.")
    values = Field[list[str]]("The values that it can have.")
    default = Field[str]("The value unless an id says otherwise.")

    def __repr__(self) -> str:
        return f"<GameOption {self.name} = {' | '.join(self.values)}, default {self.default}>"


@final
class Game(_Value):
    """A game that there can be tables of."""

    __slots__ = ()
    id = Field[str]("The id, without options; `NAME@DIGEST` if the game is not built in.")
    file = Field[str | None](
        "The name that a definition in a folder is found by, that of its file."
    )
    board = Field[str]("Its files and ranks: `8x8`.")
    pieces = Field[str]("The letters of its pieces.")
    metrics = Field[list[Metric]]("The names of its metrics.")

    @property
    def options(self) -> list[GameOption]:
        """The rule options."""
        return [GameOption(option) for option in self._object["options"]]

    def __repr__(self) -> str:
        return f"<Game {self.id}, {self.board}, {self.pieces}>"


@final
class PlannedTable(_Value):
    """A table to make, with estimates of its cost.

    Such tables can be compared, hashed, copied and pickled.
    """

    __slots__ = ()
    game = Field[str]("The id of the game with its options.")
    material = Field[str]("The material in normal form.")
    positions = Field[int]("The number of its indices, for both sides to move together.")
    memory_bytes = Field[int]("The memory that it takes.")
    least_memory_bytes = Field[int]("The memory that suffices if it may take longer.")
    disk_bytes = Field[int]("The size of its files, packed fast.")
    cpu_seconds = Field[float]("The time that it takes, of all processors together.")
    needs = Field[list[str]]("The materials of the tables that it is made from.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _planned_table, (tuple(self._object.values()),)

    def __repr__(self) -> str:
        needs = f", needs {' '.join(self.needs)}" if self.needs else ""
        return f"<PlannedTable {self.material}, {self.positions} positions{needs}>"


@final
class Progress(_Value):
    """A step in making tables."""

    __slots__ = ()
    material = Field[str]("The table.")
    place = Field[int]("Its number, from 1.")
    of = Field[int]("The number of tables.")
    phase = Field[Phase](
        "`waiting`, `reading`, `solving`, `zeroing`, `writing`, `packing`, `replacing`, `made` or"
        " `kept`."
    )
    metric = Field[Metric | None]("The metric that is being written, if one is.")
    done = Field[int]("The part of the phase that is done.")
    total = Field[int]("The size of the phase; 0 if it is not known.")
    message = Field[str | None]("The reason to make a file again, while the phase is `replacing`.")

    def __repr__(self) -> str:
        metric = f" {self.metric}" if self.metric else ""
        done = f" {self.done}/{self.total}" if self.total else ""
        return f"<Progress {self.place}/{self.of} {self.material}: {self.phase}{metric}{done}>"


@final
class MadeTable(_Value):
    """The outcome of one table."""

    __slots__ = ()
    material = Field[str]("The material.")
    kept = Field[bool]("Whether sound files existed already.")
    bytes = Field[int]("The size of its files.")
    longest_depth = Field[int | None](
        "The plies of the longest win or loss; None if no DTM was made."
    )

    def __repr__(self) -> str:
        return f"<MadeTable {self.material} {'kept' if self.kept else 'made'}, {self.bytes} bytes>"


def _moves(origin: tuple[str, str], moves: list[dict[str, Any]]) -> list[Move]:
    """The moves of a position, of which the rules know where they lead."""
    afters = _native._afters(*origin)
    if not all(dict(fields).get("uci") in afters for fields in moves):
        raise ValueError("there is no such move")
    return [Move(origin, fields, afters[fields["uci"]]) for fields in moves]


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a pickled object; refused if another version has written them."""
    for name, words in _WORDS.items():
        if (word := fields.get(name)) is not None and word not in get_args(words):
            raise ValueError(f'"{word}" is no word of this version of retrograde')
    return fields


def _answer(game: str, fen: str, text: str) -> Answer:
    json.loads(text, object_hook=_known)
    return Answer((game, fen), text)


def _move(game: str, fen: str, text: str) -> Move:
    return _moves((game, fen), [json.loads(text, object_hook=_known)])[0]


def _line(game: str, fen: str, moves: list[str], end: End | None) -> Line:
    return Line((game, fen), _known({"moves": moves, "end": end}))


def _fault(kind: FaultKind, message: str) -> Fault:
    return Fault(_known({"kind": kind, "message": message}))


def _vitality(text: str) -> Vitality:
    return Vitality(json.loads(text))


def _planned_table(fields: tuple[Any, ...]) -> PlannedTable:
    names = (name for name, field in vars(PlannedTable).items() if isinstance(field, Field))
    return PlannedTable(dict(zip(names, fields)))


# Pickles name these functions, as attributes of the native module.
for _function in (_answer, _move, _line, _fault, _vitality, _planned_table):
    _function.__module__ = _native.__name__
    setattr(_native, _function.__name__, _function)
