#!/usr/bin/env bash
# Compares the moves of kings, extinction-mating and King of the Hill with those of
# Fairy-Stockfish.
set -euo pipefail

readonly PACKAGE=pyffish VERSION=0.0.90

usage() {
    cat <<TEXT
Usage: scripts/pyffish.sh [--positions N] [--seed N]

Compares random positions with $PACKAGE $VERSION: their legal moves, mates and
stalemates, and which diagrams are positions at all:

  - kings: N positions with the default options, and N/4 shared among other
    settings; one to three kings a side and up to five other pieces, en passant
    included;
  - extinction-mating without pawns: N positions of one to five pieces a side;
  - King of the Hill: N positions of two kings and up to five other pieces.

Options:
  --positions N  how many positions; default 20000, which takes 10 minutes
  --seed N       the random seed; default 1
  -h, --help     print this text

Exits with 1 if anything differs. Needs cargo, and python3 with pip and venv;
all downloads stay below target/. The package is GPL software: it runs as a
separate program, and no part of it goes into Retrograde.
TEXT
}

fail() {
    printf 'pyffish: %s\n' "$*" >&2
    exit 2
}

options=()
while (($#)); do
    case $1 in
    --positions | --seed)
        [[ ${2:-} =~ ^[0-9]+$ ]] || fail "$1 needs a number"
        options+=("$1" "$2") && shift
        ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Python leaves no compiled modules in scripts/.
export PYTHONDONTWRITEBYTECODE=1

# shellcheck source=scripts/build.sh
source scripts/build.sh
venv target/pyffish/venv "$PACKAGE==$VERSION"
cargo build --quiet --profile "$profile" -p retrograde-rules --example moves
target/pyffish/venv/bin/python scripts/pyffish_moves.py --moves "$programs/examples/moves" "${options[@]}"
