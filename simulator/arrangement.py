"""Pawns put where a position of the game has them."""

from __future__ import annotations

from engine import Color, Position
from hardware.interface import Reading
from simulator.table import Table

READINGS = {Color.RED: Reading.RED, Color.BLACK: Reading.BLACK}


def arrange(table: Table, position: Position) -> None:
    """Red from the left, black from the right; on a start line with every slot taken, what is left stays beside."""
    if position == Position.setup():
        table.set_up()
        return
    table.clear()
    for row, slots in enumerate(table.layout.rows):
        free = list(range(len(slots)))
        for color, side in ((Color.RED, 0), (Color.BLACK, -1)):
            for _ in range(min(position.of(color)[row], len(free))):
                table.take(READINGS[color])
                table.place(row, free.pop(side))
