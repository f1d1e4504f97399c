"""A real board on the desk, and a person who does what the rig says.

Run it with `pytest -m hardware -s tests/test_sensor_contract.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.layout import BoardSettings, Layout
from hardware.serial_scanner import SerialScanner
from tests.rigs.thresholds import Thresholds

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.interface import Reading


class RealBoardRig:
    """Every verb is a request to the person at the board."""

    def __init__(self, directory: Path) -> None:
        self._layout = Layout.of(BoardSettings())
        self._ask("Plug in the scanner and take all pawns off the board")
        self.sensors = SerialScanner(self._layout, Thresholds())

    def _ask(self, request: str) -> None:
        input(f"\n{request}, then press Enter. ")

    def reads(self, color: Reading) -> Reading:
        return color

    def place(self, slot: int, color: Reading) -> None:
        self._ask(f"Put a {color.value} pawn on slot {self._layout.name(slot)}")

    def lift(self, slot: int) -> None:
        self._ask(f"Take the pawn off slot {self._layout.name(slot)}")

    def unplug(self) -> None:
        self._ask("Pull the scanner's plug")

    def replug(self) -> None:
        self._ask("Put the scanner's plug back in")

    def silence(self) -> None:
        raise NotImplementedError("a person cannot silence a scanner that is plugged in")

    def noise(self) -> None:
        self._ask("Hold a telephone or a small motor close to the scanner's cable")

    def close(self) -> None:
        self.sensors.close()
