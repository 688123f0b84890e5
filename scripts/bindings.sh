#!/usr/bin/env bash
# Asks the command line and each binding the same random positions.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/bindings.sh [--few] [--positions N] [--seed N] [--tables DIR]

Asks `retrograde probe --json`, the Python package, the library for C and the package
for JavaScript the same random positions of every game, good ones, bad ones and such as
no table has, and compares what they say, a tenth of them with moves and lines.

Options:
  --positions N  how many positions of each game; default 10000
  --few          300 of each
  --seed N       the random seed; default 1
  --tables DIR   the table folder; default tables
  -h, --help     print this text

Uses what scripts/python.sh, scripts/c.sh and scripts/wasm.sh have built, and runs them if
they have not.
Exits with 1 if anything differs.
TEXT
}

fail() {
    printf 'bindings: %s\n' "$*" >&2
    exit 2
}

positions=10000 seed=1 tables=tables
while (($#)); do
    case $1 in
    --few) positions=300 ;;
    --positions) positions=${2:?--positions needs a number} && shift ;;
    --seed) seed=${2:?--seed needs a number} && shift ;;
    --tables) tables=${2:?--tables needs a folder} && shift ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
[[ $tables == /* ]] || tables=$PWD/$tables
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PYTHONDONTWRITEBYTECODE=1
# shellcheck source=scripts/build.sh
source scripts/build.sh

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
python=$target/python/venv/bin/python c=$target/c/probe-shared
"$python" -c 'import retrograde' 2>/dev/null || scripts/python.sh
[[ -x $c ]] || scripts/c.sh
node=$target/wasm/tests/probe.js
[[ -f $node ]] || scripts/wasm.sh
build_programs -p retrograde
"$python" scripts/bindings.py --retrograde "$programs/retrograde" --c "$c" \
    --node node "$node" \
    --tables "$tables" --positions "$positions" --seed "$seed"
