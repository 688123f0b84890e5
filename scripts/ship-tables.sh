#!/usr/bin/env bash
# Makes the tables that ship in tables/, or compares them with newly made ones.
#
#   scripts/ship-tables.sh                       make them anew (some ten minutes)
#   scripts/ship-tables.sh --check DIR [NAME…]   compare them with the tables in DIR; of
#                                                four-man tables those named, else all
#
# Three-man tables of all games ship as `generate` writes them, and of four men WDL and
# DTZ of orthodox chess, packed small. The lists SHA256SUMS and SHA256SUMS.four name them.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/build.sh
source scripts/build.sh

[[ ${1:-} == -* && $1 != --check ]] || build_programs -p retrograde
retrograde() { "$programs/retrograde" "$@"; }

# The four-man tables that ship, as material.metric.
four() { sed 's|.*orthodox/||' tables/SHA256SUMS.four; }

# Material, metric and digest of the orthodox tables in a folder.
digests() {
    retrograde tables orthodox --json --digest --tables "$1" | tr '{' '\n' |
        sed -n 's/.*"material":"\([^"]*\)","metric":"\([^"]*\)".*"digest":"\([^"]*\)".*/\1.\2 \3/p'
}

case "${1:-}" in
-h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0" ;;
"")
    mapfile -t games < <(games)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    for game in "${games[@]}"; do
        retrograde generate "$game" --men 3 --out "$work/three"
    done
    (cd "$work/three" && find "${games[@]}" -name "K*" | LC_ALL=C sort | xargs sha256sum) >tables/SHA256SUMS
    retrograde generate orthodox --men 4 --metric wdl,dtz --out "$work/four"
    retrograde repack orthodox --men 4 --pack small --tables "$work/four"
    (cd "$work/four" && find orthodox -name "K*" | LC_ALL=C sort | grep --invert-match --fixed-strings --file <(cut -d " " -f 3 "$OLDPWD/tables/SHA256SUMS") |
        xargs sha256sum) >tables/SHA256SUMS.four
    for from in three four; do
        list=SHA256SUMS
        [[ $from == four ]] && list=SHA256SUMS.four
        (cd "$work/$from" && cut -d ' ' -f 3 "$OLDPWD/tables/$list" | xargs cp --parents --target-directory "$OLDPWD/tables")
    done
    ;;
--check)
    made=$(realpath "${2:?name the folder with the tables}")
    shift 2
    (cd tables && sha256sum --quiet --check SHA256SUMS SHA256SUMS.four)
    (cd "$made" && sha256sum --quiet --check -) <tables/SHA256SUMS
    echo "$(wc -l <tables/SHA256SUMS) files are what is made"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    (cd tables && cut -d ' ' -f 3 SHA256SUMS SHA256SUMS.four | xargs cp --parents --target-directory "$work")
    digests "$made" >"$work/made"
    digests "$work" >"$work/shipped"
    [[ $(wc -l <"$work/shipped") -eq $(cat tables/SHA256SUMS* | grep --count ' orthodox/') ]] || {
        echo "not every shipped orthodox table has a digest" >&2
        exit 1
    }
    if grep --invert-match --fixed-strings --line-regexp --file "$work/made" "$work/shipped"; then
        echo "these have other values than what is made" >&2
        exit 1
    fi
    # Unpacking reads every value, and says so if they are not those of the digest.
    mapfile -t names < <(four | cut -d . -f 1 | sort -u)
    (($# > 0)) && names=("$@")
    retrograde repack orthodox "${names[@]}" --pack fast --tables "$work" 2>"$work/said" || {
        cat "$work/said" >&2
        exit 1
    }
    echo "${#names[@]} four-man tables have the values of what is made"
    ;;
*)
    echo "ship-tables.sh: unknown argument $1; see --help" >&2
    exit 2
    ;;
esac
