"""Builds and tests the bindings for C, Python and JavaScript."""

import functools
import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import lib
from parts import host, ingredients, notices
from verbs.crosscheck import fetched

MATURIN, MYPY = "1.16.0", "2.4.1"
BINARYEN, PUPPETEER, TYPESCRIPT = "132.0.0", "25.16.0", "5.9.3"
# The most that the module for JavaScript may take when it is sent, in bytes.
MOST = 480_000
VITE, WEBPACK, ESBUILD = "8.3.8", "5.113.0", "0.28.2"
KQK = "8/8/8/3k4/8/8/8/KQ6 w - -"
TRIPLE = "wasm32-unknown-unknown"
# Engines by the library whose functions they call, with what those functions are compiled with.
ENGINES = {"fathom": (), "pyrrhic": ("-DRETROGRADE_PYRRHIC",)}
CC = [os.environ.get("CC", "cc")]
STRICT = ["-std=c11", "-O2", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def put(prefix: Path) -> None:
    """Puts headers, libraries, licences and the files for pkg-config below a folder."""
    sources = lib.ROOT / "bindings/c"
    lib.copied(["retrograde.h"], sources / "include", prefix / "include")
    headers = [f"{engines}/tbprobe.h" for engines in ENGINES]
    lib.copied(headers, sources, prefix / "include/retrograde")
    licences = prefix / "share/licenses/retrograde"
    lib.copied(["LICENSE-APACHE", "LICENSE-MIT"], lib.ROOT, licences)
    (licences / "THIRD-PARTY.txt").write_text(notices(ingredients(host(), "retrograde-c")))
    libraries = [f"libretrograde_c.{end}" for end in ("a", "so", "dylib")]
    lib.copied([n for n in libraries if (lib.PROGRAMS / n).exists()], lib.PROGRAMS, prefix / "lib")
    version = lib.published("version")
    (prefix / "lib/pkgconfig").mkdir(exist_ok=True)

    def configured(template: str, name: str, **words: str) -> None:
        text = (sources / template).read_text()
        for word, value in {"PREFIX": str(prefix), "VERSION": version, **words}.items():
            text = text.replace(f"@{word}@", value)
        (prefix / f"lib/pkgconfig/{name}.pc").write_text(text)

    configured("retrograde.pc.in", "retrograde")
    for engines, flags in ENGINES.items():
        configured(
            "retrograde-engine.pc.in",
            f"retrograde-{engines}",
            NAME=engines,
            TITLE=engines.capitalize(),
        )
        with lib.work() as made:
            built = made / "tbprobe.o"
            compiler = (*CC, *STRICT, "-fPIC", f"-I{prefix}/include", *flags)
            lib.run(*compiler, "-c", sources / "fathom/tbprobe.c", "-o", built)
            archive = prefix / f"lib/libretrograde_{engines}.a"
            archive.unlink(missing_ok=True)
            lib.run(os.environ.get("AR", "ar"), "rcs", archive, built)


def expect(expected: str, *words: Any, what: str) -> None:
    """A program that must say something."""
    if lib.said(*words).strip() != expected:
        lib.fail(f"{what} answers wrong")


@lib.command
def c(*, header: bool = False, asan: bool = False, install: Path | None = None) -> None:
    """Builds the library for C, and proves that it works from C.

    The header is the one that the sources give, the examples compile without a warning, as C and
    as C++, and the checks pass, linked with the shared library and with the static one. Needs a C
    compiler.

    header: write bindings/c/include/retrograde.h anew
    asan: also run the checks under the address sanitizer
    install: only build, and put headers, libraries, licences and the files for pkg-config below
      this folder
    """
    if install:
        lib.build("retrograde-c")
        put(install)
        print(f"installed below {install}")
        return
    # Together with the program, what both need is built once.
    lib.build("retrograde-c", "retrograde")
    sources, made = lib.ROOT / "bindings/c", lib.TARGET / "c"
    made.mkdir(parents=True, exist_ok=True)
    tool = (
        "--manifest-path",
        sources / "header/Cargo.toml",
        "--target-dir",
        lib.TARGET / "c-header",
    )
    text, kept = lib.said("cargo", "run", "--quiet", *tool), sources / "include/retrograde.h"
    if header:
        kept.write_text(text)
    if kept.read_text() != text:
        lib.fail(f"{kept} is not what the sources give; run scripts/run bindings c --header")

    root = made / "root"
    put(root)
    os.environ["PKG_CONFIG_PATH"] = str(root / "lib/pkgconfig")
    cflags, libs = [f"-I{root}/include"], [f"-L{root}/lib", "-lretrograde_c"]
    private = ["-lpthread", "-ldl", "-lm"]
    if shutil.which("pkg-config"):
        config = functools.partial(lib.said, "pkg-config", "retrograde")
        cflags, libs = (shlex.split(config(words)) for words in ("--cflags", "--libs"))
        private = shlex.split(config("--static", "--libs-only-l").replace("-lretrograde_c", ""))
    compiler = [*CC, *cflags]
    shared = [*libs, f"-Wl,-rpath,{root}/lib", "-lpthread"]
    linked = {"shared": shared, "static": [root / "lib/libretrograde_c.a", *private]}

    def compiled(source: Path, name: str, kind: str, *flags: Any) -> Path:
        lib.run(*compiler, *STRICT, source, *flags, *linked[kind], "-o", made / name)
        return made / name

    # An engine has the headers of the library that it knows, and ours instead of it.
    engines_flags = {
        engines: (
            *flags,
            f"-I{root}/include/retrograde/{engines}",
            root / f"lib/libretrograde_{engines}.a",
        )
        for engines, flags in ENGINES.items()
    }
    tables, four = lib.shipped(made / "tables"), lib.shipped(made / "four")
    lib.copied(lib.listed("SHA256SUMS.four"), lib.ROOT / "tables", four)
    wdl = lib.copied(["orthodox/KQvK.wdl"], tables, made / "wdl")
    # Games of two, whose counters the checks know.
    for pays in ("low", "both"):
        game = made / f"{pays}.toml"
        game.write_text(
            f'name = "{pays}"\nboard.size = "3x3"\npieces.order = "KR"\nend.no-progress = 0\n'
            f'turn.pass = "when-stuck"\n'
            f'counters.vitality = {{ full = [100, 60], pays = "{pays}" }}\n'
        )
        lib.generate(game, "KRvK", out=tables, stderr=subprocess.PIPE)
    for kind in linked:
        probe = compiled(sources / "examples/probe.c", f"probe-{kind}", kind)
        engine = compiled(sources / "examples/engine.c", f"engine-{kind}", kind)
        lib.run(compiled(sources / "tests/check.c", f"check-{kind}", kind), tables)
        expect("WDL 2, DTZ 17, DTM 17", engine, tables, what=engine.name)
        for engines, library in engines_flags.items():
            check = compiled(sources / "tests/fathom.c", f"{engines}-{kind}", kind, *library)
            lib.run(check, four, wdl)
        if '"depth_plies":17' not in lib.said(probe, "orthodox", tables, input=f"{KQK}\n"):
            lib.fail(f"{probe.name} answers wrong")

    # The library says what the program says of a damaged and of a missing table; its advice about
    # damaged ones is its own.
    damaged = made / "damaged tables"
    shutil.rmtree(damaged, ignore_errors=True)
    lib.copied(["orthodox/KQvK.wdl"], tables, damaged)
    os.truncate(damaged / "orthodox/KQvK.wdl", 200)
    for fen in (KQK, "8/8/8/3k4/8/8/8/KR6 w - - 3 9"):
        for options in ([], ["--moves", "--line"]):
            program = (
                lib.RETROGRADE,
                "probe",
                "orthodox",
                fen,
                "--json",
                *options,
                "--tables",
                damaged,
            )
            library = (made / "probe-shared", "orthodox", damaged, *options)
            answers = []
            for words in (program, library):
                ran = lib.run(*words, input=f"{fen}\n", stdout=subprocess.PIPE, check=False)
                text = ran.stdout
                if '"corrupt-table"' in text:
                    text = re.sub(r'; [^"]*","offset', '","offset', text)
                answers.append((text, ran.returncode))
            if answers[0] != answers[1]:
                lib.fail(f"of {fen} the library says {answers[1]}, the program {answers[0]}")
    guide, answer = made / "guide.c", "WDL -2, depth 24 plies"
    guide.write_text(lib.example("c", "docs/guide/c.md"))
    expect(answer, compiled(guide, "guide", "shared"), what="the program of the guide")
    if shutil.which("c++"):
        plus = made / "header.cpp"
        plus.write_text(
            "#include <retrograde.h>\nint main() { return *retrograde_version() == 0; }\n"
        )
        warnings = ("-Wall", "-Wextra", "-Werror")
        lib.run(
            "c++", *warnings, *cflags, plus, *libs, f"-Wl,-rpath,{root}/lib", "-o", made / "header"
        )
        lib.run(made / "header")
    # A program that was linked with the file of the library finds it when it has moved.
    first, elsewhere = made / "first", made / "elsewhere"
    for where in (first, elsewhere):
        shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(root / "lib", first)
    library = next(path for path in first.iterdir() if path.suffix in (".so", ".dylib"))
    rpath = (f"-Wl,-rpath,{elsewhere}", "-lpthread", "-o", made / "moved")
    lib.run(*compiler, guide, library, *rpath)
    first.rename(elsewhere)
    expect(answer, made / "moved", what="a program whose library has moved")
    if asan:
        flags = ("-fsanitize=address", "-fno-omit-frame-pointer")
        lib.run(compiled(sources / "tests/check.c", "check-asan", "static", *flags), tables)
        for engines, library in engines_flags.items():
            both = (sources / "tests/fathom.c", f"{engines}-asan", "static")
            lib.run(compiled(*both, *flags, sources / "fathom/tbprobe.c", *library), four, wdl)
    print("c: all is well")


@lib.command
def python(
    *,
    wheel: bool = False,
    frames: bool = False,
    peer: bool = False,
    speed: bool = False,
    tables: Path = lib.FOUR_MEN,
) -> None:
    """Builds the Python package, installs it in a fresh virtual environment and tests it there.

    Builds the wheel of bindings/python with maturin and runs its tests, examples included; mypy
    compares the types with what there is. python-chess is GPL software: it runs as a separate
    program, and no part of it goes into Retrograde.

    wheel: only build the wheel; it is in wheels/ of the target folder
    frames: also test data frames, which takes pandas and pyarrow
    peer: also compare with chess.syzygy of python-chess: 10,000 random boards of three and four
      men, values and exceptions
    speed: also measure; with --peer side by side with chess.syzygy
    tables: tables of up to four men for --peer and --speed; what is missing is made there
    """
    made, wheels = lib.TARGET / "python", lib.TARGET / "wheels"
    maturin = lib.venv(made / "tools", f"maturin=={MATURIN}").parent / "maturin"
    package = ("--manifest-path", "bindings/python/Cargo.toml", "--out", wheels)
    shutil.rmtree(wheels, ignore_errors=True)
    lib.run(maturin, "build", "--quiet", "--profile", lib.PROFILE, *package)
    [built] = wheels.glob("retrograde-*.whl")
    print(f"python: {built}, {built.stat().st_size // 1024} KiB", flush=True)
    if wheel:
        return
    # A package of the sources comes with the licence texts, too.
    lib.run(maturin, "sdist", *package, stderr=subprocess.PIPE)
    [sdist] = wheels.glob("retrograde-*.tar.gz")
    with tarfile.open(sdist) as files:
        texts = sum(bool(re.fullmatch(r"[^/]*/LICENSE-(MIT|APACHE)", n)) for n in files.getnames())
    texts == 2 or lib.fail(f"the package of the sources has {texts} licence texts instead of 2")
    # A new wheel may have the name of the one before.
    shutil.rmtree(made / "venv", ignore_errors=True)
    more = ["pandas", "pyarrow"] if frames else []
    found = lib.venv(made / "venv", "numpy", "pytest", f"mypy=={MYPY}", *more, built)
    lib.run(found, "-m", "pytest", "-p", "no:cacheprovider", cwd=lib.ROOT / "bindings/python")
    # What is private has no types, and of those with names of their own it knows too little.
    allowed = made / "allowed"
    allowed.write_text("retrograde\\._native\\.(__all__|_[a-z]\\w*)\nretrograde\\.typing\\.\\w+\n")
    lib.run(found, "-m", "mypy.stubtest", "retrograde", "--allowlist", allowed, cwd=made)
    [*found.parent.parent.glob("lib/*/site-packages/retrograde/py.typed")] or lib.fail(
        "no py.typed"
    )
    if peer or speed:
        lib.build("retrograde")
        lib.generate("orthodox", "--men", 4, out=tables)
    syzygy = ("--syzygy", lib.ORACLES / "syzygy")
    if peer:
        lib.run(found, "-m", "pip", "install", "--quiet", "--no-deps", fetched())
        ours = ("--tables", tables, "--shipped", lib.ROOT / "tables")
        lib.run(found, lib.PEERS / "python_chess.py", *syzygy, *ours)
    if speed:
        # Those that ship are packed small.
        lib.run(found, lib.PEERS / "speed.py", "--tables", tables, "--also", "tables", *syzygy)
    print("python: all is well")


def stamp(package: Path) -> None:
    """Says in the description of a package for npm what all packages have in common."""
    path = package / "package.json"
    about = json.loads(path.read_text())
    about |= {"version": lib.published("version"), "repository": lib.published("repository")}
    path.write_text(f"{json.dumps(about, indent=2)}\n")


@lib.command
def wasm(
    *, build: bool = False, optimise: bool = False, values: int = 0, browser: bool = False
) -> None:
    """Builds the package for JavaScript and tests it in node and in a browser.

    Builds the package of bindings/wasm, as npm wants it, in target/wasm/package, states its size,
    and runs its tests in node.

    Needs rustup for the target if it is not there, and node 18 or later with npm; --browser needs
    chromium.

    build: only build
    optimise: also let wasm-opt (binaryen, from npm) make the module smaller
    values: also compare every so many-th value of the three-man tables, in both packings, with what
      `retrograde export` says: this is a machine of 32 bits
    browser: also run it in a headless Chromium, with tables by fetch and from dropped files, and
      check the types with TypeScript
    """
    sources, made = lib.ROOT / "bindings/wasm", lib.TARGET / "wasm"
    package, tests = made / "package", made / "tests"
    os.environ |= {f"npm_config_{name}": "false" for name in ("update_notifier", "fund", "audit")}
    if not Path(lib.said("rustc", "--print", "sysroot").strip(), "lib/rustlib", TRIPLE).is_dir():
        lib.run("rustup", "target", "add", TRIPLE)
    wasm = ("--profile", "wasm", "--target", TRIPLE, "-p", "retrograde-wasm")
    lib.run("cargo", "build", "--quiet", *wasm)
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    # A quarter of what the command `wasm-bindgen` takes to build.
    tool = (
        "--manifest-path",
        sources / "bindgen/Cargo.toml",
        "--target-dir",
        lib.TARGET / "wasm-bindgen",
    )
    module = lib.TARGET / TRIPLE / "wasm/retrograde_wasm.wasm"
    lib.run("cargo", "run", "--quiet", *tool, "--", module, package)
    for path in [
        *(sources / "package").iterdir(),
        sources / "README.md",
        *lib.ROOT.glob("LICENSE-*"),
    ]:
        shutil.copy(path, package)
    (package / "THIRD-PARTY.txt").write_text(notices(ingredients(TRIPLE, "retrograde-wasm")))
    stamp(package)
    # A second package has the tables that ship.
    tables_package = made / "tables-package"
    shutil.rmtree(tables_package, ignore_errors=True)
    shutil.copytree(sources / "tables-package", tables_package)
    names = sorted({**lib.listed(), **lib.listed("SHA256SUMS.four")})
    lib.copied(names, lib.ROOT / "tables", tables_package / "tables")
    lib.copied(["LICENSE-APACHE", "LICENSE-MIT"], lib.ROOT, tables_package)
    listed = json.dumps(names, indent=0)
    (tables_package / "files.js").write_text(f"export const files = {listed};\n")
    stamp(tables_package)
    module = package / "retrograde_bg.wasm"
    if optimise:
        lib.run("npm", "install", "--silent", "--prefix", made / "tools", f"binaryen@{BINARYEN}")
        names = ("bulk-memory", "mutable-globals", "nontrapping-float-to-int", "sign-ext")
        enabled = [f"--enable-{name}" for name in (*names, "reference-types", "multivalue")]
        optimiser = made / "tools/node_modules/binaryen/bin/wasm-opt"
        lib.run("node", optimiser, "-Os", *enabled, module, "-o", made / "smaller.wasm")
        (made / "smaller.wasm").replace(module)
    size = len(gzip.compress(module.read_bytes(), 9))
    print(f"wasm: the module takes {module.stat().st_size} bytes, compressed {size}", flush=True)
    size <= MOST or lib.fail(f"the module takes more than {MOST} bytes compressed")
    if build:
        return
    lib.build("retrograde")
    tables = lib.shipped(made / "tables")

    # Tested as they will be installed.
    shutil.rmtree(tests, ignore_errors=True)
    for name, folder in (("retrograde-tables", tables_package), ("retrograde", package)):
        installed = tests / "node_modules" / name
        installed.mkdir(parents=True)
        archive = lib.said("npm", "pack", "--silent", "--pack-destination", made, cwd=folder)
        lib.run("tar", "-xzf", made / archive.strip(), "--strip-components=1", "-C", installed)
    # Its tables are packed small, too: one kind of values rests on others there.
    small = made / "small"
    shutil.rmtree(small, ignore_errors=True)

    def pack(game: str) -> None:
        if not (small / game).is_dir():
            packing = ("--pack", "small", "--tables", tables, "--out", small)
            lib.retrograde("repack", game, "--men", 3, *packing, stdout=subprocess.DEVNULL)

    pack("orthodox")
    for path in [*(sources / "tests").iterdir(), *(sources / "examples").iterdir()]:
        shutil.copy(path, tests)
    # Programs of the guide and the READMEs, which get their tables by fetch.
    pages = {"guide": "docs/guide/javascript.md", "readme": "bindings/wasm/README.md"}
    for name, page in (pages | {"bindings": "bindings/README.md"}).items():
        (tests / f"{name}.js").write_text(lib.example("js", page))
    shutil.copytree(tables, tests / "tables")
    os.environ |= {"RETROGRADE_TABLES": str(tables), "RETROGRADE_SMALL_TABLES": str(small)}
    os.environ["RETROGRADE_SUMS"] = str(lib.ROOT / "tables")
    os.environ["RETROGRADE_EXAMPLE"] = str(lib.ROOT / "games/examples/gardner.toml")
    lib.run("node", "--test", cwd=tests)

    for game in sorted(path.name for path in tables.iterdir()) if values else []:
        pack(game)
        count = 0
        for file in sorted((tables / game).iterdir()):
            if file.suffix not in (".wdl", ".thresholds"):
                continue
            exported = lib.said(lib.RETROGRADE, "export", game, file.stem, "--tables", tables)
            for packed in (tables, small):
                compare = ("node", tests / "values.js", game, packed, values)
                count += int(lib.said(*compare, input=exported))
        print(f"wasm: {game}: {count} values are those of this machine", flush=True)

    if browser:
        chromium = lib.chromium_there()
        wanted = (f"puppeteer-core@{PUPPETEER}", f"typescript@{TYPESCRIPT}")
        lib.run("npm", "install", "--silent", "--no-save", "--prefix", tests, *wanted)
        # npm tidies away what it has not installed.
        shutil.copytree(package, installed, dirs_exist_ok=True)
        for path in (sources / "browser").iterdir():
            shutil.copy(path, tests)
        # They take no types of browsers.
        compiler = ("node_modules/.bin/tsc", "--noEmit", "--strict", "--target", "es2022")
        for names in ("esnext,dom", "esnext"):
            types = ("--module", "nodenext", "--types", "", "types.ts")
            lib.run(*compiler, "--lib", names, *types, cwd=tests)
        print("wasm: the types are right", flush=True)
        lib.run("node", tests / "page.browser.js", tests, chromium)
    print("wasm: all is well")


@lib.command
def bundlers() -> None:
    """Builds a page with the packages for JavaScript by Vite, webpack and esbuild, and opens it.

    It is that of bindings/wasm/bundlers, with the packages that `bindings wasm` has built. Each bundle
    must probe a position in a headless Chromium, with tables from the second package.

    Needs chromium, and node 20.19 or later with npm.
    """
    made = lib.TARGET / "wasm/bundlers"
    chromium = lib.chromium_there()
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(lib.ROOT / "bindings/wasm/bundlers", made)
    (made / "package.json").write_text('{ "private": true, "type": "module" }')
    packages = [lib.TARGET / "wasm" / name for name in ("package", "tables-package")]
    all(path.is_dir() for path in packages) or wasm(build=True)
    bundling = [f"vite@{VITE}", f"esbuild@{ESBUILD}", f"webpack@{WEBPACK}", "webpack-cli@7.3.1"]
    lib.run(
        "npm",
        "install",
        "--silent",
        "--no-audit",
        "--install-links",
        *packages,
        *bundling,
        cwd=made,
    )
    run = functools.partial(lib.run, cwd=made, stdout=subprocess.DEVNULL)
    run("npx", "--no-install", "vite", "build")
    run("npx", "--no-install", "webpack")
    bundle = ("--bundle", "--format=esm", "--loader:.wasm=file", "--outfile=dist/esbuild/main.js")
    run("npx", "--no-install", "esbuild", "esbuild.js", *bundle)
    with lib.hosted(made / "dist") as url:
        for name in ("vite", "webpack", "esbuild"):
            folder = made / "dist" / name
            if not (folder / "index.html").exists():
                shutil.copy(made / "index.html", folder)
            shutil.copytree(packages[1] / "tables", folder / "tables")
            modules = [path for path in folder.rglob("*.wasm")]
            len(modules) == 1 or lib.fail(f"{name} has copied {len(modules)} modules instead of 1")
            options = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000")
            address = f"{url}{name}/index.html"
            text = lib.said(chromium, *options, "--dump-dom", address, stderr=subprocess.DEVNULL)
            "<title>17 plies</title>" in text or lib.fail(f"the page of {name} says: {text}")
            print(f"bundlers: {name} is well", flush=True)


@lib.command
def all_(*, positions: int = 10_000, seed: int = 1, tables: Path = lib.ROOT / "tables") -> int:
    """Asks the command line and each binding the same random positions.

    Asks `retrograde probe --json`, the Python package, the library for C and the package for
    JavaScript the same random positions of every game, good ones, bad ones and such as no table
    has, and compares what they say, a tenth of them with moves and lines. Exits with 1 if anything
    differs.

    Uses what the other subjects have built, and runs them if they have not.

    positions: how many of each game
    seed: the random seed
    tables: the table folder
    """
    here = (
        lib.TARGET / "python/venv/bin/python",
        lib.TARGET / "c/probe-shared",
        lib.TARGET / "wasm/tests/probe.js",
    )
    venv_python, probe, node = here
    if not (venv_python.exists() and lib.holds(venv_python, "-c", "import retrograde")):
        python()
    if not probe.exists():
        c()
    if not node.exists():
        wasm()
    lib.build("retrograde")
    programs = ("--retrograde", lib.RETROGRADE, "--c", probe, "--node", "node", node)
    options = ("--tables", tables, "--positions", positions, "--seed", seed)
    return 0 if lib.holds(venv_python, lib.PEERS / "bindings.py", *programs, *options) else 1
