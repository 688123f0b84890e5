#!/usr/bin/env bash
# Feeds arbitrary input to the readers, and checks their memory accesses.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/fuzz.sh [SECONDS]

Runs each fuzz target for SECONDS (default: 60), starting from fuzz/corpus and, for
definitions, from rules/games and games/examples, too; then the tests of the probe
crate under AddressSanitizer, which watches its unsafe code and the codec's
allocations. Inputs that make a target fail go to fuzz/artifacts; once the fault is
fixed, move them to fuzz/corpus, where the tests replay them.

Needs a nightly Rust toolchain with rust-src, and cargo-fuzz.
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
for target in table fen moves pgn definition; do
    # New inputs do not belong in git: they go to a separate folder.
    mkdir -p "target/fuzz/$target"
    seeds=("fuzz/corpus/$target")
    [[ $target != definition ]] || seeds+=(rules/games games/examples)
    cargo +nightly fuzz run "$target" "target/fuzz/$target" "${seeds[@]}" -- \
        -max_total_time="$seconds" -rss_limit_mb=4096
done
# The C code is not instrumented: a compiler other than Rust's would produce
# instrumentation that does not match the runtime, which then reports faults that
# do not exist. The memory that the C code allocates is watched all the same.
CFLAGS=-fno-sanitize=all RUSTFLAGS=-Zsanitizer=address cargo +nightly test --package retrograde-probe \
    --all-features --tests --target "$host" --target-dir target/sanitizer
