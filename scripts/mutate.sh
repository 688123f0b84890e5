#!/usr/bin/env bash
# Breaks the generator on purpose and shows which checks notice.
set -euo pipefail
# `fail` ends the script from within $(…) too.
shopt -s inherit_errexit

usage() {
    cat <<'TEXT'
Usage: scripts/mutate.sh [NAME...]

Copies the tree to a temporary folder and there puts one fault after another into
the solver and the packer. With each fault, small tables are made and checked by

  verify    `retrograde verify`: every value against those one ply further on
  syzygy    scripts/crosscheck: WDL, with and without the fifty-move rule, and
            DTZ, against the published tables
  gaviota   scripts/crosscheck_gaviota.py: DTM, three-man endings

The table at the end shows which of them saw the fault; "-" means that it did not,
or has no table for the material. Exits with 1 if none of them saw a fault, or if
one of the three complains when there is no fault. If faults are named, only those
are tried; "list" lists them.

Takes about a minute per fault. Needs what scripts/crosscheck.sh needs.
TEXT
}

fail() {
    printf 'mutate: %s\n' "$*" >&2
    exit 2
}

# The faults: mutant NAME MATERIAL FILE OLD-TEXT NEW-TEXT. The old text must occur
# exactly once, so that a fault cannot silently get lost.
faults() {
    local solve=generator/solve/src
    mutant stalemate-is-mate KQvK $solve/iterate/row.rs \
        'may_lose.copy_from_slice(&checks.as_ref()[..lanes]);' \
        'may_lose.fill(!W::ZERO);'
    mutant drawing-capture-does-not-save KQvK $solve/start.rs \
        'let can_lose = legal[lane] & !scored;' \
        'let can_lose = legal[lane];'
    # A row with few positions, and one with many.
    mutant lines-jump-over-men KRvK $solve/moves/within.rs \
        'to |= word.slide(free(lane), W::step(board, files, ranks));' \
        'to |= word.slide(!W::ZERO, W::step(board, files, ranks));'
    mutant lines-jump-in-full-rows KQRvK $solve/moves/within.rs \
        'source[lane].slide(free(lane), step)' \
        'source[lane].slide(!W::ZERO, step)'
    mutant double-step-jumps KPvK $solve/moves/within.rs \
        'word.shift(back) | (two.shift(back) & free(lane)).shift(back)' \
        'word.shift(back) | two.shift(back).shift(back)'
    mutant symmetry-the-wrong-way-round KQvK $solve/moves.rs \
        'source[0].apply(W::image(board, transform.inverse()))' \
        'source[0].apply(W::image(board, transform))'
    mutant king-may-be-left-in-check KQvK $solve/attack.rs \
        '*word &= !*attacked;' \
        '*word &= !*attacked | !W::ZERO;'
    mutant worst-conversion-counts KPvK $solve/convert/sum.rs \
        'out[bit] = out[bit].max(score);' \
        'out[bit] = if out[bit] == 0 { score } else { out[bit].min(score) };'
    mutant losing-capture-a-ply-short KQRvK $solve/score.rs \
        '1.. => depth as Score + 2,' \
        '1.. => depth as Score + 1,'
    mutant takes-into-check KQRvK $solve/successor.rs \
        'eight::keep(word.byte(n), out);' \
        'eight::keep(word.byte(n) | u8::MAX, out);'
    mutant en-passant-right-never-counts KPvKP $solve/start.rs \
        'rights[open.word] |= positions;' \
        'rights[open.word] |= positions & W::ZERO;'
    mutant en-passant-never-saves KPvKP $solve/iterate/collect.rs \
        'positions & !won & new.can_lose[open.word] & open.carry(board, base_lost)' \
        'positions & !won & open.carry(board, base_lost)'
    # A fault that the solver once had.
    mutant en-passant-king-in-the-way KPvKP $solve/convert/passing.rs \
        'Role::Inner => bits = W::of(square),' \
        'Role::Inner => bits = W::of(square) & !at.occupied,'
    mutant pawn-moves-zero-nothing KPvK $solve/zeroing/prepare.rs \
        'retract(Movers::Pawns, lost, wins);' \
        ''
    mutant nobody-loses-by-a-zeroing-move KPvK $solve/zeroing/prepare.rs \
        'soon = (won & wins) | (lost & !blessed);' \
        'soon = won & wins;'
    mutant mates-are-zeroing-moves KQvK $solve/zeroing/prepare.rs \
        'if *cell == D::of(0) {' \
        'if false {'
    mutant draws-are-blessed KQRvK $solve/zeroing/answers.rs \
        'select(drawn, all(Wdl::Draw), values)' \
        'select(drawn, all(Wdl::BlessedLoss), values)'
    mutant packer-swaps-two-values KRvK probe/src/write/blocks.rs \
        'let packed = worker.pack(symbols, indices.start);' \
        'worker.values.rotate_right(1); let packed = worker.pack(symbols, indices.start);'
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
list)
    mutant() { echo "$1"; }
    faults
    exit 0
    ;;
