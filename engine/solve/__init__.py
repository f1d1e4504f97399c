"""Solves the game: the exact margin of every position under best play, by working back from the end.

This is for a desktop and needs numpy and numba, the extra `solve`. How it works and why it is right is told in
docs/solved.md; what it writes is read by `engine.solved`, which needs neither.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine.edition import Edition
from engine.placement import FULL_SIZE, Geometry
from engine.solve.compiled import SECOND_TURNS
from engine.solve.kept import Kept
from engine.solve.levels import Block, Levels
from engine.solve.writing import write

__all__ = ["Levels", "solve"]

Show = Callable[[float, str], None]
"""How far it is, 0 to 1, and what is going on."""


def solve(edition: Edition, path: Path, threads: int, show: Show, geometry: Geometry = FULL_SIZE) -> None:
    """Solve a game and write the file. Interrupted, it goes on from the level it was at when it is called again."""
    kept = Kept(path.with_name(f"{path.name}.part"), edition, geometry)
    with Levels(edition, geometry, threads) as levels:
        level = _resume(levels, kept, show)
        while level >= 0:
            show(_share(levels, level), f"level {levels.last - level} of {levels.last}")
            kept.add(level, list(levels.each(_pack, levels.solve(level))))
            level -= 1
        write(levels, path, lambda share: show(share, "writing the file"))
    kept.remove()


def _resume(levels: Levels, kept: Kept, show: Show) -> int:
    """Take up what was kept; the level to go on with."""
    due = levels.last
    for level, packed in kept.levels():
        show(_share(levels, level), "reading what was done before")
        list(levels.each(_enter, [levels] * len(packed), levels.blocks(level), packed))
        due = level - 1
    for level in range(due + 1, min(due + SECOND_TURNS, levels.last + 1)):
        levels.remember_second_turns(level)
    return due


def _share(levels: Levels, level: int) -> float:
    """How many of all positions are in later levels."""
    sizes = np.diff(levels.rules.first).astype(float)
    return float(np.convolve(sizes, sizes)[level + 1 :].sum() / sizes.sum() ** 2)


def _pack(margins: Any) -> bytes:
    return zlib.compress(margins.tobytes(), 1)


def _enter(levels: Levels, block: Block, packed: bytes) -> None:
    levels.enter(block, np.frombuffer(zlib.decompress(packed), np.int8).reshape(block.shape))
