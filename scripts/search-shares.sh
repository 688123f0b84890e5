#!/usr/bin/env bash
# Tries the search on positions whose tables it is not given.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/search-shares.sh [COUNT [SECONDS [GAME...]]]

Makes the tables of four men of each game (default: all) in target/search-tables,
then searches COUNT random positions of each (default: 1000), with nothing but the
tables of three men that ship with the project. The search must never contradict
the tables, and must decide every win of at most 9 plies; of the rest it prints the
share that it decides within SECONDS each (default: 10).

With the defaults this takes a night: most drawn positions use up their time. With 1000
positions and a tenth of a second it takes ten minutes.
TEXT
}

case "${1-}" in -h | --help) usage && exit ;; esac
cd "$(dirname "$0")/.."
# shellcheck source=scripts/build.sh
source scripts/build.sh
build_programs -p retrograde
count=${1:-1000} seconds=${2:-10}
shift $(($# < 2 ? $# : 2))
games=("$@")
((${#games[@]})) || mapfile -t games < <(games)
folder=$PWD/target/search-tables
for game in "${games[@]}"; do
    "$programs/retrograde" generate "$game" --men 4 --tables "$folder" --out "$folder"
done
RETROGRADE_SHARES_TABLES=$folder RETROGRADE_SHARES_COUNT=$count \
    RETROGRADE_SHARES_SECONDS=$seconds RETROGRADE_SHARES_GAMES="${games[*]}" \
    cargo test -p retrograde-search --test all -- --ignored --nocapture shares
