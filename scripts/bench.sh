#!/usr/bin/env bash
# Measures what making tables of orthodox chess takes, phase by phase.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/bench.sh [--threads N] [--men N] [MATERIAL...]

Makes the named classes, or all of up to N men (default 3), and everything that
they need, in a folder that is removed, and prints for each class the CPU
milliseconds of reading, solving, counting the fifty-move rule, trying orders
of men, packing and writing; then all of them together, wall milliseconds and
KiB of files. One thread unless --threads says more.

Run it on a machine that does nothing else. `cargo bench --bench solve` and
`cargo bench --bench vitality` look at the solvers alone.
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
