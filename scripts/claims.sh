#!/usr/bin/env bash
# Probes every example of a report on the designers' claims again, with the tables that it
# was worked out from: --tables DIR, or RETROGRADE_TABLES. The report is docs/claims.json or
# the file named.
set -euo pipefail
cd "$(dirname "$0")/.."
report=docs/claims.json
tables=()
while [ $# -gt 0 ]; do
    case $1 in
        --tables) tables+=(--tables "${2:?--tables needs a folder}"); shift 2 ;;
        -h | --help) sed -n '2,4s/^# \{0,1\}//p' "$0"; exit ;;
        -*) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
        *) report=$1; shift ;;
    esac
done
cargo build --release -q -p retrograde
python3 scripts/claims.py "$report" "${CARGO_TARGET_DIR:-target}/release/retrograde" "${tables[@]}"
