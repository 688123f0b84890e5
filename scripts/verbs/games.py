"""Proves tables of games that are not built in: the examples, and definitions made at random."""

import collections
import hashlib
import json
import random
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

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
    "board.holes": [None, 1, 2, 3, "even"],
    "pawns.double-step": [None, None, "off", "anywhere", "ranks", "ranks"],
    "pawns.moves": ["mfFcfW", "mfFcfW", "fsmWcfF", "mWcfF", "mfWcF", "K", "mflFcflW", "fmWcW"],
    "pawns.first-rank": [None, None, 1, 3, [1, 2], [3, 2]],
    "pawns.promotion": [None, None, "optional", "may-wait", "must-wait"],
    "pawns.promotion-ranks": [None, None, 2, 3],
    "pawns.promotion-squares": [None, "mirrored", "own", "own"],
    "pawns.promotes-to": [None, "sides", "sides"],
    "pawns.en-passant-from": [None, "some"],
    "pawns.en-passant": [None, None, "all", "off"],
    "pawns.en-passant-vacates": [None, True],
    "royal.rule": [None, None, "first-king", "only-of-type", "none", ["none", "king"], ["king", "none"]],
    "end.stalemate": [None, None, "loss", "win"],
    "end.king-capture": [None, None, None, "win"],
    "end.king-capture-in-check": [None, "draw", "loss", "illegal"],
    "end.extinct": [None, None, None, "loss", "win"],
    "end.extinct-types": [None, "P", "Q", "KP"],
    "end.extinct-count": [None, 1, 1, 2],
    "end.all-lost": [None, None, None, "loss", "win"],
    "end.all-lost-alone": [None, True],
    "end.bare": [None, None, "loss", "win", "loss-unless-answered"],
    "end.reach": [None, None, None, "rank", "middle", "other"],
    "end.no-progress": [0, 0, 0, 100, 7],
    "turn.pass": [None, None, None, "always", "unless-in-check", "when-stuck"],
    "turn.must-capture": [None, None, True],
    "royal.types": [None, "KQ", "QP"],
    "royal.at-most": [None, 2],
    "capture.explodes": [None, True],
    "capture.spares": [None, "", "Q", "RP"],
    "capture.survives": [None, "K", "RP", "QN"],
    "capture.mutually-immune": [None, "K", "RN"],
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
    if holes := keys.get("board.holes"):
        # Like each other under the exchange of colours, or any.
        squares = [(file, rank) for file in range(files) for rank in range(1, ranks + 1)]
        some = chance.sample(squares, 1 if holes == "even" else holes)
        if holes == "even":
            some += [(file, ranks + 1 - rank) for file, rank in some if 2 * rank != ranks + 1]
        keys["board.holes"] = [f"{'abcdef'[file]}{rank}" for file, rank in some]
    if keys.get("pawns.double-step") == "ranks":
        possible = range(least(keys.get("pawns.first-rank", 2)), ranks + 1)
        some = chance.sample(possible, chance.randint(1, min(3, len(possible))))
        keys["pawns.double-step"] = sorted(some)
    if keys.get("pawns.double-step") is None and "pawns.first-rank" in keys:
        keys["pawns.double-step"] = [least(keys["pawns.first-rank"])]
    if (moves := keys.get("pawns.moves")) and chance.random() < 0.8:
        # Otherwise it may not go together.
        if keys.get("pawns.en-passant") == "all" or moves in ("K", "fmWcW"):
            keys["pawns.en-passant"] = "off"
        steps, zone = keys.get("pawns.double-step", [2]), keys.get("pawns.promotion-ranks", 1)
        if steps == "anywhere" or steps != "off" and max(steps) + 2 + zone > ranks:
            keys["pawns.double-step"] = "off"
            keys.pop("pawns.en-passant-from", None)
    if "pawns.promotion-squares" in keys:
        names = [f"{'abcdef'[file]}{rank}" for file in range(files) for rank in range(1, ranks + 1)]
        low = least(keys.get("pawns.first-rank", 2)) + 1
        white = [name for name in names if int(name[1:]) > low]
        black = [name for name in names if int(name[1:]) <= ranks - low]
        sides = [chance.sample(some, min(len(some), 3)) or ["a1"] for some in (white, black)]
        is_own = keys["pawns.promotion-squares"] == "own"
        keys["pawns.promotion-squares"] = sides if is_own else sides[0]
        if chance.random() < 0.7:
            keys["pawns.double-step"] = "off"
            keys.pop("pawns.en-passant-from", None)
    if keys.get("pawns.en-passant-from"):
        steps = keys.get("pawns.double-step", [2])
        keys["pawns.en-passant-from"] = [max(steps)] if isinstance(steps, list) else [2]
    if {"royal.types", "royal.at-most"} & set(keys):
        keys.setdefault("royal.rule", "only-of-type")
    apart = isinstance(keys.get("royal.rule"), list)
    if "royal.rule" in keys and not apart and keys["royal.rule"] != "only-of-type":
        keys["royal.kings"] = [0 if keys["royal.rule"] == "none" else 1, "any"]
    if keys.get("royal.rule") == "only-of-type":
        keys["royal.kings"] = [0, "any"]
        keys["end.extinct"] = "off"
    if {"end.extinct", "end.all-lost"} & set(keys) and "royal.rule" not in keys:
        keys |= {"royal.rule": "none", "royal.kings": [0, "any"]}
    if keys.get("royal.rule") == "none" and "end.bare" in keys:
        keys.pop("end.all-lost", None)
    if "end.reach" in keys:
        squares = {
            "rank": [f"rank{ranks}"],
            "middle": [f"b{(ranks + 1) // 2}", f"c{(ranks + 1) // 2}"],
            "other": ["a1"],
        }[keys["end.reach"]]
        piece = chance.choice(["K", "K", "R", "P", "NP", "*"])
        keys["end.reach"] = {"piece": piece, "squares": squares, "both": chance.random() < 0.3}
        if chance.random() < 0.2:
            keys["end.reach"] |= {"both": False, "black": ["rank1", f"b{ranks}"]}
        for key, value in {"count": 2, "safe": True, "stays": True}.items():
            if chance.random() < 0.3:
                keys["end.reach"][key] = value
    if "counters.vitality" in keys:
        middle = [f"{'abcdef'[(files - 1) // 2]}{(ranks + 1) // 2}"]
        keys["counters.vitality"] |= {"full": chance.choice([1, 2, 3, [1, 3]]), "centre": middle}
        keys.setdefault("turn.pass", chance.choice(["unless-in-check", "always", "when-stuck"]))
    none = keys.get("royal.rule") == "none"
    order = chance.choice(["KQRNP", "KRNP", "KQNP", "KRP", "KQR", "KRN"] + ["QRNP", "QRN"] * none)
    keys["pieces.order"] = order
    if "pawns.promotes-to" in keys:
        some = order.strip("KP")
        keys["pawns.promotes-to"] = [chance.choice(some), some]
    if "end.extinct-types" in keys:
        keys["end.extinct-types"] = "".join(filter(order.count, keys["end.extinct-types"]))
        keys["end.extinct-types"] = keys["end.extinct-types"] or order
    if "royal.types" in keys:
        keys["royal.types"] = "".join(filter(order.count, keys["royal.types"])) or order
    for key in {"capture.spares", "capture.survives", "capture.mutually-immune"} & set(keys):
        keys[key] = "".join(filter(order.count, keys[key]))
        if key != "capture.mutually-immune":
            keys.setdefault("capture.explodes", True)
    if none and {"end.extinct", "capture.explodes"} <= set(keys) and chance.random() < 0.7:
        # Otherwise a side may lose all that it has without losing what decides.
        if "K" in order and "K" in keys.get("end.extinct-types", "K"):
            keys["royal.kings"] = [1 + keys.get("end.extinct-count", 0), "any"]
        else:
            keys.setdefault("end.all-lost", "loss")
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
    if count := keys.get("end.extinct-count", 0):
        a, b = chance.sample([*letters, *king], 2)
        some += [f"{a * (count + 1)}v{b}", f"{a * 2}v{b * 2}"]
        if "royal.kings" in keys and keys["royal.kings"][0]:
            some = ["KKvKK"] if count == 1 else []
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


