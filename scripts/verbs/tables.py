"""Makes the tables that ship, lists digests of proved tables, and compares tables."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import lib

KNOWN = lib.ROOT / "generator/src/cli/check/known.txt"


def write_list(name: str, tables: Path, but: Any = ()) -> None:
    """Lists the tables of a folder with their digests in a file of tables/, and copies them."""
    names = sorted(str(path.relative_to(tables)) for path in tables.rglob("*v*.*"))
    names = [name for name in names if name not in but]
    digests = [hashlib.sha256((tables / name).read_bytes()).hexdigest() for name in names]
    lines = (f"{digest}  {name}\n" for digest, name in zip(digests, names))
    (lib.ROOT / "tables" / name).write_text("".join(lines))
    lib.copied(names, tables, lib.ROOT / "tables")


@lib.command
def ship() -> None:
    """Makes the tables that ship in tables/ anew, which takes some ten minutes.

    Three-man tables of all games ship as `generate` writes them, but two-man tables of antichess,
    which has many. Those of Capablanca chess, whose board is large, are packed small, and so are WDL
    and DTZ of four men of orthodox chess. The list SHA256SUMS.four names what is packed small,
    SHA256SUMS the others.
    """
    lib.build("retrograde")
    with lib.work() as made:
        three, four = made / "three", made / "four"
        for game in lib.games():
            out = four if game == "capablanca" else three
            lib.generate(game, "--men", 2 if game == "antichess" else 3, out=out)
        write_list("SHA256SUMS", three)
        lib.generate("orthodox", "--men", 4, "--metric", "wdl,dtz", out=four)
        for game, men in (("orthodox", 4), ("capablanca", 3)):
            lib.retrograde("repack", game, "--men", men, "--pack", "small", "--tables", four)
        write_list("SHA256SUMS.four", four, but=lib.listed())


def values(tables: Path) -> set[tuple[str, str, str]]:
    """Material, metric and digest of the orthodox tables in a folder."""
    text = lib.said(lib.RETROGRADE, "tables", "orthodox", "--json", "--digest", "--tables", tables)
    rows = [row for row in json.loads(text) if row.get("digest")]
    return {(row["material"], row["metric"], row["digest"]) for row in rows}


@lib.command
def check(made: Path, materials: list[str] = ()) -> None:
    """Compares the tables that ship with newly made ones in a folder.

    made: the folder
    materials: four-man tables; all unless some are named
    """
    lib.build("retrograde")
    three, four = lib.listed(), lib.listed("SHA256SUMS.four")
    for names, folder in ((three | four, lib.ROOT / "tables"), (three, made)):
        for name, digest in names.items():
            path = folder / name
            if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                lib.fail(f"{path} is not what its list says")
    print(f"{len(three)} files are what is made")
    with lib.work() as shipping:
        shipped = values(lib.copied(three | four, lib.ROOT / "tables", shipping))
        if len(shipped) != sum(name.startswith("orthodox/") for name in three | four):
            lib.fail("not every shipped orthodox table has a digest")
        if wrong := shipped - values(made):
            lib.fail(f"these have other values than what is made: {sorted(wrong)}")
        # Unpacking reads every value, and says so if they are not those of the digest.
        materials = materials or sorted({Path(name).stem for name in four if name.startswith("orthodox/")})
        options = ("--pack", "fast", "--tables", shipping)
        lib.retrograde("repack", "orthodox", *materials, *options, stderr=subprocess.PIPE)
    print(f"{len(materials)} four-man tables have the values of what is made")


@lib.command
def digests(folder: Path = lib.ROOT / "target/known", games: list[str] | None = None) -> None:
    """Lists the digests that `check --known` compares with, of tables that are proved first.

    Lines of other games than those that are named stay as they are. All of them take half an hour
    on two cores.

    folder: where all tables of up to four men of the games are made, or are already
    games: all unless some are named
    """
    lib.build("retrograde")
    for game in games or lib.games():
        lib.generate(game, "--men", 4, out=folder)
        if game == "orthodox":
            lib.generate(game, "--men", 4, "--metric", "helpmate", out=folder)
        lib.retrograde("verify", game, "--men", 4, "--tables", folder)
        lines = [line for line in KNOWN.read_text().splitlines() if not line.startswith(f"{game}/")]
        known = ("check", folder / game, "--known", "--tables", folder)
        text = lib.said(lib.RETROGRADE, *known)
        sound = rf"^{re.escape(str(folder))}/([^:]*): sound: .*, digest ([0-9a-f]{{16}})$"
        found = re.findall(sound, text, re.MULTILINE)
        found or lib.fail(f"{game}: check gives no digests")
        lines += map(" ".join, found)
        KNOWN.write_text("".join(f"{line}\n" for line in sorted(lines)))


# Rust's programs take random numbers from a library that older versions of Wine lack.
RANDOM = """#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T bytes) {
    return SystemFunction036(to, (ULONG)bytes);
}
"""
MACHINES = {
    "aarch64": (
        "aarch64-unknown-linux-gnu",
        "aarch64-linux-gnu-gcc",
        ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    ),
    "windows": ("x86_64-pc-windows-gnu", "x86_64-w64-mingw32-gcc", ["wine"]),
}


@lib.command
def elsewhere(machine: str, materials: list[str] = ()) -> None:
    """Compares tables made on a machine of another kind with those made here.

    Builds the program for another machine, makes tables with it under emulation, packs them small,
    and compares every byte with what this machine makes: all of three men of every game, and the
    orthodox materials that are named (default: KRvKN).

    aarch64   64-bit ARM. Needs aarch64-linux-gnu-gcc and qemu-aarch64; on Debian:
              apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    windows   Windows on x86-64. Needs x86_64-w64-mingw32-gcc and wine; on Debian:
              apt-get install gcc-mingw-w64-x86-64 wine wine64

    machine: aarch64 or windows
    materials: KRvKN unless some are named
    """
    machine in MACHINES or lib.fail("the machine is aarch64 or windows", 2)
    target, compiler, emulator = MACHINES[machine]
    lib.needs("rustup", compiler, emulator[0])
    lib.run("rustup", "target", "add", target)
    os.environ["CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"] = MACHINES["aarch64"][1]
    os.environ |= {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
    os.environ.pop("RETROGRADE_TABLES", None)
    lib.run("cargo", "build", "--release", "--target", target, "-p", "retrograde")
    lib.build("retrograde")
    with lib.work() as made:
        name = "retrograde.exe" if machine == "windows" else "retrograde"
        shutil.copy(lib.TARGET / target / "release" / name, made)
        if machine == "windows":
            (made / "random.c").write_text(RANDOM)
            library = ("-o", made / "bcryptprimitives.dll", made / "random.c", "-ladvapi32")
            lib.run(compiler, "-shared", *library)
        for maker, program in (("there", [*emulator, made / name]), ("here", [lib.RETROGRADE])):
            small = ("--pack", "small", "--out", maker)
            for game in lib.games():
                lib.run(*program, "generate", game, "--men", 3, *small, cwd=made)
            lib.run(*program, "generate", "orthodox", *(materials or ["KRvKN"]), *small, cwd=made)
        lib.run("diff", "--recursive", made / "there", made / "here")
        count = sum(path.is_file() for path in (made / "here").rglob("K*"))
    print(f"{machine}: {count} files are the same, byte for byte")


#: A mark in docs/ENDINGS.md before a table of all endings of a game with so many men, or of those
#: with the longest wins.
MARK = re.compile(r"(<!-- (\S+): (\d) men(?:, the (\d+) longest)? -->\n\n)(?:\|.*\n)*\n?")


def balances(endings: list[dict[str, Any]]) -> list[list[str]]:
    """A row for each ending: with White to move and with Black, who wins how often and how late."""
    side = ["won, %", "drawn, %", "lost, %", "longest win"]
    rows = [["", *(f"{turn}: {what}" for turn in ("White", "Black") for what in side)]]
    for ending in endings:
        row = [ending["material"]]
        for turn in ("white", "black"):
            counts = [ending[of][turn] for of in ("win", "draw", "loss")]
            row += [f"{100 * count / sum(counts):.1f}" for count in counts]
            plies = ending["longest_win_plies"][turn]
            row.append("none" if plies is None else str(plies))
        rows.append(row)
    return rows


def longest(endings: list[dict[str, Any]], number: int) -> list[list[str]]:
    """A row for each of the endings with the longest losses: plies, and a position."""
    found = []
    for ending in endings:
        for turn, fens in ending["longest_fens"].items():
            plies = [ending[f"longest_{of}_plies"][turn] or 0 for of in ("win", "loss")]
            found.append((max(plies), ending["material"], fens[0] if fens else ""))
    best: dict[str, tuple[int, str, str]] = {}
    for row in sorted(found, reverse=True):
        best.setdefault(row[1], row)
    rows = [[name, str(plies), f"`{fen}`"] for plies, name, fen in list(best.values())[:number]]
    return [["", "plies", "position"], *rows]


@lib.command
def endings(tables: Path) -> None:
    """Writes the tables of docs/ENDINGS.md: which side wins how often, and the longest wins.

    tables: the folder with tables of all endings that the page has
    """
    lib.build("retrograde")

    def table(mark: re.Match[str]) -> str:
        game, men, number = mark[2], int(mark[3]), int(mark[4] or 0)
        listed = lib.said(lib.RETROGRADE, "tables", game, "--json", "--tables", tables)
        names = dict.fromkeys(row["material"] for row in json.loads(listed))
        stats = (lib.RETROGRADE, "stats", game)
        names = [name for name in names if len(name) == men + 1]
        said = (lib.said(*stats, name, "--json", "--tables", tables) for name in names)
        found = [json.loads(line) for line in said]
        head, *rows = longest(found, number) if number else balances(found)
        align = ["---" if cell in ("", "position") else "---:" for cell in head]
        lines = [head, align, *rows]
        return mark[1] + "".join(f"| {' | '.join(line)} |\n" for line in lines).replace("|  |", "| |") + "\n"

    page = lib.ROOT / "docs/ENDINGS.md"
    page.write_text(MARK.sub(table, page.read_text()))
