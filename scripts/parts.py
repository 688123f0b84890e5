"""Says what programs and libraries are made of, and under which licences."""

import json
import re
from pathlib import Path
from typing import Any

import lib

#: The page's bundle, which the server carries, with the licences of what is in it.
PAGE = lib.ROOT / "server/web/dist"


def host() -> str:
    """This machine, as Rust calls it."""
    return re.search(r"^host: (.*)$", lib.said("rustc", "-vV"), re.MULTILINE)[1]


def ingredients(target: str, *names: str) -> list[dict[str, Any]]:
    """The packages that some crates are made of, as Cargo describes them, by name."""
    # Without its feature the module for Python is made of nothing.
    words = ("--features", "retrograde-python/extension", "--filter-platform", target)
    metadata = json.loads(lib.said("cargo", "metadata", "--format-version", 1, "--locked", *words))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    left = [id for id, package in packages.items() if package["name"] in names]
    found: set[str] = set()
    while left:
        id = left.pop()
        if id not in found:
            found.add(id)
            # Neither what builds nor what tests.
            uses = [d for d in nodes[id]["deps"] if any(not k["kind"] for k in d["dep_kinds"])]
            left += [dependency["pkg"] for dependency in uses]
    return sorted((packages[id] for id in found), key=lambda p: (p["name"], p["version"]))


def bill(packages: list[dict[str, Any]]) -> str:
    """A list of packages as CycloneDX has it."""
    components = []
    for package in packages:
        component = {key: package[key] for key in ("name", "version")}
        component |= {"purl": f"pkg:cargo/{package['name']}@{package['version']}"}
        if package["license"]:
            terms = package["license"].replace("/", " OR ")
            component["licenses"] = [{"expression": terms}]
        components.append({"type": "library", **component})
    about = {"type": "application", "name": "retrograde"}
    about |= {"version": lib.published("version")}
    text = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1}
    text |= {"metadata": {"component": about}, "components": components}
    return f"{json.dumps(text, indent=1)}\n"


def notices(packages: list[dict[str, Any]]) -> str:
    """The licences and notices that others gave their packages, each text once, and those of the
    page if the server is among the packages."""
    others = [package for package in packages if package["source"]]
    texts: dict[str, list[str]] = {}
    for package in others:
        name = f"{package['name']} {package['version']}"
        folder = Path(package["manifest_path"]).parent
        # Sources in C that a package carries have a licence of their own.
        for path in [*sorted(folder.iterdir()), *sorted(folder.glob("*/LICENSE*"))]:
            if path.is_file() and re.match(r"(?i)(un)?licen[cs]e|copying|copyright|notice", path.name):
                texts.setdefault(path.read_text(errors="replace").strip(), []).append(name)
    terms = "".join(f"{p['name']} {p['version']}: {p['license']}\n" for p in others)
    rule = f"\n{'-' * 78}\n"
    parts = [f"{', '.join(dict.fromkeys(names))}\n\n{text}\n" for text, names in texts.items()]
    if any(package["name"] == "retrograde-server" for package in packages):
        parts += [f"The page\n\n{path.read_text()}" for path in sorted(PAGE.glob("licenses*"))]
    return rule.join([f"What Retrograde is made of besides its own code\n\n{terms}", *parts])
