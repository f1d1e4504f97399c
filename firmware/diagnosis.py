"""What a board that plays can tell of itself: the levels of its sensors, their noise, how its link does and how long
light takes. It watches only while somebody looks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Protocol

from firmware.blackbox.entry import Tick
from firmware.events import Event
from firmware.inputs import Input
from firmware.latency import Latency
from firmware.log_tail import LogTail
from hardware.calibration import Calibration
from hardware.interface import Reading, SensorFault, Snapshot
from hardware.layout import Layout
from hardware.link_report import LinkReport
from hardware.rest import Rest

RATE_S = 2.0
"""Over how long frames are counted, and at least how long before there is a figure."""
LEAST_RATE_S = 0.5
SCANS = 400
NOISE_SCANS = 25
LEAST_NOISE_SCANS = 5
NOISE_SLOTS = 8
"""So many sensors are measured at a time: all at once, light might have to wait."""
PAWN_ON_A_SWITCH = 100
"""What a sensor without levels is said to give under a pawn."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What came from the sensors, and when."""

    at: float
    levels: tuple[int, ...]
    faults: tuple[SensorFault, ...]
    """What the sensors or the scanner say of themselves."""


class Watched(Protocol):
    """What is watched: a service."""

    layout: Layout
    latency: Latency
    recorders: list[Callable[[float, Input | Tick | Event], None]]

    @property
    def readings(self) -> Sequence[Reading]: ...


class Diagnosis:
    """The eyes of whoever looks inside one board."""

    def __init__(
        self,
        watched: Watched,
        calibration: Callable[[], Calibration | None],
        link: Callable[[], LinkReport | None],
        clock: Callable[[], float],
    ) -> None:
        self.latency = watched.latency
        self.log = LogTail()
        self.calibration = calibration
        self.link = link
        self._watched = watched
        self.clock = clock
        self._looks = 0
        self._scans: deque[Scan] = deque(maxlen=SCANS)
        self._noise: dict[int, float] = {}
        self._slots: Iterator[int] = cycle(range(watched.layout.slot_count))
        self._began_at = 0.0

    @property
    def layout(self) -> Layout:
        """The board as it is wired, so far as calibration has found out."""
        calibration = self.calibration()
        return calibration.wired(self._watched.layout) if calibration else self._watched.layout

    def begin(self) -> None:
        """Somebody looks."""
        self._looks += 1
        if self._looks == 1:
            self._scans.clear()
            self._noise.clear()
            self._began_at = self.clock()
            self._watched.recorders.append(self._record)

    def end(self) -> None:
        """Somebody has looked away."""
        self._looks -= 1
        if not self._looks:
            self._watched.recorders.remove(self._record)

    def scans_since(self, at: float) -> tuple[Scan, ...]:
        return tuple(scan for scan in self._scans if scan.at >= at)

    def levels(self) -> tuple[int, ...]:
        """The newest level of each slot; of sensors without levels, whether there is a pawn."""
        if self._scans:
            return self._scans[-1].levels
        # Sensors without levels say nothing while nothing changes.
        return () if self.calibration() else tuple(map(_switched, self._watched.readings))

    def frames_per_s(self) -> float:
        watched_s = min(max(self.clock() - self._began_at, LEAST_RATE_S), RATE_S)
        since = self.clock() - watched_s
        return sum(scan.at > since for scan in self._scans) / watched_s

    def noise(self) -> tuple[int, ...]:
        """How much each level trembles, once all were measured; a few are measured anew at each call."""
        newest = list(islice(reversed(self._scans), NOISE_SCANS))
        if len(newest) >= LEAST_NOISE_SCANS:
            for slot in islice(self._slots, NOISE_SLOTS):
                self._noise[slot] = Rest.of([scan.levels[slot] for scan in newest]).noise
        if len(self._noise) < self._watched.layout.slot_count:
            return ()
        return tuple(round(noise) for _, noise in sorted(self._noise.items()))

    def _record(self, now: float, what: Input | Tick | Event) -> None:
        if isinstance(what, Snapshot):
            self._scans.append(Scan(now, what.levels or tuple(map(_switched, what.readings)), what.faults))


def _switched(reading: Reading) -> int:
    return 0 if reading is Reading.EMPTY else PAWN_ON_A_SWITCH
