#!/usr/bin/env bash
# Shows on one machine that the workflow makes what one process makes.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/cluster/local.sh [--men N] [--cores N]

Makes the tables of orthodox chess and kings (3 men by default) with Snakemake on 2
cores, and checks all that scripts/cluster/check.sh lists. Needs Python; Snakemake is
installed from PyPI into target/cluster-venv.
TEXT
}

men=3
cores=2
while (($#)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --men) men=${2:?"--men needs a value"} ;;
    --cores) cores=${2:?"--cores needs a value"} ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift 2
done

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/cluster/venv.sh
venv
scripts/cluster/check.sh --men "$men" -- --profile "$PWD/scripts/cluster/local" --cores "$cores"
