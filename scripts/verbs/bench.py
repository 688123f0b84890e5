"""Measures the speed of making, probing and serving tables. Needs an otherwise idle machine."""

import csv
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import lib
from verbs.server import INSTALL, WEB

BROWSER = WEB / "browser"
METRICS = ["wdl", "dtz", "dtm", "thresholds", "mates"]


@lib.command
def phases(materials: list[str] = (), *, threads: int = 1, men: int | None = None) -> None:
    """Measures the cost of making orthodox tables, phase by phase.

    Makes the named tables, or all of up to N men, and everything that they need, in a temporary
    folder. For each material it prints the CPU milliseconds spent on reading, solving, counting
    the fifty-move rule, trying orders of pieces, packing and writing; then their sum, the
    wall-clock milliseconds and the KiB of files.

    `cargo bench --bench solve` and `cargo bench --bench high_chess` measure the solvers alone.

    materials: such as KQvKR
    threads: how many
    men: all materials of up to so many men, 3 if no material is named
    """
    words = ["--threads", threads, *(["--men", men] if men else []), *materials]
    lib.run(
        "cargo", "bench", "--quiet", "--package", "retrograde", "--bench", "phases", "--", *words
    )


@lib.command
def fathom(syzygy: Path, tables: Path, materials: list[str]) -> None:
    """Times probes of Retrograde and of Fathom on the same random positions.

    Takes 100,000 random positions of each orthodox ending and prints the mean, the median and the
    99th percentile of the nanoseconds that a probe takes: of Fathom with the Syzygy tables in
    SYZYGY, and of Retrograde with the tables in TABLES, read and mapped. `crosscheck fetch`
    fetches Syzygy tables of up to four men.

    Needs Fathom's library and header (Debian: libfathom-dev) and a C compiler.

    syzygy: the folder with the Syzygy tables
    tables: the folder with ours
    materials: such as KQvKR
    """
    probe = ("cargo", "bench", "--quiet", "--package", "retrograde-probe", "--bench", "probe", "--")
    with lib.work() as made:
        lib.run("cc", "-O2", "-o", made / "fathom", lib.PEERS / "fathom.c", "-lfathom", "-lpthread")
        for material in materials:
            fens = made / "fens"
            fens.write_text(lib.said(*probe, tables, material, "fens"))
            print(material, flush=True)
            ran = lib.run(made / "fathom", syzygy, fens, check=False, stderr=subprocess.PIPE)
            # Its complaints about the end of files do no harm.
            sys.stderr.writelines(
                line for line in ran.stderr.splitlines(True) if "munmap" not in line
            )
            ran.check_returncode()
            lines = lib.said(*probe, tables, fens).splitlines()
            print(*(line for line in lines if "again and again" not in line), sep="\n")


#: Endings of five men in the table of docs/COMPARE.md about both sides.
FIVE_MEN = ["KQRvKB", "KBBvKN", "KRBvKR"]


def with_row(text: str, name: str, cells: list[str | None]) -> str:
    """A page with other cells in the one row of a table that has this name; None keeps a cell."""
    found = re.findall(rf"^\| {re.escape(name)} \|.*$", text, re.MULTILINE)
    len(found) == 1 or lib.fail(f"{len(found)} rows are named {name}")
    old = found[0][1:-1].split("|")[1:]
    cells = cells + [None] * (len(old) - len(cells))
    new = [a.strip() if b is None else b for a, b in zip(old, cells, strict=True)]
    row = " | ".join([f"| {name}", *new, ""]).rstrip()
    return text.replace(found[0], row.replace("  ", " "))


