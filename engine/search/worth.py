"""What a position is worth before its game is played out: an estimate of the final margin.

Values are whole numbers, `UNIT` of them a point, from the view of the player whose turn it is.
"""

from __future__ import annotations

from engine.edition import Edition
from engine.search.sides import Points, Progress

UNIT = 64
"""How many units a point is."""


class SideWorth(dict[int, int]):
    """Of each side: what it adds to the estimate for its player, in units."""

    def __init__(self, points: Points, progress: Progress) -> None:
        super().__init__()
        self._points, self._progress = points, progress

    def __missing__(self, side: int) -> int:
        worth = self[side] = UNIT * self._points[side] + UNIT // 4 * self._progress[side]
        return worth


class Worth:
    """The estimates of one edition."""

    def __init__(self, edition: Edition) -> None:
        self.points, self.progress = Points(edition.row_points), Progress()
        self.side = SideWorth(self.points, self.progress)
        self.turn = 2 * UNIT
        """What it is worth to be the one to move."""

    def final(self, me: int, you: int) -> int:
        """The margin of a game that is over."""
        return UNIT * (self.points[me] - self.points[you])

    def estimate(self, me: int, you: int) -> int:
        """The expected margin of the player who is to move."""
        return self.side[me] - self.side[you] + self.turn