#: What a definition has no keys for, by what the importer says.
LACKING = {
    r"board\.size": "boards of one rank",
    r"kinds of piece": "more than twelve kinds of piece",
    r"pawnTypes|PawnTypes|promotionPawnTypes|pawn's moves|pawns\.moves|pawns with moves": "pawns that move in another way",
    r"Betza|cannon|horse": "pieces that leap over others, or that a piece in between stops",
    r"mobilityRegion|flyingGeneral|diagonalLines": "zones of the board, kings that face each other",
    r"flagPiece|flagRegion|end\.reach": "squares that one side is to reach, or that are all taken",
    r"promotedPieceType|immobilityIllegal": "pieces that promote",
    r"promotionLimit": "a limit of promotions",
    r"extinction|end\.extinct|end\.bare": "a number of pieces that decides, or several royal ones",
    r"castling|Castling|rooks castle": "castling with other pieces, or from other squares",
    r"shatar|makpong": "rules about mate and check",
    r"tripleStep|Region": "regions that are not whole ranks, or not like each other's",
}


def lacking(why: str) -> str:
    """What is missing, by what the importer says."""
    found = (text for pattern, text in LACKING.items() if re.search(pattern, why))
    return next(found, "others")


def fairy(folder: Path = lib.ORACLES) -> Path:
    """Fairy-Stockfish, compiled from the source package of pyffish; takes some minutes."""
    made = folder / f"fairy-stockfish-{PYFFISH}"
    program = made / "stockfish"
    if program.exists():
        return program
    made.mkdir(parents=True, exist_ok=True)
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps")
    wanted = ("--no-binary", ":all:", "--dest", made, f"pyffish=={PYFFISH}")
    lib.run(*pip, "--disable-pip-version-check", *wanted, stdout=sys.stderr)
    with tarfile.open(made / f"pyffish-{PYFFISH}.tar.gz") as files:
        files.extractall(made, filter="data")
    source = made / f"pyffish-{PYFFISH}" / "src"
    switches = ("LARGEBOARDS", "ALLVARS", "PRECOMPUTED_MAGICS", "NNUE_EMBEDDING_OFF", "IS_64BIT")
    switches = [f"-D{name}" for name in (*switches, "USE_PTHREADS", "NDEBUG")]
    left_out = ("ffishjs.cpp", "pyffish.cpp")
    names = [path for path in source.rglob("*.cpp") if path.name not in left_out]
    options = ("-std=c++17", "-O1", "-w", *switches, f"-I{source}")
    lib.run("c++", *options, *sorted(names), "-o", program, "-lpthread")
    return program


