"""Digital sensors under a simulated table: each knows a pawn, of whatever colour, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.calibration import TYPICAL_BASELINE, TYPICAL_PAWN_LEVELS
from hardware.errors import SensorLost
from hardware.interface import Reading, Snapshot
from hardware.rest import DEAD_LEVELS
from simulator.faults import FaultKind

if TYPE_CHECKING:
    from simulator.cable import Cable
    from simulator.faults import Faults
    from simulator.magnets import HallSensors

CLOSES_AT_LEVELS = 0.35 * TYPICAL_PAWN_LEVELS


class SimulatedSwitches:
    """`Sensors` whose time is that of a cable. A sensor without voltage sees nothing, one at its rail always a pawn."""

    def __init__(self, cable: Cable, hall: HallSensors, faults: Faults) -> None:
        self._cable = cable
        self._hall = hall
        self._faults = faults

    def read(self, timeout: float) -> Snapshot:
        self._cable.now += timeout
        if self._faults.strikes(FaultKind.UNPLUG):
            raise SensorLost("the simulated sensors are unplugged")
        levels = self._faults.bend(self._hall.levels(), self._hall.baselines)
        return Snapshot(tuple(map(_switched, levels)), (100,) * len(levels))

    def close(self) -> None:
        pass


def _switched(level: int) -> Reading:
    is_closed = level > DEAD_LEVELS and abs(level - TYPICAL_BASELINE) > CLOSES_AT_LEVELS
    return Reading.OCCUPIED if is_closed else Reading.EMPTY
