"""Compares tables and moves with published tables, other move generators, and reports."""

import hashlib
import itertools
import json
import math
import re
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import lib

CHESS, PYFFISH = "1.11.2", "0.0.90"
DIGEST = "a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39"
CROSSCHECK = lib.ROOT / "target" / "crosscheck"
MANIFEST = ("--manifest-path", "scripts/crosscheck/Cargo.toml", "--target-dir", CROSSCHECK)
GAVIOTA = ["KQvK", "KRvK", "KPvK", "KBvK", "KNvK"]


def fetched(target: Path = lib.ORACLES) -> Path:
    """The archive of python-chess; the tables that it carries for its tests are beside it."""
    target.mkdir(parents=True, exist_ok=True)
    archive = target / f"chess-{CHESS}.tar.gz"
    if not archive.exists():
        print(f"fetching {archive.name} from PyPI", file=sys.stderr)
        with lib.work(target) as part:
            pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps")
            wanted = ("--no-binary", ":all:", "--dest", part, f"chess=={CHESS}")
            lib.run(*pip, "--disable-pip-version-check", *wanted, stdout=sys.stderr)
            (part / archive.name).rename(archive)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != DIGEST:
        lib.fail(f"{archive} has the SHA-256 {found}, not {DIGEST}; remove it and run this again")

    def complete() -> bool:
        kinds = {"syzygy/*.rtbw": 35, "syzygy/*.rtbz": 35, "gaviota/*.gtb.cp4": 5}
        return all(len(list(target.glob(kind))) == count for kind, count in kinds.items())

    if not complete():
        for name, inside in (("syzygy", "syzygy/regular/"), ("gaviota", "gaviota/")):
            shutil.rmtree(target / name, ignore_errors=True)
            (target / name).mkdir()
            with tarfile.open(archive) as files:
                for member in files:
                    _, found, file = member.name.partition(f"/data/{inside}")
                    if found and member.isfile():
                        (target / name / file).write_bytes(files.extractfile(member).read())
        complete() or lib.fail(f"{archive} does not carry the tables that it should")
    print(f"35 + 35 Syzygy and 5 Gaviota tables are in {target}", file=sys.stderr)
    return archive


@lib.command
def fetch(folder: Path = lib.ORACLES) -> None:
    """Fetches the published tables of up to four men.

    Downloads the source package of python-chess from PyPI into DIR (default: target/oracles) and
    unpacks the tables that it carries for its own tests:

      DIR/syzygy/*.rtbw   35 WDL tables, three and four men
      DIR/syzygy/*.rtbz   35 DTZ tables, three and four men
      DIR/gaviota/*.cp4   5 DTM tables, three men

    Files that are already there are kept. The package is GPL software: no part of it goes into
    Retrograde.

    folder: where to
    """
    fetched(folder)


def comparers(men: int) -> tuple[Path, Path]:
    """The Python with python-chess, and the program that reads Syzygy tables."""
    python = lib.venv(lib.ORACLES / "venv", "--no-deps", fetched())
    # For three men, building takes longer than comparing.
    profile, made = ("release", "release") if men == 4 else ("dev", "debug")
    lib.run("cargo", "build", "--quiet", "--profile", profile, *MANIFEST)
    return python, CROSSCHECK / made / "crosscheck"


def gaviota(python: Path, crosscheck: Path, tables: Path, material: str, **settings: Any) -> bool:
    """Whether the depths of a three-man ending are those of Gaviota's table."""
    depths = (crosscheck, "depths", "--tables", tables, material)
    ours = lib.run(*depths, check=False, stdout=subprocess.PIPE)
    compare = (python, lib.PEERS / "published.py", "gaviota", lib.ORACLES / "gaviota", material)
    return lib.holds(*compare, input=ours.stdout, **settings) and not ours.returncode


