"""The folders and their one direction, read off every import."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "engine": set[str](),
    "hardware": set[str](),
    "firmware": {"engine", "hardware"},
    "simulator": {"engine", "hardware", "firmware"},
}
BROUGHT_BY = {  # the modules from outside that the program may use, and the package that has to be required for each
    "aiohttp": "aiohttp",
    "board": "adafruit-circuitpython-neopixel",
    "busio": "adafruit-circuitpython-neopixel",
    "gpiozero": "gpiozero",
    "msgspec": "msgspec",
    "neopixel": "adafruit-circuitpython-neopixel",
    "neopixel_spi": "adafruit-circuitpython-neopixel-spi",
    "numba": "numba",
    "numpy": "numpy",
    "serial": "pyserial",
}
PURE = {
    "__future__",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "math",
    "operator",
    "random",  # only with a seed: no test can tell it from arithmetic
    "re",
    "typing",
}
IMPURE_BUILTINS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}


def modules_of(folder: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of a folder, without those for the microcontroller, which has other libraries."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        if ROOT / "firmware" / "scanner" not in path.parents:
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def imports_of(folder: str) -> Iterator[tuple[str, str]]:
    """Where something is imported, and the top-level name of what is; a relative import stays in its folder."""
    for path, module in modules_of(folder):
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                yield from ((f"{path}:{node.lineno}", alias.name.partition(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield f"{path}:{node.lineno}", (node.module or "").partition(".")[0]


def required_packages() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    required = [*project["dependencies"], *extras["pi"], *extras["solve"]]
    return {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in required}


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_folder_imports_only_what_is_below_it(folder: str) -> None:
    above = {*MAY_IMPORT, "tests"} - MAY_IMPORT[folder] - {folder}
    assert [(place, name) for place, name in imports_of(folder) if name in above] == []


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_folder_uses_only_packages_that_the_project_requires(folder: str) -> None:
    known = sys.stdlib_module_names | {name for name, package in BROUGHT_BY.items() if package in required_packages()}
    foreign = [(place, name) for place, name in imports_of(folder) if name not in known | {*MAY_IMPORT, "tests"}]
    assert foreign == []


def is_about_files(place: str) -> bool:
    """The solved game is a file: what writes it and what reads it is the one part of the engine that may."""
    return place.startswith(("engine/solve/", "engine/solved.py", "engine/solved_file.py"))


def test_the_engine_has_no_clock_no_input_and_no_output() -> None:
    imports = [(place, name) for place, name in imports_of("engine") if not is_about_files(place)]
    assert [(place, name) for place, name in imports if name not in PURE | {"engine"}] == []
    assert [place for place, name in imports_of("engine") if name in {"time", "datetime", "logging", "sys"}] == []
    modules = [(path, module) for path, module in modules_of("engine") if not is_about_files(path)]
    nodes = [(path, node) for path, module in modules for node in ast.walk(module)]
    names = [(f"{path}:{node.lineno}", node.id) for path, node in nodes if isinstance(node, ast.Name)]
    assert [(place, name) for place, name in names if name in IMPURE_BUILTINS] == []
