"""What a trial is: told how often, with which seed and where it may write, it finds out whether a promise holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

Show = Callable[[float, str], None]
"""Told how far a trial is, 0 to 1, and what is going on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a trial saw. `wrong` has a sentence for everything that was not as promised."""

    figures: tuple[str, ...]
    wrong: tuple[str, ...]


class Trial(Protocol):
    """A module of a trial has these."""

    PROMISE: str
    TIMES: int
    """How often is the whole of it."""

    def run(self, times: int, seed: int, folder: Path, show: Show) -> Finding: ...
