"""The simplest classifier there is, for rigs whose levels leave no doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.interface import Reading, SensorFault, Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

MIDDLE = 32768
FAR = 6000


class Thresholds:
    """A level far above the middle is red, far below is black."""

    def classify(self, levels: Sequence[int], faults: tuple[SensorFault, ...] = ()) -> Snapshot:
        readings = tuple(
            Reading.RED if level > MIDDLE + FAR else Reading.BLACK if level < MIDDLE - FAR else Reading.EMPTY
            for level in levels
        )
        return Snapshot(readings, (100,) * len(levels), tuple(levels), faults)
