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
from random import Random
from typing import Any, NamedTuple

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


def random_fen(random: Random, ending: str) -> str:
    """A diagram of an ending with random squares, half-move clock and, if there can be, e.p. right.

    It need not be legal.
    """
    # Pawns on the two ranks in the middle may capture en passant.
    pawns = random.choice([range(8, 56), range(24, 40)])
    colours = (str.upper, str.lower)
    pieces = [c(p) for c, side in zip(colours, ending.split("v"), strict=True) for p in side]
    if random.random() < 0.5:
        pieces = [piece.swapcase() for piece in pieces]
    board: dict[int, str] = {}
    for piece in pieces:
        free = [s for s in (pawns if piece in "Pp" else range(64)) if s not in board]
        board[random.choice(free)] = piece
    turn, ep = random.choice("wb"), "-"
    # A pawn of the other side may just have passed over the square behind it.
    pawn, rank, back = ("p", 4, 8) if turn == "w" else ("P", 3, -8)
    for square, piece in board.items():
        passed = (square + back, square + 2 * back)
        if piece == pawn and square // 8 == rank and not any(s in board for s in passed):
            ep = "abcdefgh"[square % 8] + str(passed[0] // 8 + 1)
    rows = []
    for rank in reversed(range(8)):
        row = "".join(board.get(8 * rank + file, " ") for file in range(8))
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    clock = 0 if ep != "-" or random.random() < 0.3 else random.randrange(110)
    return f"{'/'.join(rows)} {turn} - {ep} {clock} 1"


class Packed(NamedTuple):
    """A result as Fathom packs it in a number."""

    wdl: int
    move: tuple[int, int, int, int]
    dtz: int

    @classmethod
    def of(cls, number: int) -> "Packed":
        move = (number >> 10 & 63, number >> 4 & 63, number >> 16 & 7, number >> 19 & 1)
        return cls(number & 15, move, number >> 20)

    def fits(self, theirs: "Packed", clock: int) -> bool:
        """Whether a result is theirs, whose DTZ may be one short."""
        if self.dtz - theirs.dtz not in (0, 1):
            return False
        if self.wdl == theirs.wdl:
            return True
        # One ply more may make it a draw by the clock.
        sides = [(result.wdl > 2, result.wdl < 2) for result in (self, theirs)]
        return sides[0] == sides[1] and theirs.dtz + clock == 100


def unlike(ours: dict[str, Any], theirs: dict[str, Any], clock: int) -> str:
    """The word for what differs between two answers; empty if nothing does."""
    if ours.keys() != theirs.keys():
        return "what is answered"
    if "wdl" not in ours or not ours["results"]:
        return "" if ours == theirs else "the end"
    if ours["wdl"] != theirs["wdl"]:
        return "WDL"
    results = [{p.move: p for p in map(Packed.of, one["results"])} for one in (ours, theirs)]
    if results[0].keys() != results[1].keys():
        return "moves"
    if not all(packed.fits(results[1][move], clock) for move, packed in results[0].items()):
        return "the result of a move"
    best = [Packed.of(one["root"]) for one in (ours, theirs)]
    if not best[0].fits(best[1], clock):
        return "the best result"
    if results[0][best[0].move][0] != best[0].wdl:
        return "the best move"
    for way in ("dtz", "repeated", "rule", "no-rule"):
        ranks = [{move: rest for move, *rest in one[way]} for one in (ours, theirs)]
        if ranks[0].keys() != ranks[1].keys():
            return f"moves ranked by {way}"
        if "rule" in way and ranks[0] != ranks[1]:
            return f"ranks by {way}"
        # What is one ply longer than theirs can come level with another move, not behind it.
        pairs = [[one[move][0] for one in ranks] for move in ranks[0]]
        pairs.sort(key=lambda pair: (pair[1], pair[0]))
        if any(low[0] > high[0] for low, high in itertools.pairwise(pairs)):
            return f"the order by {way}"
        if any(abs(mine - other) > 100 for mine, other in pairs):
            return f"ranks by {way}"
    return ""


@lib.command
def fathom(*, positions: int = 20_000, seed: int = 1) -> int:
    """Compares the functions of Fathom, answered from our tables, with Fathom.

    Asks both the same random positions of the endings of three and four men, with half-move clocks
    and e.p. rights, and compares WDL, the moves, their results and DTZ, and the order of their
    ranks. Some DTZ are rounded in Syzygy's files: ours may be one ply longer. Exits with 1 if
    anything differs. `crosscheck fetch` fetches the Syzygy tables.

    Needs Fathom's library and header (Debian: libfathom-dev) and a C compiler.

    positions: how many
    seed: the random seed
    """
    fetched()
    random = Random(seed)
    shipped = {**lib.listed(), **lib.listed("SHA256SUMS.four")}
    endings = sorted({Path(name).stem for name in shipped if name.startswith("orthodox/")})
    # Few positions have e.p. rights, and only of this ending.
    endings += ["KPvKP"] * 10
    fens = [random_fen(random, random.choice(endings)) for _ in range(positions)]
    with lib.work() as made:
        lib.run(lib.ROOT / "scripts/run", "bindings", "c", "--install", made / "root")
        (made / "fens").write_text("\n".join(fens) + "\n")
        root, peer = made / "root", lib.PEERS / "fathom.c"
        ours = (f"-I{root}/include/retrograde/fathom", peer, f"-L{root}/lib")
        private = ("-lretrograde_fathom", "-l:libretrograde_c.a", "-lpthread", "-ldl", "-lm")
        tables = lib.copied(shipped, lib.ROOT / "tables", made / "tables")
        lib.run("cc", "-O2", *ours, *private, "-o", made / "ours")
        lib.run("cc", "-O2", peer, "-lfathom", "-lpthread", "-o", made / "theirs")
        answers = []
        for program, folder in (("ours", tables), ("theirs", lib.ORACLES / "syzygy")):
            # Fathom's complaints about the end of files do no harm.
            quiet = {"stderr": subprocess.DEVNULL} if program == "theirs" else {}
            said = lib.said(made / program, folder, made / "fens", "answers", **quiet)
            answers.append([json.loads(line) for line in said.splitlines()])
    wrong, legal, captures = 0, 0, 0
    for fen, mine, other in zip(fens, *answers, strict=True):
        legal += "wdl" in other
        captures += any(Packed.of(packed).move[3] for packed in other.get("results", ()))
        if found := unlike(mine, other, int(fen.split()[4])):
            wrong += 1
            print(f"{fen}: {found} differs: {mine}, Fathom {other}")
    print(f"fathom: {legal} legal positions, {captures} with captures en passant; {wrong} differ")
    return 1 if wrong or not captures else 0


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
