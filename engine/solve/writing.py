"""From the table in memory to the file that the board reads."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine.solve.levels import Levels
from engine.solved_file import HEADER_BYTES, PLACE, Header

LINES_AT_ONCE = 64
"""As many columns of the table as a line of a processor's cache has bytes."""
HOW_HARD_TO_PACK = 6
"""Harder takes three times as long and gains a hundredth."""


def write(levels: Levels, path: Path, show: Callable[[float], None]) -> None:
    """Write the file; it appears under its name when it is whole."""
    size = levels.geometry.placements
    unfinished = path.with_name(f"{path.name}.new")
    places = bytearray(PLACE.size * size)
    with unfinished.open("wb") as file:
        file.seek(HEADER_BYTES + len(places))
        lines = _Lines(levels)
        for begin in range(0, size, LINES_AT_ONCE):
            movers = range(begin, min(begin + LINES_AT_ONCE, size))
            for mover, line in zip(movers, lines.packed(movers), strict=True):
                PLACE.pack_into(places, PLACE.size * int(levels.rules.number[mover]), file.tell(), len(line))
                file.write(line)
            show(begin / size)
        header = Header(levels.edition, levels.geometry, file.tell(), zlib.crc32(places))
        file.seek(0)
        file.write(header.pack() + places)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)


class _Lines:
    """The lines of the file, made from the columns of the table."""

    def __init__(self, levels: Levels) -> None:
        self._levels = levels
        rules = levels.rules
        self._order = np.lexsort(rules.pawns.T[::-1])
        """All opponents in the order of `Opponents`."""
        self._pawns = np.ascontiguousarray(rules.pawns[self._order].T)
        self._rearmost = rules.rearmost[self._order]

    def packed(self, movers: range) -> Iterator[bytes]:
        columns = np.ascontiguousarray(self._levels.table[:, movers.start : movers.stop].T)
        return self._levels.each(self._pack, movers, columns)

    def _pack(self, mover: int, column: Any) -> bytes:
        fitting = self._fitting(mover)
        return zlib.compress(column[self._order][fitting].tobytes(), HOW_HARD_TO_PACK) if fitting.any() else b""

    def _fitting(self, mover: int) -> Any:
        rules = self._levels.rules
        fitting = self._rearmost < rules.goal + 1 - rules.rearmost[mover]
        for row in range(1, rules.goal):
            fitting &= self._pawns[row] <= rules.room - rules.pawns[mover, rules.goal - row]
        return fitting
