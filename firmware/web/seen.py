"""Pawns as the sensors of a real board let one see them.

Sensors tell what stands where, never which pawn it is. So that a pawn on the page moves instead of vanishing here and
appearing there, one that is missed stays where it was, held, until a slot finds a pawn that can be it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from engine import Color
from firmware.web.host import Pawn
from hardware.interface import Reading
from hardware.layout import Layout

HELD_HEIGHT_MM = 80.0
_COLORS = {Reading.RED: Color.RED, Reading.BLACK: Color.BLACK, Reading.OCCUPIED: None}


class SeenPawns:
    """Remembers the pawns from one set of readings to the next."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._standing: dict[int, Pawn] = {}
        self._missed: list[Pawn] = []
        self._count = 0

    def see(self, readings: Sequence[Reading]) -> tuple[Pawn, ...]:
        """The pawns after these readings, in the order in which they were first seen."""
        for slot, reading in enumerate(readings):
            pawn = self._standing.get(slot)
            if pawn and reading is not Reading.UNSURE and _COLORS.get(reading, pawn) != pawn.color:
                self._missed.append(replace(self._standing.pop(slot), height_mm=HELD_HEIGHT_MM))
        for slot, reading in enumerate(readings):
            if reading in _COLORS and slot not in self._standing:
                self._standing[slot] = self._found(slot, _COLORS[reading])
        return tuple(sorted((*self._standing.values(), *self._missed), key=lambda pawn: pawn.number))

    def _found(self, slot: int, color: Color | None) -> Pawn:
        x_mm, y_mm = self._layout.centres_mm[slot]
        fitting = [pawn for pawn in self._missed if pawn.color is color]
        if not fitting:
            self._count += 1
            return Pawn(self._count - 1, color, x_mm, y_mm)
        nearest = min(fitting, key=lambda pawn: math.dist((pawn.x_mm, pawn.y_mm), (x_mm, y_mm)))
        self._missed.remove(nearest)
        return replace(nearest, x_mm=x_mm, y_mm=y_mm, height_mm=0.0)
