"""Runs tests of the server and its page that `cargo test` does not have."""

import os
import shutil
import subprocess

import lib

BERSERK, SCHEMATHESIS = "0.14.0", "4.32.5"
INSTALL = ("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")


@lib.command
def page(*, write: bool = False) -> None:
    """Builds the page, and compares it with the bundle that is kept.

    Checks the types of the sources in server/web, builds them, and compares the result with
    server/web/dist. Needs npm and the npm registry.

    write: keep what was built, instead of comparing
    """
    web, built = lib.ROOT / "server" / "web", lib.ROOT / "target" / "server" / "dist"
    lib.run(*INSTALL, cwd=web)
    lib.run("npx", "--no-install", "tsc", "--noEmit", cwd=web)
    vite = ("npx", "--no-install", "vite", "build", "--logLevel", "warn", "--emptyOutDir")
    lib.run(*vite, "--outDir", built, cwd=web)
    if write:
        shutil.rmtree(web / "dist")
        shutil.copytree(built, web / "dist")
    elif not lib.holds("diff", "-r", built, web / "dist", stdout=subprocess.DEVNULL):
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
    Chromium: the main paths in every game, and what tools for accessibility find. Options are
    those of `playwright test`.

    Needs npm and Chromium (`apt-get install chromium`); CHROMIUM names another browser.

    options: those of `playwright test`, after --
    """
    chromium = os.environ.get("CHROMIUM") or lib.chromium_there()
    tests = lib.ROOT / "server" / "web" / "browser"
    with lib.server("--tables", "tables", profile="test") as (url, _):
        lib.run(*INSTALL, cwd=tests, env=os.environ | {"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"})
        env = os.environ | {"RETROGRADE_URL": url, "CHROMIUM": chromium}
        lib.run("npx", "--no-install", "playwright", "test", *options, cwd=tests, env=env)
