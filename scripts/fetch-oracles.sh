#!/usr/bin/env bash
# Fetches the published tables of up to four men that Retrograde is compared
# with.
set -euo pipefail

readonly PACKAGE=chess VERSION=1.11.2
readonly SHA256=a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39
readonly ARCHIVE=$PACKAGE-$VERSION.tar.gz

usage() {
    cat <<TEXT
Usage: scripts/fetch-oracles.sh [DIR]

Downloads the source package of $PACKAGE $VERSION from PyPI into DIR (default:
target/oracles) and unpacks the tables that it carries for its own tests:

  DIR/syzygy/*.rtbw   35 WDL tables, three and four men
  DIR/syzygy/*.rtbz   35 DTZ tables, three and four men
  DIR/gaviota/*.cp4   5 DTM tables, three men

Files that are already there are kept. The package is GPL software: no part of it
goes into Retrograde.
TEXT
}

fail() {
    printf 'fetch-oracles: %s\n' "$*" >&2
    exit 1
}

sha256() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1" | cut -d ' ' -f 1
    else
        shasum -a 256 "$1" | cut -d ' ' -f 1
    fi
}

# Counts the files of a kind in a folder.
count() {
    find "$1" -maxdepth 1 -name "*.$2" 2>/dev/null | wc -l | tr -d ' '
}

complete() {
    [[ $(count "$1/syzygy" rtbw) == 35 && $(count "$1/syzygy" rtbz) == 35 &&
        $(count "$1/gaviota" gtb.cp4) == 5 ]]
}

download() {
    command -v python3 >/dev/null || fail "python3 is needed, with pip"
    python3 -m pip --version >/dev/null 2>&1 || fail "python3 has no pip; install python3-pip"
    echo "fetching $ARCHIVE from PyPI" >&2
    python3 -m pip download --quiet --disable-pip-version-check --no-deps \
        --no-binary :all: --dest "$1" "$PACKAGE==$VERSION" >&2 ||
        fail "pip could not download $PACKAGE $VERSION; is PyPI within reach?"
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
-*) fail "unknown option $1; see --help" ;;
esac
(($# <= 1)) || fail "one folder at most; see --help"

dir=${1:-$(dirname "${BASH_SOURCE[0]}")/../target/oracles}
mkdir -p "$dir" || fail "cannot make the folder $dir"
dir=$(cd "$dir" && pwd)

if [[ ! -f $dir/$ARCHIVE ]]; then
    part=$(mktemp -d "$dir/download.XXXXXX")
    trap 'rm -rf "$part"' EXIT
    download "$part"
    [[ -f $part/$ARCHIVE ]] || fail "pip did not bring $ARCHIVE"
    mv "$part/$ARCHIVE" "$dir/"
fi
found=$(sha256 "$dir/$ARCHIVE")
[[ $found == "$SHA256" ]] ||
    fail "$dir/$ARCHIVE has the SHA-256 $found, not $SHA256; remove it and run this again"

if ! complete "$dir"; then
    unpacked=$(mktemp -d "$dir/unpack.XXXXXX")
    trap 'rm -rf "${part:-}" "$unpacked"' EXIT
    tar -xzf "$dir/$ARCHIVE" -C "$unpacked" --strip-components 2 \
        "$PACKAGE-$VERSION/data/syzygy/regular" "$PACKAGE-$VERSION/data/gaviota"
    rm -rf "$dir/syzygy" "$dir/gaviota"
    mv "$unpacked/syzygy/regular" "$dir/syzygy"
    mv "$unpacked/gaviota" "$dir/gaviota"
    complete "$dir" || fail "$ARCHIVE does not carry the tables that it should"
fi
echo "35 + 35 Syzygy and 5 Gaviota tables are in $dir" >&2
