#!/usr/bin/env bash
# Makes and proves tables of the games in games/examples/, and compares their moves with those of
# Fairy-Stockfish.
set -euo pipefail

readonly PACKAGE=pyffish VERSION=0.0.90

usage() {
    cat <<TEXT
Usage: scripts/examples.sh [--men 4] [--positions N]

For each game in games/examples/: makes all tables of three men, verifies them, and compares
them with the naive interpreter; then compares the moves in positions of random games with
$PACKAGE $VERSION.

Options:
  --men 4        make and verify four men, too, of all games but those on ten files; takes an
                 hour of one core
  --positions N  how many positions of each game go to $PACKAGE; default 100
  -h, --help     print this text

Exits with 1 if anything is wrong. Needs cargo, and python3 with pip and venv; all downloads
and tables stay below target/. The package is GPL software: it runs as a separate program, and
no part of it goes into Retrograde.
TEXT
}

fail() {
    printf 'examples: %s\n' "$*" >&2
    exit 2
}

men=3 positions=100
while (($#)); do
    case $1 in
    --men)
        [[ ${2:-} == [34] ]] || fail "--men needs 3 or 4"
        men=$2 && shift
        ;;
    --positions)
        [[ ${2:-} =~ ^[0-9]+$ ]] || fail "$1 needs a number"
        positions=$2 && shift
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
build_programs -p retrograde
retrograde=$programs/retrograde
made=target/examples/tables
mkdir -p "$made"

# prove GAME MEN
prove() {
    "$retrograde" generate "$1" --men "$2" --out "$made"
    "$retrograde" verify "$1" --men "$2" --tables "$made"
}

for game in games/examples/*.toml games/examples/hexapawn.toml:board={4x4,5x5} \
    games/examples/centaur.toml:{board=8x8,stalemate=loss}; do
    printf '== %s\n' "$game"
    prove "$game" 3
    "$retrograde" verify "$game" --men 3 --independent --tables "$made"
    case $game in
    *capablanca* | *centaur*) ;;
    *) [[ $men == 3 ]] || prove "$game" "$men" ;;
    esac
done

venv target/pyffish/venv "$PACKAGE==$VERSION"
target/pyffish/venv/bin/python scripts/examples_moves.py --retrograde "$retrograde" \
    --positions "$positions"
