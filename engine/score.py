"""Points: what the pawns are worth where they stand, row by row and in all, at any time."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import LAST_ROW, ROWS, Color, Position
from engine.edition import Edition


@dataclass(frozen=True, slots=True)
class Points:
    """The points of both colours."""

    red: int
    black: int

    def of(self, color: Color) -> int:
        return self.red if color is Color.RED else self.black

    @property
    def leader(self) -> Color | None:
        """The colour that is ahead; None when they are level."""
        if self.red == self.black:
            return None
        return Color.RED if self.red > self.black else Color.BLACK


@dataclass(frozen=True, slots=True)
class RowCount:
    """One line of the count: a colour's pawns in one row, and what each of them is worth there."""

    color: Color
    row: int
    pawns: int
    worth: int

    @property
    def points(self) -> int:
        return self.pawns * self.worth


def rows_from_goal(color: Color, row: int) -> int:
    return LAST_ROW - row if color is Color.RED else row


def points(position: Position, edition: Edition) -> Points:
    worth = edition.row_points
    red = sum(pawns * worth[LAST_ROW - row] for row, pawns in enumerate(position.red))
    black = sum(pawns * worth[row] for row, pawns in enumerate(position.black))
    return Points(red, black)


def count(position: Position, edition: Edition) -> tuple[RowCount, ...]:
    """The rows as a person counts them: red's from its goal back to its start line, then black's."""
    return tuple(
        RowCount(color, row, position.of(color)[row], edition.row_points[rows_from_goal(color, row)])
        for color in Color
        for row in (range(ROWS) if color is Color.BLACK else range(LAST_ROW, -1, -1))
    )
