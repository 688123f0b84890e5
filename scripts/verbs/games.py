"""Proves tables of games that are not built in: the examples, and definitions made at random."""

import collections
import random
import re
import subprocess
from collections.abc import Iterable

import lib
from verbs.crosscheck import PYFFISH


@lib.command
def examples(*, men: int = 3, positions: int = 100) -> int:
    """Makes and proves tables of the games in games/examples/.

    For each game: makes all tables of three men, verifies them, and compares them with the naive
    interpreter; then compares the moves in positions of random games with those of
    Fairy-Stockfish. Exits with 1 if anything is wrong.

    men: 4: make and verify four men, too, of all games but those on ten files; takes an hour of one
      core
    positions: how many of each game go to pyffish
    """
    men in (3, 4) or lib.fail(f"--men is 3 or 4, not {men}", 2)
    lib.build("retrograde")
    made = lib.TARGET / "examples" / "tables"
    names = [
        str(path.relative_to(lib.ROOT)) for path in sorted(lib.ROOT.glob("games/examples/*.toml"))
    ]
    names += [f"games/examples/hexapawn.toml:board={size}" for size in ("4x4", "5x5")]
    names += [f"games/examples/centaur.toml:{set}" for set in ("board=8x8", "stalemate=loss")]
    for game in names:
        print(f"== {game}", flush=True)
        is_large = "centaur" in game
        for count in range(3, 4 if is_large else men + 1):
            lib.retrograde("generate", game, "--men", count, "--out", made)
            lib.retrograde("verify", game, "--men", count, "--tables", made)
        lib.retrograde("verify", game, "--men", 3, "--independent", "--tables", made)
    python = lib.venv(lib.TARGET / "pyffish/venv", f"pyffish=={PYFFISH}")
    compare = (python, lib.PEERS / "fairy.py", "examples", lib.RETROGRADE, "--positions", positions)
    return 0 if lib.holds(*compare) else 1


PIECES = {
    "K": ["", "", "", "W", "N", "F", "KN", "WAD", "FfW", "fKmbW", "mKcWlD"],
    "Q": ["", "", "BN", "R2", "BD", "NN", "mQcN", "fRbB"],
    "R": ["", "W", "W2", "D", "DD", "RF", "fRsW", "mRcF", "lRvW2"],
    "N": ["", "H", "C", "NN", "A", "F3", "fN", "flNrW", "mNcA"],
}
# Each key with its values; None leaves it out.
KEYS = {
    "board.size": ["4x4", "5x4", "4x5", "5x5", "4x6", "3x5", "5x3", "6x4"],
    "pawns.double-step": [None, None, "off", "anywhere", "ranks", "ranks"],
    "pawns.first-rank": [None, None, 1, 3, [1, 2], [3, 2]],
    "pawns.promotion": [None, None, "optional", "may-wait", "must-wait"],
    "pawns.promotion-ranks": [None, None, 2, 3],
    "pawns.en-passant-from": [None, "some"],
    "pawns.en-passant": [None, None, "all", "off"],
    "pawns.en-passant-vacates": [None, True],
    "royal.rule": [None, None, "first-king", "only-of-type", "none", ["none", "king"], ["king", "none"]],
    "end.stalemate": [None, None, "loss", "win"],
    "end.king-capture": [None, None, None, "win"],
    "end.king-capture-in-check": [None, "draw", "loss", "illegal"],
    "end.extinct": [None, None, None, "loss", "win"],
    "end.extinct-types": [None, "P", "Q", "KP"],
    "end.all-lost": [None, None, None, "loss", "win"],
    "end.reach": [None, None, None, "rank", "middle", "other"],
    "end.no-progress": [0, 0, 0, 100, 7],
    "turn.pass": [None, None, None, "always", "unless-in-check", "when-stuck"],
    "counters.checks": [None, None, None, 2, 3],
    "counters.vitality": [None] * 6 + [{}, {}, {"ties": "white"}, {"exhaustion": "before-mate"}],
}


def least(ranks):
    """A rank, or the lower one of White's and Black's."""
    return min(ranks) if isinstance(ranks, list) else ranks


