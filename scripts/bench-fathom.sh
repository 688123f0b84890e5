#!/usr/bin/env bash
# Times probes of Retrograde and of Fathom on the same random positions.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/bench-fathom.sh SYZYGY TABLES MATERIAL…

Takes 100,000 random positions of each orthodox ending and prints the mean, the median
and the 99th percentile of the nanoseconds that a probe takes: of Fathom with the Syzygy
tables in SYZYGY, and of Retrograde with the tables in TABLES, read and mapped.
scripts/fetch-oracles.sh fetches Syzygy tables of up to four men.

Needs Fathom's library and header (Debian: libfathom-dev) and a C compiler.
TEXT
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
esac
(($# >= 3)) || {
    usage >&2
    exit 2
}
syzygy=$(realpath "$1") tables=$(realpath "$2")
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/fathom" scripts/bench-fathom.c -lfathom -lpthread
for material in "$@"; do
    cargo bench --quiet --package retrograde-probe --bench probe -- "$tables" "$material" fens \
        >"$work/fens"
    echo "$material"
    # Its complaints about the end of files do no harm.
    "$work/fathom" "$syzygy" "$work/fens" 2> >(grep --invert-match munmap >&2)
    cargo bench --quiet --package retrograde-probe --bench probe -- "$tables" "$work/fens" |
        grep --invert-match 'again and again'
done
