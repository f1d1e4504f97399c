"""Measuring a calibration: many scans of the empty board, then many of a board with a pawn on some of its slots.

Pure: levels are fed in, flaws are told by slot, and a calibration comes out only when there are none. Which slots
carry which pawns is the caller's to say; this folder does not know the game's set-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import sqrt
from statistics import fmean, median
from typing import TYPE_CHECKING

from hardware.calibration import RAIL_LEVELS, STEPS, TOP_LEVEL, Calibration, SensorLevels
from hardware.errors import CalibrationError
from hardware.interface import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.layout import Layout

LEAST_SCANS = 20
MOST_NOISE_LEVELS = 300.0
LEAST_PAWN_LEVELS = 4000
LEAST_PAWN_SHARE = 0.6
"""A pawn below this share of the median pawn of its colour is upright on no slot, or has lost its magnetism."""


class Flaw(Enum):
    """What cannot be right about one slot."""

    NOISY = "the sensor is too noisy"
    OFF_CENTRE = "the sensor is dead, shorted or too far off its middle"
    MISSING = "no pawn is seen where one should stand"
    WEAK = "the pawn is too weak"
    REVERSED = "the pawn has the wrong polarity"
    UNEXPECTED = "a pawn is seen where none should stand"


@dataclass(frozen=True, slots=True)
class SlotFlaw:
    """A flaw, where it is and what was measured."""

    slot: int
    flaw: Flaw
    measured: str

    def text(self, layout: Layout) -> str:
        return f"slot {layout.name(self.slot)}: {self.flaw.value} ({self.measured})"


class CalibrationRun:
    """One calibration in the making. `pawns` says what each slot carries in the second half: EMPTY, RED or BLACK."""

    def __init__(self, layout: Layout, pawns: Sequence[Reading]) -> None:
        if len(pawns) != layout.slot_count:
            raise CalibrationError(f"{len(pawns)} pawns or gaps for a board of {layout.slot_count} slots")
        for color in (Reading.RED, Reading.BLACK):
            if color not in pawns:
                raise CalibrationError(
                    f"a calibration needs pawns of both colours, and no {color.value} one is planned"
                )
        self._layout = layout
        self._pawns = tuple(pawns)
        self._empty: list[tuple[int, ...]] = []
        self._occupied: list[tuple[int, ...]] = []

    def add_empty(self, levels: Sequence[int]) -> None:
        """A scan of the board with no pawn on it."""
        self._empty.append(self._checked(levels))

    def add_occupied(self, levels: Sequence[int]) -> None:
        """A scan of the board with the planned pawns on it."""
        self._occupied.append(self._checked(levels))

    @property
    def empty_progress(self) -> float:
        """How much of the first half is done, 0 to 1."""
        return min(1.0, len(self._empty) / LEAST_SCANS)

    @property
    def occupied_progress(self) -> float:
        """How much of the second half is done, 0 to 1."""
        return min(1.0, len(self._occupied) / LEAST_SCANS)

    def empty_flaws(self) -> tuple[SlotFlaw, ...]:
        """What is wrong with the empty board, so that it can be put right before the pawns are set up."""
        flaws = []
        for slot, (baseline, noise) in enumerate(_mean_and_noise(self._empty, "the empty board")):
            if not _away_from_rails(baseline):
                flaws.append(SlotFlaw(slot, Flaw.OFF_CENTRE, f"level {baseline:.0f} of {TOP_LEVEL}"))
            if noise > MOST_NOISE_LEVELS:
                flaws.append(SlotFlaw(slot, Flaw.NOISY, f"{noise:.0f} levels, at most {MOST_NOISE_LEVELS:.0f}"))
        return tuple(flaws)

    def flaws(self) -> tuple[SlotFlaw, ...]:
        """Everything that is wrong, slot by slot; of one slot only the first thing, for it may explain the rest."""
        found = {flaw.slot: flaw for flaw in reversed(self.empty_flaws())}
        strengths = self._strengths()
        typical = self._typical(strengths)
        for slot, (pawn, strength) in enumerate(zip(self._pawns, strengths, strict=True)):
            flaw = _pawn_flaw(pawn, strength, typical)
            if flaw is not None:
                found.setdefault(slot, SlotFlaw(slot, flaw, f"{strength:+.0f} levels from its baseline"))
        for slot, sensor in enumerate(self._sensors()):
            if not RAIL_LEVELS < sensor.black < sensor.red < TOP_LEVEL - RAIL_LEVELS:
                measured = f"a pawn would read {sensor.black} or {sensor.red}"
                found.setdefault(slot, SlotFlaw(slot, Flaw.OFF_CENTRE, measured))
        return tuple(found[slot] for slot in sorted(found))

    def finish(self, board: str) -> Calibration:
        """The calibration of the board with that id; refused with every flaw named by slot if there is any."""
        flaws = self.flaws()
        if flaws:
            raise CalibrationError("; ".join(flaw.text(self._layout) for flaw in flaws))
        return Calibration(board=board, sensors=self._sensors())

    def _sensors(self) -> tuple[SensorLevels, ...]:
        strengths = self._strengths()
        typical = self._typical(strengths)
        sensors = []
        for slot, (baseline, noise) in enumerate(_mean_and_noise(self._empty, "the empty board")):
            # A linear sensor is as sensitive to one pole as to the other: one pawn tells of both colours.
            pawn = self._pawns[slot]
            gain = 1.0 if pawn is Reading.EMPTY else strengths[slot] / typical[pawn]
            red = round(baseline + gain * typical[Reading.RED])
            black = round(baseline + gain * typical[Reading.BLACK])
            sensors.append(SensorLevels(baseline=round(baseline), noise=round(noise, 1), red=red, black=black))
        return tuple(sensors)

    def _checked(self, levels: Sequence[int]) -> tuple[int, ...]:
        if len(levels) != self._layout.slot_count:
            raise CalibrationError(f"{len(levels)} levels for a board of {self._layout.slot_count} slots")
        return tuple(levels)

    def _strengths(self) -> list[float]:
        """How far each sensor was moved from its baseline."""
        baselines = _mean_and_noise(self._empty, "the empty board")
        occupied = _mean_and_noise(self._occupied, "the pawns")
        return [level - baseline for (level, _), (baseline, _) in zip(occupied, baselines, strict=True)]

    def _typical(self, strengths: list[float]) -> dict[Reading, float]:
        """The median pawn of each colour, never nearer to the baseline than the weakest pawn that is allowed."""
        red = median([s for s, pawn in zip(strengths, self._pawns, strict=True) if pawn is Reading.RED])
        black = median([s for s, pawn in zip(strengths, self._pawns, strict=True) if pawn is Reading.BLACK])
        return {Reading.RED: max(red, LEAST_PAWN_LEVELS), Reading.BLACK: min(black, -LEAST_PAWN_LEVELS)}


def _mean_and_noise(scans: list[tuple[int, ...]], what: str) -> list[tuple[float, float]]:
    if len(scans) < LEAST_SCANS:
        raise CalibrationError(f"{len(scans)} scans of {what} are too few: at least {LEAST_SCANS} are needed")
    measured = []
    for levels in zip(*scans, strict=True):
        mean = fmean(levels)
        measured.append((mean, sqrt(fmean([(level - mean) ** 2 for level in levels]))))
    return measured


def _away_from_rails(baseline: float) -> bool:
    room = RAIL_LEVELS + LEAST_PAWN_LEVELS
    return room <= baseline <= TOP_LEVEL - room


def _pawn_flaw(pawn: Reading, strength: float, typical: dict[Reading, float]) -> Flaw | None:
    if pawn is Reading.EMPTY:
        near = typical[Reading.RED if strength > 0 else Reading.BLACK]
        return Flaw.UNEXPECTED if strength / near > STEPS[1] else None
    share = strength / typical[pawn]
    if share < -STEPS[1]:
        return Flaw.REVERSED
    if share < STEPS[0]:
        return Flaw.MISSING
    if share < LEAST_PAWN_SHARE or abs(strength) < LEAST_PAWN_LEVELS:
        return Flaw.WEAK
    return None
