#!/usr/bin/env bash
# Shows that no interruption leaves a wrong, half-written or lost table.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/interruption.sh [--game GAME] [--men N] [--kills N]

Makes the tables of a game (default: orthodox, 3 men) without disturbance, and
then, each in a separate folder:

  kill       kills the program at random moments (100 times by default),
             whatever it is doing, and each time looks at every file that has
             the name of a table
  interrupt  Ctrl-C once: the table in progress is finished, exit code 75;
             twice: the program ends at once
  two        two processes make the same tables in one folder simultaneously
  full disk  on a file system of a few KiB: exit code 6; with more room, the
             run continues

Every table that exists when the program ends must be, byte for byte, the one that
the undisturbed run made; and running the program again must make the rest and
leave nothing else behind. The full-disk test needs permission to mount.
TEXT
}

fail() {
    printf 'interruption: %s\n' "$*" >&2
    exit 1
}

game=orthodox
men=3
kills=100
while (($#)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --game) game=${2:?"--game needs a value"} ;;
    --men) men=${2:?"--men needs a value"} ;;
    --kills) kills=${2:?"--kills needs a value"} ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift 2
done

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/build.sh
source scripts/build.sh
build_programs -p retrograde
retrograde=$programs/retrograde
work=$(mktemp -d)
mounted=
trap '[[ -z $mounted ]] || umount "$mounted"; rm -rf "$work"' EXIT

# begin FOLDER: makes what is missing there, as this very process, so that a
# signal to it goes to the program.
begin() {
    exec "$retrograde" generate "$game" --men "$men" --out "$1" --tables "$1" 2>>"$work/log"
}

# generate FOLDER: the same, and waits.
generate() {
    (begin "$1")
}

# tables FOLDER: checksums of the files that bear the name of a table.
tables() {
    (cd "$1" && find . -type f -name 'K*' ! -name '*.partial' -print0 |
        sort -z | xargs -0 --no-run-if-empty sha256sum)
}

# sound FOLDER WHAT: what is there is what the undisturbed run made.
sound() {
    local odd
    odd=$(tables "$1" | grep --invert-match --line-regexp --fixed-strings \
        --file="$work/whole.sums" || true)
    [[ -z $odd ]] || fail "$2: not what an undisturbed run makes: $odd"
}

# complete FOLDER WHAT: running again gives the rest, and nothing else.
complete() {
    generate "$1" || fail "$2: the run after it ended with $?"
    tables "$1" | cmp --quiet - "$work/whole.sums" || fail "$2: tables are missing"
    local left
    left=$(find "$1" -type f ! -name 'K*')
    [[ -z $left ]] || fail "$2: left behind: $left"
}

start=$(date +%s%N)
generate "$work/whole"
length=$((($(date +%s%N) - start) / 1000))
tables "$work/whole" >"$work/whole.sums"
count=$(wc -l <"$work/whole.sums")
printf 'undisturbed: %d files in %d ms\n' "$count" $((length / 1000))

folder=$work/kill
hits=0
for ((kill = 0; kill < kills; kill++)); do
    begin "$folder" &
    # RANDOM has 15 bits; the run may be over sooner.
    moment=$((length * RANDOM / 32768))
    sleep "$(printf '%d.%06d' $((moment / 1000000)) $((moment % 1000000)))"
    kill -9 $! 2>/dev/null && hits=$((hits + 1))
    wait $! 2>/dev/null || true
    [[ ! -d $folder ]] || sound "$folder" "kill $kill"
    # So that there is always something to make.
    find "$folder" -type f -name 'K*' ! -name '*.partial' 2>/dev/null |
        shuf --head-count=$((count / 2)) | xargs --no-run-if-empty rm -f
done
complete "$folder" "kills"
printf 'kill: %d runs killed, nothing wrong\n' "$hits"

folder=$work/interrupt
# The shell lets its background programs ignore SIGINT; TERM is taken alike.
status=75
for ((try = 0; try < 20; try++)); do
    rm -rf "$folder"
    begin "$folder" &
    sleep "$(printf '0.%06d' $((length / 4 > 999999 ? 999999 : length / 4)))"
    kill -TERM $! 2>/dev/null || true
    status=0
    wait $! || status=$?
    [[ $status != 75 ]] || break
done
[[ $status == 75 ]] || fail "interrupt: exit code $status, not 75"
sound "$folder" "interrupt"
[[ -z $(find "$folder" -type f ! -name 'K*') ]] || fail "interrupt: something was left behind"
begin "$folder" &
sleep 0.05
{ kill -TERM $! && kill -TERM $!; } 2>/dev/null || true
wait $! || true
sound "$folder" "second interrupt"
complete "$folder" "interrupt"
printf 'interrupt: exit code 75, and on from there\n'

folder=$work/two
begin "$folder" &
first=$!
begin "$folder" &
second=$!
wait $first || fail "two: the first ended with $?"
wait $second || fail "two: the second ended with $?"
complete "$folder" "two"
printf 'two: each table made once, nothing wrong\n'

folder=$work/full
mkdir "$folder"
bytes=$(cat "$work"/whole/*/K* | wc --bytes)
small=$((bytes / 2048 + 8))
if mount -t tmpfs -o "size=${small}k" retrograde "$folder" 2>/dev/null; then
    mounted=$folder
    status=0
    generate "$folder" || status=$?
    [[ $status == 6 ]] || fail "full disk: exit code $status, not 6"
    sound "$folder" "full disk"
    [[ -z $(find "$folder" -name '*.partial') ]] || fail "full disk: a partial file was left"
    mount -o "remount,size=$((small * 8))k" "$folder"
    complete "$folder" "full disk"
    printf 'full disk: exit code 6 at %d KiB, and on with more room\n' "$small"
else
    printf 'full disk: left out, for want of the right to mount\n'
fi
