#!/usr/bin/env bash
# Shows that the workflow runs under Slurm, on a cluster of this one machine.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/cluster/slurm-here.sh [--men N] [--few] [--alone DIR]

Starts Slurm with this machine as its only node, makes the tables of orthodox chess
and kings (3 men by default) through it, and checks all that scripts/cluster/check.sh
lists; --few and --alone are options of that. Installs Debian's packages of Slurm and
MUNGE if they are missing. Must be run by root on a machine without Slurm, for jobs
find its settings in /etc/slurm/slurm.conf. In the end all is stopped and removed but
the packages.
TEXT
}

men=3
options=()
while (($#)); do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --few)
        options+=(--few)
        shift
        continue
        ;;
    --alone) options+=(--alone "$(realpath -m "${2:?"--alone needs a value"}")") ;;
    --men) men=${2:?"--men needs a value"} ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift 2
done

((EUID == 0)) || {
    echo "slurm-here: run this as root, in a container for instance" >&2
    exit 2
}
conf=/etc/slurm/slurm.conf
[[ ! -e $conf ]] || {
    echo "slurm-here: $conf exists: this machine seems to be part of a cluster already" >&2
    exit 2
}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for program in slurmctld slurmd munged; do
    command -v "$program" >/dev/null && continue
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends slurm-wlm munge
    break
done
. scripts/cluster/venv.sh
venv

slurm=$(mktemp --directory)
stop() {
    local name pid
    for name in slurmd slurmctld munged; do
        [[ -s $slurm/$name.pid ]] || continue
        pid=$(cat "$slurm/$name.pid")
        kill "$pid" || continue
        while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    done
    rm -rf "$slurm" "$conf"
}
trap stop EXIT

mkdir -p "$slurm"/{state,spool}
# MUNGE insists that nobody else can write where its key is, and Slurm's users read
# its socket.
chmod 755 "$slurm"
head --bytes 1024 /dev/urandom >"$slurm/munge.key"
chmod 400 "$slurm/munge.key"
munged --force --key-file "$slurm/munge.key" --socket "$slurm/munge.socket" \
    --pid-file "$slurm/munged.pid" --log-file "$slurm/munged.log" \
    --seed-file "$slurm/munged.seed"

host=$(hostname --short)
# Nothing here needs systemd or control groups, which containers often lack.
mkdir -p "${conf%/*}"
cat >"$conf" <<TEXT
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
MinJobAge=3600
SchedulerParameters=sched_interval=1,defer_batch
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE) / 1048576 * 3 / 4)) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
TEXT
slurmctld
slurmd
for ((try = 0; try < 100; try++)); do
    [[ $(sinfo --noheader --format %t 2>/dev/null) != idle ]] || break
    sleep 0.2
done
if [[ $(sinfo --noheader --format %t) != idle ]]; then
    tail "$slurm"/*.log >&2
    echo "slurm-here: the node does not become idle" >&2
    exit 1
fi
sinfo
srun --ntasks 1 true

# There is no accounting here to ask what became of jobs, and no account to charge.
scripts/cluster/check.sh --men "$men" "${options[@]}" -- --profile "$PWD/scripts/cluster/slurm" \
    --slurm-no-account --slurm-status-command squeue \
    --slurm-init-seconds-before-status-checks 2 --seconds-between-status-checks 2
printf 'jobs of Slurm: %s\n' "$(squeue --states all --noheader --format '%T' | sort | uniq --count |
    awk '{ printf "%s%s %s", comma, $1, $2; comma = ", " }')"
