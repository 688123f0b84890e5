#!/usr/bin/env bash
# Builds the package for JavaScript and tests it in node and in a browser.
set -euo pipefail

# The most that the module may take when it is sent, in bytes.
readonly MOST=450000
readonly BINARYEN=132.0.0 PUPPETEER=25.16.0 TYPESCRIPT=5.9.3

usage() {
    cat <<'TEXT'
Usage: scripts/wasm.sh [--build] [--browser] [--values [STEP]] [--optimise]

Builds the package of bindings/wasm, as npm wants it, in target/wasm/package, states its
size, and runs its tests in node.

Options:
  --build     only build
  --optimise  also let wasm-opt (binaryen, from npm) make the module smaller
  --values    also compare every value of the three-man tables, in both packings, with
              what `retrograde export` says: this is a machine of 32 bits; with a STEP
              every STEP-th
  --browser   also run it in a headless Chromium, with tables by fetch and from dropped
              files, and check the types with TypeScript
  -h, --help  print this text

Needs cargo, rustup for the target if it is not there, and node 18 or later with npm;
--browser needs chromium. All that is made stays below target/.
TEXT
}

fail() {
    printf 'wasm: %s\n' "$*" >&2
    exit 1
}

build='' browser='' optimise='' values=''
while (($#)); do
    case $1 in
    --build) build=1 ;;
    --browser) browser=1 ;;
    --optimise) optimise=1 ;;
    --values)
        values=1
        [[ ! ${2:-} =~ ^[0-9]+$ ]] || { values=$2 && shift; }
        ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/build.sh
source scripts/build.sh
wasm=bindings/wasm target=${CARGO_TARGET_DIR:-target} triple=wasm32-unknown-unknown
[[ $target == /* ]] || target=$PWD/$target
made=$target/wasm package=$target/wasm/package
export npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false

[[ -d $(rustc --print sysroot)/lib/rustlib/$triple ]] || rustup target add "$triple"
cargo build --quiet --profile wasm --target "$triple" -p retrograde-wasm
rm -rf "$package"
mkdir -p "$package"
# A quarter of what the command `wasm-bindgen` takes to build.
cargo run --quiet --manifest-path $wasm/bindgen/Cargo.toml --target-dir "$target/wasm-bindgen" -- \
    "$target/$triple/wasm/retrograde_wasm.wasm" "$package"
cp $wasm/package/* $wasm/README.md LICENSE-* "$package/"
if [[ $optimise ]]; then
    npm install --silent --prefix "$made/tools" "binaryen@$BINARYEN" || fail "npm could not install binaryen"
    node "$made/tools/node_modules/binaryen/bin/wasm-opt" -Os --enable-bulk-memory \
        --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-reference-types --enable-multivalue \
        "$package/retrograde_bg.wasm" -o "$made/smaller.wasm"
    mv "$made/smaller.wasm" "$package/retrograde_bg.wasm"
fi
size=$(gzip -9 -c "$package/retrograde_bg.wasm" | wc -c)
echo "wasm: the module takes $(wc -c <"$package/retrograde_bg.wasm") bytes, compressed $size"
((size <= MOST)) || fail "the module takes more than $MOST bytes compressed"
[[ ! $build ]] || exit 0
build_programs -p retrograde

shipped=$made/tables tests=$made/tests
shipped_tables "$shipped"

# Tested as it will be installed.
rm -rf "$tests"
mkdir -p "$tests/node_modules/retrograde"
(cd "$package" && npm pack --silent --pack-destination "$made" >/dev/null)
# Its tables are packed small, too: one kind of values rests on others there.
small=$made/small
if [[ ! -d $small/orthodox ]]; then
    "$programs/retrograde" repack orthodox --men 3 --pack small --tables "$shipped" --out "$small" >/dev/null
fi
tar -xzf "$made"/retrograde-*.tgz --strip-components=1 -C "$tests/node_modules/retrograde"
cp $wasm/tests/* $wasm/examples/* "$tests/"
# Programs of the guide and the README, which get their tables by fetch.
sed -n '/^```js$/,/^```$/{/^```/!p}' docs/guide/javascript.md >"$tests/guide.js"
sed -n '/^```js$/,/^```$/{/^```/!p}' $wasm/README.md >"$tests/readme.js"
sed -n '/^```js$/,/^```$/{/^```/!p}' bindings/README.md >"$tests/bindings.js"
cp -r "$shipped" "$tests/tables"
export RETROGRADE_TABLES=$shipped RETROGRADE_SMALL_TABLES=$small
export RETROGRADE_EXAMPLE=$PWD/games/examples/gardner.toml
(cd "$tests" && node --test)

if [[ $values ]]; then
    for game in "$shipped"/*; do
        game=${game##*/}
        [[ -d $small/$game ]] ||
            "$programs/retrograde" repack "$game" --men 3 --pack small --tables "$shipped" --out "$small" >/dev/null
        count=0
        for file in "$shipped/$game"/*.{wdl,thresholds}; do
            [[ -f $file ]] || continue
            material=${file##*/} material=${material%.*}
            for tables in "$shipped" "$small"; do
                compared=$("$programs/retrograde" export "$game" "$material" --tables "$shipped" |
                    node "$tests/values.js" "$game" "$tables" "$values")
                ((count += compared))
            done
        done
        echo "wasm: $game: $count values are those of this machine"
    done
fi

if [[ $browser ]]; then
    chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        fail "there is no chromium; install it"
    npm install --silent --no-save --prefix "$tests" "puppeteer-core@$PUPPETEER" "typescript@$TYPESCRIPT" ||
        fail "npm could not install puppeteer-core and typescript"
    # npm tidies away what it has not installed.
    mkdir -p "$tests/node_modules/retrograde"
    cp "$package"/* "$tests/node_modules/retrograde/"
    cp $wasm/browser/* "$tests/"
    # They take no types of browsers.
    for lib in esnext,dom esnext; do
        (cd "$tests" && node_modules/.bin/tsc --noEmit --strict --target es2022 --lib "$lib" \
            --module nodenext --types "" types.ts)
    done
    echo "wasm: the types are right"
    node "$tests/page.browser.js" "$tests" "$chromium"
fi
echo "wasm: all is well"