esac
chosen=("$@")

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
oracles=$root/target/oracles
# Fetches the published tables, builds the programs that compare, and makes
# sure that without a fault everything agrees.
scripts/crosscheck.sh --men 3 >/dev/null
python=$oracles/venv/bin/python
crosscheck=$root/target/crosscheck/debug/crosscheck

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir "$tree"
git ls-files --cached --others --exclude-standard -z |
    tar --null --files-from - --create --file - | tar -x -C "$tree" -f -
cd "$tree"

# Built again and again: quickly rather than well, checks of arithmetic on.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
export CARGO_PROFILE_RELEASE_INCREMENTAL=true CARGO_PROFILE_RELEASE_OPT_LEVEL=2
export CARGO_PROFILE_RELEASE_DEBUG=false CARGO_TARGET_DIR=$work/target
# No other tables than those that are made here.
export RETROGRADE_TABLES=$work/none
retrograde=$CARGO_TARGET_DIR/release/retrograde

# look COMMAND...: what became of it, in a word.
look() {
    local code=0
    "$@" >"$work/log" 2>&1 || code=$?
    case $code in
    0) echo - ;;
    1) echo caught ;;
    126 | 127) fail "$1 cannot be run: $(tail -1 "$work/log")" ;;
    *) echo "caught ($code)" ;;
    esac
}

# shellcheck disable=SC2329 # called by look
depths() {
    "$crosscheck" depths --tables "$1" "$2" |
        "$python" "$root/scripts/crosscheck_gaviota.py" --gaviota "$oracles/gaviota" "$2"
}

# shellcheck disable=SC2329 # called by look
syzygy() {
    local metric
    for metric in wdl dtz; do
        "$crosscheck" "$metric" --syzygy "$oracles/syzygy" --tables "$1" "$2" || return
    done
}

# shellcheck disable=SC2329 # called by look
generate() {
    "$retrograde" generate orthodox "$2" --tables "$1" --out "$1"
}

# inspect FOLDER MATERIAL: the verdicts on a material's tables, as columns.
inspect() {
    local verify syzygy gaviota=-
    verify=$(look "$retrograde" verify orthodox "$2" --tables "$1")
    syzygy=$(look syzygy "$1" "$2")
    [[ ! -f $oracles/gaviota/$(tr '[:upper:]' '[:lower:]' <<<"${2/v/}").gtb.cp4 ]] ||
        gaviota=$(look depths "$1" "$2")
    printf '%-12s %-12s %-12s' "$verify" "$syzygy" "$gaviota"
}

report=$work/report
status=0

# record NAME MATERIAL VERDICTS
record() {
    printf '%-30s %-8s %s\n' "$1" "$2" "$3" | tee -a "$report" >&2
}

control() {
    local material verdicts
    echo "mutate: building, and making tables without a fault" >&2
    cargo build --release --quiet --package retrograde
    for material in KQvK KRvK KPvK KQRvK KPvKP; do
        generate "$work/sound" "$material" >"$work/log" 2>&1 ||
            fail "$material cannot be made: $(tail -1 "$work/log")"
        verdicts=$(inspect "$work/sound" "$material")
        record "(no fault)" "$material" "$verdicts"
        [[ $verdicts != *caught* ]] || fail "$material: a check complains although there is no fault"
    done
}

mutant() {
    local name=$1 material=$2 file=$3 from=$4 to=$5 content rest verdicts made
    if ((${#chosen[@]})); then
        [[ " ${chosen[*]} " == *" $name "* ]] || return 0
    fi
    content=$(<"$file") rest=${content#*"$from"}
    [[ $rest != "$content" && $rest != *"$from"* ]] ||
        fail "$name: \"$from\" is not in $file exactly once; bring scripts/mutate.sh up to date"
    cp "$file" "$work/original"
    printf '%s\n' "${content/"$from"/"$to"}" >"$file"
    rm -rf "$work/tables"
    # The successors of pawn against pawn have no en passant: they may
    # stay as they are.
    if [[ $material == KPvKP ]]; then
        cp -R "$work/sound" "$work/tables"
        rm "$work/tables/orthodox/$material".*
    fi
    if ! cargo build --release --quiet --package retrograde 2>"$work/log"; then
        cat "$work/log" >&2
        fail "$name does not compile; bring scripts/mutate.sh up to date"
    fi
    made=$(look generate "$work/tables" "$material")
    if [[ $made == - ]]; then
        verdicts=$(inspect "$work/tables" "$material")
    else
        verdicts="no table: generate fails"
    fi
    record "$name" "$material" "$verdicts"
    [[ $verdicts == *caught* || $made != - ]] || status=1
    # Not newer than what is built of it would not be built again.
    cp "$work/original" "$file"
    touch "$file"
}

control
faults

printf '\n%-30s %-8s %-12s %-12s %-12s\n' fault material verify syzygy gaviota
cat "$report"
if ((status)); then
    echo "mutate: a fault went unseen" >&2
fi
exit "$status"
