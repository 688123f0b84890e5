#!/usr/bin/env bash
# Compares tables made by a processor of another kind with those made here.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/aarch64.sh [MATERIAL...]

Builds the program for 64-bit ARM, makes tables with it under emulation, packs them small,
and compares every byte with what this machine makes: all of three men of every game, and
the orthodox materials that are named (default: KRvKN).

Needs cargo, rustup, the cross compiler aarch64-linux-gnu-gcc and qemu-aarch64; on Debian:
apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
TEXT
}

case "${1-}" in -h | --help) usage && exit ;; esac
cd "$(dirname "$0")/.."
for program in rustup aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v "$program" >/dev/null || {
        printf 'aarch64.sh: %s is missing; see --help\n' "$program" >&2
        exit 2
    }
done
materials=("$@")
((${#materials[@]})) || materials=(KRvKN)

target=aarch64-unknown-linux-gnu
rustup target add "$target"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
# shellcheck source=scripts/build.sh
source scripts/build.sh
cargo build --release --target "$target" -p retrograde
build_programs -p retrograde

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
there() { qemu-aarch64 -L /usr/aarch64-linux-gnu "${CARGO_TARGET_DIR:-target}/$target/release/retrograde" "$@"; }
here() { "$programs/retrograde" "$@"; }
for machine in there here; do
    for game in $(games); do
        "$machine" generate "$game" --men 3 --pack small --out "$work/$machine"
    done
    "$machine" generate orthodox "${materials[@]}" --pack small --out "$work/$machine"
done
diff --recursive "$work/there" "$work/here"
count=$(find "$work/here" -type f -name 'K*' | wc -l)
printf 'aarch64: %s files are the same, byte for byte\n' "$count"