@lib.command
def bytes_(*, dir: Path, syzygy: Path = lib.ORACLES / "syzygy") -> None:
    """Measures the bytes of tables, and writes them into docs/COMPARE.md and docs/COMPRESSION.md.

    Makes all orthodox tables of up to four men and those of KQRvKB, KBBvKN and KRBvKR, packed fast,
    small, and small with both sides to move, in folders below DIR; those that are there already
    are kept. It takes about 20 minutes of two cores. `crosscheck fetch` fetches Syzygy's tables.

    dir: the folder for the tables
    syzygy: the folder with Syzygy's tables
    """
    lib.build("retrograde")
    fast, small, both = (dir / name for name in ("fast", "small", "both"))
    for named in (["--men", 4], FIVE_MEN):
        lib.retrograde("generate", "orthodox", *named, "--tables", fast, "--out", fast)
        packed = ("repack", "orthodox", *named, "--pack", "small", "--tables", fast, "--out")
        lib.retrograde(*packed, small)
        lib.retrograde(*packed, both, "--both-sides")

    def size(folder: Path, ending: str, metric: str) -> int:
        return (folder / "orthodox" / f"{ending}.{metric}").stat().st_size

    def ratio(ours: int, theirs: int) -> str:
        return f"{ours / theirs:.2f}"

    page = lib.ROOT / "docs/COMPARE.md"
    text = page.read_text()
    section = re.search(r"\n## Bytes\n.*?\n## ", text, re.DOTALL)[0]
    names = re.findall(r"^\| (K\w*vK\w*) \|", section, re.MULTILINE)
    endings = {name: [name] for name in names} | {"all 35": names}

    def pair(name: str, left: tuple[Path, str], right: tuple[Path, str]) -> list[int]:
        sides = []
        for folder, metric in (left, right):
            if folder == syzygy:
                files = [syzygy / f"{ending}.{metric}" for ending in endings[name]]
                sides.append(sum(file.stat().st_size for file in files))
            else:
                sides.append(sum(size(folder, ending, metric) for ending in endings[name]))
        return sides

    columns = [
        ((syzygy, "rtbw"), (small, "wdl")),
        ((syzygy, "rtbz"), (small, "dtz")),
        ((fast, "dtm"), (small, "dtm")),
    ]
    new = section
    for name in endings:
        cells = []
        for column in columns:
            theirs, ours = pair(name, *column)
            cells += [f"{theirs:,}", f"{ours:,}", ratio(ours, theirs)]
        new = with_row(new, name, cells)
    text = text.replace(section, new)
    for metric, column in zip(("WDL", "DTZ", "DTM"), columns, strict=True):
        theirs, ours = pair("all 35", *column)
        what = "all 35 endings of three and four men, packed small" if metric == "WDL" else ""
        name = f"bytes of {metric}, {what or 'the same endings'}"
        cells = ["", f"{ours:,}", ""] if metric == "DTM" else None
        text = with_row(text, name, cells or [f"{theirs:,}", f"{ours:,}", ratio(ours, theirs)])
    section = re.search(r"\n### Both sides stored\n.*?\n## ", text, re.DOTALL)[0]
    new = section
    for name in re.findall(r"^\| (K\w*vK\w*) \|", section, re.MULTILINE):
        dtz = [f"{size(folder, name, 'dtz'):,}" for folder in (small, both)]
        dtm = [f"{size(folder, name, 'dtm'):,}" for folder in (small, both)]
        # Some have both sides in any case.
        new = with_row(new, name, [None] * 4 + dtz + (["", dtm[1]] if len(set(dtm)) == 1 else dtm))
    page.write_text(text.replace(section, new))

    page = lib.ROOT / "docs/COMPRESSION.md"
    text = page.read_text()
    groups = {"three and four men": names, "three men": [n for n in names if len(n) == 4]}
    for group, members in (groups | {"KQvKR": ["KQvKR"]}).items():
        for metric in ("wdl", "dtm", "dtz"):
            sums = [sum(size(folder, n, metric) for n in members) for folder in (fast, small)]
            cells = [f"{sums[0]:,}", f"{sums[1]:,}", ratio(sums[1], sums[0])]
            text = with_row(text, f"{group}, {metric.upper()}", cells)
    page.write_text(text)

    for metric in ("dtz", "dtm"):
        sums = [sum(size(folder, n, metric) for n in names) for folder in (small, both)]
        print(f"{metric.upper()}, all 35: {sums[0]:,} bytes; with both sides {sums[1]:,}")


