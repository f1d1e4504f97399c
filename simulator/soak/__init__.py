"""`linja soak`: long trials of what must never fail, a module each, told how often and saying what they found."""

from __future__ import annotations

import importlib
import random
import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from firmware.progress import Bar

if TYPE_CHECKING:
    from simulator.soak.trial import Finding, Trial

TRIALS = ("cable", "kills", "journal", "fuzz", "day", "disk", "torn", "crowd")
"""The modules here that try something. They are imported when they run."""


def run(names: Sequence[str], times: int | None, seed: int | None) -> int:
    """Runs the trials, all of them where none is named; the exit code says whether everything was as promised."""
    seed = random.randrange(1_000_000) if seed is None else seed
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it, it tidies up
    findings = [_tried(name, times, seed) for name in names or TRIALS]
    return 1 if any(finding.wrong for finding in findings) else 0


def _tried(name: str, times: int | None, seed: int) -> Finding:
    trial = cast("Trial", importlib.import_module(f"simulator.soak.{name}"))
    began = time.monotonic()
    print(f"{name}: {trial.PROMISE}", flush=True)
    with tempfile.TemporaryDirectory(prefix="linja-soak-") as folder, Bar() as bar:
        finding = trial.run(
            trial.TIMES if times is None else times,
            seed,
            Path(folder),
            lambda share, words: bar.show(share, f"{name}: {words}"),
        )
    verdict = "NOT AS PROMISED" if finding.wrong else "as promised"
    took_s = time.monotonic() - began
    print(f"    {verdict}: {', '.join(finding.figures)} (seed {seed}, {took_s:.0f} s)", flush=True)
    for sentence in finding.wrong:
        print("    " + sentence.replace("\n", "\n    "), flush=True)
    return finding
