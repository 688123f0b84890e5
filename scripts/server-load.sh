#!/usr/bin/env bash
# How many questions a second the server answers.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/server-load.sh [--seconds N] [--tables DIR]

Asks a server on this machine for random positions of three men, each kind of question for N
seconds (default 10), and then all kinds mixed: requests a second, the time within which 99 %
are answered, and the memory of the server before and after; then batches of 20,000 positions one
after another, as long. Client and server share the processors.

Needs cargo, curl and wrk (`apt-get install wrk`).
TEXT
}

fail() {
    printf 'server-load: %s\n' "$*" >&2
    exit 1
}

seconds=10 tables=tables
while (($#)); do
    case $1 in
    --seconds) seconds=${2:?--seconds needs a number} && shift ;;
    --tables) tables=${2:?--tables needs a folder} && shift ;;
    -h | --help)
        usage
        exit 0
        ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
[[ $tables == /* ]] || tables=$PWD/$tables
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v wrk >/dev/null || fail "there is no wrk; install it"
# shellcheck source=scripts/server-start.sh
source scripts/server-start.sh
start_server release --tables "$tables" --log error

memory() {
    awk '/^VmRSS/ { printf "%d MiB", $2 / 1024 }' "/proc/$server/status"
}

load() {
    local name=$1 mode=$2
    MODE=$mode wrk --threads 1 --connections 16 --duration "${seconds}s" --latency \
        --script scripts/server-load.lua "$url" >target/server/load
    awk -v name="$name" -v memory="$(memory)" '
        /^ *99%/ { late = $2 }
        /^Requests\/sec/ { rate = $2 }
        /Non-2xx/ { other = $NF }
        END { printf "%-28s %9.0f a second, 99%% within %9s, %s", name, rate, late, memory
              if (other) printf ", %d no position", other
              print "" }
    ' target/server/load
}

printf 'at the start: %s\n' "$(memory)"
load "a position" probe
load "a position and its moves" moves
load "as lichess's tablebase" standard
load "the page" page
load "all of them, and mistakes" mixed

# One queen against the bare king, on whatever squares.
awk 'BEGIN {
    for (n = 0; n < 20000; n++) {
        split("", on)
        on[n % 64] = "K"; on[int(n / 64) % 64] = "Q"; on[int(n / 7) % 61] = "k"
        for (rank = 0; rank < 8; rank++) {
            empty = 0
            for (file = 0; file < 8; file++) {
                piece = on[8 * rank + file]
                if (piece == "") empty++
                else { printf "%s%s", empty ? empty : "", piece; empty = 0 }
            }
            printf "%s%s", empty ? empty : "", rank < 7 ? "/" : " b - -\n"
        }
    }
}' >target/server/fens
began=$EPOCHREALTIME lines=0
until ((${EPOCHREALTIME%.*} - ${began%.*} >= seconds)); do
    curl --silent --show-error --upload-file target/server/fens --request POST \
        "$url/api/orthodox/batch" >target/server/answers
    lines=$((lines + $(wc -l <target/server/answers)))
done
awk -v lines="$lines" -v began="$began" -v now="$EPOCHREALTIME" 'BEGIN {
    printf "%-28s %9.0f a second\n", "positions in batches", lines / (now - began)
}'
printf 'in the end: %s\n' "$(memory)"
