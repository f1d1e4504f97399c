"""The real serial driver on the virtual scanner, with the calibration of that board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.calibration import Classifier
from hardware.layout import BoardSettings, Layout
from hardware.serial_scanner import SerialScanner
from simulator.board import calibrated
from simulator.faults import Faults
from simulator.table import Table
from simulator.virtual_scanner import VirtualScanner
from tests.rigs.simulated import put_pawn, take_pawn

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.interface import Reading


class VirtualRig:
    def __init__(self, directory: Path) -> None:
        pytest.importorskip("tty", reason="this system has no pseudo-terminals")
        layout = Layout.of(BoardSettings(channels=tuple(range(79, 7, -1))))
        self._table = Table(layout)
        self._faults = Faults(layout)
        self._scanner = VirtualScanner(self._table, self._faults, directory / "scanner")
        self.sensors = SerialScanner(layout, Classifier(calibrated(layout)), str(directory / "scanner"))

    def reads(self, color: Reading) -> Reading:
        return color

    def place(self, slot: int, color: Reading) -> None:
        put_pawn(self._table, slot, color)

    def lift(self, slot: int) -> None:
        take_pawn(self._table, slot)

    def unplug(self) -> None:
        self._faults.command("unplug")

    def replug(self) -> None:
        self._faults.command("clear")

    def silence(self) -> None:
        self._faults.command("silent")

    def noise(self) -> None:
        """Every level trembles once, which is worth a message, and that message is damaged."""
        self._faults.command("noise once")
        self._faults.command("corrupt once")

    def close(self) -> None:
        self.sensors.close()
        self._scanner.close()
