"""Feeds arbitrary input to the readers of tables, FENs, moves, PGN and definitions."""

import os

import lib
from parts import host


@lib.command
def fuzz(seconds: int = 60) -> None:
    """Feeds arbitrary input to the readers, and checks their memory accesses.

    Runs each fuzz target for SECONDS (default: 60), starting from fuzz/corpus and, for
    definitions, from rules/games and games/examples, too; then the tests of the probe crate under
    AddressSanitizer, which watches its unsafe code and the codec's allocations. Inputs that make a
    target fail go to fuzz/artifacts; once the fault is fixed, move them to fuzz/corpus, where the
    tests replay them.

    Needs a nightly Rust toolchain with rust-src, and cargo-fuzz.

    seconds: for each target
    """
    limits = (f"-max_total_time={seconds}", "-rss_limit_mb=4096")
    for target in ("table", "fen", "moves", "pgn", "definition"):
        # New inputs do not belong in git: they go to a separate folder.
        new = lib.ROOT / "target" / "fuzz" / target
        new.mkdir(parents=True, exist_ok=True)
        seeds = [f"fuzz/corpus/{target}"]
        seeds += ["rules/games", "games/examples"] if target == "definition" else []
        lib.run("cargo", "+nightly", "fuzz", "run", target, new, *seeds, "--", *limits)
    # The C code is not instrumented: a compiler other than Rust's would produce instrumentation
    # that does not match the runtime, which then reports faults that do not exist. The memory that
    # the C code allocates is watched all the same.
    flags = {"CFLAGS": "-fno-sanitize=all", "RUSTFLAGS": "-Zsanitizer=address"}
    tests = ("--package", "retrograde-probe", "--all-features", "--tests", "--target", host())
    folder = ("--target-dir", lib.ROOT / "target" / "sanitizer")
    lib.run("cargo", "+nightly", "test", *tests, *folder, env=os.environ | flags)
