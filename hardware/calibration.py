"""From the level of each Hall sensor to what its slot holds.

A sensor at rest reads its baseline, near the middle of 0 to 65535; a red pawn (north up) lifts the level, a black one
(south up) lowers it; a sensor that is mounted face down does the reverse, and its `SensorLevels` say so. How far a
level has gone from the baseline towards that of a good pawn is its share, and `STEPS` cuts the shares into zones:
nothing, something near, neither, a weak pawn, a fair one, a good one. A level must leave its zone by a margin before
the slot is read anew, so that noise at an edge does not flicker.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import msgspec

from hardware.interface import Reading, SensorFault, Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.layout import Layout

TOP_LEVEL = 65535
RAIL_LEVELS = 1024
"""A level this close to either end is no magnet: the sensor is saturated, shorted or not there."""
SATURATED = "saturated"
"""The fault of such a slot, under the name that the scanner has for it too."""

TYPICAL_BASELINE = 32768
TYPICAL_PAWN_LEVELS = 13000
TYPICAL_NOISE_LEVELS = 25.0

STEPS = (0.12, 0.25, 0.45, 0.60, 0.75)
"""The shares at which one zone ends and the next begins, from no pawn to a good one."""
MARGIN = 0.04
"""How far past a step, as a share, a level must go to change zone; more where the sensor's own noise asks for it..."""
MARGIN_NOISES = 4
WIDEST_MARGIN = 0.09
"""... but never so much that a slot could go from pawn to empty with no doubt in between."""

_NOTHING = (Reading.EMPTY, 100)
_NEITHER = (Reading.UNSURE, 0)


def _outwards(pawn: Reading) -> tuple[tuple[Reading, int], ...]:
    return ((Reading.EMPTY, 60), _NEITHER, (pawn, 30), (pawn, 70), (pawn, 100))


ZONES = (_NEITHER, *reversed(_outwards(Reading.BLACK)), _NOTHING, *_outwards(Reading.RED), _NEITHER)
"""Reading and sureness of every zone from the lowest levels to the highest; the first and the last are the rails."""

Level = Annotated[int, msgspec.Meta(ge=0, le=TOP_LEVEL)]


class SensorLevels(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one sensor reads: with no pawn, how much that trembles (standard deviation), and with a good pawn.

    Of a reversed sensor, red is below the baseline and black above it.
    """

    baseline: Level
    noise: Annotated[float, msgspec.Meta(ge=0)]
    red: Level
    black: Level

    @property
    def reversed(self) -> bool:
        return self.red < self.black

    def edges(self) -> tuple[int, ...]:
        """The levels at which the zones after the first begin, in ascending order."""
        below, above = min(self.red, self.black), max(self.red, self.black)
        return (
            RAIL_LEVELS,
            *(round(self.baseline + step * (below - self.baseline)) for step in reversed(STEPS)),
            *(round(self.baseline + step * (above - self.baseline)) for step in STEPS),
            TOP_LEVEL - RAIL_LEVELS + 1,
        )

    def margin(self) -> int:
        """How far past an edge the level must go to change zone."""
        weaker = min(abs(self.red - self.baseline), abs(self.baseline - self.black))
        return round(min(max(MARGIN * weaker, MARGIN_NOISES * self.noise), WIDEST_MARGIN * weaker))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The levels of every sensor of one board, in slot order. `board` is the id that its scanner gives."""

    board: str
    sensors: tuple[SensorLevels, ...]
    channels: tuple[int, ...] = ()
    """The channel of each slot where calibration has found them; empty: as the layout has them."""

    def wired(self, layout: Layout) -> Layout:
        """The layout with the wiring that was found."""
        return replace(layout, channels=self.channels) if self.channels else layout

    def rewired(self, layout: Layout) -> tuple[int, ...]:
        """The slots that are wired otherwise than the layout has them."""
        wired = self.wired(layout).channels
        return tuple(slot for slot, channel in enumerate(layout.channels) if wired[slot] != channel)

    @property
    def face_down(self) -> tuple[int, ...]:
        """The slots whose sensors are reversed."""
        return tuple(slot for slot, sensor in enumerate(self.sensors) if sensor.reversed)

    @classmethod
    def default(cls, layout: Layout) -> Calibration:
        """What to go by before a board was calibrated: every sensor and every magnet as the data sheet says."""
        typical = SensorLevels(
            baseline=TYPICAL_BASELINE,
            noise=TYPICAL_NOISE_LEVELS,
            red=TYPICAL_BASELINE + TYPICAL_PAWN_LEVELS,
            black=TYPICAL_BASELINE - TYPICAL_PAWN_LEVELS,
        )
        return cls(board="", sensors=(typical,) * layout.slot_count)


def fingerprint(layout: Layout) -> str:
    """Twelve digits that change with the slots of the rows or with the channel of any slot."""
    wiring = repr(([len(row) for row in layout.rows], list(layout.channels)))
    return hashlib.sha256(wiring.encode()).hexdigest()[:12]


class Classifier:
    """Reads levels by a calibration, remembering the zone of every slot from one scan to the next."""

    def __init__(self, calibration: Calibration) -> None:
        self._edges = [sensor.edges() for sensor in calibration.sensors]
        self._margins = [sensor.margin() for sensor in calibration.sensors]
        self._meanings = [ZONES[::-1] if sensor.reversed else ZONES for sensor in calibration.sensors]
        self._zones = [-1] * len(self._edges)
        # The levels between which a slot stays in its zone; nothing lies between these, so the first scan sets all.
        self._lows = [TOP_LEVEL + 1] * len(self._edges)
        self._highs = [-1] * len(self._edges)
        self._readings: tuple[Reading, ...] = ()
        self._sureness: tuple[int, ...] = ()
        self._saturated: tuple[SensorFault, ...] = ()

    def classify(self, levels: Sequence[int], faults: tuple[SensorFault, ...] = ()) -> Snapshot:
        """What the slots hold, from one level each in slot order; `faults` are what the scanner itself reports."""
        if len(levels) != len(self._zones):
            raise ValueError(f"{len(levels)} levels for a board of {len(self._zones)} slots")
        # Most scans find every level where it was, so this one line is nearly all the work there is.
        moved = [
            slot
            for slot, (low, level, high) in enumerate(zip(self._lows, levels, self._highs, strict=True))
            if not low <= level <= high
        ]
        if moved:
            for slot in moved:
                self._change_zone(slot, levels[slot])
            seen = [meaning[zone] for meaning, zone in zip(self._meanings, self._zones, strict=True)]
            self._readings = tuple([reading for reading, _ in seen])
            self._sureness = tuple([sureness for _, sureness in seen])
            rails = (0, len(ZONES) - 1)
            self._saturated = tuple([SensorFault(SATURATED, s) for s, zone in enumerate(self._zones) if zone in rails])
        told = (*self._saturated, *(fault for fault in faults if fault not in self._saturated))
        return Snapshot(self._readings, self._sureness, tuple(levels), told)

    def _change_zone(self, slot: int, level: int) -> None:
        """Go up or down no further than the level has passed an edge by the margin."""
        edges, margin, before = self._edges[slot], self._margins[slot], self._zones[slot]
        zone = bisect_right(edges, level)
        if before >= 0:
            zone = bisect_right(edges, level - margin if zone > before else level + margin)
        self._zones[slot] = zone
        self._lows[slot] = edges[zone - 1] - margin if zone > 0 else 0
        self._highs[slot] = edges[zone] - 1 + margin if zone < len(edges) else TOP_LEVEL
