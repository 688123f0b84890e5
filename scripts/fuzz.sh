#!/usr/bin/env bash
# Feeds the readers anything at all, and looks at their memory accesses.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/fuzz.sh [SECONDS]

Runs each fuzz target for so long (default: 60 seconds), beginning with
fuzz/corpus, and then the tests of the probe crate under AddressSanitizer,
which watches the one unsafe thing in it, the mapping of files, and what the
codec takes and gives back. What a target finds goes to fuzz/artifacts; put it into
fuzz/corpus when it is mended, where the tests replay it.

Needs a nightly toolchain of Rust with rust-src, and cargo-fuzz.
TEXT
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
esac
seconds=${1:-60}
[[ $seconds =~ ^[0-9]+$ ]] || {
    usage >&2
    exit 2
}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
host=$(rustc -vV | sed -n 's/^host: //p')
for target in table fen moves pgn; do
    # New inputs are not for git: they go to a folder of their own.
    mkdir -p "target/fuzz/$target"
    cargo +nightly fuzz run "$target" "target/fuzz/$target" "fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -rss_limit_mb=4096
done
# The C code is left as it is: instrumented by another compiler than Rust's it
# does not fit the run-time part, which then reports what is not there. Memory
# that it takes is watched all the same.
CFLAGS=-fno-sanitize=all RUSTFLAGS=-Zsanitizer=address cargo +nightly test --package retrograde-probe \
    --all-features --tests --target "$host" --target-dir target/sanitizer
