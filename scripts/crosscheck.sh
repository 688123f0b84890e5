#!/usr/bin/env bash
# Compares Retrograde's orthodox tables with the published ones.
set -euo pipefail

readonly GAVIOTA=(KQvK KRvK KPvK KBvK KNvK)

usage() {
    cat <<'TEXT'
Usage: scripts/crosscheck.sh [--men 3|4] [--tables DIR] [--build]

Fetches the published tables (scripts/fetch-oracles.sh), makes any tables of
ours that are missing, and compares every position of every published table:

  - WDL with Syzygy, for all endings of up to the given number of pieces, and DTZ,
    which counts the fifty-move rule;
  - DTM with Gaviota, for the five three-man endings;
  - with four men, also all positions with an en passant right, with Syzygy;
  - and, on 100,000 random positions (20,000 with three men), our Syzygy reader with
    another one.

Options:
  --men 3|4     up to three men (5 endings) or four (35 endings); default 4
  --tables DIR  the folder with our tables; default target/crosscheck-tables,
                where all are made anew by the current solver
  --build       only fetch and build what is needed
  -h, --help    print this text

Exits with 1 if anything differs. Needs cargo, and python3 with pip and venv;
all downloads stay below target/.
TEXT
}

fail() {
    printf 'crosscheck: %s\n' "$*" >&2
    exit 2
}

men=4 tables='' build=''
while (($#)); do
    case $1 in
    --men) men=${2:-} && shift ;;
    --men=*) men=${1#*=} ;;
    --tables) tables=${2:-} && shift ;;
    --tables=*) tables=${1#*=} ;;
    --build) build=1 ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
[[ $men == 3 || $men == 4 ]] || fail "--men is 3 or 4, not \"$men\""

# A folder that is given by name is from where the caller stands.
[[ -z $tables || $tables == /* ]] || tables=$PWD/$tables
cd "$(dirname "${BASH_SOURCE[0]}")/.."
oracles=$PWD/target/oracles
# Python leaves no compiled modules in scripts/.
export PYTHONDONTWRITEBYTECODE=1

scripts/fetch-oracles.sh "$oracles"
# shellcheck source=scripts/build.sh
source scripts/build.sh
venv "$oracles/venv" --no-deps "$oracles/chess-1.11.2.tar.gz"
python=$oracles/venv/bin/python
build_programs -p retrograde
retrograde=$(realpath "$programs")/retrograde
# For three men, building takes longer than comparing.
profile=release folder=release
((men == 4)) || profile=dev folder=debug
cargo build --profile "$profile" --quiet --manifest-path scripts/crosscheck/Cargo.toml \
    --target-dir target/crosscheck
crosscheck=$PWD/target/crosscheck/$folder/crosscheck
[[ -z $build ]] || exit 0

generate=("$retrograde" generate orthodox --men "$men")
if [[ -z $tables ]]; then
    tables=$PWD/target/crosscheck-tables
    generate+=(--force)
fi
# Named for reading too, or else tables elsewhere would do instead.
"${generate[@]}" --tables "$tables" --out "$tables"

# Everything is compared, even after a difference.
status=0
"$crosscheck" wdl --syzygy "$oracles/syzygy" --tables "$tables" --men "$men" || status=1
"$crosscheck" dtz --syzygy "$oracles/syzygy" --tables "$tables" --men "$men" || status=1
for material in "${GAVIOTA[@]}"; do
    "$crosscheck" depths --tables "$tables" "$material" |
        "$python" scripts/crosscheck_gaviota.py --gaviota "$oracles/gaviota" "$material" || status=1
done
if ((men == 4)); then
    "$python" scripts/crosscheck_ep.py --syzygy "$oracles/syzygy" --tables "$tables" \
        --retrograde "$retrograde" || status=1
fi
"$python" scripts/crosscheck_reader.py --syzygy "$oracles/syzygy" --reader "$crosscheck" \
    --positions $((men == 4 ? 100000 : 20000)) || status=1

if ((status)); then
    echo "crosscheck: there are differences" >&2
else
    echo "crosscheck: everything agrees"
fi
exit "$status"
