#!/usr/bin/env bash
# Builds the library for C, and its examples and checks.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/c.sh [--header] [--asan] [--install PREFIX]

Builds the library for C (bindings/c) and proves that it works from C: the header is the
one that the sources give, the examples compile without a warning, as C and as C++, and
the checks pass, linked with the shared library and with the static one.

Options:
  --header          write bindings/c/include/retrograde.h anew
  --asan            also run the checks under the address sanitizer
  --install PREFIX  only build, and put header, libraries, licences and the file for pkg-config
                    below PREFIX
  -h, --help        print this text

Needs cargo and a C compiler; all that is made stays below target/.
TEXT
}

fail() {
    printf 'c: %s\n' "$*" >&2
    exit 1
}

header='' asan='' prefix=''
while (($#)); do
    case $1 in
    --header) header=1 ;;
    --asan) asan=1 ;;
    --install) prefix=${2:?--install needs a folder} && shift ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
[[ -z $prefix || $prefix == /* ]] || prefix=$PWD/$prefix
cd "$(dirname "${BASH_SOURCE[0]}")/.."
c=bindings/c target=${CARGO_TARGET_DIR:-target} cc=${CC:-cc}
# shellcheck source=scripts/build.sh
source scripts/build.sh

install_to() {
    mkdir -p "$1/include" "$1/lib/pkgconfig" "$1/share/licenses/retrograde"
    cp $c/include/retrograde.h "$1/include/"
    cp LICENSE-* "$1/share/licenses/retrograde/"
    for file in libretrograde_c.a libretrograde_c.so libretrograde_c.dylib; do
        [[ ! -f $programs/$file ]] || cp "$programs/$file" "$1/lib/"
    done
    version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
    sed "s|@PREFIX@|$1|; s|@VERSION@|$version|" $c/retrograde.pc.in >"$1/lib/pkgconfig/retrograde.pc"
}

if [[ $prefix ]]; then
    build_programs -p retrograde-c
    install_to "$prefix"
    echo "installed below $prefix"
    exit 0
fi

# Together with the program, what both need is built once.
build_programs -p retrograde-c -p retrograde
made=$target/c
mkdir -p "$made"
cargo run --quiet --manifest-path $c/header/Cargo.toml --target-dir "$target/c-header" >"$made/retrograde.h"
[[ ! $header ]] || cp "$made/retrograde.h" $c/include/retrograde.h
cmp -s "$made/retrograde.h" $c/include/retrograde.h ||
    fail "bindings/c/include/retrograde.h is not what the sources give; run scripts/c.sh --header"

root=$PWD/$made/root
[[ $made != /* ]] || root=$made/root
install_to "$root"
export PKG_CONFIG_PATH=$root/lib/pkgconfig
cflags=(-I"$root/include") libs=(-L"$root/lib" -lretrograde_c) private=(-lpthread -ldl -lm)
if command -v pkg-config >/dev/null; then
    read -ra cflags <<<"$(pkg-config --cflags retrograde)"
    read -ra libs <<<"$(pkg-config --libs retrograde)"
    read -ra private <<<"$(pkg-config --static --libs-only-l retrograde | sed 's/-lretrograde_c//')"
fi
strict=(-std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror)

shipped=$made/tables
shipped_tables "$shipped"
# Games of two, whose counters the checks know.
for pays in low both; do
    cat >"$made/$pays.toml" <<TEXT
name = "$pays"
board.size = "3x3"
pieces.order = "KR"
end.no-progress = 0
turn.pass = "when-stuck"
counters.vitality = { full = [100, 60], pays = "$pays" }
TEXT
    "$programs/retrograde" generate "$made/$pays.toml" KRvK --tables "$shipped" --out "$shipped" 2>"$made/log" ||
        fail "$(cat "$made/log")"
done

# build SOURCE PROGRAM shared|static [FLAGS...]
build() {
    local source=$1 program=$2 kind=$3
    shift 3
    case $kind in
    shared) $cc "${strict[@]}" "$@" "${cflags[@]}" "$source" "${libs[@]}" -Wl,-rpath,"$root/lib" -lpthread -o "$program" ;;
    static) $cc "${strict[@]}" "$@" "${cflags[@]}" "$source" "$root/lib/libretrograde_c.a" "${private[@]}" -o "$program" ;;
    esac
}

for kind in shared static; do
    for example in probe engine; do
        build $c/examples/$example.c "$made/$example-$kind" $kind
    done
    build $c/tests/check.c "$made/check-$kind" $kind
    "$made/check-$kind" "$shipped"
    [[ $("$made/engine-$kind" "$shipped") == "WDL 2, DTZ 17, DTM 17" ]] || fail "engine-$kind answers wrong"
    echo '8/8/8/3k4/8/8/8/KQ6 w - -' | "$made/probe-$kind" orthodox "$shipped" >"$made/answer"
    grep -q '"depth_plies":17' "$made/answer" || fail "probe-$kind answers wrong"
done
# Of a damaged and of a missing table the library says what the program says; the advice about
# damaged ones is its own.
without_advice() { sed '/"corrupt-table"/s/; [^"]*","offset/","offset/' <<<"$1"; }
damaged="$made/damaged tables"
rm -rf "$damaged"
mkdir -p "$damaged/orthodox"
head -c 200 "$shipped/orthodox/KQvK.wdl" >"$damaged/orthodox/KQvK.wdl"
for fen in '8/8/8/3k4/8/8/8/KQ6 w - -' '8/8/8/3k4/8/8/8/KR6 w - - 3 9'; do
    for options in '' '--moves --line'; do
        # shellcheck disable=SC2086
        expected=$("$programs/retrograde" probe orthodox "$fen" --json $options --tables "$damaged") && status=0 || status=$?
        # shellcheck disable=SC2086
        found=$("$made/probe-shared" orthodox "$damaged" $options <<<"$fen") && other=0 || other=$?
        [[ $(without_advice "$found") == "$(without_advice "$expected")" && $status == "$other" ]] ||
            fail "of $fen the library says $found ($other), the program $expected ($status)"
    done
done
# The program of the guide.
sed -n '/^```c$/,/^```$/{/^```/!p}' docs/guide/c.md >"$made/guide.c"
build "$made/guide.c" "$made/guide" shared
[[ $("$made/guide") == "WDL -2, depth 24 plies" ]] || fail "the program of the guide answers wrong"
if command -v c++ >/dev/null; then
    printf '#include <retrograde.h>\nint main() { return *retrograde_version() == 0; }\n' >"$made/header.cpp"
    c++ -Wall -Wextra -Werror "${cflags[@]}" "$made/header.cpp" "${libs[@]}" -Wl,-rpath,"$root/lib" -o "$made/header"
    "$made/header"
fi
# A program that was linked with the file of the library finds it when it has moved.
first=$made/first elsewhere=$PWD/$made/elsewhere
[[ $made != /* ]] || elsewhere=$made/elsewhere
rm -rf "$first" "$elsewhere"
mkdir -p "$first"
cp "$root"/lib/libretrograde_c.* "$first/"
library=$first/libretrograde_c.so
[[ -f $library ]] || library=$first/libretrograde_c.dylib
$cc "${cflags[@]}" "$made/guide.c" "$library" -Wl,-rpath,"$elsewhere" -lpthread -o "$made/moved"
mv "$first" "$elsewhere"
[[ $("$made/moved") == "WDL -2, depth 24 plies" ]] || fail "a program does not find the library where it moved"
if [[ $asan ]]; then
    build $c/tests/check.c "$made/check-asan" static -fsanitize=address -fno-omit-frame-pointer
    "$made/check-asan" "$shipped"
fi
echo "c: all is well"
