"""The exceptions of the Python package."""

from __future__ import annotations


class Error(Exception):
    """The base class of all exceptions of this package."""


class MissingTableError(Error, KeyError):
    """A table is in none of the folders.

    A ``KeyError``, as in ``chess.syzygy``. ``game``, ``material`` and ``metric`` say
    which table it is; ``metric`` is ``None`` if there is none of the material at all.
    """

    def __init__(
        self, message: str, game: str = "", material: str = "", metric: str | None = None
    ) -> None:
        super().__init__(message, game, material, metric)
        self.game = game
        self.material = material
        self.metric = metric

    def __str__(self) -> str:
        return str(self.args[0])


class UnsupportedPositionError(Error, KeyError):
    """The error of a position that no table can have.

    It has castling rights or too many pieces, or is of another game.

    A ``KeyError``, as in ``chess.syzygy``.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class PositionError(Error, ValueError):
    """A FEN or board is not a position of the game.

    ``kind`` is ``"bad-fen"`` or ``"illegal-position"``; ``offset`` is the place in the
    FEN, in bytes, or ``None``.
    """

    def __init__(
        self, message: str, kind: str = "illegal-position", offset: int | None = None
    ) -> None:
        super().__init__(message, kind, offset)
        self.kind = kind
        self.offset = offset

    def __str__(self) -> str:
        return str(self.args[0])


class CorruptTableError(Error):
    """A file is damaged, or is not the table that its name says.

    ``path`` is the file, or ``None`` if it is not a single one.
    """

    def __init__(self, message: str, path: str | None = None) -> None:
        super().__init__(message, path)
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])


class GenerateError(Error):
    """Tables could not be made."""


class ResourceError(GenerateError):
    """There is not enough memory or disk to make tables."""


class WriteError(GenerateError, OSError):
    """A file or folder for tables cannot be written.

    An ``OSError``, whose ``errno`` says why.
    """

    def __str__(self) -> str:
        return str(self.args[1])
