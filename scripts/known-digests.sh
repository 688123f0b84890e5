#!/usr/bin/env bash
# Makes the list of digests that `check --known` compares with, of tables that are proved first.
#
#     scripts/known-digests.sh [DIR [GAME…]]
#
# DIR is where all tables of up to four men of the games are made, or are already; by default
# target/known. Without GAME all games are meant, which takes half an hour on two cores. Lines of
# other games stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/build.sh
source scripts/build.sh

case ${1:-} in
-h | --help)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
    exit
    ;;
esac

build_programs -p retrograde
retrograde=$programs/retrograde
folder=${1:-target/known}
shift || true
if (($#)); then wanted=("$@"); else mapfile -t wanted < <(games); fi
list=generator/src/cli/check/known.txt
for game in "${wanted[@]}"; do
    "$retrograde" generate "$game" --men 4 --out "$folder" --tables "$folder"
    if [[ $game == orthodox ]]; then
        "$retrograde" generate "$game" --men 4 --metric helpmate --out "$folder" --tables "$folder"
    fi
    "$retrograde" verify "$game" --men 4 --tables "$folder"
    {
        grep -v "^$game/" "$list" || true
        "$retrograde" check "$folder/$game" --known --tables "$folder" |
            sed -nE "s|^$folder/([^:]*): sound: .*, digest ([0-9a-f]{16})\$|\1 \2|p"
    } | LC_ALL=C sort >"$list.new"
    mv "$list.new" "$list"
done