@lib.command
def tables(*, men: int = 4, tables: Path | None = None, build: bool = False) -> int:
    """Compares orthodox tables with the published ones.

    Fetches the published tables, makes ours (those that are missing, with --tables), and compares
    every position of every published table:

      - WDL with Syzygy, for all endings of up to the given number of pieces, and DTZ, which
        counts the fifty-move rule;
      - DTM with Gaviota, for the five three-man endings;
      - with four men, also all positions with an en passant right, with Syzygy;
      - and, on 100,000 random positions (20,000 with three men), our Syzygy reader with
        another one.

    Exits with 1 if anything differs.

    men: 3 or 4: five endings or 35
    tables: our tables; else all are made anew in target/crosscheck-tables
    build: only fetch and build what is needed
    """
    men in (3, 4) or lib.fail(f"--men is 3 or 4, not {men}", 2)
    python, crosscheck = comparers(men)
    lib.build("retrograde")
    if build:
        return 0
    force = [] if tables else ["--force"]
    tables = tables or lib.FOUR_MEN
    lib.generate("orthodox", "--men", men, *force, out=tables)
    syzygy = lib.ORACLES / "syzygy"
    # Everything is compared, even after a difference.
    agree = [
        lib.holds(crosscheck, metric, "--syzygy", syzygy, "--tables", tables, "--men", men)
        for metric in ("wdl", "dtz")
    ]
    agree += [gaviota(python, crosscheck, tables, material) for material in GAVIOTA]
    published = (python, lib.PEERS / "published.py")
    if men == 4:
        agree.append(lib.holds(*published, "rights", syzygy, tables, lib.RETROGRADE))
    agree.append(
        lib.holds(*published, "reader", syzygy, crosscheck, 100_000 if men == 4 else 20_000)
    )
    print(f"crosscheck: {'everything agrees' if all(agree) else 'there are differences'}")
    return 0 if all(agree) else 1


# The statistics that Syzygy's generator prints.

# Numbers by what they count: ("win", plies), ("loss", plies) or a category.
Numbers = Counter[tuple[str, int] | str]
Sides = dict[str, Numbers]

CATEGORIES = {
    "wins": "win",
    "cursed wins": "cursed-win",
    "draws": "draw",
    "cursed losses": "blessed-loss",
    "losses": "loss",
}
OTHER = {"white": "black", "black": "white"}


def published(path: Path) -> dict[str, Sides]:
    """The numbers of every ending in the file."""
    endings: dict[str, Sides] = {}
    side = Counter()
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if found := re.match(r"#+ (\S+) #+", line):
                sides = endings[found[1]] = {"white": Counter(), "black": Counter()}
            elif found := re.match(r"(White|Black) to move:", line):
                side = sides[found[1].lower()]
            elif found := re.match(r"(\d+) positions (win|lose) in (\d+) ply", line):
                decided = "win" if found[2] == "win" else "loss"
                side[decided, int(found[3])] += int(found[1])
            elif found := re.match(r"(\d+) positions are (.+)\.", line):
                side[CATEGORIES[found[2]]] += int(found[1])
    return endings


class Tables:
    """Our tables of a game."""

    def __init__(self, program: Path, game: str, folder: Path) -> None:
        self.program = program
        self.game = game
        self.folder = folder
        # What the game has one of a side, and its plies without progress.
        self.royals = "" if game.startswith("antichess") else "K"
        self.limit = 140 if game.startswith("shatranj") else 100

    def ask(self, *arguments: str, given: str = "") -> list[dict]:
        what, *rest = arguments
        command = [self.program, what, self.game, *rest, "--json", "--tables", self.folder]
        lines = lib.said(*command, input=given, check=False).splitlines()
        return [json.loads(line) for line in lines]

    def counts(self, ending: str) -> Sides:
        """The numbers of an ending, all images counted."""
        [stats] = self.ask("stats", ending)
        sides = {}
        for side in OTHER:
            cursed, blessed = stats["cursed_win"][side], stats["blessed_loss"][side]
            numbers: Numbers = Counter()
            numbers["win"] = stats["win"][side] - cursed
            numbers["cursed-win"] = cursed
            numbers["draw"] = stats["draw"][side]
            numbers["blessed-loss"] = blessed
            numbers["loss"] = stats["loss"][side] - blessed
            for category, histogram in stats["dtz_histogram"][side].items():
                for plies, count in histogram.items():
                    kind = category.replace("_", "-")
                    numbers[distance(kind, int(plies), self.limit)] += count
            sides[side] = numbers
        return sides

    def symmetric(self, ending: str) -> Sides:
        """The numbers of the positions that have four images and not eight: all men stand
        on one of the long diagonals. Those on the other are as many."""
        sides: Sides = {"white": Counter(), "black": Counter()}
        fens = list(on_diagonal(ending))
        for fen, answer in zip(fens, self.ask("probe", given="\n".join(fens))):
            if "error" in answer:
                continue  # not a position: the side that is not to move is in check
            numbers = sides["white" if " w " in fen else "black"]
            category = answer["category"]
            numbers[category] += 2
            if category != "draw":
                numbers[distance(category, abs(answer["dtz_plies"]), self.limit)] += 2
        return sides


def distance(category: str, plies: int, limit: int = 100) -> tuple[str, int]:
    """Plies to a zeroing move as the generator counts them: as many as the limit more if that is
    played in time but leads to a cursed win."""
    if category in ("cursed-win", "blessed-loss") and plies <= limit:
        plies += limit
    return "win" if category.endswith("win") else "loss", plies


