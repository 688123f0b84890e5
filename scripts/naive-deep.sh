#!/usr/bin/env bash
# Compares whole four-man classes with the plain third solvers.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/naive-deep.sh [FILTER]

Solves whole classes over the whole board with the plain solvers of
generator/tests/naive, without symmetry, and compares every position with
freshly generated tables, legality included.

- Orthodox chess: value and depth of KQvKR, KBNvK and KNNvK. Then works out
  every position of KPvKP, those with an en passant right too, again from the
  values of its successors.
- High Chess: for all counters, who wins and who forces mate, in KPvKP, KRvKP,
  KNvKP and KPvKR with vitality=5, with either value of vital-restores, and in
  every class that these lead to; and of three men with full counters and
  vital-restores=both (the tests do the rest of three men). Then works out KQvKP
  and KQvKR, and three men with full counters, again from the values of the
  successors.
- Chess 99: value and depth of two minor pieces against the bare king, KRvKR,
  KAvKN and KPvKP, the latter with king-capture-in-check=win and with all
  options the other way, too, rights to take en passant included; and the moves
  of all positions of three men.
- Kings and wild 9: value and depth of KKvKR, KKvKK and KPvKP, in wild 9 also
  KKvKP and KPvKK; both extinction games: KQvKR, KNNvK, KPPvK, KPvKP, QvR and
  RNvR. KPvKP of kings and wild 9 leads to dozens of classes of four men and
  takes an hour; all others take minutes.

One class at a time; each takes minutes and up to 6 GB of memory.

FILTER is a part of a test's name, such as "rook", "chess99", "high_chess" or
"royal", to run only what has it.
TEXT
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec cargo test --package retrograde --test naive "${1:-}" -- \
    --ignored --nocapture --test-threads 1
