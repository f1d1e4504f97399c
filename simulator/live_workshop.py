"""The workshop of a simulated board in real time: it can be diagnosed and calibrated like a real one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.calibrate.beside import CalibrationBeside
from firmware.config import Settings
from firmware.diagnosis import Diagnosis, Watched
from firmware.drivers import BEING_CALIBRATED
from firmware.workshop import Files, Workshop
from firmware.yielding import YieldingSensors
from hardware.calibration import Calibration
from hardware.calibration_file import load, save
from hardware.interface import Frame, Sensors
from simulator.board import SimulatedBoard
from simulator.cable import Cable


class LiveEyes:
    """Makes the sensors of a simulated board by the calibration at `file`, where it puts the one that the board has."""

    def __init__(self, board: SimulatedBoard, file: Path) -> None:
        self._board = board
        self._file = file
        save(board.calibration, file, board.layout)
        self.sensors = YieldingSensors(self._open, BEING_CALIBRATED)

    @property
    def calibration(self) -> Calibration:
        return self._board.calibration

    def _open(self) -> Sensors:
        return self._board.read_by(load(self._file, self._board.layout))


def live_workshop(
    settings: Settings,
    board: SimulatedBoard,
    eyes: LiveEyes,
    service: Watched,
    show: Callable[[Frame | None], None],
    files: Files,
    wait: Callable[[float], None] = time.sleep,
) -> Workshop:
    """For the service on this board; without a `wait`, a calibration takes no time but its own."""
    cable = Cable(board.hall, board.table, board.faults, wait)

    @contextmanager
    def line() -> Iterator[Cable]:
        yield cable

    diagnosis = Diagnosis(service, lambda: eyes.calibration, eyes.sensors.report, time.monotonic)
    calibration = CalibrationBeside(settings, files.calibration, eyes.sensors.aside, line, show, lambda: cable.now)
    return Workshop(settings, files, diagnosis, calibration)
