#!/usr/bin/env bash
# Compares tables made on a machine of another kind with those made here.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/other-machine.sh aarch64|windows [MATERIAL...]

Builds the program for another machine, makes tables with it under emulation, packs them
small, and compares every byte with what this machine makes: all of three men of every game,
and the orthodox materials that are named (default: KRvKN).

aarch64   64-bit ARM. Needs aarch64-linux-gnu-gcc and qemu-aarch64; on Debian:
          apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
windows   Windows on x86-64. Needs x86_64-w64-mingw32-gcc and wine; on Debian:
          apt-get install gcc-mingw-w64-x86-64 wine wine64
TEXT
}

case "${1-}" in
-h | --help) usage && exit ;;
aarch64)
    target=aarch64-unknown-linux-gnu compiler=aarch64-linux-gnu-gcc program=retrograde
    emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=$compiler
    ;;
windows)
    target=x86_64-pc-windows-gnu compiler=x86_64-w64-mingw32-gcc program=retrograde.exe
    emulator=(wine)
    export WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
    ;;
*) usage >&2 && exit 2 ;;
esac
machine=$1
shift
cd "$(dirname "$0")/.."
for needed in rustup "$compiler" "${emulator[0]}"; do
    command -v "$needed" >/dev/null || {
        printf 'other-machine.sh: %s is missing; see --help\n' "$needed" >&2
        exit 2
    }
done
materials=("$@")
((${#materials[@]})) || materials=(KRvKN)

rustup target add "$target"
# shellcheck source=scripts/build.sh
source scripts/build.sh
cargo build --release --target "$target" -p retrograde
build_programs -p retrograde
programs=$(realpath "$programs")

unset RETROGRADE_TABLES
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/program"
cp "${CARGO_TARGET_DIR:-target}/$target/release/$program" "$work/program"
if [[ $machine == windows ]]; then
    # Rust's programs take random numbers from a library that older versions of Wine lack.
    cat >"$work/random.c" <<'TEXT'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T bytes) {
    return SystemFunction036(to, (ULONG)bytes);
}
TEXT
    "$compiler" -shared -o "$work/program/bcryptprimitives.dll" "$work/random.c" -ladvapi32
fi
there() { "${emulator[@]}" "$work/program/$program" "$@"; }
here() { "$programs/retrograde" "$@"; }
for maker in there here; do
    for game in $(games); do
        (cd "$work" && "$maker" generate "$game" --men 3 --pack small --out "$maker")
    done
    (cd "$work" && "$maker" generate orthodox "${materials[@]}" --pack small --out "$maker")
done
diff --recursive "$work/there" "$work/here"
count=$(find "$work/here" -type f -name 'K*' | wc -l)
printf '%s: %s files are the same, byte for byte\n' "$machine" "$count"
