#!/usr/bin/env bash
# Makes the tables that ship in tables/, or compares them with newly made ones.
#
#   scripts/ship-tables.sh                 make them anew
#   scripts/ship-tables.sh --check DIR     compare them with the tables in DIR
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
-h | --help) sed -n '2,5s/^# \{0,1\}//p' "$0" ;;
"")
    games=(orthodox high-chess chess99 kings wild9 extinction-mating extinction king-of-the-hill)
    for game in "${games[@]}"; do
        cargo run --release -- generate "$game" --men 3 --out tables --force
    done
    (cd tables && find "${games[@]}" -name "K*" | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
    ;;
--check)
    made=${2:?name the folder with the tables}
    (cd tables && sha256sum --quiet --check SHA256SUMS)
    (cd "$made" && sha256sum --quiet --check -) <tables/SHA256SUMS
    echo "$(wc -l <tables/SHA256SUMS) files are what is made"
    ;;
*)
    echo "ship-tables.sh: unknown argument $1; see --help" >&2
    exit 2
    ;;
esac
