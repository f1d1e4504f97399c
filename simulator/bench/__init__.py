"""`linja bench`: how fast the parts are on this machine. What is compared runs in turns, in one run."""

from __future__ import annotations

import platform

from simulator.bench import engine

PARTS = {"engine": engine.report}


def run(part: str | None) -> int:
    print(f"Python {platform.python_version()} on {platform.machine()}, {platform.system()}")
    for name in [part] if part else PARTS:
        print(f"\n{name}")
        for line in PARTS[name]():
            print(f"  {line}")
    return 0
