#!/usr/bin/env bash
# Compares whole four-man endings with the naive third solvers.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/naive-deep.sh [FILTER]

Solves whole endings on the whole board, without symmetry, with the naive solvers
of generator/tests/naive, and compares every position, and which positions are
legal, with freshly generated tables.

- Orthodox chess: WDL and DTM of KQvKR, KBNvK and KNNvK. Then works out every
  position of KPvKP, including those with an en passant right, again from the
  values of its successors.
- High Chess: for all counters, who wins and who forces mate, in KPvKP, KRvKP,
  KNvKP and KPvKR with vitality=5, with either value of vital-restores, and in
  every ending that these lead to; also the three-man endings with full counters
  and vital-restores=both (the tests cover the other three-man cases). Then works
  out KQvKP and KQvKR, and the three-man endings with full counters, again from
  the values of the successors.
- Chess 99: WDL and DTM of two minor pieces against the bare king, KRvKR, KAvKN
  and KPvKP, the last also with king-capture-in-check=win and with every option
  reversed, en passant rights included; and the moves of all three-man positions.
- Kings and wild 9: WDL and DTM of KKvKR, KKvKK and KPvKP, in wild 9 also KKvKP
  and KPvKK; both extinction games: KQvKR, KNNvK, KPPvK, KPvKP, QvR and RNvR.
  KPvKP of kings and wild 9 leads to dozens of four-man endings and takes an hour;
  all others take minutes.

Solves one ending at a time; each takes minutes and up to 6 GB of memory.

FILTER is a part of a test's name, such as "rook", "chess99", "high_chess" or
"royal"; only the tests whose names contain it are run.
TEXT
}

case "${1:-}" in
-h | --help)
    usage
    exit 0
    ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec cargo test --package retrograde --test tables "${1:-naive::}" -- \
    --skip royals:: --ignored --nocapture --test-threads 1