def toml(value):
    """A value as TOML writes it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case dict():
            return "{ " + ", ".join(f"{key} = {toml(v)}" for key, v in value.items()) + " }"
    return str(value)


def definition(chance):
    """The keys of a game, and the letters of its pieces."""
    changed = set(chance.sample(sorted(KEYS), chance.randint(1, 5)))
    keys = {key: chance.choice(KEYS[key]) for key in changed | {"board.size", "end.no-progress"}}
    keys = {key: value for key, value in keys.items() if value is not None}
    files, ranks = map(int, keys["board.size"].split("x"))
    if keys.get("pawns.double-step") == "ranks":
        possible = range(least(keys.get("pawns.first-rank", 2)), ranks + 1)
        some = chance.sample(possible, chance.randint(1, min(3, len(possible))))
        keys["pawns.double-step"] = sorted(some)
    if keys.get("pawns.double-step") is None and "pawns.first-rank" in keys:
        keys["pawns.double-step"] = [least(keys["pawns.first-rank"])]
    if keys.get("pawns.en-passant-from"):
        steps = keys.get("pawns.double-step", [2])
        keys["pawns.en-passant-from"] = [max(steps)] if isinstance(steps, list) else [2]
    apart = isinstance(keys.get("royal.rule"), list)
    if "royal.rule" in keys and not apart and keys["royal.rule"] != "only-of-type":
        keys["royal.kings"] = [0 if keys["royal.rule"] == "none" else 1, "any"]
    if keys.get("royal.rule") == "only-of-type":
        keys["royal.kings"] = [0, "any"]
        keys["end.extinct"] = "off"
    if {"end.extinct", "end.all-lost"} & set(keys) and "royal.rule" not in keys:
        keys |= {"royal.rule": "none", "royal.kings": [0, "any"]}
    if "end.reach" in keys:
        squares = {
            "rank": [f"rank{ranks}"],
            "middle": [f"b{(ranks + 1) // 2}", f"c{(ranks + 1) // 2}"],
            "other": ["a1"],
        }[keys["end.reach"]]
        piece = chance.choice("KKRP")
        keys["end.reach"] = {"piece": piece, "squares": squares, "both": chance.random() < 0.3}
    if "counters.vitality" in keys:
        middle = [f"{'abcdef'[(files - 1) // 2]}{(ranks + 1) // 2}"]
        keys["counters.vitality"] |= {"full": chance.choice([1, 2, 3, [1, 3]]), "centre": middle}
        keys.setdefault("turn.pass", chance.choice(["unless-in-check", "always", "when-stuck"]))
    none = keys.get("royal.rule") == "none"
    order = chance.choice(["KQRNP", "KRNP", "KQNP", "KRP", "KQR", "KRN"] + ["QRNP", "QRN"] * none)
    keys["pieces.order"] = order
    if "end.extinct-types" in keys:
        keys["end.extinct-types"] = "".join(filter(order.count, keys["end.extinct-types"]))
        keys["end.extinct-types"] = keys["end.extinct-types"] or order
    for letter, moves in PIECES.items():
        if letter in order and (mover := chance.choice(moves)):
            keys[f"pieces.{letter}"] = mover
    return keys, order


def endings(chance, keys, order):
    """Endings with those letters: two or three men, or one pawn each with kings."""
    letters = [letter for letter in order if letter != "K"]
    king = "K" if "K" in order else ""
    rule = keys.get("royal.rule")
    if isinstance(rule, list):
        white, black = ("" if side == "none" else "K" for side in rule)
        some = [chance.choices(letters, k=3) for _ in range(3)]
        pawns = ["PvP"] * ("P" in letters) + ["v".join(chance.choices(letters, k=2))]
        some = [f"{a}{b}v{c}" if white else f"{a}v{b}{c}" for a, b, c in some][:2] + pawns
        with_king = ("v".join((white + a, black + b)) for a, b in (e.split("v") for e in some))
        return sorted({sort(ending, order) for ending in with_king})
    kingless = rule in ("none", "only-of-type")
    small = 1 if "counters.vitality" in keys else 3
    two = [f"{king}{a}v{king or b}" for a in letters for b in letters]
    some = chance.sample(sorted(set(two)), min(small, len(set(two))))
    if king and kingless:
        some += [f"{a}{b}v{c}" for a, b, c in [chance.choices([*letters, "K"], k=3)]]
    if king and "P" in letters and "counters.vitality" not in keys and chance.random() < 0.5:
        some.append("KPvKP")
    if keys.get("royal.rule") == "first-king" and king:
        some.append("KKvK")
    return [sort(ending, order) for ending in some]


def sort(ending, order):
    """A material with each side's letters in the order of the game."""
    return "v".join("".join(sorted(side, key=order.index)) for side in ending.split("v"))


def prove(seeds: Iterable[int]) -> int:
    """Proves tables of as many definitions; returns 1 if one of them is wrong."""
    refused, made, wrong = collections.Counter(), 0, 0
    for number in seeds:
        chance = random.Random(number)
        keys, order = definition(chance)
        text = f'name = "random-{number}"\n' + "".join(
            f"{k} = {toml(v)}\n" for k, v in keys.items()
        )
        with lib.work() as folder:
            file = folder / "game.toml"
            file.write_text(text)

            def run(*words, file=file, folder=folder):
                command = [lib.RETROGRADE, words[0], file, *words[1:]]
                command += ["--tables", folder] if words[0] != "games" else []
                try:
                    return subprocess.run(
                        command, capture_output=True, check=False, text=True, timeout=900
                    )
                except subprocess.TimeoutExpired as late:
                    return subprocess.CompletedProcess(command, -1, "", f"{late}\n")

            read = run("games")
            if read.returncode == 2:
                keys_named = re.findall(r"[a-z]+\.[a-z-]+(?= and | do not| is not)", read.stderr)
                refused[" and ".join(keys_named) or read.stderr.splitlines()[0][:100]] += 1
                continue
            bad = [] if read.returncode == 0 else [read.stderr]
            for ending in [] if bad else endings(chance, keys, order):
                ran = run("generate", ending, "--out", folder)
                if ran.returncode == 2:
                    refused[ran.stderr.splitlines()[0][:100]] += 1
                    continue
                ran = [
                    ran,
                    run("verify", ending, "--fresh"),
                    run("verify", ending, "--independent"),
                ]
                made += 1
                bad += [f"{ending}: {r.stdout}{r.stderr}" for r in ran if r.returncode != 0]
        if bad:
            wrong += 1
            print(f"seed {number}\n{text}{''.join(bad)[:1500]}\n", flush=True)
    print(f"{made} tables compared, {wrong} games wrong")
    for why, times in refused.most_common():
        print(f"{times:5} refused: {why}")
    return 1 if wrong else 0


@lib.command
def random_(*, games: int = 200, seed: int = 1) -> int:
    """Makes, verifies and compares tables of definitions that are made at random.

    Tables of a few endings are compared with what the naive interpreter finds. Keys are drawn
    without regard to what goes together; what the program refuses is counted, and the pairs of
    keys that it names are listed. A definition with a wrong value, or that ends the program in
    another way than it should, is printed, and the exit code is 1.

    games: how many
    seed: that of the first game
    """
    lib.build("retrograde")
    return prove(range(seed, seed + games))
