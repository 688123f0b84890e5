"""Tries the workflow for clusters, on one machine and under Slurm."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, NoReturn

import lib

CLUSTER = lib.ROOT / "scripts/cluster"

# Kills the first process of each game that makes a table, while it holds the lock; in the middle
# where there is one. The arguments are: generate GAME MATERIAL --tables=DIR …
KILLER = """#!/usr/bin/env bash
if [[ $1 == generate && $3 == {victim} ]] && mkdir "{work}/killed-$2" 2>/dev/null; then
    "{program}" "$@" &
    while [[ ! -e ${{4#--tables=}}/${{2//[:,]/+}}/.{victim}.lock ]] && kill -0 $!; do :; done
    [[ {pause} == 0 ]] || sleep {pause}
    kill -9 $!
    wait $!
    printf '%s\\n' $? >"{work}/killed-$2/status"
    exit 137
fi
exec "{program}" "$@"
"""


class Check:
    """The workflow and one process, each of which makes the tables of some games."""

    def __init__(
        self,
        program: Path,
        made: Path,
        men: int,
        names: list[str],
        alone: Path,
        options: list[str],
    ) -> None:
        self.program, self.made, self.men, self.names = program, made, men, names
        self.alone, self.options = alone, options

    def fail(self, text: str) -> NoReturn:
        # What jobs of a cluster said last, too.
        logs = sorted(self.made.glob("**/slurm_logs/**/*.log"), key=lambda p: p.stat().st_mtime)
        for log in [self.made / "log", *logs[-1:]]:
            if log.exists():
                print(*log.read_text().splitlines()[-40:], sep="\n")
        lib.fail(f"cluster: {text}")

    def begin(self, name: str, tables: str, program: Path, *more: str) -> subprocess.Popen[Any]:
        """The workflow; a run has a working folder, which Snakemake locks."""
        here = self.made / f"run-{name}"
        here.mkdir(exist_ok=True)
        command = ["snakemake", "--snakefile", CLUSTER / "Snakefile", *self.options, *more]
        command += ["--config", f"games=[{', '.join(self.names)}]", f"men={self.men}"]
        command += [f"tables={self.made / tables}", f"retrograde={program}"]
        log = (self.made / "log").open("a")
        # Snakemake and its jobs are a group of their own; a cluster's jobs go on.
        settings = {"cwd": here, "stdout": log, "stderr": log, "start_new_session": True}
        return subprocess.Popen(command, **settings)

    def single(self, tables: Path) -> None:
        with (self.made / "log").open("a") as log:
            for game in self.names:
                output = {"stdout": log, "stderr": log, "check": False}
                made = lib.run(
                    self.program, "generate", game, "--men", self.men, "--out", tables, **output
                )
                made.returncode and self.fail(f"one process ended with {made.returncode}")

    def timed(self, what: str, *processes: subprocess.Popen[Any]) -> None:
        start = time.monotonic()
        for process in processes:
            process.wait() and self.fail(f"{what}: ended with {process.returncode}")
        print(f"{what:9} {(time.monotonic() - start) * 1000:6.0f} ms", flush=True)

    def same(self, tables: str) -> None:
        if not lib.holds("diff", "--recursive", self.alone, self.made / tables):
            self.fail(f"{tables}: not what one process makes")

    def files(self, time: str) -> set[str]:
        """The files of the first run, each with its inode and a time."""
        return set(
            lib.said(
                "find", self.made / "first", "-type", "f", "-printf", f"%i %{time} %p\n"
            ).splitlines()
        )

    def again(self, what: str) -> None:
        """Runs the workflow once more; there is nothing to do."""
        (self.made / "log").write_text("")
        before = self.files("T@")
        self.timed(what, self.begin("first", "first", self.program))
        if re.search("^(local)?rule ", (self.made / "log").read_text(), re.MULTILINE):
            self.fail(f"{what}: jobs were run")
        self.files("T@") == before or self.fail(f"{what}: files were changed")

    def until(self, tables: str) -> list[Path]:
        """Waits for the first tables of a folder."""
        end = time.monotonic() + 600
        while not (found := list((self.made / tables).rglob("*.dtm"))):
            time.monotonic() < end or self.fail(f"{tables}: no table after ten minutes")
            time.sleep(0.01)
        return found

    def everything(self, few: bool) -> None:
        self.single(self.alone)
        print(f"alone: {sum(path.is_file() for path in self.alone.rglob('*'))} files", flush=True)
        victim, pause = ("KPvK", 0) if self.men < 4 else ("KPvKP", 0.3)
        killer = self.made / "killer"
        words = {"victim": victim, "work": self.made, "program": self.program, "pause": pause}
        killer.write_text(KILLER.format(**words))
        killer.chmod(0o755)
        self.timed("workflow", self.begin("first", "first", killer))
        for game in self.names:
            status = self.made / f"killed-{game}" / "status"
            if not status.exists() or status.read_text() != "137\n":
                self.fail(f"workflow: {game} {victim} was made before it could be killed")
        self.same("first")
        self.again("again")
        for path in self.made.glob("first/*/KQvK.*"):
            path.touch()
        self.again("newer")
        # Snakemake also runs the jobs of tables that rest on what was missing. These find their
        # tables, and then Snakemake touches them: when they were made is their time of birth.
        missing = self.made / "first" / self.names[0] / "KPvK.dtm"
        missing.unlink()
        before = self.files("B@")
        self.timed("one", self.begin("first", "first", self.program))
        self.same("first")
        before <= self.files("B@") or self.fail("one: tables were made anew that were there")
        if few:
            return
        process = self.begin("dead", "dead", self.program)
        count = len(self.until("dead"))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.timed("unlock", self.begin("dead", "dead", self.program, "--unlock"))
        self.timed("all dead", self.begin("dead", "dead", self.program))
        self.same("dead")
        print(f"all dead: {count} tables had been made", flush=True)
        both = [self.begin(name, "together", self.program) for name in ("one", "other")]
        # Not before the others have begun, or nothing would be left to them.
        self.until("together")
        self.single(self.made / "together")
        self.timed("together", *both)
        self.same("together")


@lib.command
def check(
    options: list[str] = (),
    *,
    game: list[str] | None = None,
    men: int = 3,
    few: bool = False,
    alone: Path | None = None,
) -> None:
    """Checks that the workflow makes what one process makes, whatever happens.

    Makes the tables of some games in one process each, and then with Snakemake, which must be in
    PATH:

      workflow  in an empty folder; one job of each game is killed (SIGKILL) while it is solving,
                and made again
      again     once more: there is nothing to do, even if a table has become newer than those that
                rest on it; and if one file is missing, it alone is made
      all dead  Snakemake itself is killed; the next run goes on
      together  two runs of Snakemake and one process of the program fill one folder

    In the end the folder must have the same files each time, byte for byte, and no others. The
    program is built, unless the variable RETROGRADE names it.

    options: those of Snakemake, after --
    game: its id; may be given several times; orthodox and kings unless it is
    men: how many
    few: all that is listed above up to "again"
    alone: keep there what one process made, and take it from there the next time
    """
    program = os.environ.get("RETROGRADE")
    if not program:
        lib.run("cargo", "build", "--quiet", "--release", "--package", "retrograde")
        program = lib.TARGET / "release/retrograde"
    # Where the nodes of a cluster would see it too.
    with lib.work(lib.ROOT / "target") as made:
        names = game or ["orthodox", "kings"]
        alone = alone or made / "alone"
        Check(Path(program), made, men, names, alone, options).everything(few)


def snakemake() -> None:
    """Puts an environment with Snakemake first in PATH."""
    wanted = (CLUSTER / "requirements.txt").read_text().split()
    python = lib.venv(lib.ROOT / "target/cluster-venv", *wanted)
    os.environ["PATH"] = f"{python.parent}:{os.environ['PATH']}"


@lib.command
def local(*, men: int = 3, cores: int = 2) -> None:
    """Shows on one machine that the workflow makes what one process makes.

    Makes the tables of orthodox chess and kings, and checks all that `cluster check` lists.
    Snakemake is installed from PyPI into target/cluster-venv.

    men: how many
    cores: how many
    """
    snakemake()
    check(["--profile", f"{CLUSTER}/local", "--cores", f"{cores}"], men=men)


@lib.command
def slurm(*, men: int = 3, few: bool = False, alone: Path | None = None) -> None:
    """Shows that the workflow runs under Slurm, on a cluster of this one machine.

    Starts Slurm with this machine as its only node, makes the tables of orthodox chess and kings
    through it, and checks all that `cluster check` lists. Installs Debian's packages of Slurm and
    MUNGE if they are missing. Must be run by root on a machine without Slurm, for jobs find its
    settings in /etc/slurm/slurm.conf. In the end all is stopped and removed but the packages.

    men: how many
    few: all that `cluster check` lists up to "again"
    alone: keep there what one process made, and take it from there the next time
    """
    conf = Path("/etc/slurm/slurm.conf")
    os.geteuid() == 0 or lib.fail("slurm: run this as root, in a container for instance", 2)
    conf.exists() and lib.fail(
        f"slurm: {conf} exists: this machine seems to be part of a cluster", 2
    )
    if not all(map(shutil.which, ("slurmctld", "slurmd", "munged"))):
        lib.run("apt-get", "update", "-q")
        quiet = ("apt-get", "install", "-y", "-q", "--no-install-recommends")
        env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        lib.run(*quiet, "slurm-wlm", "munge", env=env)
    snakemake()
    with lib.work() as made:
        for name in ("state", "spool"):
            (made / name).mkdir()
        # MUNGE insists that nobody else can write where its key is, and Slurm's users read its
        # socket.
        made.chmod(0o755)
        key = made / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        try:
            files = [f"--{kind}-file={made}/munge.{kind}" for kind in ("key", "seed")]
            files += [f"--{kind}-file={made}/munged.{kind}" for kind in ("pid", "log")]
            lib.run("munged", "--force", f"--socket={made}/munge.socket", *files)
            # Nothing here needs systemd or control groups, which containers often lack.
            memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4 >> 20
            host = lib.said("hostname", "--short").strip()
            conf.parent.mkdir(parents=True, exist_ok=True)
            fields = {"host": host, "folder": made, "cores": os.cpu_count(), "memory": memory}
            layout = (CLUSTER / "slurm/slurm.conf").read_text()
            conf.write_text(layout.format(**fields))
            for daemon in ("slurmctld", "slurmd"):
                lib.run(daemon)
            state = ("sinfo", "--noheader", "--format", "%t")
            for _ in range(100):
                if lib.said(*state, check=False, stderr=subprocess.DEVNULL).strip() == "idle":
                    break
                time.sleep(0.2)
            else:
                lib.run("tail", *made.glob("*.log"))
                lib.fail("slurm: the node does not become idle")
            lib.run("sinfo")
            lib.run("srun", "--ntasks", 1, "true")
            # There is no accounting here to ask what became of jobs, and no account to charge.
            options = ["--profile", f"{CLUSTER}/slurm", "--slurm-no-account"]
            options += ["--slurm-status-command", "squeue"]
            options += ["--slurm-init-seconds-before-status-checks", "2"]
            options += ["--seconds-between-status-checks", "2"]
            check(options, men=men, few=few, alone=alone)
            jobs = lib.said("squeue", "--states", "all", "--noheader", "--format", "%T").split()
            print("jobs of Slurm:", ", ".join(f"{jobs.count(s)} {s}" for s in sorted(set(jobs))))
        finally:
            for name in ("slurmd", "slurmctld", "munged"):
                pid = made / f"{name}.pid"
                if pid.exists():
                    process = int(pid.read_text())
                    os.kill(process, signal.SIGTERM)
                    while Path(f"/proc/{process}").exists():
                        time.sleep(0.1)
            conf.unlink(missing_ok=True)
