"""What pawns are worth two by two: the numbers of the estimate. How they were found is told in docs/search.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

UNIT = 64
"""How many units a point is."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The numbers of one edition, in units."""

    turn: int
    """What it is worth to be the one to move."""
    worth: tuple[tuple[int, ...], ...]
    """What two pawns of a side are worth together: by the row of the one further on, then by that of the other, both
    counted from the own start line."""

    def worth_of(self, counts: Sequence[int]) -> int:
        """What a side is worth with so many pawns in each row."""
        return sum(
            worth * (count * counts[behind] if behind < row else count * (count - 1) // 2)
            for row, count in enumerate(counts)
            for behind, worth in enumerate(self.worth[row])
        )


PAIRS = {
    "classic": Pairs(
        turn=97,
        worth=(
            (0,),
            (17, 1),
            (16, 25, -19),
            (19, 17, 18, -27),
            (16, 17, 16, 17, -16),
            (16, 21, 14, 10, 12, -12),
            (9, 7, 9, 6, 14, 12, 7),
            (6, 6, 12, 18, 21, 25, 32, 28),
        ),
    ),
    "bonus": Pairs(
        turn=102,
        worth=(
            (0,),
            (17, 11),
            (15, 27, 7),
            (16, 19, 31, 6),
            (15, 17, 22, 35, 15),
            (16, 15, 20, 23, 38, 22),
            (13, 11, 17, 26, 32, 45, 35),
            (13, 10, 18, 28, 36, 45, 54, 53),
        ),
    ),
    "zen": Pairs(
        turn=88,
        worth=(
            (0,),
            (13, -1),
            (8, 21, 4),
            (5, 8, 29, -3),
            (1, 4, 7, 21, 2),
            (0, 1, 8, 8, 30, 18),
            (-4, 0, 11, 17, 35, 53, 45),
            (-1, 5, 11, 21, 29, 36, 41, 40),
        ),
    ),
}
