"""Asks the command line and each binding the same positions, and compares the answers."""

import argparse
import json
import pathlib
import random
import subprocess
import sys

import retrograde

#: Positions with something wrong, or that no table has.
ODD = [
    "",
    " ",
    "?",
    "8/8/8/8/8/8/8/8 w - -",
    "8/8/8/3k4/8/8/8/KQ6",
    "8/8/8/3k4/8/8/8/KQ6 x - -",
    "8/8/8/3k4/8/8/8/KQ6 w - e9",
    "8/8/8/3k4/8/8/8/KQ6 w - - 1 2 3 4",
    "8/8/8/3k4/8/8/8/KQ6 w - - -1 1",
    "8/8/8/3k4/8/8/8/KQ6 w - - 99999999999 1",
    "8/8/8/3k4/8/8/8/4K2R w K -",
    "8/8/8/3k4/8/8/8/4K2R w Q -",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "8/8/8/3k4/3Q4/8/8/K7 w - -",
    "8/8/8/3k4/3Q4/8/8/K7 b - -",
    "9/9/9/3k5/9/9/9/9/KQ7 w - -",
    "9/9/9/3k5/9/9/9/9/KQ7 w - - 50+50",
    "8/8/8/3k4/8/8/8/KQ6 w - - 0+50 0 1",
    "8/8/8/3k4/8/8/8/KQ6 w - - 51+50 0 1",
    "8/8/8/3k4/8/8/8/KQ6 w - - 7+7 3 9",
    "8/8/8/8/3pP3/8/8/K6k b - e3",
    "9/9/9/9/3pP4/9/9/9/K7k b - e3",
    "8/8/8/8/4P3/8/8/K6k b - e3",
    "8/8/8/3k4/8/8/8/KRQBNP2 w - -",
    "8/8/8/3kK3/8/8/8/8 w - -",
    "é/8/8/3k4/8/8/8/KQ6 w - -",
    "8" * 3000,
]


def positions(tablebase, count, rng):
    """Random positions of all tables, a few of them spoilt, and the odd ones."""
    names = [name for name, _ in tablebase.list_tables()]
    tables = [tablebase.table(name) for name in names]
    found = list(ODD)
    while len(found) < count:
        table = rng.choice(tables)
        fen = table.fen(rng.randrange(len(table)), rng.choice(["white", "black"]))
        if fen is None:
            continue
        fields = fen.split()
        if "+" in fields[4]:
            fields[4] = f"{rng.randint(1, 50)}+{rng.randint(1, 50)}"
        if rng.random() < 0.3:
            fields[-2] = str(rng.choice([1, 50, 80, 95, 99, 100, 101, 150]))
        if rng.random() < 0.1:
            # The colours swapped, or a piece more, which most tables have not.
            swap = rng.random() < 0.5
            fields[0] = fields[0].swapcase() if swap else fields[0].replace("1", "N", 1)
        fen = " ".join(fields)
        if rng.random() < 0.05:
            place = rng.randrange(len(fen))
            fen = fen[:place] + rng.choice("x/9K- ") + fen[place + 1 :]
        found.append(fen)
    rng.shuffle(found)
    return found


def strip(answer):
    """An answer without the words of errors about tables, which give advice of their own."""
    answer = dict(answer)
    if answer.get("error"):
        error = dict(answer["error"])
        if error["kind"] not in ("bad-fen", "illegal-position"):
            error.pop("message")
        answer["error"] = error
    return answer


def of_program(command, fens):
    """Asks a program that reads FENs and writes a line for each; returns lines and exit code."""
    text = "".join(fen + "\n" for fen in fens)
    run = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    lines = run.stdout.decode().splitlines()
    if len(lines) != len(fens):
        sys.exit(
            f"{command[0]}: {len(lines)} answers to {len(fens)} positions\n{run.stderr.decode()}"
        )
    return lines, run.returncode


def of_python(tablebase, fen, more):
    try:
        return json.loads(tablebase.probe(fen, moves=more, line=more).to_json())
    except retrograde.PositionError as error:
        return {
            "fen": fen,
            "error": {"kind": error.kind, "message": str(error), "offset": error.offset},
        }


