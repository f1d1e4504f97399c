"""A simulated board in the hands of a page: its pawns can be moved, its sensors broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine import Color
from firmware.web.host import FaultKind, Pawn
from hardware.interface import Reading
from simulator import faults

if TYPE_CHECKING:
    from simulator.board import SimulatedBoard

_COLORS = {Reading.RED: Color.RED, Reading.BLACK: Color.BLACK}


class SimulatedHands:
    """`Hands` of a simulated board."""

    fault_kinds = tuple(FaultKind(kind.value, kind.slots) for kind in faults.FaultKind)

    def __init__(self, board: SimulatedBoard) -> None:
        self._board = board

    def pawns(self) -> Sequence[Pawn]:
        return tuple(
            Pawn(
                pawn.number,
                _COLORS[pawn.color],
                pawn.place.x_mm,
                pawn.place.y_mm,
                pawn.place.height_mm,
                pawn.place.bearing,
            )
            for pawn in self._board.table.pawns
        )

    def move(self, number: int, x_mm: float, y_mm: float, height_mm: float) -> None:
        pawns = self._board.table.pawns
        if not 0 <= number < len(pawns):
            raise ValueError(f"there is no pawn {number}: they are 0 to {len(pawns) - 1}")
        self._board.table.move(pawns[number], x_mm, y_mm, height_mm)

    def faults(self) -> Sequence[str]:
        return tuple(fault.text(self._board.layout) for fault in self._board.faults.active)

    def fault(self, text: str) -> None:
        self._board.faults.command(text)
