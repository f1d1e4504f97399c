"""What a position is worth before its game is played out: an estimate of the final margin.

A side is worth what its pawns are worth two by two, by the rows in which they stand, and a position is worth the own
side less the opponent's, and something for being the one to move. So a side's worth is looked up at once, whatever
stands on the other side. Values are whole numbers, `UNIT` of them a point, seen by the player whose turn it is.
"""

from __future__ import annotations

from engine.edition import Edition
from engine.search.pairs import PAIRS, UNIT, Pairs
from engine.search.sides import Points, Progress, unpack


class SideWorth(dict[int, int]):
    """Of each side: what it adds to the estimate for its player."""

    def __init__(self, pairs: Pairs) -> None:
        super().__init__()
        self._pairs = pairs

    def __missing__(self, side: int) -> int:
        worth = self[side] = self._pairs.worth_of(unpack(side))
        return worth


class Worth:
    """The estimates of one edition."""

    def __init__(self, edition: Edition) -> None:
        self.points, self.progress = Points(edition.row_points), Progress()
        pairs = PAIRS[edition.name]
        self.side = SideWorth(pairs)
        self.turn = pairs.turn

    def final(self, me: int, you: int) -> int:
        """The margin of a game that is over."""
        return UNIT * (self.points[me] - self.points[you])

    def estimate(self, me: int, you: int) -> int:
        """The expected margin of the player who is to move."""
        return self.side[me] - self.side[you] + self.turn
