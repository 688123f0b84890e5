#!/usr/bin/env bash
# Tests of the server that `cargo test` does not have.
set -euo pipefail

readonly BERSERK=0.14.0 SCHEMATHESIS=4.32.5

usage() {
    cat <<'TEXT'
Usage: scripts/server.sh [--write] [--peers]

Checks the types of the page's sources in server/web, builds them, and compares the result
with the bundle that is kept in server/web/dist.

Options:
  --write     keep what was built, instead of comparing
  --peers     also ask a server by programs of others: berserk's client for lichess's
              tablebase, and schemathesis, which tries to break what the OpenAPI document
              promises
  -h, --help  print this text

Needs npm and the npm registry; --peers also cargo, python3 and PyPI. All that is made stays
below target/ and server/web/node_modules.
berserk is GPL software: it runs as a separate program, and no part of it goes into
Retrograde.
TEXT
}

fail() {
    printf 'server: %s\n' "$*" >&2
    exit 1
}

write='' peers=''
while (($#)); do
    case $1 in
    --write) write=1 ;;
    --peers) peers=1 ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

(
    cd server/web
    npm ci --no-audit --no-fund --loglevel=error
    npx --no-install tsc --noEmit
    built=$root/target/server/dist
    npx --no-install vite build --logLevel warn --emptyOutDir --outDir "$built"
    if [[ -n $write ]]; then
        rm -rf dist
        cp -r "$built" dist
    else
        diff -r "$built" dist >/dev/null ||
            fail "server/web/dist is not what its sources give; run scripts/server.sh --write"
    fi
)
printf 'the page is what its sources give\n'

if [[ -n $peers ]]; then
    # shellcheck source=scripts/server-start.sh
    source scripts/server-start.sh
    # shellcheck source=scripts/build.sh
    source scripts/build.sh
    venv=target/server/venv
    venv "$venv" "berserk==$BERSERK" "schemathesis==$SCHEMATHESIS" cbor2
    start_server release --tables tables --log error
    "$venv/bin/python" -B scripts/server_peers.py "$url"
    # What is no position, no move and no material is refused, which no schema can say. It leaves
    # a cache where it runs.
    cd target/server
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/scripts SCHEMATHESIS_HOOKS=server_schema \
        venv/bin/schemathesis run "$url/api/openapi.json" --max-examples 100 --phases \
        examples,coverage,fuzzing --checks all --exclude-checks positive_data_acceptance \
        --suppress-health-check all --generation-database none
fi
