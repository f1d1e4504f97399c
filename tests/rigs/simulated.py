"""The simulated board, read in real time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.layout import BoardSettings, Layout
from simulator.board import SimulatedBoard

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.interface import Reading
    from simulator.board import SimulatedSensors
    from simulator.table import Table


def put_pawn(table: Table, slot: int, color: Reading) -> None:
    table.move(table.take(color), *table.layout.centres_mm[slot])


def take_pawn(table: Table, slot: int) -> None:
    row = table.layout.row_of[slot]
    table.lift(table.standing()[slot].color, row, slot - table.layout.rows[row].start)
    table.put_aside()


class SimulatedRig:
    def __init__(self, directory: Path) -> None:
        self._board = SimulatedBoard(Layout.of(BoardSettings()))

    @property
    def sensors(self) -> SimulatedSensors:
        return self._board.sensors

    def reads(self, color: Reading) -> Reading:
        return color

    def place(self, slot: int, color: Reading) -> None:
        put_pawn(self._board.table, slot, color)

    def lift(self, slot: int) -> None:
        take_pawn(self._board.table, slot)

    def unplug(self) -> None:
        self._board.faults.command("unplug")

    def replug(self) -> None:
        self._board.faults.command("clear")

    def silence(self) -> None:
        self._board.faults.command("silent")

    def noise(self) -> None:
        self._board.faults.command("noise once")

    def close(self) -> None:
        self._board.close()