def on_diagonal(ending: str) -> Iterator[str]:
    """Every placement of the men on a1-h8, with both sides to move."""
    white, black = ending.split("v")
    men = white + black.lower()
    placements = {
        tuple(sorted(zip(squares, men))) for squares in itertools.permutations(range(8), len(men))
    }
    for placement in sorted(placements):
        at = dict(placement)
        ranks = [
            "8" if rank not in at else f"{rank or ''}{at[rank]}{7 - rank or ''}"
            for rank in reversed(range(8))
        ]
        for turn in "wb":
            yield f"{'/'.join(ranks)} {turn} - - 0 1"


def ours(tables: Tables, ending: str) -> Sides:
    """Our numbers as the generator counts."""
    sides = tables.counts(ending)
    images = 2
    if "P" not in ending:
        images = 8
        for side, numbers in tables.symmetric(ending).items():
            sides[side].update(numbers)
    orders = math.prod(
        math.factorial(count) for men in ending.split("v") for count in Counter(men).values()
    )
    for numbers in sides.values():
        for number, count in numbers.items():
            numbers[number] = Fraction(count * orders, images)
    return sides


Difference = tuple[str, tuple[str, int] | str, Fraction, int]


def differences(numbers: Sides, theirs: Sides, swapped: bool) -> list[Difference]:
    """Where our numbers are not those that are published: the side to move, what is counted, and
    both numbers."""
    wrong = []
    for side, found in numbers.items():
        expected = theirs[OTHER[side] if swapped else side]
        for number in sorted(set(found) | set(expected), key=str):
            if found[number] != expected[number]:
                wrong.append((side, number, found[number], expected[number]))
    return wrong


def compare_endings(path: Path, tables: Tables, chosen: list[str]) -> int:
    """Compares some endings with those in a file of statistics: 1 if anything differs."""
    endings = published(path)
    compared = different = cursed = 0
    for ending in chosen:
        theirs, swapped = endings.get(ending), False
        if theirs is None:
            theirs, swapped = endings["v".join(reversed(ending.split("v")))], True
        numbers = ours(tables, ending)
        wrong = differences(numbers, theirs, swapped)
        if wrong and "K" not in tables.royals and not differences(numbers, theirs, not swapped):
            # The generators exchange the sides of some endings without kings when they print.
            wrong = []
        compared += sum(len(set(numbers[side]) | set(theirs[side])) for side in OTHER)
        for side, number, found, expected in wrong:
            if isinstance(number, tuple) and number[1] > tables.limit:
                cursed += 1
            else:
                different += 1
            print(f"{ending}, {side} to move, {number}: Retrograde {found}, published {expected}")
    print(
        f"{len(chosen)} endings, {compared} numbers compared, {different} differ;"
        f" {cursed} distances of cursed wins and losses differ"
    )
    return 0 if compared and not different else 1


@lib.command
def counts(endings: list[str], *, published: Path, tables: Path, game: str = "orthodox") -> int:
    """Compares tables with the statistics that Syzygy's generators print.

    For orthodox chess those of all endings of up to six men have been published in one file; those
    of variants are what the generators write with --stats, one file after another. They count plies
    exactly, where the tables are rounded. Exits with 1 if a number differs, but for how long cursed
    wins take to a zeroing move: that is counted in another way (docs/RULES.md, O4), and a
    difference is only shown.

    endings: such as KQvKR
    published: the file with the statistics
    tables: the folder with our tables
    game: orthodox, atomic, antichess, antichess:stalemate=fewer-men or shatranj:no-progress=140
    """
    lib.build("retrograde")
    return compare_endings(published, Tables(lib.RETROGRADE, game, tables), endings)


@lib.command
def variants(
    game: str,
    materials: list[str] = (),
    *,
    tables: Path,
    syzygy: Path,
    men: int = 4,
    every: int = 1,
) -> int:
    """Compares tables of a variant with those that Syzygy's generators have made.

    Compares WDL and DTZ of every position without an en passant right, of all materials that
    Syzygy's folder has. Its tables do not say everything: where captures are possible, the best of
    them counts if it is better than the stored result, and in antichess nothing else does; a win
    by a capture or pawn move is at a distance of 1, and in antichess one by a move that leaves the
    opponent nothing else, at 2. DTZ files have one side to move, and for the other the moves are
    tried. Most distances are rounded there: ours may be one ply longer. Where a part of a file has
    one value only, it may be lost, and reads 1. These are counted as explained. Distances of cursed
    wins are not compared, as they are counted otherwise (docs/RULES.md, O4). Exits with 1 if
    anything differs.

    game: atomic, antichess, antichess:stalemate=fewer-men (its suicide) or shatranj
    materials: only these, as Syzygy's files are called
    tables: the folder with our tables
    syzygy: the folder with .atbw and .atbz files, .gtb, .stb or .jtb
    men: the most men
    every: of four men, compare one index in so many
    """
    lib.run("cargo", "build", "--quiet", "--profile", lib.PROFILE, *MANIFEST)
    program = CROSSCHECK / lib.folder_of(lib.PROFILE).name / "crosscheck"
    which = ("--men", men, "--every", every, *materials)
    folders = ("--syzygy", syzygy, "--tables", tables)
    return 0 if lib.holds(program, "variant", game, *folders, *which) else 1


