"""From where the pawns are to the level of every Hall sensor.

Each pawn's magnet is a dipole; a sensor feels the vertical part of the field at its place, which is strongest
right above it, gone a slot further, and slightly reversed just beyond. Sensors differ in baseline and in gain,
magnets in strength, all of it by seed; levels tremble with noise and end at the supply rails.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING

from hardware.calibration import TOP_LEVEL, TYPICAL_BASELINE, TYPICAL_NOISE_LEVELS, TYPICAL_PAWN_LEVELS
from hardware.interface import Reading

if TYPE_CHECKING:
    from simulator.table import Pawn, Place, Table

GAP_MM = 10.0
"""From a sensor up to the magnet of the pawn that stands on it."""
REACH_MM = 70.0
"""Beyond this a magnet moves a level by less than noise does."""
BASELINE_SPREAD_LEVELS = 1500
GAIN_SPREAD = 0.1
LOWEST_LEVEL, HIGHEST_LEVEL = 600, TOP_LEVEL - 600
"""Where a sensor saturates."""
NOISE_POOL = 8192

POLARITY = {Reading.RED: 1, Reading.BLACK: -1}


def field(place: Place, sensor_mm: tuple[float, float]) -> float:
    """The vertical field at a sensor, as a share of what a pawn upright in the middle of its slot makes there."""
    x, y, z = place.x_mm - sensor_mm[0], place.y_mm - sensor_mm[1], place.height_mm + GAP_MM
    square = x * x + y * y + z * z
    if place.bearing is None:
        moment_along_way, moment_up = z, 1.0
    else:
        moment_along_way, moment_up = x * math.cos(place.bearing) + y * math.sin(place.bearing), 0.0
    return (3 * moment_along_way * z - moment_up * square) / (square * square * math.sqrt(square)) * GAP_MM**3 / 2


@lru_cache(maxsize=4)
def _noise_pool(noise_levels: float) -> list[int]:
    """Drawing noise for every sensor of every scan would cost more than all the rest: scans cut it from a pool."""
    chance = random.Random(NOISE_POOL)
    return [round(chance.gauss(0, noise_levels)) for _ in range(NOISE_POOL)]


class HallSensors:
    """The sensors under one table. `levels` is cheap while few pawns move: what the others add is remembered."""

    def __init__(self, table: Table, seed: int = 0, noise_levels: float = TYPICAL_NOISE_LEVELS) -> None:
        self._table = table
        self.layout = table.layout
        self._centres_mm = table.layout.centres_mm
        self._random = random.Random(seed)
        spread = range(-BASELINE_SPREAD_LEVELS, BASELINE_SPREAD_LEVELS + 1)
        self.baselines = tuple(TYPICAL_BASELINE + self._random.choice(spread) for _ in self._centres_mm)
        self._gains = [
            TYPICAL_PAWN_LEVELS * self._random.uniform(1 - GAIN_SPREAD, 1 + GAIN_SPREAD) for _ in self._centres_mm
        ]
        self._noise = _noise_pool(noise_levels)
        self._felt: dict[Pawn, tuple[Place, dict[int, int]]] = {}
        self._sums = list(self.baselines)
        self._still = list(self.baselines)

    def levels(self) -> list[int]:
        """The level of every slot's sensor, with fresh noise."""
        for pawn in self._table.pawns:
            place = pawn.place
            if pawn not in self._felt or self._felt[pawn][0] is not place:
                self._feel(pawn, place)
        start = int(self._random.random() * (NOISE_POOL - len(self._still)))
        return list(map(add, self._still, self._noise[start : start + len(self._still)]))

    def _feel(self, pawn: Pawn, place: Place) -> None:
        """Replace what the pawn added at its old place by what it adds at the new one. Whole levels: no sum drifts."""
        old = self._felt[pawn][1] if pawn in self._felt else {}
        new = self._added(pawn, place)
        self._felt[pawn] = (place, new)
        for slot in old.keys() | new.keys():
            self._sums[slot] += new.get(slot, 0) - old.get(slot, 0)
            self._still[slot] = min(max(self._sums[slot], LOWEST_LEVEL), HIGHEST_LEVEL)

    def _added(self, pawn: Pawn, place: Place) -> dict[int, int]:
        if place.height_mm > REACH_MM:
            return {}
        signed = POLARITY[pawn.color] * pawn.strength
        return {
            slot: round(signed * self._gains[slot] * field(place, centre))
            for slot, centre in enumerate(self._centres_mm)
            if abs(centre[0] - place.x_mm) < REACH_MM and abs(centre[1] - place.y_mm) < REACH_MM
        }
