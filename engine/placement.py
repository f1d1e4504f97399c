"""Placements: the ways in which one side's pawns can stand, numbered, so that a position is a pair of numbers.

Each side is seen from behind its own start line: row 0 is where it starts and the last row is its goal. With S[k]
pawns in the rows up to k, the number of a placement is the sum of the binomials C(S[k] + k, k + 1) over all rows but
the last. So every placement has its own number, without a gap, from 0, where all pawns are in the goal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb

from engine.board import PAWNS, ROOM, ROWS


@dataclass(frozen=True, slots=True)
class Geometry:
    """The size of a game: rows, pawns of each side, and how many pawns an inner row has room for."""

    rows: int
    pawns: int
    room: int

    @property
    def placements(self) -> int:
        """In how many ways one side can stand."""
        return comb(self.pawns + self.rows - 1, self.rows - 1)

    @property
    def furthest(self) -> int:
        """How many rows one side's pawns can go in all."""
        return self.pawns * (self.rows - 1)

    def number(self, counts: Sequence[int]) -> int:
        """The number of a placement, given as the pawns in each row."""
        number = standing = 0
        for row in range(self.rows - 1):
            standing += counts[row]
            number += comb(standing + row, row + 1)
        return number

    def all_counts(self) -> Iterator[tuple[int, ...]]:
        """Every placement as counts, in the order of the numbers."""
        yield from _ending_with(self.rows, self.pawns)


def _ending_with(rows: int, pawns: int) -> Iterator[tuple[int, ...]]:
    """All ways to place pawns in these rows; the more of them are behind the last row, the later."""
    if rows == 1:
        yield (pawns,)
        return
    for behind in range(pawns + 1):
        for counts in _ending_with(rows - 1, behind):
            yield (*counts, pawns - behind)


class Opponents:
    """The placements that the opponent of a mover can have at the start of a turn, counted off: every row has room, and
    the colours have not passed. Those with fewer pawns on the start line come first, among them those with fewer in
    row 1, and so on."""

    def __init__(self, geometry: Geometry, mover: Sequence[int]) -> None:
        goal, pawns = geometry.rows - 1, geometry.pawns
        self._pawns = pawns
        # For each row but the first: in how many ways 0, 1, ... pawns or fewer can stand there and beyond.
        at_most = [list(range(1, pawns + 2))]
        for row in range(goal - 1, 0, -1):
            room = geometry.room - mover[goal - row]
            beyond = at_most[0]
            ways = [beyond[few] - (beyond[few - room - 1] if few > room else 0) for few in range(pawns + 1)]
            at_most.insert(0, list(accumulate(ways)))
        self._at_most = at_most
        rearmost = next(row for row in range(geometry.rows) if mover[row])
        # Those who stand wholly behind the mover's rearmost pawn come first, and are left out.
        behind = at_most[goal - rearmost] if rearmost else [0, 0]
        self._passed = behind[-1] - behind[-2]
        self.count = at_most[0][-1] - self._passed

    def place(self, counts: Sequence[int]) -> int:
        """Which of them this one is, from 0."""
        place, left = -self._passed, self._pawns
        for pawns, at_most in zip(counts, self._at_most, strict=False):
            place += at_most[left] - at_most[left - pawns]
            left -= pawns
        return place


FULL_SIZE = Geometry(ROWS, PAWNS, ROOM)
