#!/usr/bin/env bash
# Measures the cost of making orthodox tables, phase by phase.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/bench.sh [--threads N] [--men N] [MATERIAL...]

Makes the named tables, or all of up to N men (default 3), and everything that
they need, in a temporary folder. For each material it prints the CPU
milliseconds spent on reading, solving, counting the fifty-move rule, trying
orders of pieces, packing and writing; then their sum, the wall-clock
milliseconds and the KiB of files. Uses one thread unless --threads says
otherwise.

Run it on an otherwise idle machine. `cargo bench --bench solve` and
`cargo bench --bench high_chess` measure the solvers alone.
TEXT
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec cargo bench --quiet --package retrograde --bench phases -- "$@"
