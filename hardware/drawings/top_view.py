"""The board from above with its measures: where to drill for sensors and where the strips go."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hardware.drawings.svg import BAMBOO, BLUE, FAINT, INK, PAPER, QUIET, RED, WIDEST_WORDS, WOOD, Sheet, number
from hardware.layout import ROWS, START_LINES, STRIPS
from hardware.plan import PAWN_RADIUS_MM, STICK_MM, Plan

if TYPE_CHECKING:
    from hardware.drawings.svg import Point
    from hardware.layout import Layout

LEFT, TOP, RIGHT, BOTTOM = 42.0, 46.0, 58.0, 34.0
"""The margins, for measures and words."""


def draw(layout: Layout) -> str:
    return _TopView(Plan(layout)).text()


class _TopView:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._layout = plan.layout
        width, height = max(plan.width_mm + LEFT + RIGHT, WIDEST_WORDS), plan.height_mm + TOP + BOTTOM
        self._sheet = Sheet(width, height, "Top view of the board, in millimetres", life_size=True)
        self._sheet.words((LEFT, 14), "Top view", size=9, bold=True)
        self._sheet.words(
            (LEFT, 26), "Millimetres. Red sits below, black above. 3.5 is the sixth slot of row 3.", colour=QUIET
        )
        self._board()
        self._sticks()
        self._strips()
        self._slots()
        self._measures()

    def text(self) -> str:
        return self._sheet.text()

    def _at(self, x_mm: float, y_mm: float) -> Point:
        plan = self._plan
        return LEFT + plan.width_mm / 2 + x_mm, TOP + (plan.height_mm + plan.lowest_mm + plan.highest_mm) / 2 - y_mm

    def _board(self) -> None:
        plan = self._plan
        self._sheet.box((LEFT, TOP), (plan.width_mm, plan.height_mm), fill=WOOD, width=0.8, round_=6)

    def _sticks(self) -> None:
        for y in self._plan.sticks_mm:
            left, top = self._at(-self._plan.half_mm - 5, y + STICK_MM / 2)
            size = (2 * self._plan.half_mm + 10, STICK_MM)
            self._sheet.box((left, top), size, fill=BAMBOO, colour="#a98645", width=0.4, round_=4)

    def _strips(self) -> None:
        for strip in range(len(STRIPS)):
            pixels = [self._at(x, y) for x, y in self._plan.pixels_mm(strip)]
            if pixels:
                self._sheet.line(pixels[0], pixels[-1], colour=FAINT, width=4.4)
                for pixel in pixels:
                    self._sheet.box((pixel[0] - 1.4, pixel[1] - 1.4), (2.8, 2.8), fill=PAPER, colour=BLUE, width=0.5)

    def _slots(self) -> None:
        layout = self._layout
        for slot, centre in enumerate(layout.centres_mm):
            x, y = self._at(*centre)
            self._sheet.disc((x, y), PAWN_RADIUS_MM, fill=PAPER, width=0.5)
            self._sheet.line((x - 2.4, y), (x + 2.4, y), colour=RED, width=0.4)
            self._sheet.line((x, y - 2.4), (x, y + 2.4), colour=RED, width=0.4)
            self._sheet.words((x, y - 6), layout.name(slot), size=5, anchor="middle", bold=True)
        for row in range(ROWS):
            x, y = self._at(-self._plan.half_mm - 2, self._plan.rows_mm[row])
            if row not in START_LINES:
                self._sheet.words((x + 8, y), f"row {row}", size=5.4, colour=INK)

    def _measures(self) -> None:
        plan, layout, sheet = self._plan, self._layout, self._sheet
        centres = layout.centres_mm
        right, top = self._at(plan.width_mm / 2, plan.highest_mm)[0], TOP
        sheet.measure((LEFT, top), (right, top), number(plan.width_mm), off=(0, -8))
        sheet.measure((LEFT, top + plan.height_mm), (LEFT, top), number(plan.height_mm), off=(-26, 0))
        pair = [self._at(*centres[slot]) for slot in layout.rows[2][:2]]
        if len(pair) == 2:
            sheet.measure(pair[0], pair[1], number(pair[1][0] - pair[0][0]), off=(0, -19))
        for row in range(1, ROWS - 2):
            below, above = self._at(0, plan.rows_mm[row])[1], self._at(0, plan.rows_mm[row + 1])[1]
            sheet.measure((right, below), (right, above), number(below - above), off=(14, 0))
        self._rank_measures(right)
        line = layout.rows[0]
        wide = [self._at(*centres[slot]) for slot in (line[0], line[len(line) // _ranks(layout, 0) - 1])]
        sheet.measure(wide[0], wide[1], number(wide[1][0] - wide[0][0]), off=(0, 34))
        self._strip_measures()
        sheet.paragraph(
            (LEFT, TOP + plan.height_mm + 18),
            ["red cross: middle of the sensor, under the slot", "blue squares: pixels, facing up"],
            size=4.6,
        )

    def _strip_measures(self) -> None:
        """How far the pixels are apart and from the slots: shown in the row above the middle."""
        plan, row = self._plan, ROWS // 2
        pixels = [self._at(*point) for point in plan.pixels_mm(row)]
        if len(pixels) < 2:
            return
        self._sheet.measure(pixels[-2], pixels[-1], number(pixels[-1][0] - pixels[-2][0]), off=(0, -9))
        y = self._at(0, plan.rows_mm[row - 1])[1]
        below = self._at(0, plan.strip_mm(row - 1))[1]
        self._sheet.measure((pixels[-2][0], y), (pixels[-2][0], below), number(below - y), off=(6, 0), beside=True)
        score = [self._at(*point) for point in plan.pixels_mm(ROWS + 1)]
        if len(score) > 1:
            text = f"{number(score[0][1] - score[-1][1])} for {len(score)} pixels"
            self._sheet.words(
                (score[0][0] + 6, (score[0][1] + score[-1][1]) / 2), text, size=4.6, anchor="middle", turned=-90
            )

    def _rank_measures(self, right: float) -> None:
        for row in START_LINES:
            heights = sorted({self._layout.centres_mm[slot][1] for slot in self._layout.rows[row]})
            for below, above in pairwise(heights):
                points = [(right, self._at(0, y)[1]) for y in (below, above)]
                self._sheet.measure(points[0], points[1], number(above - below), off=(14, 0))
            inner = heights[-1] if row == 0 else heights[0]
            neighbour = self._plan.rows_mm[1 if row == 0 else ROWS - 2]
            points = [(right, self._at(0, y)[1]) for y in (inner, neighbour)]
            self._sheet.measure(points[0], points[1], number(abs(neighbour - inner)), off=(14, 0))


def _ranks(layout: Layout, row: int) -> int:
    return len({layout.centres_mm[slot][1] for slot in layout.rows[row]})
