"""Where the parts of the board lie, in millimetres: slots as the layout has them, and around them sticks and strips."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hardware.layout import ROWS, START_LINES

if TYPE_CHECKING:
    from hardware.layout import Layout

Point = tuple[float, float]

PAWN_RADIUS_MM = 11.0
STICK_MM = 8.0
STRIP_OFF_SLOTS_MM = 14.2
"""From the middle of a row's slots to its pixels: beside the next stick, on a start line between the ranks."""
SIDE_MM = 15.0
"""From the pawns to the score strips, and from those to the edge of the board."""


class Plan:
    """The board from above: x to the right from the middle axis, y from red's edge upwards, as in the layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.half_mm = max(abs(x) for x, _ in layout.centres_mm) + PAWN_RADIUS_MM
        self.lowest_mm = min(y for _, y in layout.centres_mm) - PAWN_RADIUS_MM
        self.highest_mm = max(y for _, y in layout.centres_mm) + PAWN_RADIUS_MM
        self.width_mm = 2 * (self.half_mm + 2 * SIDE_MM)
        self.height_mm = self.highest_mm - self.lowest_mm + 2 * SIDE_MM
        self.rows_mm = [self._innermost(row) for row in range(ROWS)]
        self.sticks_mm = [(below + above) / 2 for below, above in pairwise(self.rows_mm)]
        self.score_strips_mm = (-self.half_mm - SIDE_MM, self.half_mm + SIDE_MM)

    def strip_mm(self, row: int) -> float:
        """The height at which a row's pixels lie."""
        return self.rows_mm[row] + (STRIP_OFF_SLOTS_MM if row == START_LINES[1] else -STRIP_OFF_SLOTS_MM)

    def pixels_mm(self, strip: int) -> list[Point]:
        """The pixels of a row's strip, or after the rows of a score strip, in the layout's order."""
        if strip < ROWS:
            across = _spread(-self.half_mm, self.half_mm, len(self.layout.row_pixels[strip]))
            return [(x, self.strip_mm(strip)) for x in across]
        up = _spread(self.lowest_mm, self.highest_mm, len(self.layout.score_pixels[strip - ROWS]))
        return [(self.score_strips_mm[strip - ROWS], y) for y in up]

    def _innermost(self, row: int) -> float:
        """The height of a row's slots; on a start line, of the rank next to the sticks."""
        heights = [self.layout.centres_mm[slot][1] for slot in self.layout.rows[row]]
        return max(heights) if row == START_LINES[0] else min(heights)


def _spread(start: float, end: float, count: int) -> list[float]:
    return [start + (end - start) * (place + 0.5) / count for place in range(count)]
