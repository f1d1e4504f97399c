"""A board made of software, behind the same three protocols as a real one.

The levels of its sensors come from the magnets on the table and are read by the real classifier. A caller in virtual
time takes a `sample` whenever it likes; a service in real time calls `read`, which scans up to a hundred times a second
and answers as the scanner does: when a level moved beyond noise, and five times a second otherwise. Scans that could
find nothing but noise are left out, so a board at rest costs next to nothing.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from firmware.scanner.board import FIRMWARE
from hardware.calibration import TYPICAL_NOISE_LEVELS, Calibration, Classifier
from hardware.calibration_run import LEAST_SCANS, CalibrationRun
from hardware.errors import SensorLost
from hardware.interface import Button, Frame, KeyEvent, Snapshot, Touch, Tune
from hardware.link_report import LinkReport
from simulator.faults import SLOW_S, FaultKind, Faults
from simulator.magnets import HallSensors
from simulator.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.layout import Layout

BOARD_ID = "simulated"
SCAN_S = 0.01
REST_S = 0.2
DEADBAND_LEVELS = 160
FRAMES_KEPT = 1000
TUNES_KEPT = 100


def calibrated(layout: Layout, seed: int = 0, noise_levels: float = TYPICAL_NOISE_LEVELS) -> Calibration:
    """The calibration that a careful owner of the board with this seed would have made."""
    table = Table(layout, seed)
    sensors = HallSensors(table, seed, noise_levels)
    table.set_up()
    run = CalibrationRun(layout, table.readings())
    for _ in range(LEAST_SCANS):
        run.add_occupied(sensors.levels())
    table.clear()
    for _ in range(LEAST_SCANS):
        run.add_empty(sensors.levels())
    return run.finish(BOARD_ID)


class SimulatedSensors:
    """`Sensors` over a table."""

    def __init__(
        self, hall: HallSensors, calibration: Calibration, faults: Faults, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._hall = hall
        self._calibration = calibration
        self._order = _wiring(calibration, hall.layout)
        self._faults = faults
        self._clock = clock
        self._wake = threading.Condition()
        self._closed = False
        self._lost = ""
        self._classifier = Classifier(calibration)
        self._late: deque[tuple[float, Snapshot]] = deque()
        self._next_scan = 0.0
        self._due = 0.0
        self._stirred = True
        self._sent: Sequence[int] = ()
        self._frames = self._lost_frames = self._restarts = self._connections = 0

    def sample(self, now: float) -> Snapshot | None:
        """What the board shows at this moment; None when nothing arrives of it. Never blocks."""
        if self._closed:
            raise SensorLost("the simulated board is closed")
        for kind, what in ((FaultKind.UNPLUG, "is unplugged"), (FaultKind.RESET, "restarts")):
            if self._faults.strikes(kind):
                self._restarts += kind is FaultKind.RESET
                self._forget()
                raise SensorLost(f"the simulated board {what}")
        levels = self._faults.bend(self._hall.levels(), self._hall.baselines)
        snapshot = self._classifier.classify([levels[slot] for slot in self._order] if self._order else levels)
        if self._faults.strikes(FaultKind.SILENT):
            return None
        if self._faults.strikes_message():
            self._lost_frames += 1
            return None
        if not self._faults.strikes(FaultKind.SLOW):
            self._late.clear()
            return snapshot
        self._late.append((now + SLOW_S, snapshot))
        return self._late.popleft()[1] if self._late[0][0] <= now else None

    def read(self, timeout: float) -> Snapshot | None:
        deadline = self._clock() + timeout
        with self._wake:
            while True:
                now = self._clock()
                if now >= self._scan_at():
                    self._next_scan = now + SCAN_S
                    snapshot = self._scan(now)
                    if snapshot is not None:
                        return snapshot
                if now >= deadline:
                    if self._lost:
                        raise SensorLost(self._lost)
                    return None
                self._wake.wait(min(self._scan_at(), deadline) - now)

    def stir(self) -> None:
        """Something has moved or is broken: there is more to be found than noise. From any thread."""
        with self._wake:
            self._stirred = True
            self._wake.notify_all()

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()

    def report(self) -> LinkReport:
        return LinkReport(
            port="simulated",
            board=self._calibration.board,
            firmware=".".join(map(str, FIRMWARE)),
            frames=self._frames,
            lost=self._lost_frames,
            damaged=self._lost_frames,
            skipped_bytes=0,
            restarts=self._restarts,
            connections=self._connections,
        )

    def _scan_at(self) -> float:
        """When to look: as soon as the scanner can while anything happens, else when it must say that nothing does."""
        return self._next_scan if self._stirred else max(self._next_scan, self._due)

    def _scan(self, now: float) -> Snapshot | None:
        """One scan, if it is worth telling. A loss is told at once, and from then on when a caller's time is up."""
        self._stirred = bool(self._faults.active)  # what strikes now may be gone with the next scan
        try:
            snapshot = self.sample(now)
        except SensorLost as loss:
            known, self._lost = self._lost, str(loss)
            if known and not self._closed:
                return None
            raise
        if snapshot is None:
            return None
        self._lost = ""
        moved = not self._sent or any(
            abs(level - before) > DEADBAND_LEVELS for level, before in zip(snapshot.levels, self._sent, strict=True)
        )
        if not moved and now < self._due:
            return None
        self._connections += not self._sent
        self._frames += 1
        self._sent = snapshot.levels
        self._due = now + REST_S
        return snapshot

    def _forget(self) -> None:
        """What was under way is gone, and the next snapshot owes nothing to those before."""
        self._classifier = Classifier(self._calibration)
        self._late.clear()
        self._sent = ()


