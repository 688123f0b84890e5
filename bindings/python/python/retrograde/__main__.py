"""The command ``retrograde``, also as ``python -m retrograde``."""

import sys

from . import _native


def main() -> int:
    return _native._run(["retrograde", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
