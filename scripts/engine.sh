#!/usr/bin/env bash
# Plays won positions against other engines, and counts the moves.
set -euo pipefail

readonly PACKAGE=chess VERSION=1.11.2

usage() {
    cat <<TEXT
Usage: scripts/engine.sh [--tables DIR] [--games N] [--seed N] [--only GAME]...

Talks to \`retrograde uci\` with the engine client of python-$PACKAGE $VERSION, and then
lets it win N random positions (100 by default) of each game from tables of three and
four men, all with the side to move winning:

  - orthodox chess, and kings and wild 9 where they are orthodox chess (one king a
    side, no pawns), against Stockfish;
  - King of the Hill, and extinction chess with the same kinds on both sides, against
    Fairy-Stockfish;
  - all games against itself and against random moves.

Every game must be won within the distance of the table: plies, against whatever
defence. High Chess, which has no such distance, must be won, and so must as many positions
of orthodox chess in which the fifty-move rule leaves little time.

Options:
  --tables DIR  the table folder; default tables, which has three men only
  --games N     how many games against each opponent
  --seed N      the random seed; default 1
  --only GAME   only this game; may be given several times
  -h, --help    print this text

Exits with 1 if a game is not won as it should be. Needs cargo, python3 with pip and
venv, and the programs stockfish and fairy-stockfish, which are packages of Debian; what
is not there is left out, and said so. All of these run as separate programs. Downloads
stay below target/.
TEXT
}

fail() {
    printf 'engine: %s\n' "$*" >&2
    exit 2
}

options=()
tables=
while (($#)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --tables) tables=$(realpath "${2:?"--tables needs a folder"}") && shift ;;
    --games | --seed | --only) options+=("$1" "${2:?"$1 needs a value"}") && shift ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Python leaves no compiled modules in scripts/.
export PYTHONDONTWRITEBYTECODE=1

# shellcheck source=scripts/build.sh
source scripts/build.sh
venv target/engine/venv "$PACKAGE==$VERSION"
build_programs -p retrograde
target/engine/venv/bin/python scripts/engine_games.py --retrograde "$programs/retrograde" \
    --tables "${tables:-$PWD/tables}" "${options[@]}"
