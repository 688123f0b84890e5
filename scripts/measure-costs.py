#!/usr/bin/env python3
"""Measures what making endings costs, in the form of generator/make/src/plan/costs.csv.

    scripts/measure-costs.py --dir DIR high-chess --men 4
    scripts/measure-costs.py --dir DIR kings KKRvKR KKRvKK

Makes each ending in a process of its own, packed fast, with two threads, after those that it
needs, and prints a line for each: game, ending, positions, CPU seconds (the system's
included), the most memory of the process in MiB, and bytes of files. Endings that are there
already are named on standard error and not measured. Leave the machine alone meanwhile.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys

METRICS = ["wdl", "dtz", "dtm", "thresholds", "mates"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("materials", nargs="*", help="none: all of --men")
    parser.add_argument("--men", help="all endings with up to so many pieces")
    parser.add_argument("--dir", required=True, type=pathlib.Path, help="for the tables")
    parser.add_argument("--program", default="target/release/retrograde")
    args = parser.parse_args()

    named = args.materials + (["--men", args.men] if args.men else [])
    if not named:
        parser.error("name endings, or --men")
    plan = subprocess.run(
        [args.program, "plan", args.game, *named, "--format", "json"],
        check=True,
        stdout=subprocess.PIPE,
    )
    out = csv.writer(sys.stdout, lineterminator="\n")
    for table in json.loads(plan.stdout):
        ending = table["material"]
        if there := files(args.dir, args.game, ending):
            print(f"{ending} has {', '.join(there)} already: not measured", file=sys.stderr)
            continue
        command = [args.program, "generate", args.game, ending, "--pack", "fast"]
        command += ["--threads", "2", "--tables", str(args.dir), "--out", str(args.dir)]
        made = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        complaint = made.stderr.read().decode()
        _, status, usage = os.wait4(made.pid, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"measure-costs: {ending}: {complaint}")
        sizes = files(args.dir, args.game, ending)
        if not sizes:
            sys.exit(f"measure-costs: {ending} was made, but its files are not in {args.dir}")
        row = [args.game, ending, table["positions"]]
        row += [f"{usage.ru_utime + usage.ru_stime:.2f}", usage.ru_maxrss // 1024]
        out.writerow(row + [sizes.get(metric, "") for metric in METRICS])
        sys.stdout.flush()


def files(folder: pathlib.Path, game: str, ending: str) -> dict[str, int]:
    """The bytes of an ending's files by metric."""
    # Options are written in names of folders with signs that all systems allow.
    folder /= game.replace(":", "+").replace(",", "+")
    paths = {metric: folder / f"{ending}.{metric}" for metric in METRICS}
    return {metric: path.stat().st_size for metric, path in paths.items() if path.exists()}


if __name__ == "__main__":
    main()
