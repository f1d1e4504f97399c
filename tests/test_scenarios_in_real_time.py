"""Scenarios once more, in real time: through the virtual scanner's bytes and the real serial driver.

Left out are those whose point is a speed, a duration or a broken part: a busy machine would change what they say. The
others hold however long the machine takes, because hands wait until the board has seen them.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardware.calibration import Classifier
from hardware.errors import SensorLost
from hardware.serial_scanner import SerialScanner
from simulator.board import calibrated
from simulator.scenario import LAYOUT, Beginning, Movement, Scenario
from simulator.stage import SETTLED_S, Performance, perform
from simulator.virtual_scanner import VirtualScanner

ABOUT_TIME = ("wait", "slide", "hover", "slowly", "askew", "fault", "sweep", "knock", "digital", "noise", "bump", "no ")
AT_ONCE = 8
CALIBRATION = calibrated(LAYOUT)


def can_take_its_time(path: Path) -> bool:
    return not any(word in path.read_text(encoding="utf-8") for word in ABOUT_TIME)


SCENARIOS = [*filter(can_take_its_time, sorted((Path(__file__).parent / "scenarios").glob("*.txt")))]


class RealTimePerformance(Performance):
    """A performance whose board is seen through a serial port, while time passes by itself."""

    def __init__(self, folder: Path, beginning: Beginning) -> None:
        self._folder = folder
        self._driver: SerialScanner | None = None
        super().__init__(beginning)

    def do(self, movement: Movement) -> None:
        super().do(movement)
        self._wait_until_seen()

    def let_pass(self, seconds: float) -> None:
        if self._driver is None:
            self._plug_in()
        end = self.now + seconds
        while self.now < end:
            self._read()

    def close(self) -> None:
        if self._driver is not None:
            self._driver.close()
            self._scanner.close()

    def _plug_in(self) -> None:
        self._began = time.monotonic()
        self._scanner = VirtualScanner(self.board.table, self.board.faults, self._folder / "scanner")
        self._driver = SerialScanner(LAYOUT, Classifier(CALIBRATION), str(self._folder / "scanner"))
        self._wait_until_seen()

    def _wait_until_seen(self) -> None:
        """Until the sensors tell what stands on the table, and the session has had the time to settle it."""
        while self._readings != self.board.table.readings():
            self._read()
        self.let_pass(SETTLED_S)
        while self.session.deadline is not None:
            self._read()

    def _read(self) -> None:
        assert self._driver is not None
        try:
            snapshot = self._driver.read(0.01)
        except SensorLost:
            snapshot = None  # it has not answered yet
        self.now = time.monotonic() - self._began
        if snapshot is not None:
            self._readings = snapshot.readings
            self._note(self.session.see(snapshot, self.now))
        self._note(self.session.tick(self.now))

    _readings: object = None


def failure(path: Path, folder: Path) -> str | None:
    folder.mkdir()
    performances: list[RealTimePerformance] = []

    def begin(beginning: Beginning) -> Performance:
        performances.append(RealTimePerformance(folder, beginning))
        return performances[0]

    try:
        failed = perform(Scenario.read(path), begin)
    finally:
        for performance in performances:
            performance.close()
    return None if failed is None else f"{path.name}, {failed}"


@pytest.mark.parametrize("share", range(0, len(SCENARIOS), AT_ONCE))
def test_scenarios_hold_through_the_serial_driver_in_real_time(share: int, tmp_path: Path) -> None:
    pytest.importorskip("tty", reason="this system has no pseudo-terminals")
    paths = SCENARIOS[share : share + AT_ONCE]
    with ThreadPoolExecutor(AT_ONCE) as stages:
        failures = stages.map(failure, paths, [tmp_path / path.stem for path in paths])
        assert [*filter(None, failures)] == []
