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
        turn=112,
        worth=(
            (0,),
            (20, 10),
            (16, 31, 9),
            (19, 23, 39, 12),
            (19, 22, 29, 43, 22),
            (20, 21, 27, 30, 49, 30),
            (18, 18, 25, 33, 42, 54, 42),
            (18, 17, 26, 36, 44, 53, 63, 62),
        ),
    ),
    "zen": Pairs(
        turn=101,
        worth=(
            (0,),
            (17, -1),
            (11, 26, 6),
            (7, 13, 35, -4),
            (4, 10, 14, 32, 9),
            (3, 9, 15, 17, 44, 26),
            (-2, 4, 16, 28, 44, 65, 62),
            (4, 11, 17, 27, 35, 42, 47, 47),
        ),
    ),
}
