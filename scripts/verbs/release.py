"""Makes what a release consists of: archives of programs, a Debian package, a folder of tables."""

import contextlib
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import lib
from parts import bill, host, ingredients, notices
from verbs.bindings import MATURIN

DIST, VERSION = lib.TARGET / "dist", lib.published("version")
# What archives are made of: in dist/ are files alone.
UNPACKED = lib.TARGET / "unpacked"
NAMES = ("retrograde", "retrograde-server")
TEXTS = ("CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT")
#: The files that shells look for, by the names of the shells.
COMPLETIONS = {
    "bash": "retrograde.bash",
    "elvish": "retrograde.elv",
    "fish": "retrograde.fish",
    "powershell": "_retrograde.ps1",
    "zsh": "_retrograde",
}
NO_MAINTAINER = "DEBEMAIL names no maintainer of the Debian packages, as in \"Name <address>\""
KQK = "8/8/8/3k4/8/8/8/KQ6 w - -"


def summed(path: Path) -> None:
    """Writes the checksum of a file beside it, and says how large the file is."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")
    print(f"release: {path}, {path.stat().st_size:,} bytes", flush=True)


def built(target: str) -> list[Path]:
    """The programs, built for a target."""
    sysroot = Path(lib.said("rustc", "--print", "sysroot").strip())
    if not (sysroot / "lib/rustlib" / target / "lib").is_dir():
        lib.run("rustup", "target", "add", target)
    named = [word for name in NAMES for word in ("-p", name)]
    lib.run("cargo", "build", "--profile", lib.PROFILE, "--locked", "--target", target, *named)
    folder = lib.TARGET / target / lib.PROGRAMS.name
    end = ".exe" if "windows" in target else ""
    return [folder / f"{name}{end}" for name in NAMES]


def described(program: Path, pages: Path, completions: dict[str, Path]) -> None:
    """Writes the manual pages and the completions that a program gives."""
    commands = re.findall(
        r"^  ([a-z]+) ", lib.said(program, "--help").partition("\n\n")[2], re.MULTILINE
    )
    pages.mkdir(parents=True)
    for command in ["", *(name for name in commands if name != "help")]:
        name = "-".join(filter(None, ["retrograde", command]))
        page = lib.said(program, "man", *filter(None, [command]), encoding="utf-8")
        (pages / f"{name}.1").write_text(page, encoding="utf-8")
    for shell, path in completions.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(lib.said(program, "completions", shell, encoding="utf-8"), encoding="utf-8")


def tried(program: Path) -> None:
    """Probes a position with the tables that a program carries."""
    with lib.work() as made:
        lib.run(program, "tables", "--unpack", made, stdout=subprocess.DEVNULL)
        text = lib.said(program, "probe", "orthodox", KQK, "--json", "--tables", made)
    json.loads(text)["depth_plies"] == 17 or lib.fail(f"{program} answers wrong")


def installed(package: Path) -> None:
    """Installs a package of Python elsewhere, and tries the program and the module."""
    with lib.work() as made:
        python = lib.venv(made / "venv", package)
        tried(python.parent / "retrograde")
        lib.run(python, "-c", "import retrograde; retrograde.games()", cwd=made)


def packed(folder: Path) -> Path:
    """An archive of a folder, the same for the same files."""
    time = int(lib.said("git", "log", "-1", "--format=%ct"))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if "windows" in folder.name:
        archive = DIST / f"{folder.name}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
            for path in files:
                name = path.relative_to(folder.parent).as_posix()
                made.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        return archive

    def plain(about: tarfile.TarInfo) -> tarfile.TarInfo:
        about.uid = about.gid = 0
        about.uname = about.gname = "root"
        about.mtime = time
        about.mode = 0o755 if about.mode & 0o100 else 0o644
        return about

    archive = DIST / f"{folder.name}.tar.gz"
    with contextlib.ExitStack() as open:
        file = open.enter_context(archive.open("wb"))
        zipped = open.enter_context(gzip.GzipFile("", "wb", 9, file, mtime=time))
        made = open.enter_context(tarfile.open(fileobj=zipped, mode="w"))
        for path in files:
            made.add(path, path.relative_to(folder.parent).as_posix(), filter=plain)
    return archive


@lib.command
def archive(target: str | None = None) -> None:
    """Makes the archive of programs for a target, in dist/ of the target folder.

    It has the programs `retrograde`, which carries the tables that ship, and `retrograde-server`,
    manual pages, completions, licences, those of others, and the list of what is inside (SBOM, as
    CycloneDX). The program is tried, so this machine must run programs of the target. Beside the
    archive are its checksum and the list again.

    target: as Rust calls it (default: this machine)
    """
    target = target or host()
    programs, folder = built(target), UNPACKED / f"retrograde-{VERSION}-{target}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    DIST.mkdir(parents=True, exist_ok=True)
    for program in programs:
        shutil.copy2(program, folder)
    paths = {shell: folder / "completions" / name for shell, name in COMPLETIONS.items()}
    described(programs[0], folder / "man/man1", paths)
    lib.copied(TEXTS, lib.ROOT, folder)
    shutil.copy(lib.ROOT / "generator/README.md", folder)
    packages = ingredients(target, *NAMES)
    (folder / "sbom.cdx.json").write_text(bill(packages))
    (folder / "THIRD-PARTY.txt").write_text(notices(packages))
    shutil.copy(folder / "sbom.cdx.json", DIST / f"{folder.name}.cdx.json")
    tried(folder / programs[0].name)
    summed(packed(folder))


@lib.command
def container() -> None:
    """Makes the container image `retrograde`, and its archive in dist/ of the target folder.

    It has the programs and licences of `release archive` for this machine's Linux with musl, which
    comes first, the tables that ship, and nothing else. It is tried: it probes, makes a table and
    serves. Needs docker or podman, and curl.
    """
    engine = "docker" if lib.holds("sh", "-c", "docker version >/dev/null 2>&1") else "podman"
    lib.needs(engine, "curl")
    target = host().replace("-gnu", "-musl")
    folder = UNPACKED / f"retrograde-{VERSION}-{target}"
    folder.is_dir() or lib.fail(f"there are no programs; run scripts/run release archive {target}")
    with lib.work() as made:
        wanted = (*NAMES, "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt")
        lib.copied(wanted, folder, made)
        unpack = ("tables", "--unpack", made / "tables")
        lib.run(made / "retrograde", *unpack, stdout=subprocess.DEVNULL)
        recipe = ("--file", lib.ROOT / "server/Dockerfile", made)
        lib.run(engine, "build", "--quiet", "--tag", "retrograde", *recipe)
        # As docs/SERVER.md has it.
        within = [engine, "run", "--rm", "--read-only", "--cap-drop=ALL"]
        program = (*within, "--tmpfs", "/made", "--entrypoint", "/usr/bin/retrograde", "retrograde")
        lib.run(*program, "generate", "orthodox", "KRvK", "--tables", "/made", "--out", "/made")
        text = lib.said(*program, "probe", "orthodox", KQK, "--tables", "/tables", "--json")
        json.loads(text)["depth_plies"] == 17 or lib.fail("the container answers wrong")
        serving = ("--detach", "--publish", "127.0.0.1::8080")
        name = lib.said(*within, *serving, "retrograde").strip()
        try:
            address = lib.said(engine, "port", name, "8080").strip()
            waits = ("--retry", 10, "--retry-all-errors", "--silent", "--fail")
            question = f"http://{address}/api/orthodox?fen={KQK.replace(' ', '_')}"
            text = lib.said("curl", *waits, question)
            json.loads(text)["depth_plies"] == 17 or lib.fail("the container serves wrong answers")
        finally:
            lib.run(engine, "stop", name, stdout=subprocess.DEVNULL)
        image = made / f"retrograde-{VERSION}-container.tar"
        lib.run(engine, "save", "--output", image, "retrograde")
        archive = DIST / f"{image.name}.gz"
        archive.write_bytes(gzip.compress(image.read_bytes(), 9, mtime=0))
    summed(archive)


@lib.command
def deb() -> None:
    """Makes a Debian package of the programs for this machine, in dist/ of the target folder.

    It depends on the C library alone, of the version with which the programs are linked. DEBEMAIL
    names its maintainer, as in "Name <address>". Needs dpkg-deb.
    """
    lib.needs("dpkg-deb")
    maintainer = os.environ.get("DEBEMAIL") or lib.fail(NO_MAINTAINER, 2)
    programs = built(host())
    with lib.work() as root:
        root.chmod(0o755)
        lib.copied([program.name for program in programs], programs[0].parent, root / "usr/bin")
        share = root / "usr/share"
        paths = {
            "bash": share / "bash-completion/completions/retrograde",
            "fish": share / "fish/vendor_completions.d/retrograde.fish",
            "zsh": share / "zsh/vendor-completions/_retrograde",
        }
        described(root / "usr/bin/retrograde", share / "man/man1", paths)
        for page in list((share / "man/man1").iterdir()):
            page.with_name(f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), mtime=0))
            page.unlink()
        texts = lib.copied(TEXTS, lib.ROOT, share / "doc/retrograde")
        notice = "Retrograde is licensed under MIT or Apache-2.0, at your option:\n\n"
        licences = [(texts / name).read_text() for name in ("LICENSE-MIT", "LICENSE-APACHE")]
        (texts / "copyright").write_text(notice + "\n".join(licences))
        (texts / "LICENSE-MIT").unlink(), (texts / "LICENSE-APACHE").unlink()
        (texts / "THIRD-PARTY.txt").write_text(notices(ingredients(host(), *NAMES)))
        code = b"".join(program.read_bytes() for program in programs)
        glibc = max(tuple(map(int, v.split(b"."))) for v in re.findall(rb"GLIBC_(2\.\d+)", code))
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
        name = f"retrograde_{VERSION}_{lib.said('dpkg', '--print-architecture').strip()}.deb"
        fields = {
            "Package": "retrograde",
            "Version": VERSION,
            "Architecture": lib.said("dpkg", "--print-architecture").strip(),
            "Maintainer": maintainer,
            "Installed-Size": size,
            "Depends": f"libc6 (>= {'.'.join(map(str, glibc))}), libgcc-s1",
            "Section": "games",
            "Priority": "optional",
            "Description": "endgame tablebases for chess and its variants\n"
            " Makes, proves and queries tables that say, for every position with few\n"
            " pieces, who wins and in how many plies. The small tables are inside:\n"
            " retrograde tables --unpack DIR",
        }
        (root / "DEBIAN").mkdir()
        control = "".join(f"{key}: {value}\n" for key, value in fields.items())
        (root / "DEBIAN/control").write_text(control)
        DIST.mkdir(parents=True, exist_ok=True)
        lib.run(
            "dpkg-deb",
            "--build",
            "--root-owner-group",
            root,
            DIST / name,
            stdout=subprocess.DEVNULL,
        )
        # As it will be installed.
        lib.run("dpkg-deb", "--extract", DIST / name, root / "installed")
        tried(root / "installed/usr/bin/retrograde")
    summed(DIST / name)


def maturin(*more: str) -> Path:
    """A tool that builds wheels."""
    python = lib.venv(lib.TARGET / "python/release", f"maturin=={MATURIN}", *more)
    # It finds zig by the Python on the path.
    os.environ["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    return python.parent / "maturin"


@lib.command
def wheel(target: str | None = None) -> None:
    """Builds the wheel of the Python package for a target, in dist/ of the target folder.

    It is for Python 3.10 and all that follow (abi3). For Linux it is linked with zig, which PyPI
    has, for manylinux 2.28 or musllinux 1.2. If this machine runs it, it is installed and tried.

    target: as Rust calls it, or universal2-apple-darwin for both kinds of Mac (default: this
      machine)
    """
    target = target or host()
    names = [target]
    if target.startswith("universal2-"):
        names = [target.replace("universal2", machine) for machine in ("aarch64", "x86_64")]
    lib.run("rustup", "target", "add", *names)
    words, tools = ["--profile", lib.PROFILE, "--locked", "--target", target, "--out", DIST], []
    if "linux" in target:
        kind = "musllinux_1_2" if "musl" in target else "manylinux_2_28"
        words, tools = [*words, "--zig", "--compatibility", kind], ["ziglang"]
    before, sources = set(DIST.glob("*.whl")), lib.ROOT / "bindings/python"
    third_party = sources / "THIRD-PARTY.txt"
    third_party.write_text(notices(ingredients(names[0], "retrograde-python")))
    try:
        lib.run(maturin(*tools), "build", "--manifest-path", sources / "Cargo.toml", *words)
    finally:
        third_party.unlink()
    [built] = set(DIST.glob("*.whl")) - before or [max(DIST.glob("*.whl"), key=os.path.getmtime)]
    with zipfile.ZipFile(built) as files:
        texts = {path.name for path in map(Path, files.namelist()) if path.parent.name == "licenses"}
    texts >= {"LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt"} or lib.fail(f"{built} lacks licences")
    if target == host() or target.startswith("universal2-"):
        installed(built)
    print(f"release: {built}, {built.stat().st_size:,} bytes")


@lib.command
def sdist() -> None:
    """Packs the sources of the Python package, in dist/ of the target folder, and builds them alone.

    They are built, installed and tried where nothing else of this project is.
    """
    DIST.mkdir(parents=True, exist_ok=True)
    words = ("--manifest-path", "bindings/python/Cargo.toml", "--out", DIST)
    lib.run(maturin(), "sdist", *words)
    [packed] = DIST.glob(f"retrograde-{VERSION}.tar.gz")
    os.environ |= {"CARGO_TARGET_DIR": str(lib.TARGET / "sdist")}
    os.environ |= {"MATURIN_PEP517_ARGS": f"--profile {lib.PROFILE}"}
    installed(packed)
    print(f"release: {packed}, {packed.stat().st_size:,} bytes")


@lib.command
def npm() -> None:
    """Packs the packages for JavaScript, in dist/ of the target folder.

    They are what `bindings wasm` has built and tested: the module, and the tables that ship.
    """
    DIST.mkdir(parents=True, exist_ok=True)
    for name in ("package", "tables-package"):
        folder = lib.TARGET / "wasm" / name
        folder.is_dir() or lib.fail("there is no package; run scripts/run bindings wasm --optimise")
        lib.run("npm", "pack", "--silent", "--pack-destination", DIST, cwd=folder)


@lib.command
def check(tag: str) -> None:
    """Says whether the sources, and DEBEMAIL, are ready for a release under a tag.

    tag: such as v0.1.0
    """
    faults = []
    if tag != f"v{VERSION}":
        faults.append(f"Cargo.toml has the version {VERSION}")
    if "example.org" in lib.published("repository"):
        faults.append("Cargo.toml names no repository")
    if not os.environ.get("DEBEMAIL"):
        faults.append(NO_MAINTAINER)
    log = (lib.ROOT / "CHANGELOG.md").read_text()
    if not re.search(rf"^## \[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d$", log, re.MULTILINE):
        faults.append(f"CHANGELOG.md has no section of {VERSION} with a date")
    wanted = f'version = "{VERSION}"'
    crates = (lib.ROOT / "Cargo.toml").read_text().partition("[workspace.dependencies]")[2]
    if any(wanted not in row for row in re.findall(r"^retrograde.*path.*$", crates, re.MULTILINE)):
        faults.append(f"a crate in [workspace.dependencies] of Cargo.toml does not say {wanted}")
    faults and lib.fail(f"{tag} is not ready: {'; '.join(faults)}")
    print(f"release: {tag} is ready")


@lib.command
def tables(out: Path, *, men: int = 5, game: str = "orthodox", metric: str = "wdl,dtz") -> None:
    """Makes a folder of tables packed small, with checksums and an index, ready to be uploaded.

    The tables are made, packed, read back and compared, and a sample of each is proved. The folder
    then has the tables, SHA256SUMS, index.json (what `retrograde tables --json --digest` says, with
    paths in the folder), the licences and a README. Run it again if it was interrupted: it continues.

    WDL and DTZ of the 145 endings of up to five men take some 370 MB, 5 hours of CPU time and up to
    16 GiB of memory; while they are made, 4.3 GB of disk. See docs/FIVE-MEN.md.

    out: the folder
    men: the endings of up to so many men
    game: its id
    metric: the metrics, with commas between them
    """
    lib.build("retrograde")
    folders = ("--tables", out)
    lib.generate(game, "--men", men, "--metric", metric, "--pack", "small", out=out)
    lib.retrograde("verify", game, "--men", men, "--sample", 100_000, *folders)
    found = json.loads(lib.said(lib.RETROGRADE, "tables", game, "--json", "--digest", *folders))
    sums: list[str] = []
    for row in found:
        path = Path(row["path"])
        row["path"] = path.relative_to(out).as_posix()
        row["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        sums.append(f"{row['sha256']}  {row['path']}\n")
    (out / "SHA256SUMS").write_text("".join(sorted(sums, key=lambda line: line.split()[1])))
    (out / "index.json").write_text(f"{json.dumps(found, indent=1)}\n")
    lib.copied(("LICENSE-APACHE", "LICENSE-MIT"), lib.ROOT, out)
    size = sum(row["bytes"] for row in found)
    (out / "README.md").write_text(
        f"# Tables of {game}, up to {men} men\n\n"
        f"{len(found)} tables ({metric}), {size:,} bytes, made by Retrograde {VERSION}.\n"
        "`sha256sum -c SHA256SUMS` finds damage, and `retrograde check` says where;\n"
        f"`retrograde probe {game} FEN --tables DIR` reads them, where DIR is this folder.\n"
        "`index.json` lists them with their digests: tables of one digest have the same values.\n"
    )
    print(f"release: {out}, {len(found)} tables, {size:,} bytes")
