"""Measured times as figures: what half of them stayed within, and what nearly all did."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec

P = ParamSpec("P")

WIDTH = 52
"""Of the name in front of the figures."""


def timed(act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    """How many seconds of the processor it takes, whatever else the machine is busy with."""
    start = time.thread_time()
    act(*args, **kwargs)
    return time.thread_time() - start


def within(times_s: Sequence[float], percent: int) -> float:
    """What that many percent of the times stayed within: one that was measured, not a mean of two."""
    return sorted(times_s)[math.ceil(percent / 100 * len(times_s)) - 1]


def line(name: str, times_s: Sequence[float], percents: Iterable[int], target: str = "") -> str:
    shown = "   ".join(f"p{percent} {1000 * within(times_s, percent):6.3f} ms" for percent in percents)
    return plain(name, shown, target)


def plain(name: str, figure: str, target: str = "") -> str:
    return f"{name:{WIDTH}} {figure}{f'   (target {target})' if target else ''}"
