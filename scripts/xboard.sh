#!/usr/bin/env bash
# Plays a game in XBoard, which judges every move, against Fairy-Stockfish.
set -euo pipefail

usage() {
    cat <<TEXT
Usage: scripts/xboard.sh [--tables DIR] [--fen FEN] [--moves N]

Starts XBoard on a display that nobody sees, with \`retrograde xboard\` as White and
Fairy-Stockfish as Black, and lets White win a position of orthodox chess within N moves.

Options:
  --tables DIR  the table folder; default tables
  --fen FEN     the position; default 8/8/8/3k4/8/8/8/KQ6 w - - 0 1
  --moves N     how many moves the win may take; default 9
  -h, --help    print this text

Exits with 1 if White does not win in time. Needs cargo and the programs xboard, Xvfb and
fairy-stockfish, which are packages of Debian (xboard, xvfb, fairy-stockfish).
TEXT
}

fail() {
    printf 'xboard: %s\n' "$*" >&2
    exit 2
}

tables=$(dirname "${BASH_SOURCE[0]}")/../tables
fen='8/8/8/3k4/8/8/8/KQ6 w - - 0 1'
moves=9
while (($#)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --tables) tables=${2:?"--tables needs a folder"} && shift ;;
    --fen) fen=${2:?"--fen needs a position"} && shift ;;
    --moves) moves=${2:?"--moves needs a number"} && shift ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
tables=$(realpath "$tables")

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=$PATH:/usr/games
for program in xboard Xvfb fairy-stockfish; do
    command -v "$program" >/dev/null || fail "$program is not there; install it"
done
# shellcheck source=scripts/build.sh
source scripts/build.sh
build_programs -p retrograde

work=$(mktemp -d)
# Xvfb picks a display that is free, and says which.
exec {number}<> <(:)
Xvfb -displayfd "$number" -screen 0 1024x768x24 2>"$work/xvfb.log" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
read -r -t 20 -u "$number" display || fail "Xvfb does not start: $(cat "$work/xvfb.log")"

printf '%s\n' "$fen" >"$work/start.fen"
DISPLAY=:$display xboard -mg 1 -tc 1 -inc 1 -xponder \
    -fcp "$(realpath "$programs")/retrograde xboard --tables $tables" -fd "$work" \
    -scp fairy-stockfish -sd "$work" -lpf "$work/start.fen" -lpi 1 \
    -sgf "$work/game.pgn" >"$work/xboard.log" 2>&1 &
xboard=$!
disown $xboard
for ((second = 0; second < 180; second++)); do
    grep --quiet '^{.*} [01*/2-]*$' "$work/game.pgn" 2>/dev/null && break
    kill -0 $xboard 2>/dev/null || break
    sleep 1
done
# It stays on screen after the match.
kill -9 $xboard 2>/dev/null || true
[[ -s $work/game.pgn ]] || fail "no game was played: $(cat "$work/xboard.log")"
sed -n '/^1\./,$p' "$work/game.pgn"
grep --quiet '^\[Result "1-0"\]' "$work/game.pgn" || {
    printf 'xboard: White did not win\n' >&2
    exit 1
}
played=$(grep --only-matching '\b[0-9]*\. ' "$work/game.pgn" | tail -n 1 | tr -d '. ')
((played <= moves)) || {
    printf 'xboard: %d moves, not %d\n' "$played" "$moves" >&2
    exit 1
}
printf 'won in %d moves\n' "$played"
