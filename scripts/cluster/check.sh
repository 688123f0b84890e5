#!/usr/bin/env bash
# Checks that the workflow makes what one process makes, whatever happens.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/cluster/check.sh [--men N] [--game GAME]… [--few]
                                [--alone DIR] -- OPTION…

Makes the tables of these games (default: orthodox and kings, 3 men) in one process
each, and then with Snakemake, which gets the options:

  workflow  in an empty folder; one job of each game is killed (SIGKILL) while it is
            solving, and made again
  again     once more: there is nothing to do, even if a table has become newer than
            those that rest on it; and if one file is missing, it alone is made
  all dead  Snakemake itself is killed; the next run goes on
  together  two runs of Snakemake and one process of the program fill one folder

In the end the folder must have the same files each time, byte for byte, and no
others. With --few that is all up to "again"; with --alone what one process made is
kept there, and taken from there the next time. Snakemake must be in PATH. The program is built, unless
the variable RETROGRADE names it.
TEXT
}

fail() {
    printf 'cluster: %s\n' "$*" >&2
    [[ ! -f $work/log ]] || tail -n 40 "$work/log" >&2
    # What jobs of a cluster said last.
    find "$work" -path '*/slurm_logs/*' -name '*.log' -printf '%T@ %p\n' 2>/dev/null |
        sort -n | tail -n 1 | cut -d ' ' -f 2- | xargs --no-run-if-empty tail -n 40 >&2
    exit 1
}

men=3
games=()
few=false
alone=
while (($#)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --men) men=${2:?"--men needs a value"} ;;
    --alone) alone=$(realpath --canonicalize-missing "${2:?"--alone needs a value"}") ;;
    --game) games+=("${2:?"--game needs a value"}") ;;
    --few)
        few=true
        shift
        continue
        ;;
    --)
        shift
        break
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift 2
done
((${#games[@]})) || games=(orthodox kings)
options=("$@")

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
retrograde=${RETROGRADE:-}
if [[ -z $retrograde ]]; then
    cargo build --quiet --release --package retrograde
    retrograde=${CARGO_TARGET_DIR:-$PWD/target}/release/retrograde
fi
snakefile=$PWD/scripts/cluster/Snakefile
# Where the nodes of a cluster would see it too.
work=$(mktemp --directory "$PWD/target/cluster.XXXXXX")
trap 'rm -rf "$work"' EXIT
: "${alone:=$work/alone}"

# workflow RUN FOLDER PROGRAM [OPTION…]: makes the tables in the folder, as this very
# process. A run has a working folder, which Snakemake locks.
workflow() {
    local run=$1 folder=$2 program=$3 list
    shift 3
    list=$(printf '%s, ' "${games[@]}")
    mkdir -p "$work/run-$run"
    cd "$work/run-$run"
    exec snakemake --snakefile "$snakefile" "${options[@]}" "$@" --config "games=[$list]" \
        "men=$men" "tables=$work/$folder" "retrograde=$program" &>>"$work/log"
}

# tables FOLDER: checksums of all files.
tables() {
    (cd "$1" && find . -type f -print0 | sort -z | xargs -0 --no-run-if-empty sha256sum)
}

# same FOLDER: it is what one process made.
same() {
    tables "$work/$1" | diff - "$work/alone.sums" >&2 || fail "$1: not what one process makes"
}

# stamps FOLDER: which files there are, and when each was made.
stamps() {
    find "$work/$1" -type f -printf '%i %T@ %p\n' | sort
}

# timed WHAT COMMAND…
timed() {
    local what=$1 begin
    shift
    begin=$(date +%s%N)
    ("$@") || fail "$what: ended with $?"
    printf '%-9s %6d ms\n' "$what" $((($(date +%s%N) - begin) / 1000000))
}

alone() {
    local game
    for game in "${games[@]}"; do
        "$retrograde" generate "$game" --men "$men" --out "$alone" &>>"$work/log" ||
            return
    done
}

timed alone alone
tables "$alone" >"$work/alone.sums"
printf '%d files\n' "$(wc -l <"$work/alone.sums")"

# Kills the first process of each game that makes this table, while it holds the lock.
victim=KPvK
((men < 4)) || victim=KPvKP
cat >"$work/killer" <<TEXT
#!/usr/bin/env bash
# generate GAME MATERIAL --tables DIR …
if [[ \$1 == generate && \$3 == $victim ]] && mkdir "$work/killed-\$2" 2>/dev/null; then
    "$retrograde" "\$@" &
    while [[ ! -e \$5/\${2//[:,]/+}/.$victim.lock ]] && kill -0 \$!; do :; done
    # In the middle, where there is one.
    (($men < 4)) || sleep 0.3
    kill -9 \$!
    wait \$!
    printf '%s\n' \$? >"$work/killed-\$2/status"
    exit 137
fi
exec "$retrograde" "\$@"
TEXT
chmod +x "$work/killer"

timed workflow workflow first first "$work/killer"
for game in "${games[@]}"; do
    [[ $(cat "$work/killed-$game/status") == 137 ]] ||
        fail "workflow: $game $victim was made before it could be killed"
done
same first

# again WHAT: runs it once more; there is nothing to do.
again() {
    : >"$work/log"
    timed "$1" workflow first first "$retrograde"
    ! grep --quiet --extended-regexp '^(local)?rule ' "$work/log" || fail "$1: jobs were run"
    stamps first | cmp - "$work/stamps" || fail "$1: files were changed"
}
stamps first >"$work/stamps"
again again
touch "$work"/first/*/KQvK.*
stamps first >"$work/stamps"
again newer

# Snakemake also runs the jobs of tables that rest on what was missing. These find their
# tables, and then Snakemake touches them: when they were made is their time of birth.
births() {
    find "$work/first" -type f ! -path "*/${games[0]}/KPvK.dtm" -printf '%i %B@ %p\n' | sort
}
births >"$work/births"
rm "$work/first/${games[0]}/KPvK.dtm"
timed one workflow first first "$retrograde"
same first
births | cmp - "$work/births" || fail "one: tables were made anew that were there"

[[ $few == false ]] || exit 0

# Snakemake and its jobs are a group of their own; a cluster's jobs go on.
set -m
(workflow dead dead "$retrograde") &
set +m
until [[ -n $(find "$work/dead" -name '*.dtm' 2>/dev/null) ]]; do sleep 0.01; done
kill -9 -- -$! && wait $! 2>/dev/null || true
before=$(find "$work/dead" -type f -name '*.dtm' | wc -l)
(workflow dead dead "$retrograde" --unlock) || fail "all dead: cannot unlock"
timed "all dead" workflow dead dead "$retrograde"
same dead
printf 'all dead: %d tables had been made\n' "$before"

together() {
    local game one other
    (workflow one together "$retrograde") &
    one=$!
    (workflow other together "$retrograde") &
    other=$!
    # Not before the others have begun, or nothing would be left to them.
    until [[ -n $(find "$work/together" -name '*.dtm' 2>/dev/null) ]]; do sleep 0.01; done
    for game in "${games[@]}"; do
        "$retrograde" generate "$game" --men "$men" --out "$work/together" &>>"$work/log" ||
            return
    done
    wait $one && wait $other
}
timed together together
same together