@lib.command
def costs(game: str, materials: list[str] = (), *, dir: Path, men: int | None = None) -> None:
    """Measures what making endings costs, in the form of generator/make/src/plan/costs.csv.

        scripts/run bench costs --dir DIR high-chess --men 4
        scripts/run bench costs --dir DIR kings KKRvKR KKRvKK

    Makes each ending in a process of its own, packed fast, with two threads, after those that it
    needs, and prints a line for each: game, ending, positions, CPU seconds (the system's
    included), the most memory of the process in MiB, and bytes of files. Endings that are there
    already are named on standard error and not measured.

    game: its id
    materials: the endings
    dir: the folder for the tables
    men: all endings with up to so many pieces
    """
    named = materials + (["--men", men] if men else [])
    named or lib.fail("name endings, or --men", 2)
    lib.build("retrograde")
    out = csv.writer(sys.stdout, lineterminator="\n")
    # Options are written in names of folders with signs that all systems allow.
    inside = dir / game.replace(":", "+").replace(",", "+")

    def sizes(ending: str) -> dict[str, int]:
        paths = {metric: inside / f"{ending}.{metric}" for metric in METRICS}
        return {metric: path.stat().st_size for metric, path in paths.items() if path.exists()}

    for table in json.loads(lib.said(lib.RETROGRADE, "plan", game, *named, "--format", "json")):
        ending = table["material"]
        if there := sizes(ending):
            print(f"{ending} has {', '.join(there)} already: not measured", file=sys.stderr)
            continue
        command = [lib.RETROGRADE, "generate", game, ending, "--pack", "fast", "--threads", "2"]
        command += ["--tables", dir, "--out", dir]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        complaint = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            lib.fail(f"costs: {ending}: {complaint}")
        if not (found := sizes(ending)):
            lib.fail(f"costs: {ending} was made, but its files are not in {dir}")
        row = [game, ending, table["positions"]]
        row += [f"{usage.ru_utime + usage.ru_stime:.2f}", usage.ru_maxrss // 1024]
        out.writerow(row + [found.get(metric, "") for metric in METRICS])
        sys.stdout.flush()


def queen_positions() -> str:
    """Positions of a queen against the bare king, on whatever squares: 20,000 lines."""
    lines = []
    for n in range(20_000):
        on = {n % 64: "K"}
        on[n // 64 % 64], on[n // 7 % 61] = "Q", "k"
        ranks = ["".join(on.get(8 * rank + file, "1") for file in range(8)) for rank in range(8)]
        ones = re.sub("1+", lambda empty: str(len(empty[0])), "/".join(ranks))
        lines.append(f"{ones} b - -\n")
    return "".join(lines)


@lib.command
def page(*, rounds: int = 8) -> None:
    """Measures how soon the page of a server on this machine has its first answer.

    Opens it in Chromium, each time with a new profile: the time from the browser's load event until
    the last answer has come that the page asks for when it begins, and until the verdict is seen.
    Needs npm and Chromium; CHROMIUM names another browser.

    rounds: how many times it is opened
    """
    chromium = os.environ.get("CHROMIUM") or lib.chromium_there()
    lib.run(*INSTALL, cwd=BROWSER, env=os.environ | {"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"})
    with lib.server("--tables", "tables") as (url, _):
        env = os.environ | {"RETROGRADE_URL": url, "CHROMIUM": chromium}
        lib.run("node", "first.mjs", rounds, cwd=BROWSER, env=env)


@lib.command
def server(*, seconds: int = 10, tables: Path = lib.ROOT / "tables") -> None:
    """Measures how many questions a second the server answers.

    Asks a server on this machine for random positions of three men, each kind of question for N
    seconds, and then all kinds mixed: requests a second, the time within which 99 % are answered,
    and the memory of the server before and after; then batches of 20,000 positions one after
    another, as long. Client and server share the processors.

    Needs curl and wrk (`apt-get install wrk`).

    seconds: how long for each kind of question
    tables: the table folder
    """
    lib.needs("wrk", "curl")
    kinds = {
        "a position": "probe",
        "a position and its moves": "moves",
        "as lichess's tablebase": "standard",
        "the page": "page",
        "all of them, and mistakes": "mixed",
    }
    with lib.server("--tables", tables) as (url, process):

        def memory() -> str:
            status = Path(f"/proc/{process}/status").read_text()
            kibibytes = re.search(r"VmRSS:\s+(\d+)", status)[1]
            return f"{int(kibibytes) // 1024} MiB"

        print(f"at the start: {memory()}")
        load = ["wrk", "--threads", 1, "--connections", 16, "--duration", f"{seconds}s"]
        load += ["--latency", "--script", lib.PEERS / "load.lua", url]
        for name, mode in kinds.items():
            text = lib.said(*load, env=os.environ | {"MODE": mode})
            late, rate = (
                re.search(rf"^{words}\s+(\S+)", text, re.MULTILINE)[1]
                for words in (" *99%", "Requests/sec:")
            )
            other = re.search(r"Non-2xx.* (\d+)$", text, re.MULTILINE)
            more = f", {other[1]} no position" if other else ""
            print(f"{name:28} {float(rate):9.0f} a second, 99% within {late:>9}, {memory()}{more}")
        post = ("curl", "--silent", "--show-error", "--request", "POST", "--upload-file", "-")
        fens, began, lines = queen_positions(), time.monotonic(), 0
        while time.monotonic() - began < seconds:
            lines += lib.said(*post, f"{url}/api/orthodox/batch", input=fens).count("\n")
        rate = lines / (time.monotonic() - began)
        print(f"{'positions in batches':28} {rate:9.0f} a second\nin the end: {memory()}")
