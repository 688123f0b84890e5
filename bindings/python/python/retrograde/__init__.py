"""Endgame tablebases for chess and its variants.

Positions are given as FENs, or as boards of python-chess:

>>> import retrograde
>>> with retrograde.open_tablebase("tables") as tablebase:
...     tablebase.probe_wdl("8/8/8/3k4/8/8/8/KQ6 w - -")
...     tablebase.probe("8/8/8/3k4/8/8/8/KQ6 w - -").depth_plies
2
17

The methods ``probe_wdl``, ``probe_dtz`` and their kin answer as those of
``chess.syzygy`` do. ``probe``, ``moves`` and ``line`` say everything there is to say,
``legal_moves`` and ``play`` step through the moves of any game, ``probe_many`` and
``table`` fill arrays of numpy, ``plan`` and ``generate`` make tables, ``search``, ``verify`` and
``compare`` do what the commands do. The command itself is there as ``retrograde``.
``retrograde.typing`` has the types for those who check theirs.
"""

from __future__ import annotations

import os as _os

from . import _native
from ._command import compare, verify
from ._errors import (
    CorruptTableError,
    Error,
    GenerateError,
    MissingTableError,
    PositionError,
    ResourceError,
    UnsupportedPositionError,
    WriteError,
)
from ._native import (
    Positions,
    Table,
    Tablebase,
    __version__,
    games,
    generate,
    open_tablebase,
    plan,
    set_memory_limit,
)
from ._results import (
    Answer,
    Batch,
    Fault,
    Game,
    GameOption,
    Line,
    MadeTable,
    Move,
    PlannedTable,
    Progress,
    Verification,
    Vitality,
)

__all__ = [
    "NO_PLIES",
    "NO_WDL",
    "Answer",
    "Batch",
    "CorruptTableError",
    "Error",
    "Fault",
    "Game",
    "GameOption",
    "GenerateError",
    "Line",
    "MadeTable",
    "MissingTableError",
    "Move",
    "PlannedTable",
    "PositionError",
    "Positions",
    "Progress",
    "ResourceError",
    "Table",
    "Tablebase",
    "UnsupportedPositionError",
    "Verification",
    "Vitality",
    "WriteError",
    "__version__",
    "compare",
    "games",
    "generate",
    "open_tablebase",
    "plan",
    "set_memory_limit",
    "verify",
]

#: What arrays of results have where none is known.
NO_WDL = -128

#: What arrays of distances have where none is known.
NO_PLIES = -32768

# Threads do not survive a fork, so the child starts its own.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_native._after_fork)
