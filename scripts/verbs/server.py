"""Runs tests of the server and its page that `cargo test` does not have."""

import gzip
import json
import os
import shutil
import subprocess
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import lib
from verbs.bindings import wasm

BERSERK, SCHEMATHESIS = "0.14.0", "4.32.5"
INSTALL = ("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
WEB = lib.ROOT / "server" / "web"
# The most that the scripts of the page may take when they are sent, in bytes.
MOST = 180_000
# So few positions of a depth may be that the page without a server has one of them beside it.
RARE = 500


def unnoticed(folder: Path) -> None:
    """Fails unless the licence of each package that the page may have in it is beside the page."""
    kept = " ".join(" ".join(path.read_text().split()) for path in folder.glob("licenses*"))
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    for name, about in packages.items():
        # What only builds the page is not in it; and one licence asks for no notice.
        if name and not about.get("dev") and about["license"] != "0BSD":
            [text] = (WEB / name).glob("LICEN[CS]E*")
            " ".join(text.read_text().split()) in kept or lib.fail(f"{folder} lacks {text}")


def built(mode: str, folder: Path) -> None:
    """Builds the page in a folder, and checks the size of its scripts."""
    lib.run(*INSTALL, cwd=WEB)
    lib.run("npx", "--no-install", "tsc", "--noEmit", cwd=WEB)
    vite = ("npx", "--no-install", "vite", "build", "--logLevel", "warn", "--emptyOutDir")
    lib.run(*vite, "--mode", mode, "--outDir", folder, cwd=WEB)
    unnoticed(folder)
    size = sum(len(gzip.compress(path.read_bytes(), 9)) for path in folder.glob("assets/*.js"))
    print(f"the page's scripts take {size} bytes compressed", flush=True)
    size <= MOST or lib.fail(f"the page's scripts take more than {MOST} bytes compressed")


def depths(stats: Any) -> list[tuple[str, Any]]:
    """The histogram that the page shows: by plies to the end, if they are known."""
    kinds = [("depth_plies", "histogram"), ("dtz_plies", "dtz_histogram")]
    there = [(measure, stats[name]) for measure, name in kinds if name in stats]
    return [(m, bars) for m, bars in there if any(map(any, map(dict.values, bars.values())))][:1]


def static_page(folder: Path, profile: str) -> None:
    """Makes a folder with the page, the package that reads tables, the tables that ship, the report
    on claims, and what a server says of games and endings."""
    wasm(build=True)
    built("static", folder)
    package = ("browser.js", "tablebase.js", "error.js", "retrograde.js", "retrograde_bg.wasm")
    licences = ("LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt")
    lib.copied((*package, *licences), lib.TARGET / "wasm" / "package", folder / "retrograde")
    shipped = [*lib.listed(), *lib.listed("SHA256SUMS.four")]
    tables = lib.copied(shipped, lib.ROOT / "tables", folder / "tables")
    shutil.copytree(lib.ROOT / "docs" / "claims", folder / "claims")
    with lib.server("--tables", tables, profile=profile) as (url, _):

        def ask(question: str) -> Any:
            with urllib.request.urlopen(f"{url}/api/{question}") as answer:
                return json.load(answer)

        def keep(told: Any, name: str) -> None:
            path = folder / "data" / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(told, separators=(",", ":")))

        def examples(name: str, material: str, stats: Any) -> dict[str, str]:
            """A position of each depth that few have, by what is asked for."""
            found = {}
            for measure, bars in depths(stats):
                for side, kinds in bars.items():
                    for kind, counts in kinds.items():
                        for plies, count in counts.items():
                            category = kind.replace("_", "-")
                            wish = f"side={side}&category={category}&{measure}={plies}"
                            if count <= RARE:
                                place = f"{name}/random?material={material}&{wish}&seed=1"
                                found[f"{side} {category} {plies}"] = ask(place)["fen"]
            return found

        games = ask("games")
        keep(games, "games")
        for game in games:
            name = game["id"]
            endings = ask(f"{name}/endings")
            keep(endings, f"{name}/endings")
            for ending in endings:
                if ending["metrics"]:
                    material = urllib.parse.quote(ending["material"])
                    stats = ask(f"{name}/stats/{material}")
                    rare = examples(name, material, stats)
                    keep(stats | {"examples": rare}, f"{name}/{ending['material']}")
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{folder} has {len(files)} files of {size} bytes in all")


@lib.command
def page(*, write: bool = False, static: Path | None = None) -> None:
    """Builds the page, and compares it with the bundle that is kept.

    Checks the types of the sources in server/web, builds them, and compares the result with
    server/web/dist. Needs npm and the npm registry.

    write: keep what was built, instead of comparing
    static: a folder for the page with the tables that ship, which any web host can serve without a
      program; nothing is compared
    """
    if static:
        return static_page(static, "release")
    made = lib.ROOT / "target" / "server" / "dist"
    built("production", made)
    if write:
        shutil.rmtree(WEB / "dist")
        shutil.copytree(made, WEB / "dist")
    elif not lib.holds("diff", "-r", made, WEB / "dist", stdout=subprocess.DEVNULL):
        lib.fail(
            "server/web/dist is not what its sources give; run scripts/run server page --write"
        )
    print("the page is what its sources give")


@lib.command
def peers() -> None:
    """Asks a server by programs of others.

    They are berserk's client for lichess's tablebase, which is GPL software and runs as a separate
    program, and schemathesis, which tries to break what the OpenAPI document promises.
    """
    made = lib.TARGET / "server"
    wanted = (f"berserk=={BERSERK}", f"schemathesis=={SCHEMATHESIS}", "cbor2")
    python = lib.venv(made / "venv", *wanted)
    with lib.server("--tables", "tables") as (url, _):
        lib.run(python, lib.PEERS / "lichess.py", url)
        # What is no position, no move and no material is refused, which no schema can say. It
        # leaves a cache where it runs.
        options = ["--max-examples", "100", "--phases", "examples,coverage,fuzzing", "--checks"]
        options += ["all", "--exclude-checks", "positive_data_acceptance"]
        options += ["--suppress-health-check", "all", "--generation-database", "none"]
        hooks = {"PYTHONPATH": str(lib.PEERS), "SCHEMATHESIS_HOOKS": "schema"}
        document = f"{url}/api/openapi.json"
        test = (python.parent / "schemathesis", "run", document, *options)
        lib.run(*test, cwd=made, env=os.environ | hooks)


@lib.command
def browser(options: list[str] = ()) -> None:
    """Tests the page in a real browser.

    Starts a server with the tables that ship, and runs the tests of server/web/browser in
    Chromium: the main paths in every game, and what tools for accessibility find. The page without
    a server is made and tested, too. Options are those of `playwright test`.

    Needs npm and Chromium (`apt-get install chromium`); CHROMIUM names another browser.

    options: those of `playwright test`, after --
    """
    chromium = os.environ.get("CHROMIUM") or lib.chromium_there()
    tests, static = WEB / "browser", lib.TARGET / "server" / "static"
    static_page(static, "test")
    with lib.server("--tables", "tables", profile="test") as (url, _), lib.hosted(static) as files:
        lib.run(*INSTALL, cwd=tests, env=os.environ | {"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"})
        env = os.environ | {"RETROGRADE_URL": url, "RETROGRADE_FILES": files, "CHROMIUM": chromium}
        lib.run("npx", "--no-install", "playwright", "test", *options, cwd=tests, env=env)
