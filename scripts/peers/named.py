"""Compares the moves of the named variants of Fairy-Stockfish that definitions can express.

    named.py PROGRAM ENGINE VARIANTS.INI LIST [NAME...]

PROGRAM is `retrograde`, ENGINE is Fairy-Stockfish, LIST has a name in each line with the settings
that are changed. Of each variant, the definition is what PROGRAM imports, and compared are the
lines of so many plies from the array, and the lines of two plies from positions of random games,
move by move. In these positions the package `pyffish` has to list the same moves. What is found is
written as a JSON object a line.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import typing

import pyffish

SHOWN = 3
Counts = dict[str, int]


class Engine:
    """Fairy-Stockfish as a program that answers over UCI."""

    def __init__(self, program: str, variants: str) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([program], bufsize=1, **pipes)
        self.say("uci", f"setoption name VariantPath value {variants}")

    def say(self, *lines: str) -> None:
        self.process.stdin.write("".join(f"{line}\n" for line in lines))

    def answer(self, last: str) -> list[str]:
        """The lines up to the one that begins in this way."""
        lines = []
        while line := self.process.stdout.readline():
            lines.append(line.rstrip())
            if line.startswith(last):
                return lines
        raise SystemExit("the engine has ended")

    def play(self, variant: str) -> None:
        self.say(f"setoption name UCI_Variant value {variant}", "position startpos")

    def fen(self, fen: str, *moves: str) -> str:
        """The position after some moves."""
        line = f"position fen {fen}" + (f" moves {' '.join(moves)}" if moves else "")
        self.say(line, "d")
        answer = self.answer("Checkers:")
        return next(line[5:] for line in answer if line.startswith("Fen: "))

    def divided(self, fen: str, depth: int) -> Counts:
        """The number of lines that begin with each move."""
        self.say(f"position fen {fen}", f"go perft {depth}")
        found = (re.fullmatch(r"(\S+): (\d+)", line) for line in self.answer("Nodes searched"))
        return {match[1]: int(match[2]) for match in found if match and match[1] != "Nodes"}

    def array(self) -> str:
        self.say("position startpos", "d")
        answer = self.answer("Checkers:")
        return next(line[5:] for line in answer if line.startswith("Fen: "))


class Variant(typing.NamedTuple):
    name: str
    #: Settings that are changed, by their names.
    changed: dict[str, str]
    #: The game that it is here, if it is built in and not imported.
    built_in: str
    #: Why moves differ, if they do.
    note: str


def listed(path: str) -> list[Variant]:
    variants = []
    for line in pathlib.Path(path).read_text().splitlines():
        line, _, note = line.partition("#")
        if line:
            name, *words = line.split()
            changed = dict(word.split("=", 1) for word in words)
            variants.append(Variant(name, changed, changed.pop("is", ""), note.strip()))
    return variants


def with_changes(variants: str, variant: Variant) -> str:
    """The text of VARIANTS.INI with the changes of a variant, and a section for it."""
    changes = "".join(f"{key} = {value}\n" for key, value in variant.changed.items())
    found = re.search(rf"^\[{re.escape(variant.name)}(:[^\]]*)?\].*\n", variants, re.MULTILINE)
    if not found:
        return f"{variants}\n[{variant.name}:{variant.name}]\n{changes}"
    end = variants.find("\n[", found.end())
    end = len(variants) if end < 0 else end + 1
    return f"{variants[:end]}\n{changes}{variants[end:]}"


def placed(fen: str) -> dict[str, str]:
    """The letters of the pieces by their squares."""
    pieces = {}
    rows = fen.split()[0].split("/")
    for rank, row in zip(range(len(rows), 0, -1), rows):
        file = 0
        for number, letter in re.findall(r"(\d+)|(\D)", row):
            if letter:
                pieces[f"{chr(ord('a') + file)}{rank}"] = letter
            file += int(number or 1)
    return pieces


class Ours:
    """A definition, and Fairy-Stockfish's notation in ours."""

    def __init__(self, program: str, path: pathlib.Path) -> None:
        self.program, self.path = program, path
        text = path.read_text()
        renamed = re.findall(r"^# (.) is (.) in Fairy-Stockfish", text, re.MULTILINE)
        pairs = [(there, here) for here, there in renamed]
        pairs += [(there.lower(), here.lower()) for there, here in pairs]
        self.letters = str.maketrans(dict(pairs))
        #: Whether there are captures en passant.
        self.passes = 'en-passant = "off"' not in text
        #: The files that a castling king goes to, to the left and to the right.
        self.goals = (re.findall(r'^to = \["(.)", "(.)"\]', text, re.MULTILINE) or ["cg"])[0]
        shown = subprocess.run([program, "games", path], capture_output=True, text=True, check=True)
        self.id = shown.stdout.partition(": ")[0]

    def fen(self, fen: str) -> str:
        placement, *rest = fen.split(" ")
        # Where pawns have moves of their own, the squares are that passed over and the pawn's; here
        # the latter is only told where pawns step twice aslant.
        if squares := sorted(re.findall(r"[a-p]\d+", rest[2]), key=lambda s: s in placed(fen)):
            rest[2] = "".join(squares if squares[0][0] != squares[-1][0] else squares[:1])
        if not self.passes:
            rest[2] = "-"
        return f"{placement.translate(self.letters)} {' '.join(rest)}"

    def move(self, move: str, fen: str) -> str:
        start, arrival, promotion = re.fullmatch(r"([a-p]\d+)([a-p]\d+)(\w?)", move).groups()
        if start == arrival:
            return "0000"
        pieces = placed(fen)
        if arrival in pieces and pieces[arrival].isupper() == pieces[start].isupper():
            # A king that takes its own rook castles; it is written so here where it could step.
            goal = self.goals[arrival[0] > start[0]]
            if abs(ord(goal) - ord(start[0])) > 1:
                arrival = goal + start[1:]
        return f"{start}{arrival}{promotion.translate(self.letters)}"

    def divided(self, fen: str, depth: int) -> Counts | str:
        words = [self.program, "perft", self.path, self.fen(fen), "--depth", str(depth), "--json"]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        return ran.stderr.strip() if ran.returncode else json.loads(ran.stdout)["divide"]


