"""Puts faults into the sources on purpose, and checks that tests notice them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import lib
from verbs.crosscheck import comparers, gaviota
from verbs.crosscheck import tables as compare

LAYOUT = r"^(\S+) (\S+) (\S+)\n- (.*)\n\+ ?(.*)$"
TEXT = (lib.ROOT / "scripts/faults.txt").read_text()
FAULTS = re.findall(LAYOUT, TEXT, re.MULTILINE)
COLUMNS = "{:30} {:8} {:12} {:12} {:12}"


def look(*words: Any, **settings: Any) -> str:
    """Runs a check, and says in a word whether it complained."""
    ran = lib.run(
        *words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **settings
    )
    return {0: "-", 1: "caught"}.get(ran.returncode, f"caught ({ran.returncode})")


def copy_tree(tree: Path) -> None:
    """Copies what is in the project, changed or not, to a folder."""
    files = lib.said("git", "ls-files", "--cached", "--others", "--exclude-standard")
    lib.copied(filter(os.path.exists, files.splitlines()), lib.ROOT, tree)


@lib.command
def keys(fields: list[str] = ()) -> int:
    """Makes the rules ignore one key of definitions after another, and sees the tests fail.

    Each field of the record of a game is given its default in the place where rules are made of
    it, in a copy of the tree; then at least one test of the crate `retrograde-rules` must fail.
    Exits with 1 if all pass for some field. Takes half a minute per field.

    fields: those to try, as they are called in rules/src/keys.rs
    """
    source = (lib.ROOT / "rules/src/keys.rs").read_text()
    record = re.search(r"struct Keys \{(.*?)\n\}", source, re.DOTALL)[1]
    known = re.findall(r"pub\(crate\) (\w+):", record)
    if unknown := set(fields) - set(known):
        lib.fail(f"there is no field {', '.join(sorted(unknown))}; there are {', '.join(known)}", 2)
    unseen = []
    with lib.work() as made:
        tree = made / "tree"
        copy_tree(tree)
        path = tree / "rules/src/record.rs"
        original = path.read_text()
        start = "pub(crate) fn new(mut keys: Keys, place: &Place) -> Result<Record, DefinitionError> {"
        if original.count(start) != 1:
            lib.fail("rules/src/record.rs makes records in another way; bring mutate up to date", 2)
        os.environ |= {"CARGO_TARGET_DIR": str(made / "target"), "CARGO_INCREMENTAL": "1"}
        test = ("cargo", "test", "--quiet", "-p", "retrograde-rules", "--tests")
        quiet = {"cwd": tree, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        lib.holds(*test, **quiet) or lib.fail("tests fail without a fault", 2)
        for field in fields or known:
            path.write_text(original.replace(start, f"{start} keys.{field} = Keys::default().{field};"))
            lib.holds(*test, "--no-run", **quiet) or lib.fail(f"{field}: does not compile", 2)
            seen = not lib.holds(*test, **quiet)
            print(f"{field:24}", "caught" if seen else "-", flush=True)
            unseen += [] if seen else [field]
    return 1 if unseen else 0


@lib.command
def generator(faults: list[str] = ()) -> int:
    """Breaks the generator on purpose and shows which checks notice.

    Copies the tree to a temporary folder and there puts one fault after another into the solver
    and the packer. With each fault, small tables are made and checked by

      verify    `retrograde verify`: every value against those one ply further on
      syzygy    scripts/crosscheck: WDL, with and without the fifty-move rule, and DTZ, against the
                published tables
      gaviota   DTM, three-man endings

    Endings of other games, of up to three men, are compared with the naive interpreter instead of
    published tables.

    The table at the end shows which of them saw the fault; "-" means that it did not, or has no
    table for the material. Exits with 1 if a fault goes unseen. Before the first fault, it
    makes sure that none of the three complains without one. If faults are named, only those are tried.

    Takes about a minute per fault. Needs what `crosscheck tables` needs.

    faults: those to try; `list` lists them
    """
    for name, _, file, old, _ in FAULTS:
        if (lib.ROOT / file).read_text().count(old) != 1:
            lib.fail(f'{name}: "{old}" is not in {file} exactly once; bring it up to date', 2)
    if len(FAULTS) != TEXT.count("\n- "):
        lib.fail("an entry of scripts/faults.txt is not as the head of the file says", 2)
    if faults == ["list"]:
        print(*(name for name, *_ in FAULTS), sep="\n")
        return 0
    if unknown := set(faults) - {name for name, *_ in FAULTS}:
        lib.fail(f"there is no fault {', '.join(sorted(unknown))}; list lists them", 2)
    # Makes sure that without a fault everything agrees.
    compare(men=3) and lib.fail("mutate: there are differences without a fault")
    python, crosscheck = comparers(3)
    rows, unseen = [], False
    with lib.work() as made:
        tree, sound, tables = made / "tree", made / "sound", made / "tables"
        copy_tree(tree)
        # Built again and again: quickly rather than well, checks of arithmetic on.
        quickly = {"LTO": "off", "CODEGEN_UNITS": "16", "INCREMENTAL": "true"}
        quickly |= {"OPT_LEVEL": "2", "DEBUG": "false"}
        os.environ |= {f"CARGO_PROFILE_RELEASE_{key}": value for key, value in quickly.items()}
        # No other tables than those that are made here.
        os.environ |= {"CARGO_TARGET_DIR": str(made / "target")}
        os.environ |= {"RETROGRADE_TABLES": str(made / "none")}
        program = made / "target" / "release" / "retrograde"

        def build(what: str) -> None:
            built = lib.holds(
                "cargo", "build", "--release", "--quiet", "-p", "retrograde", cwd=tree
            )
            built or lib.fail(f"{what} does not compile; bring scripts/faults.txt up to date", 2)

        def named(ending: str) -> tuple[str, str]:
            game, _, material = ending.rpartition("/")
            return game or "orthodox", material

        def generated(tables: Path, ending: str) -> str:
            folders = ("--tables", tables, "--out", tables)
            return look(program, "generate", *named(ending), *folders)

        def verdicts(tables: Path, ending: str) -> list[str]:
            folder, syzygy = ("--tables", tables), ("--syzygy", lib.ORACLES / "syzygy")
            game, material = named(ending)
            verified = look(program, "verify", game, material, *folder)
            if game != "orthodox":
                # Of four men the interpreter's graph takes gigabytes.
                few = len(material.replace("v", "")) <= 3
                independent = ("verify", game, material, "--independent", *folder)
                return [verified, look(program, *independent) if few else "-", "-"]
            found = [look(crosscheck, m, *syzygy, *folder, material) for m in ("wdl", "dtz")]
            found = [verified, next((seen for seen in found if seen != "-"), "-"), "-"]
            if (lib.ORACLES / "gaviota" / f"{material.replace('v', '').lower()}.gtb.cp4").exists():
                silent = {"stdout": subprocess.DEVNULL}
                found[2] = (
                    "-" if gaviota(python, crosscheck, tables, material, **silent) else "caught"
                )
            return found

        def record(*row: str) -> None:
            rows.append(COLUMNS.format(*row))
            print(rows[-1], file=sys.stderr)

        print("mutate: building, and making tables without a fault", file=sys.stderr)
        build("the tree")
        for material in dict.fromkeys(material for _, material, *_ in FAULTS):
            generated(sound, material) == "-" or lib.fail(f"{material} cannot be made", 2)
            found = verdicts(sound, material)
            record("(no fault)", material, *found)
            if found != ["-"] * 3:
                lib.fail(f"{material}: a check complains although there is no fault", 2)
        for name, material, file, old, new in FAULTS:
            if faults and name not in faults:
                continue
            path = tree / file
            original = path.read_text()
            path.write_text(original.replace(old, new))
            shutil.rmtree(tables, ignore_errors=True)
            # The successors of pawn against pawn have no en passant: they may stay as they are.
            ending = named(material)[1]
            if ending == "KPvKP":
                shutil.copytree(sound, tables)
                for table in tables.rglob(f"{ending}.*"):
                    table.unlink()
            build(name)
            if generated(tables, material) == "-":
                found = verdicts(tables, material)
                unseen |= found == ["-"] * 3
            else:
                found = ["no table: generate fails", "", ""]
            record(name, material, *found)
            path.write_text(original)
    print(
        f"\n{COLUMNS.format('fault', 'material', 'verify', 'syzygy', 'gaviota')}", *rows, sep="\n"
    )
    if unseen:
        print("mutate: a fault went unseen", file=sys.stderr)
    return 1 if unseen else 0
