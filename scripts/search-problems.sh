#!/usr/bin/env bash
# Solves the mate problems that take longer than tests may, and proves by plain
# search that their keys are the only ones.
set -euo pipefail

case "${1-}" in
-h | --help)
    echo "Usage: scripts/search-problems.sh (takes about two minutes)"
    exit
    ;;
esac
cd "$(dirname "$0")/.."
cargo test -p retrograde-search --test all problems:: -- --ignored
