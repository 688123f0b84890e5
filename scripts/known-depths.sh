#!/usr/bin/env bash
# Solves five-man endings in memory and compares their longest wins with the
# published ones; then makes KRRvKP for kings and looks up a puzzle in it. Takes
# several minutes and 10 GB of memory.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
    sed -n '2,4s/^# \{0,1\}//p' "$0"
    exit $([ "$1" = --help ] || [ "$1" = -h ] && echo 0 || echo 2)
fi
cargo test -p retrograde-solve --test known -- --ignored
cargo test -p retrograde --test tables royals:: -- --ignored