def _wiring(calibration: Calibration, layout: Layout) -> tuple[int, ...]:
    """Whose level each slot is really given, where calibration has found the wires exchanged; nothing where not."""
    owners = {channel: slot for slot, channel in enumerate(layout.channels)}
    return tuple(owners[channel] for channel in calibration.channels) if calibration.rewired(layout) else ()


class SimulatedLights:
    """`Lights` that keep the frames they were shown, newest last; one that changed nothing is not kept."""

    def __init__(self, layout: Layout) -> None:
        self.frames: deque[Frame] = deque([Frame.dark(layout.pixel_count)], maxlen=FRAMES_KEPT)

    @property
    def frame(self) -> Frame:
        """What the pixels look like."""
        return self.frames[-1]

    def show(self, frame: Frame) -> None:
        if len(frame) != len(self.frame):
            raise ValueError(f"a frame of {len(frame)} pixels for a board of {len(self.frame)}")
        if frame != self.frame:
            self.frames.append(frame)

    def close(self) -> None:
        self.show(Frame.dark(len(self.frame)))


class SimulatedPanel:
    """`Panel` with keys that are pressed by calls; it remembers the tunes."""

    def __init__(self) -> None:
        self.tunes: deque[Tune] = deque(maxlen=TUNES_KEPT)
        self._events: queue.SimpleQueue[KeyEvent] = queue.SimpleQueue()
        self._down: set[Button] = set()

    def press(self, button: Button) -> None:
        """Put a finger on a key."""
        if button in self._down:
            raise ValueError(f"the key {button.value} is down already")
        self._down.add(button)
        self._events.put(KeyEvent(button, Touch.PRESSED))

    def hold(self, button: Button) -> None:
        """Keep the finger on a key until it counts as held, pressing it first if it is up."""
        if button not in self._down:
            self.press(button)
        self._events.put(KeyEvent(button, Touch.HELD))

    def release(self, button: Button) -> None:
        """Take the finger off a key."""
        if button not in self._down:
            raise ValueError(f"the key {button.value} is not down")
        self._down.remove(button)
        self._events.put(KeyEvent(button, Touch.RELEASED))

    def read(self, timeout: float) -> KeyEvent | None:
        try:
            return self._events.get(block=timeout > 0, timeout=timeout)
        except queue.Empty:
            return None

    def play(self, tune: Tune) -> None:
        self.tunes.append(tune)

    def close(self) -> None:
        pass


class SimulatedBoard:
    """Table, sensors, lights and panel in one piece. The same seed gives the same sensors, magnets and noise."""

    def __init__(
        self,
        layout: Layout,
        seed: int = 0,
        noise_levels: float = TYPICAL_NOISE_LEVELS,
        calibration: Calibration | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.layout = layout
        self.table = Table(layout, seed)
        self.faults = Faults(layout, seed)
        self.hall = HallSensors(self.table, seed, noise_levels)
        self._clock = clock
        self.sensors = self.read_by(calibration or calibrated(layout, seed, noise_levels))
        self.table.on_move.append(lambda: self.sensors.stir())
        self.faults.on_change.append(lambda: self.sensors.stir())
        self.lights = SimulatedLights(layout)
        self.panel = SimulatedPanel()

    def read_by(self, calibration: Calibration) -> SimulatedSensors:
        """The sensors made anew, with this calibration."""
        self.calibration = calibration
        self.sensors = SimulatedSensors(self.hall, calibration, self.faults, self._clock)
        return self.sensors

    def close(self) -> None:
        self.sensors.close()
        self.lights.close()
        self.panel.close()
