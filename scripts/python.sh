#!/usr/bin/env bash
# Builds the Python package, installs it in a fresh virtual environment and tests it there.
set -euo pipefail

readonly MATURIN=1.16.0 CHESS=1.11.2 MYPY=2.4.1

usage() {
    cat <<'TEXT'
Usage: scripts/python.sh [--wheel] [--frames] [--peer] [--speed] [--tables DIR]

Builds the wheel of bindings/python with maturin, installs it in a fresh virtual
environment and runs its tests there, examples included; mypy compares the types with what
there is.

Options:
  --wheel       only build the wheel; it is in wheels/ of the target folder
  --frames      also test data frames, which takes pandas and pyarrow
  --peer        also compare with chess.syzygy of python-chess: 10,000 random boards of
                three and four men, values and exceptions
  --speed       also measure; with --peer side by side with chess.syzygy
  --tables DIR  the folder with tables of up to four men for --peer and --speed; default
                target/crosscheck-tables. What is missing is made there.
  -h, --help    print this text

Needs cargo, python3 and PyPI; all that is made stays below target/, or below
CARGO_TARGET_DIR.
python-chess is GPL software: it runs as a separate program, and no part of it goes into
Retrograde.
TEXT
}

fail() {
    printf 'python: %s\n' "$*" >&2
    exit 1
}

wheel='' frames='' peer='' speed='' tables=''
while (($#)); do
    case $1 in
    --wheel) wheel=1 ;;
    --frames) frames=1 ;;
    --peer) peer=1 ;;
    --speed) speed=1 ;;
    --tables) tables=${2:?--tables needs a folder} && shift ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
[[ -z $tables || $tables == /* ]] || tables=$PWD/$tables
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/build.sh
source scripts/build.sh
# Python leaves no compiled modules in the sources.
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
tables=${tables:-$PWD/target/crosscheck-tables}

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
tools=$target/python/tools venv=$target/python/venv wheels=$target/wheels
venv "$tools" "maturin==$MATURIN"

rm -rf "$wheels"
"$tools/bin/maturin" build --quiet --profile "$profile" --manifest-path bindings/python/Cargo.toml --out "$wheels"
built=("$wheels"/retrograde-*.whl)
[[ -f ${built[0]} ]] || fail "maturin made no wheel"
echo "python: ${built[0]}, $(($(wc -c <"${built[0]}") / 1024)) KiB"
[[ ! $wheel ]] || exit 0

# A package of the sources comes with the licence texts, too.
said=$("$tools/bin/maturin" sdist --manifest-path bindings/python/Cargo.toml --out "$wheels" 2>&1) ||
    fail "maturin made no package of the sources: $said"
texts=$(tar -tzf "$wheels"/retrograde-*.tar.gz | grep -c '^[^/]*/LICENSE-\(MIT\|APACHE\)$')
((texts == 2)) || fail "the package of the sources has $texts licence texts instead of 2"

packages=(numpy pytest "mypy==$MYPY")
[[ ! $frames ]] || packages+=(pandas pyarrow)
# A new wheel may have the name of the one before.
rm -rf "$venv"
venv "$venv" "${packages[@]}" "${built[0]}"
python=$venv/bin/python
(cd bindings/python && "$python" -m pytest -p no:cacheprovider)
# What is private has no types, and of those with names of their own it knows too little.
(cd "$target/python" && "$python" -m mypy.stubtest retrograde --allowlist <(
    printf '%s\n' 'retrograde\._native\.(__all__|_[a-z]\w*)' 'retrograde\.typing\.\w+'
))
"$venv/bin/python" -c 'import retrograde, pathlib; assert (pathlib.Path(retrograde.__file__).parent / "py.typed").exists()'

if [[ $peer || $speed ]]; then
    build_programs -p retrograde
    "$programs/retrograde" generate orthodox --men 4 --tables "$tables" --out "$tables"
fi
if [[ $peer ]]; then
    scripts/fetch-oracles.sh target/oracles
    "$python" -m pip install --quiet --no-deps "target/oracles/chess-$CHESS.tar.gz"
    "$python" scripts/python_peer.py --syzygy target/oracles/syzygy --tables "$tables"
fi
if [[ $speed ]]; then
    # Those that ship are packed small.
    "$python" scripts/python_speed.py --tables "$tables" --also tables --syzygy target/oracles/syzygy
fi
echo "python: all is well"
