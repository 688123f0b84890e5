#!/usr/bin/env bash
# Tests the page in a real browser.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/server-browser.sh [OPTION...]

Starts a server with the tables that ship, and runs the tests of server/web/browser in
Chromium: the main paths in every game, and what tools for accessibility find. Options are
those of `playwright test`.

Needs cargo, npm and Chromium (`apt-get install chromium`); CHROMIUM names another browser.
TEXT
}

if [[ ${1-} == -h || ${1-} == --help ]]; then
    usage
    exit 0
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
if [[ -z $CHROMIUM ]]; then
    printf 'server-browser: there is no Chromium; install it, or name it in CHROMIUM\n' >&2
    exit 1
fi
# shellcheck source=scripts/server-start.sh
source scripts/server-start.sh
start_server test --tables tables --log error
cd server/web/browser
PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error
RETROGRADE_URL=$url npx --no-install playwright test "$@"