@lib.command
def interpreter(games: list[str] = (), *, positions: int = 100, seed: int = 1) -> int:
    """Compares the naive interpreter with Fairy-Stockfish and python-chess.

    In random positions of each game, most of them from random play and some with few men:
    the legal moves, the winner if a move ends the game, and else the number of replies. Exits with
    1 if anything differs.

    games: antichess, suicide, atomic, three-check, racing-kings, horde, shatranj or makruk; else all
    positions: how many of each game; 100 take some minutes in all
    seed: the random seed
    """
    wanted = (f"pyffish=={PYFFISH}", f"chess=={CHESS}")
    python = lib.venv(lib.TARGET / "variants/venv", *wanted)
    lib.run("cargo", "build", "--quiet", "--profile", lib.PROFILE, "-p", "retrograde-oracle")
    compare = (python, lib.PEERS / "variants.py", lib.PROGRAMS / "oracle")
    folder = lib.ROOT / "oracle" / "tests" / "variants"
    options = ("--positions", positions, "--seed", seed)
    return 0 if lib.holds(*compare, folder, *options, *games) else 1


@lib.command
def moves(*, positions: int = 20_000, seed: int = 1) -> int:
    """Compares the moves of kings, extinction-mating and King of the Hill with Fairy-Stockfish.

    Compares random positions with pyffish: their legal moves, mates and stalemates, and which
    diagrams are positions at all:

      - kings: N positions with the default options, and N/4 shared among other settings; one to
        three kings a side and up to five other pieces, en passant included;
      - extinction-mating without pawns: N positions of one to five pieces a side;
      - King of the Hill: N positions of two kings and up to five other pieces.

    Exits with 1 if anything differs.

    positions: how many; 20,000 take 10 minutes
    seed: the random seed
    """
    python = lib.venv(lib.TARGET / "pyffish/venv", f"pyffish=={PYFFISH}")
    example = ("-p", "retrograde-rules", "--example", "moves")
    lib.run("cargo", "build", "--quiet", "--profile", lib.PROFILE, *example)
    moves = lib.PROGRAMS / "examples" / "moves"
    options = ("--positions", positions, "--seed", seed)
    return 0 if lib.holds(python, lib.PEERS / "fairy.py", "random", moves, *options) else 1


FIELDS = ("category", "winner", "depth_plies", "win_by")


def examples(report: list[dict[str, Any]]) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    """The examples of a report, by game: a tag, a FEN, and what the report says."""
    by_game: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
    for claim in report:
        for example in claim["examples"]:
            for says in (example, *example.get("also", [])):
                fen = example["fen"].split()
                # Another game's FEN may have no vitality, or one too many: the pieces count.
                # With other options of the same game the whole FEN does.
                if says["game"].split(":")[0] != example["game"].split(":")[0]:
                    fen = fen[:3] + ["-"]
                by_game.setdefault(says["game"], []).append((claim["tag"], " ".join(fen), says))
    return by_game


@lib.command
def claims(
    report: Path = lib.ROOT / "docs/claims.json", *, tables: list[Path] | None = None
) -> int:
    """Probes every example of a report on the designers' claims again.

    report: the report
    tables: a folder with tables that it was worked out from; else those of RETROGRADE_TABLES
    """
    lib.build("retrograde")
    folders = [word for folder in tables or [] for word in ("--tables", folder)]
    probed, wrong = 0, 0
    for game, some in sorted(examples(json.loads(report.read_text())).items()):
        lines = "".join(f"{fen}\n" for _, fen, _ in some)
        # Positions of more men than tables have are answered with an exit code of their own.
        answers = lib.said(
            lib.RETROGRADE, "probe", game, "-", "--json", *folders, input=lines, check=False
        )
        for (tag, fen, says), line in zip(some, answers.splitlines(), strict=True):
            probed += 1
            answer = json.loads(line)
            expected, found = ({name: of.get(name) for name in FIELDS} for of in (says, answer))
            if expected != found:
                wrong += 1
                print(f"{tag} {game} {fen}: the report says {expected}, probing says {found}")
    print(f"{probed} positions probed, {wrong} of them otherwise than the report says")
    return 1 if wrong or not probed else 0
