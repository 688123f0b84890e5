#!/usr/bin/env bash
# Compares whole four-man classes with the plain third solver.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/naive-deep.sh [FILTER]

Solves KQvKR, KBNvK and KNNvK over the whole board with the plain solver of
generator/tests/naive, without symmetry, and compares every position with
freshly generated tables: value, depth and legality. Then works out every
position of KPvKP, those with an en passant right too, again from the values
of its successors. One class at a time; each takes minutes and up to 6 GB of
memory.

FILTER is a part of a test's name, such as "rook", to run only that one.
TEXT
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec cargo test --package retrograde --test naive "${1:-}" -- \
    --ignored --nocapture --test-threads 1
