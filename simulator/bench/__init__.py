"""`linja bench`: how fast the parts are on this machine. What is compared runs in turns, in one run."""

from __future__ import annotations

import importlib
import platform
import re
from contextlib import suppress
from pathlib import Path

PARTS = ("engine", "search", "hardware", "referee", "page")
"""The modules here with something to measure: `report` in each gives the lines. They are imported when they run."""


def run(part: str | None) -> int:
    print(f"Python {platform.python_version()} on {processor()}, {platform.system()}")
    for name in [part] if part else PARTS:
        print(f"\n{name}")
        for line in importlib.import_module(f"simulator.bench.{name}").report():
            print(f"  {line}")
    return 0


def processor() -> str:
    """What this machine computes with, as exactly as it says."""
    with suppress(OSError):
        named = re.search(r"^(?:model name|Model)\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        if named:
            return f"{named[1]} ({platform.machine()})"
    return platform.processor() or platform.machine()
