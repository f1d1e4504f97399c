"""What a channel tells while nobody touches the board: its level, how much that trembles, and what ails it.

Noise is measured from one scan to the next, so that a pawn that is moved in between counts once and not as noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING

from hardware.calibration import TOP_LEVEL
from hardware.calibration_run import MOST_NOISE_LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence

DEAD_LEVELS = 300
"""The resistor that pulls the common line down leaves less than this when no sensor speaks."""
SWING_LEVELS = 4000
"""A linear Hall sensor cannot drive its output closer to either supply rail: 0.2 V of 3.3 V."""
MEDIAN_STEP = 0.954
"""The median step between two scans of noise with a standard deviation of 1."""


class Ailment(Enum):
    """What can be wrong with a channel at rest."""

    DEAD = "dead"
    SATURATED = "saturated"
    STUCK = "stuck"
    NOISY = "noisy"


@dataclass(frozen=True, slots=True)
class Rest:
    """One channel at rest."""

    level: float
    noise: float
    """The standard deviation, from the median step."""
    ailment: Ailment | None

    @classmethod
    def of(cls, levels: Sequence[int]) -> Rest:
        """From the levels of one channel, scan after scan."""
        level = fmean(levels)
        noise = median([abs(after - before) for before, after in pairwise(levels)]) / MEDIAN_STEP
        return cls(level, noise, _ailment(level, noise, constant=min(levels) == max(levels)))


def at_rest(scans: Sequence[Sequence[int]]) -> tuple[Rest, ...]:
    """Every channel, from at least two scans."""
    return tuple(Rest.of(levels) for levels in zip(*scans, strict=True))


def _ailment(level: float, noise: float, constant: bool) -> Ailment | None:
    if level < DEAD_LEVELS:
        return Ailment.DEAD
    if not SWING_LEVELS <= level <= TOP_LEVEL - SWING_LEVELS:
        return Ailment.SATURATED
    if constant:
        return Ailment.STUCK  # no converter is that quiet
    if noise > MOST_NOISE_LEVELS:
        return Ailment.NOISY
    return None
