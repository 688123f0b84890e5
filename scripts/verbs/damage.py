"""Interrupts programs and truncates files, and checks that no table is wrong afterwards."""

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lib


def whole_files(tables: Path) -> list[Path]:
    """The files that bear the name of a table."""
    return [p for p in tables.rglob("K*") if p.is_file() and p.suffix != ".partial"]


def digests(tables: Path) -> set[tuple[Path, str]]:
    """The tables in a folder, each with its digest."""
    return {
        (path.relative_to(tables), hashlib.sha256(path.read_bytes()).hexdigest())
        for path in whole_files(tables)
    }


def odd(tables: Path) -> list[Path]:
    """Files that are no tables."""
    return [p for p in tables.rglob("*") if p.is_file() and not p.name.startswith("K")]


def ended(process: subprocess.Popen[Any], what: str, code: int) -> None:
    if process.wait() != code:
        lib.fail(f"{what}: exit code {process.returncode}, not {code}")


@lib.command
def interruption(*, game: str = "orthodox", men: int = 3, kills: int = 100) -> None:
    """Shows that no interruption leaves a wrong, half-written or lost table.

    Makes the tables of a game without disturbance, and then, each in a separate folder:

      kill       kills the program at random moments, whatever it is doing, and each time looks at
                 every file that has the name of a table
      interrupt  Ctrl-C once: the table in progress is finished, exit code 75; twice: the program
                 ends at once
      two        two processes make the same tables in one folder simultaneously
      full disk  on a file system of a few KiB: exit code 6; with more room, the run continues

    Every table that exists when the program ends must be, byte for byte, the one that the
    undisturbed run made; and running the program again must make the rest and leave nothing else
    behind. The full-disk test needs permission to mount.

    game: its id
    men: how many
    kills: how often
    """
    lib.build("retrograde")
    with lib.work() as made:
        log = (made / "log").open("a")

        def begin(tables: Path) -> subprocess.Popen[Any]:
            folders = ["--out", str(tables), "--tables", str(tables)]
            command = [lib.RETROGRADE, "generate", game, "--men", str(men), *folders]
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)

        def sound(tables: Path, what: str) -> None:
            wrong = digests(tables) - whole
            wrong and lib.fail(f"{what}: not what an undisturbed run makes: {wrong}")

        def complete(tables: Path, what: str) -> None:
            ended(begin(tables), f"{what}, the run after it", 0)
            digests(tables) == whole or lib.fail(f"{what}: tables are missing")
            (left := odd(tables)) and lib.fail(f"{what}: left behind: {left}")

        start = time.monotonic()
        ended(begin(made / "whole"), "undisturbed", 0)
        length = time.monotonic() - start
        whole = digests(made / "whole")
        print(f"undisturbed: {len(whole)} files in {length * 1000:.0f} ms")

        tables, hits = made / "kill", 0
        for kill in range(kills):
            process = begin(tables)
            # The run may be over sooner.
            time.sleep(length * random.random())
            hits += process.poll() is None
            process.kill()
            process.wait()
            sound(tables, f"kill {kill}")
            # So that there is always something to make.
            there = whole_files(tables)
            for path in random.sample(there, min(len(there), len(whole) // 2)):
                path.unlink()
        hits or lib.fail("kill: no run was killed while it was at work")
        complete(tables, "kills")
        print(f"kill: {hits} runs killed, nothing wrong")

        tables = made / "interrupt"
        for _ in range(20):
            shutil.rmtree(tables, ignore_errors=True)
            process = begin(tables)
            time.sleep(min(length / 4, 1))
            process.terminate()
            if process.wait() == 75:
                break
        ended(process, "interrupt", 75)
        sound(tables, "interrupt")
        odd(tables) and lib.fail("interrupt: something was left behind")
        process = begin(tables)
        time.sleep(0.05)
        for _ in range(2):
            process.send_signal(signal.SIGTERM)
        process.wait()
        sound(tables, "second interrupt")
        complete(tables, "interrupt")
        print("interrupt: exit code 75, and on from there")

        tables = made / "two"
        for process in [begin(tables), begin(tables)]:
            ended(process, "two", 0)
        complete(tables, "two")
        print("two: nothing wrong, nothing missing")

        tables = made / "full"
        tables.mkdir()
        small = sum(p.stat().st_size for p in (made / "whole").rglob("K*")) // 2048 + 8
        mount = ("mount", "-t", "tmpfs", "-o", f"size={small}k", "retrograde", tables)
        if not lib.holds(*mount, stderr=subprocess.DEVNULL):
            print("full disk: left out, for want of the right to mount")
            return
        try:
            ended(begin(tables), "full disk", 6)
            sound(tables, "full disk")
            any(tables.rglob("*.partial")) and lib.fail("full disk: a partial file was left")
            lib.run("mount", "-o", f"remount,size={small * 8}k", tables)
            complete(tables, "full disk")
        finally:
            lib.run("umount", tables)
        print(f"full disk: exit code 6 at {small} KiB, and on with more room")


@lib.command
def truncation(material: str = "KQvKR", *, cuts: int = 40) -> None:
    """Shows that truncating a table under a running command causes an error, not a crash.

    Makes the tables of one orthodox ending and truncates them while

      probe   answers positions: exit code 4
      stats   counts them: exit code 4, or 0 if it finished first
      check   reads them: exit code 1 (it found something), or 0 likewise
      verify  proves them: exit code 4, or 0 likewise

    at N random moments for each command, to a random length.

    material: the ending
    cuts: how often for each command
    """
    lib.build("retrograde")
    with lib.work() as made:
        whole, cut = made / "whole", made / "cut"
        lib.retrograde("generate", "orthodox", material, "--out", whole, stderr=subprocess.DEVNULL)
        stats = lib.said(lib.RETROGRADE, "stats", "orthodox", material, "--json", "--tables", whole)
        white, black = (
            re.search(rf'"{side}":\["([^"]*)"', stats)[1] for side in ("white", "black")
        )

        def begin(*words: str, **settings: Any) -> subprocess.Popen[Any]:
            """The command, with whole tables in files of their own."""
            shutil.rmtree(cut, ignore_errors=True)
            shutil.copytree(whole, cut)
            command = [lib.RETROGRADE, *words, "--tables", cut]
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            return subprocess.Popen(command, **pipes, **settings)

        def truncate(length: Callable[[int], int]) -> None:
            for path in (cut / "orthodox").glob(f"{material}.*"):
                os.truncate(path, length(path.stat().st_size))

        for _ in range(cuts):
            probe = begin("probe", "orthodox", "-", stdin=subprocess.PIPE)
            # It has answered once, and so has the tables open; the other side to move is in other
            # blocks.
            probe.stdin.write(f"{white}\n")
            probe.stdin.flush()
            probe.stdout.readline()
            truncate(lambda _: random.randrange(500))
            text, _ = probe.communicate(f"{black}\n")
            if probe.returncode != 4 or "cut off" not in text:
                lib.fail(f"probe: exit code {probe.returncode}, not 4: {text}")
        print(f"probe: {cuts} times cut off, exit code 4")

        for command, code, words in (
            ("stats", 4, ["orthodox", material]),
            ("check", 1, []),
            ("verify", 4, ["orthodox", material]),
        ):
            start = time.monotonic()
            undisturbed = begin(command, *words)
            text, _ = undisturbed.communicate()
            undisturbed.returncode and lib.fail(f"{command}, undisturbed: {text}")
            length, hits = time.monotonic() - start, 0
            for _ in range(cuts):
                process = begin(command, *words)
                # Mostly early, for some commands read everything first.
                time.sleep(length * random.random() * random.random() * random.random())
                truncate(lambda size: size * random.randrange(100) // 100)
                text, _ = process.communicate()
                if process.returncode not in (0, code):
                    lib.fail(f"{command}: exit code {process.returncode}: {text}")
                if process.returncode:
                    "cut off" in text or lib.fail(f"{command}: {text}")
                    hits += 1
            hits or lib.fail(f"{command} was never hit; take more --cuts")
            print(
                f"{command}: {cuts} times cut off, {hits} times before it was done:"
                f" exit code {code}"
            )