def signed_dtz(answer):
    """DTZ as Syzygy has it; None in games without the fifty-move rule."""
    if "clock" not in answer:
        return None
    wdl, _ = numbers(answer)
    if wdl == 0:
        return 0
    plies = max(answer["dtz_plies"], 1)
    plies += 100 if abs(wdl) == 1 and plies <= 100 else 0
    return plies if wdl > 0 else -plies


def numbers(answer):
    """The three numbers of an answer at clock 0, as the methods of Python give them."""
    signs = {"win": 1, "cursed-win": 1, "draw": 0, "blessed-loss": -1, "loss": -1}
    at_0 = answer.get("category_at_clock_0", answer["category"])
    wdl = {"win": 2, "cursed-win": 1, "draw": 0, "blessed-loss": -1, "loss": -2}[at_0]
    depth = answer["depth_plies"]
    return wdl, signs[at_0] * depth if depth is not None else 0


def compare_game(game, arguments, rng):
    tablebase = retrograde.open_tablebase(arguments.tables, game)
    fens = positions(tablebase, arguments.positions, rng)
    metrics = dict(tablebase.list_tables())
    tenth = max(len(fens) // 10, 1)
    different = []
    compared = 0
    for more, part in ((True, fens[:tenth]), (False, fens[tenth:])):
        options = ["--moves", "--line"] if more else []
        program = [arguments.retrograde, "probe", game, "-", "--json", "--tables", arguments.tables]
        lines, status = of_program([*program, *options], part)
        c_lines, c_status = of_program([arguments.c, game, arguments.tables, *options], part)
        if status != c_status:
            different.append(("exit code", status, c_status))
        js_lines, _ = of_program([*arguments.node, game, arguments.tables, *options], part)
        for fen, line, js_line in zip(part, lines, js_lines):
            if strip(json.loads(line)) != strip(json.loads(js_line)):
                different.append(("JavaScript", fen, line, js_line))
        for fen, line, c_line in zip(part, lines, c_lines):
            compared += 1
            answer = json.loads(line)
            python = of_python(tablebase, fen, more)
            if strip(answer) != strip(python):
                different.append(("Python", fen, answer, python))
            if strip(answer) != strip(json.loads(c_line)):
                different.append(("C", fen, answer, c_line))
        if game == "high-chess":
            continue
        # The methods for numbers, and the one for many.
        known = [(fen, json.loads(line)) for fen, line in zip(part, lines)]
        # Of some materials there is no depth, and of some positions moves that are known tell
        # no more than who wins.
        known = [
            (fen, answer)
            for fen, answer in known
            if answer.get("category", "unknown") != "unknown"
            and "dtm" in metrics.get(answer["material"], ["dtm"])
            and (answer["category"] == "draw" or answer["depth_plies"] is not None)
        ]
        js_numbers = [*arguments.node, game, arguments.tables, "--numbers"]
        js_numbers, _ = of_program(js_numbers, [fen for fen, _ in known])
        for (fen, answer), line in zip(known, js_numbers):
            expected = [*numbers(answer), signed_dtz(answer)]
            if expected != json.loads(line):
                different.append(("JavaScript's numbers", fen, expected, line))
        batch = tablebase.probe_many([fen for fen, _ in known], ["dtm"])
        for place, (fen, answer) in enumerate(known):
            if place in batch.errors:
                different.append(("probe_many", fen, answer, batch.errors[place]))
                continue
            found = (int(batch.wdl[place]), int(batch.dtm[place]))
            single = (tablebase.probe_wdl(fen), tablebase.probe_dtm(fen))
            if not numbers(answer) == found == single:
                different.append(("numbers", fen, numbers(answer), found, single))
    print(f"{game}: {compared} positions, {len(different)} differences")
    for line in different[:5]:
        print("  different:", *line)
    return len(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--retrograde", required=True)
    parser.add_argument("--c", required=True)
    parser.add_argument("--node", required=True, nargs="+", help="node and its program")
    parser.add_argument("--tables", required=True)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    arguments.tables = str(pathlib.Path(arguments.tables).resolve())
    games = [game.id for game in retrograde.games()]
    different = sum(compare_game(game, arguments, rng) for game in games)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
