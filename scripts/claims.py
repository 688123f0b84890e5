"""Compares each example of a report on the designers' claims with what probing says:
claims.py REPORT RETROGRADE [--tables DIR]…"""

import json
import subprocess
import sys

FIELDS = ("category", "winner", "depth_plies", "win_by")


def wanted(report):
    """What the report says, by game: pairs of a FEN and the fields."""
    games = {}
    for claim in report:
        for example in claim["examples"]:
            for says in (example, *example.get("also", [])):
                fen = example["fen"].split()
                # Another game's FEN may have no vitality, or one too many: the pieces count.
                # With other options of the same game the whole FEN does.
                if says["game"].split(":")[0] != example["game"].split(":")[0]:
                    fen = fen[:3] + ["-"]
                games.setdefault(says["game"], []).append((claim["tag"], " ".join(fen), says))
    return games


def main():
    path, retrograde, *tables = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    probed, wrong = 0, 0
    for game, examples in sorted(wanted(report).items()):
        lines = "".join(f"{fen}\n" for _, fen, _ in examples)
        command = [retrograde, "probe", game, "-", "--json", *tables]
        # Positions of more men than tables have are answered with an exit code of their own.
        run = subprocess.run(command, input=lines, capture_output=True, text=True)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        if len(answers) != len(examples):
            sys.exit(f"{game}: {len(answers)} answers to {len(examples)} positions; {run.stderr}")
        for (tag, fen, says), answer in zip(examples, answers):
            probed += 1
            said = {name: says.get(name) for name in FIELDS}
            told = {name: answer.get(name) for name in FIELDS}
            if said != told:
                wrong += 1
                print(f"{tag} {game} {fen}: the report says {said}, probing says {told}")
    print(f"{probed} positions probed, {wrong} of them otherwise than the report says")
    sys.exit(1 if wrong or not probed else 0)


main()
