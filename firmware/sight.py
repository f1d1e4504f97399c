"""What the still board shows row by row, and how it compares with a position of the game.

Within a row, pawns of a colour are interchangeable and slots do not matter. What matters is certainty: a pawn may be
seen with its colour, seen without (a board that feels no polarity), or hidden from sight on a slot that cannot be
trusted, or on a start line all of whose slots are taken.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine import LAST_ROW, PAWNS, ROWS, Color, Position
from firmware.view import RowDifference
from hardware.interface import Reading
from hardware.layout import Layout

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """A pawn that the position has and nobody sees; the colour is None where it could be either."""

    row: int
    color: Color | None


@dataclass(frozen=True, slots=True)
class Sighting:
    """Pawns seen in each row, and how many more could be there unseen."""

    red: Counts
    black: Counts
    unknown: Counts
    """Pawns whose colour the sensors cannot tell."""
    room_unseen: Counts
    """How many pawns may stand in each row without being seen."""

    @classmethod
    def of(cls, readings: Sequence[Reading], layout: Layout, distrusted: Collection[int] = ()) -> Sighting:
        """The rows of a still board; `distrusted` slots may hold anything."""
        rows = [
            [Reading.UNSURE if slot in distrusted else readings[slot] for slot in layout.rows[row]]
            for row in range(ROWS)
        ]
        return cls(
            red=tuple(row.count(Reading.RED) for row in rows),
            black=tuple(row.count(Reading.BLACK) for row in rows),
            unknown=tuple(row.count(Reading.OCCUPIED) for row in rows),
            room_unseen=tuple(_room_unseen(number, row) for number, row in enumerate(rows)),
        )

    @property
    def sees_color(self) -> bool:
        return not any(self.unknown)

    def too_many(self, color: Color | None = None) -> int:
        """How many more pawns of a colour, or of both, are seen than there are."""
        if color is None:
            return max(0, sum(self.red) + sum(self.black) + sum(self.unknown) - 2 * PAWNS)
        return max(0, sum(self.red if color is Color.RED else self.black) - PAWNS)

    def surplus(self, position: Position) -> int:
        """How many of the pawns seen do not stand where the position has one."""
        surplus = 0
        for row in range(ROWS):
            red = self.red[row] - position.red[row]
            black = self.black[row] - position.black[row]
            extra = max(0, red) + max(0, black)
            if self.unknown[row]:
                extra = max(extra, self.red[row] + self.black[row] + self.unknown[row] - position.total(row))
            surplus += extra
        return surplus

    def surplus_of(self, color: Color, position: Position) -> int:
        """How many of the pawns seen in this colour do not stand where the position has one."""
        seen = self.red if color is Color.RED else self.black
        return sum(max(0, there - due) for there, due in zip(seen, position.of(color), strict=True))

    def missing(self, position: Position) -> tuple[Missing, ...]:
        """The pawns of the position that are neither seen nor can be hidden, where no pawn is too many."""
        found: list[Missing] = []
        for row in range(ROWS):
            red = position.red[row] - self.red[row]
            black = position.black[row] - self.black[row]
            gone = max(0, red + black - self.unknown[row] - self.room_unseen[row])
            found += [Missing(row, color) for color in _colors_of_missing(red, black, gone)]
        return tuple(found)

    def shows(self, position: Position) -> bool:
        """Whether every pawn stands as the position has it, as far as can be seen."""
        return not self.surplus(position) and not self.missing(position)

    def shows_arrivals(self, before: Position, after: Position) -> bool:
        """Whether every pawn that is more in a row of `after` than in `before` has been seen there."""
        for row in range(ROWS):
            gained = (after.red[row] > before.red[row], after.black[row] > before.black[row])
            if self.unknown[row] or not self.sees_color:
                gained_any = after.total(row) > before.total(row)
                if gained_any and self.red[row] + self.black[row] + self.unknown[row] < after.total(row):
                    return False
            elif (gained[0] and self.red[row] < after.red[row]) or (gained[1] and self.black[row] < after.black[row]):
                return False
        return True

    def differences(self, position: Position) -> tuple[RowDifference, ...]:
        """The rows that are not as the position has them."""
        found = []
        for row in range(ROWS):
            red, black = self.red[row] - position.red[row], self.black[row] - position.black[row]
            # A pawn of unknown colour stands for one that is missing, whichever it is.
            for _ in range(self.unknown[row]):
                red, black = (red + 1, black) if red < 0 or black >= 0 else (red, black + 1)
            for _ in range(self.room_unseen[row]):
                red, black = (red + 1, black) if red < 0 else (red, min(0, black + 1) if black < 0 else black)
            if red or black:
                found.append(RowDifference(row, red, black))
        return tuple(found)


def _room_unseen(row: int, readings: list[Reading]) -> int:
    if row in (0, LAST_ROW) and Reading.EMPTY not in readings and Reading.UNSURE not in readings:
        return 2 * PAWNS  # every slot is taken; more pawns may stand between them
    return readings.count(Reading.UNSURE)


def _colors_of_missing(red: int, black: int, gone: int) -> Sequence[Color | None]:
    """The colours of `gone` pawns out of a row that lacks so many of each."""
    if red <= 0:
        return [Color.BLACK] * gone
    if black <= 0:
        return [Color.RED] * gone
    if gone == red + black:
        return [Color.RED] * red + [Color.BLACK] * black
    return [None] * gone
