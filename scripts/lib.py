"""Shared by all verbs: options, programs, environments of Python, folders and servers."""

import argparse
import contextlib
import functools
import http.server
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "scripts" / "peers"
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
ORACLES = ROOT / "target" / "oracles"
FOUR_MEN = ROOT / "target" / "crosscheck-tables"
PROFILE = os.environ.get("RETROGRADE_PROFILE", "release")


def folder_of(profile: str) -> Path:
    """The folder of the programs that Cargo builds with a profile."""
    return TARGET / ("debug" if profile in ("dev", "test") else profile)


PROGRAMS = folder_of(PROFILE)
RETROGRADE = PROGRAMS / "retrograde"

#: How arguments are read. A path is as the caller gives it: from where he stands.
CONVERTERS = {int: int, str: str, Path: lambda text: Path(text).absolute()}

#: The functions that are commands, by their words, such as ("bindings", "c").
COMMANDS: dict[tuple[str, ...], Callable[..., int | None]] = {}


def command(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Makes a function a subject of the verb that its module is named after, or the verb itself.

    Its parameters are those of the command line, options if they are keywords. The end of its
    documentation says what each is, a line that begins with its name and a colon.
    """
    verb, subject = function.__module__.rpartition(".")[2], function.__name__.rstrip("_")
    COMMANDS[(verb,) if verb == subject else (verb, subject)] = function
    return function


def add_arguments(parser: argparse.ArgumentParser, function: Callable[..., Any]) -> None:
    text = inspect.cleandoc(function.__doc__ or "")
    for name, parameter in inspect.signature(function).parameters.items():
        kind, default = parameter.annotation, parameter.default
        found = re.search(rf"\n{name}: (.*(?:\n  .*)*)", text)
        text, about = text.replace(found[0], "", 1), re.sub(r"\n +", " ", found[1])
        if default not in (parameter.empty, None, False, ()):
            shown = default.relative_to(ROOT) if isinstance(default, Path) else default
            about += f" (default: {shown})"
        settings: dict[str, Any] = {"help": about}
        if types.NoneType in typing.get_args(kind):
            kind = typing.get_args(kind)[0]
        several = typing.get_origin(kind) is list
        if kind is bool:
            settings["action"] = "store_true"
        else:
            settings["type"] = CONVERTERS[typing.get_args(kind)[0] if several else kind]
        if parameter.kind is parameter.KEYWORD_ONLY:
            if several:
                settings["action"] = "append"
            settings["required"] = default is parameter.empty
            name = f"--{name}"
        elif several:
            settings["nargs"] = "+" if default is parameter.empty else "*"
        elif default is not parameter.empty:
            settings["nargs"] = "?"
        if default is not parameter.empty:
            settings["default"] = default
        parser.add_argument(name, **settings)
    parser.description = text
    parser.set_defaults(function=function)


def parse(about: str | None) -> tuple[Callable[..., int | None], dict[str, Any]]:
    """The function that the command line names, and its arguments."""
    layout = {"formatter_class": argparse.RawDescriptionHelpFormatter}
    top = argparse.ArgumentParser("scripts/run", description=about, **layout)
    verbs = top.add_subparsers(title="verbs", metavar="VERB", required=True)
    subjects: dict[str, Any] = {}
    for words, function in sorted(COMMANDS.items()):
        adder, name = verbs, words[0]
        if len(words) == 2:
            if name not in subjects:
                module = (inspect.getmodule(function).__doc__ or "").strip()
                several = verbs.add_parser(name, help=module, description=module, **layout)
                title = {"title": "subjects", "metavar": "SUBJECT", "required": True}
                subjects[name] = several.add_subparsers(**title)
            adder, name = subjects[name], words[1]
        first = (function.__doc__ or "").partition("\n")[0]
        add_arguments(adder.add_parser(name, help=first, **layout), function)
    arguments = vars(top.parse_args())
    return arguments.pop("function"), arguments


def fail(text: str, code: int = 1) -> NoReturn:
    print(text, file=sys.stderr)
    sys.exit(code)


def run(*words: Any, check: bool = True, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Runs a program, which must end with 0 unless `check` is False."""
    sys.stdout.flush()
    return subprocess.run([str(word) for word in words], check=check, text=True, **settings)


def said(*words: Any, **settings: Any) -> str:
    """Runs a program, and returns what it writes."""
    return run(*words, stdout=subprocess.PIPE, **settings).stdout


def holds(*words: Any, **settings: Any) -> bool:
    """Whether a program ends with 0; otherwise a comparison has found a difference."""
    return run(*words, check=False, **settings).returncode == 0


def build(*packages: str) -> None:
    """Builds programs and libraries, which are then in PROGRAMS."""
    if PROFILE == "dev":
        # For fewer packages, what they share would be compiled with fewer features.
        run("cargo", "build", "--quiet", "--workspace", "--lib", "--bins", "--tests")
    else:
        named = [word for package in packages for word in ("-p", package)]
        run("cargo", "build", "--quiet", "--profile", PROFILE, *named)


def retrograde(*words: Any, **settings: Any) -> subprocess.CompletedProcess[str]:
    return run(RETROGRADE, *words, **settings)


def published(field: str) -> str:
    """A field that all packages have in common, such as their version, from Cargo.toml."""
    section = (ROOT / "Cargo.toml").read_text().partition("[workspace.package]")[2]
    return re.search(rf'^{field} = "(.*)"', section, re.MULTILINE)[1]


def example(language: str, path: str) -> str:
    """The programs in a language of a page."""
    text = (ROOT / path).read_text()
    return "".join(re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def games() -> list[str]:
    """The names of all games, from the program."""
    return re.findall(r"^\S+", said(RETROGRADE, "games"), re.MULTILINE)


def generate(game: Any, *words: Any, out: Path, **settings: Any) -> None:
    """Makes tables in a folder, which is named for reading, too, so that no others do instead."""
    retrograde("generate", game, *words, "--tables", out, "--out", out, **settings)


def listed(name: str = "SHA256SUMS") -> dict[str, str]:
    """The digests of the tables that ship, by their names."""
    lines = (ROOT / "tables" / name).read_text().splitlines()
    return {line.split()[1]: line.split()[0] for line in lines}


def copied(names: Any, source: Path, target: Path) -> Path:
    """Copies files, with their folders."""
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, target / name, follow_symlinks=False)
    return target


def shipped(target: Path) -> Path:
    """A new folder with the three-man tables that ship, and none of those made beside them."""
    shutil.rmtree(target, ignore_errors=True)
    names = listed() | listed("SHA256SUMS.four")
    # One letter for each man, and the v between the sides.
    return copied((name for name in names if len(Path(name).stem) <= 4), ROOT / "tables", target)


def venv(target: Path, *wanted: Any) -> Path:
    """The Python of a virtual environment with what pip is to install; kept if it has just that."""
    note, text = target / "wanted", " ".join(map(str, wanted))
    python = target / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not note.exists() or note.read_text() != text:
        run(sys.executable, "-m", "venv", "--clear", target)
        pip = (python, "-m", "pip", "install", "--quiet")
        run(*pip, "--disable-pip-version-check", *wanted)
        note.write_text(text)
    return python


@contextlib.contextmanager
def work(inside: Path | None = None) -> Iterator[Path]:
    """A temporary folder."""
    with tempfile.TemporaryDirectory(prefix="retrograde-", dir=inside) as name:
        yield Path(name)


def stop(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    process.wait()


@contextlib.contextmanager
def server(*words: Any, profile: str = "release") -> Iterator[tuple[str, int]]:
    """A server on a free port: its address and its process. RETROGRADE_SERVER names a program
    that is built already."""
    program = os.environ.get("RETROGRADE_SERVER")
    if not program:
        run("cargo", "build", "--quiet", "--profile", profile, "-p", "retrograde-server")
        program = folder_of(profile) / "retrograde-server"
    log = TARGET / "server" / "log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as written:
        listen = [program, "--listen", "127.0.0.1:0", *map(str, words), "--log", "error"]
        process = subprocess.Popen(listen, stderr=written)
    try:
        for _ in range(100):
            if found := re.search(r"^serving .* at (http://\S*)/$", log.read_text(), re.MULTILINE):
                yield found[1], process.pid
                return
            if process.poll() is not None:
                break
            time.sleep(0.1)
        fail(f"{log.read_text()}the server did not start")
    finally:
        stop(process)


@contextlib.contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serves the files of a folder: its address. As on many hosts, it is not the root."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Handler, directory=folder.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        thread = threading.Thread(target=host.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{host.server_port}/{folder.name}/"
        finally:
            host.shutdown()
            thread.join()


def needs(*programs: str) -> None:
    """Ends with 2 unless these programs are there. Debian has some games in a folder of its own."""
    os.environ["PATH"] += ":/usr/games:/usr/local/games"
    for program in programs:
        shutil.which(program) or fail(f"{program} is not there; install it", 2)


def chromium_there() -> str:
    """A browser of this machine."""
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), None) or fail("there is no Chromium; install it")