def shown(row: dict[str, Any]) -> str:
    """The line of a variant in the table."""
    changed = ", ".join(f"`{key} = {value}`" for key, value in row["changed"].items())
    changed = f"; with {changed}" if changed else ""
    if "missing" in row:
        why = re.sub(r"; not known at all.*| ha(s|ve) no like here$", "", row["missing"])
        why = re.sub(r"\s+", " ", why).replace("|", "\\|").replace("*", "\\*")
        return f"| {row['name']} | – | | | {why}{changed} |"
    array = f"{row['nodes']:,}" if row["array"] else f"**not** {row['nodes']:,}"
    built_in = "built in, and not imported" if row["built_in"] else ""
    about = "; ".join(filter(None, [built_in, changed[2:], row["note"]]))
    return f"| {row['name']} | `{row['game']}` | {array} | {row['positions']} | {about} |"


def report(rows: list[dict[str, Any]], positions: int, ini: Path) -> str:
    """The part of docs/VARIANTS.md that is made from a comparison."""
    known = [row for row in rows if "game" in row]
    equal = [row for row in known if row["array"] and row["positions"] == positions]
    missing = collections.defaultdict(list)
    for row in rows:
        if "missing" in row:
            missing[lacking(row["missing"])].append(row["name"])
    why = sorted(missing.items(), key=lambda item: -len(item[1]))
    digest = hashlib.sha256(ini.read_bytes()).hexdigest()
    lines = [
        f"Of the {len(rows)}, {len(known)} can be written with the [keys](GAMES.md#the-keys) that there are,",
        f"and of these {len(equal)} have the same moves. The first that the other {len(rows) - len(known)} lack:",
        "",
        "| what | variants | which |",
        "|---|---:|---|",
        *(f"| {text} | {len(names)} | {', '.join(names)} |" for text, names in why),
        "",
        "## One by one",
        "",
        f"The `variants.ini` compared has the SHA-256 `{digest[:16]}…`.",
        "",
        "| variant | game here | lines of 4 plies | positions | remarks, or what has no like here |",
        "|---|---|---:|---:|---|",
        *map(shown, rows),
    ]
    return "\n".join(lines) + "\n"


@lib.command
def named(
    variants: Path,
    names: list[str] = (),
    *,
    positions: int = 50,
    seed: int = 1,
    write: bool = False,
) -> int:
    """Compares the moves of the named variants of Fairy-Stockfish with those of definitions.

    Imports each of the variants in scripts/peers/named.txt, if the keys of definitions express it,
    and compares the number of lines of four plies from the array, move by move, and those of two
    plies from positions of random games. Exits with 1 if a number differs, unless named.txt says
    why. Compiles Fairy-Stockfish once, from the source package of pyffish. Takes some minutes.

    variants: the file variants.ini of Fairy-Stockfish, from its repository
    names: only these
    positions: how many of each variant
    seed: the random seed
    write: write the table into docs/VARIANTS.md
    """
    lib.build("retrograde")
    python = lib.venv(lib.TARGET / "pyffish/venv", f"pyffish=={PYFFISH}")
    compare = (python, lib.PEERS / "named.py", lib.RETROGRADE, fairy(), variants)
    options = ("--positions", positions, "--seed", seed)
    said = lib.said(*compare, lib.PEERS / "named.txt", *names, *options)
    rows = [json.loads(line) for line in said.splitlines()]
    wrong = 0
    for row in rows:
        for fen, fault in row.get("faults", ()):
            wrong += not row["note"]
            print(f"{row['name']}: {fen}: {fault}")
    known = sum("game" in row for row in rows)
    print(f"{len(rows)} variants, {known} expressed, {wrong} unexplained differences")
    if write:
        page = lib.ROOT / "docs/VARIANTS.md"
        text, mark = page.read_text(), "<!-- What follows is made by `scripts/run games named`. -->\n"
        page.write_text(f"{text.partition(mark)[0]}{mark}\n{report(rows, positions, variants)}")
    return 1 if wrong else 0
