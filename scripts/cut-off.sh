#!/usr/bin/env bash
# Shows that truncating a table under a running command causes an error, not a
# crash.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/cut-off.sh [--cuts N] [MATERIAL]

Makes the tables of one orthodox ending (default: KQvKR) and truncates them while

  probe   answers positions: exit code 4
  stats   counts them: exit code 4, or 0 if it finished first
  check   reads them: exit code 1 (it found something), or 0 likewise
  verify  proves them: exit code 4, or 0 likewise

at N random moments for each command (default: 40), to a random length.
TEXT
}

fail() {
    printf 'cut-off: %s\n' "$*" >&2
    exit 1
}

cuts=40
material=KQvKR
while (($#)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --cuts)
        cuts=${2:?"--cuts needs a value"}
        shift
        ;;
    -*)
        usage >&2
        exit 2
        ;;
    *) material=$1 ;;
    esac
    shift
done

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/build.sh
source scripts/build.sh
build_programs -p retrograde
retrograde=$programs/retrograde
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$retrograde" generate orthodox "$material" --out "$work/whole" 2>/dev/null
# fen SIDE: a position with this side to move.
fen() {
    "$retrograde" stats orthodox "$material" --json --tables "$work/whole" |
        sed "s/.*\"$1\":\\[\"\\([^\"]*\\)\".*/\\1/"
}
white=$(fen white)
black=$(fen black)

# prepare: whole tables again, in files of their own.
prepare() {
    rm -rf "$work/cut"
    cp -r "$work/whole" "$work/cut"
}

# cut: truncates all tables of the ending to a random length.
cut() {
    local file size
    for file in "$work/cut/orthodox/$material".*; do
        size=$(stat --format %s "$file")
        truncate --size $((size * (RANDOM % 100) / 100)) "$file"
    done
}

# The program has answered once, and so has the tables open.
for ((try = 0; try < cuts; try++)); do
    prepare
    mkfifo "$work/in$try"
    "$retrograde" probe orthodox - --tables "$work/cut" <"$work/in$try" \
        >"$work/out" 2>"$work/log" &
    exec 3>"$work/in$try"
    echo "$white" >&3
    until [[ -s $work/out ]]; do sleep 0.01; done
    for file in "$work/cut/orthodox/$material".*; do
        truncate --size $((RANDOM % 500)) "$file"
    done
    # The other side to move is in other blocks.
    echo "$black" >&3
    exec 3>&-
    status=0
    wait $! || status=$?
    [[ $status == 4 ]] || fail "probe: exit code $status, not 4: $(cat "$work/out" "$work/log")"
    grep --quiet 'cut off' "$work/out" || fail "probe: $(cat "$work/out")"
done
printf 'probe: %d times cut off, exit code 4\n' "$cuts"

# attack COMMAND CODE ARGUMENT...: cuts while the command runs.
attack() {
    local command=$1 code=$2 hits=0 start length moment status try
    shift 2
    prepare
    start=$(date +%s%N)
    "$retrograde" "$command" "$@" --tables "$work/cut" >/dev/null 2>&1
    length=$((($(date +%s%N) - start) / 1000))
    for ((try = 0; try < cuts; try++)); do
        prepare
        "$retrograde" "$command" "$@" --tables "$work/cut" >"$work/out" 2>"$work/log" &
        # Mostly early, for some commands read everything first.
        moment=$((length * RANDOM / 32768 * RANDOM / 32768 * RANDOM / 32768))
        sleep "$(printf '%d.%06d' $((moment / 1000000)) $((moment % 1000000)))"
        cut
        status=0
        wait $! || status=$?
        case $status in
        0) ;;
        "$code")
            grep --quiet 'cut off' "$work/out" "$work/log" ||
                fail "$command: $(cat "$work/out" "$work/log")"
            hits=$((hits + 1))
            ;;
        *) fail "$command: exit code $status: $(cat "$work/out" "$work/log")" ;;
        esac
    done
    ((hits)) || fail "$command was never hit; take more --cuts"
    printf '%s: %d times cut off, %d times before it was done: exit code %d\n' \
        "$command" "$cuts" "$hits" "$code"
}

attack stats 4 orthodox "$material"
attack check 1
attack verify 4 orthodox "$material"