def played(engine: Engine, array: str, count: int, dice: random.Random) -> list[str]:
    """Positions of random games, in which there are moves."""
    fens = []
    while len(fens) < count:
        fen, reached = array, None
        for _ in range(dice.randint(1, 80)):
            moves = sorted(engine.divided(fen, 1))
            if not moves:
                break
            reached, fen = fen, engine.fen(fen, dice.choice(moves))
        fens.append(fen if engine.divided(fen, 1) else reached)
    return fens


def compare(ours: Ours, fen: str, theirs: Counts, depth: int) -> str:
    """What differs in the lines of a length; empty if nothing does."""
    found = ours.divided(fen, depth)
    if isinstance(found, str):
        return found
    expected = {ours.move(move, fen): count for move, count in theirs.items()}
    odd = {m for m in {*found, *expected} if found.get(m) != expected.get(m)}
    shown = [f"{m} {found.get(m, '-')} for {expected.get(m, '-')}" for m in sorted(odd)[:SHOWN]]
    return ", ".join(shown)


def imported(program: str, text: str, variant: Variant, folder: pathlib.Path) -> Ours | str:
    """The definition of a variant, or why there is none."""
    ini, toml = folder / "variants.ini", folder / f"{variant.name}.toml"
    if game := variant.built_in:
        shown = subprocess.run([program, "games", game, "--toml"], capture_output=True, check=True)
        toml.write_bytes(shown.stdout)
        return Ours(program, toml)
    ini.write_text(with_changes(text, variant))
    words = [program, "games", "--import", ini, variant.name]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode:
        return re.sub(r"^.*?, line \d+: (\[[^\]]*\] )?", "", ran.stderr.strip())
    toml.write_text(ran.stdout)
    return Ours(program, toml)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "engine", "variants", "list"):
        parser.add_argument(name)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    text = pathlib.Path(asked.variants).read_text()
    pyffish.load_variant_config(text)
    engine = Engine(asked.engine, asked.variants)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for variant in listed(asked.list):
            if asked.names and variant.name not in asked.names:
                continue
            row = variant._asdict()
            ours = imported(asked.program, text, variant, folder)
            if isinstance(ours, str):
                row["missing"] = ours
            else:
                engine.play(variant.name)
                array = engine.array()
                row["game"] = ours.id
                theirs = engine.divided(array, asked.depth)
                row["nodes"] = sum(theirs.values())
                faults = [(array, compare(ours, array, theirs, asked.depth))]
                dice = random.Random(f"{asked.seed} {variant.name}")
                for fen in played(engine, array, asked.positions, dice):
                    theirs = engine.divided(fen, 2)
                    differs = compare(ours, fen, theirs, 2)
                    if set(theirs) != set(pyffish.legal_moves(variant.name, fen, [])):
                        differs = "pyffish and the engine differ"
                    faults.append((fen, differs))
                row["array"] = not faults[0][1]
                row["positions"] = sum(not fault for _, fault in faults[1:])
                row["faults"] = [fault for fault in faults if fault[1]][:SHOWN]
            print(json.dumps(row), flush=True)
    engine.say("quit")


if __name__ == "__main__":
    main()
