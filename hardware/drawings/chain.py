"""The way of the data line through all strips: the order of the chain, and at which end each strip is entered."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hardware.drawings.svg import BLUE, FAINT, INK, PAPER, QUIET, WIDEST_WORDS, WOOD, Sheet
from hardware.layout import STRIPS
from hardware.plan import PAWN_RADIUS_MM, Plan

if TYPE_CHECKING:
    from hardware.drawings.svg import Point
    from hardware.layout import BoardSettings, Layout

LEFT, TOP, RIGHT, BOTTOM = 60.0, 44.0, 60.0, 30.0


def draw(layout: Layout, board: BoardSettings) -> str:
    plan = Plan(layout)
    sheet = Sheet(max(plan.width_mm + LEFT + RIGHT, WIDEST_WORDS), plan.height_mm + TOP + BOTTOM, "The chain of pixels")
    sheet.words((14, 14), "The chain of pixels", size=9, bold=True)
    sheet.words((14, 26), "From above. The data line enters each strip where its arrow begins.", colour=QUIET)
    sheet.box((LEFT, TOP), (plan.width_mm, plan.height_mm), fill=WOOD, width=0.8, round_=6)
    for x, y in layout.centres_mm:
        sheet.disc(_at(plan, (x, y)), PAWN_RADIUS_MM, colour="#e0d2b4", width=0.5)
    strips = [name for name in board.chain if _pixels(layout, STRIPS.index(name))]
    ways = [_way(plan, name, name in board.mirrored) for name in strips]
    for before, after in pairwise(ways):
        _join(sheet, plan, before[-1], after[0])
    for place, (name, way) in enumerate(zip(strips, ways, strict=True)):
        _strip(sheet, layout, name, way, place)
    _entry(sheet, ways[0])
    return sheet.text()


def _at(plan: Plan, point_mm: Point) -> Point:
    x_mm, y_mm = point_mm
    return LEFT + plan.width_mm / 2 + x_mm, TOP + (plan.height_mm + plan.lowest_mm + plan.highest_mm) / 2 - y_mm


def _pixels(layout: Layout, strip: int) -> range:
    return (*layout.row_pixels, *layout.score_pixels)[strip]


def _way(plan: Plan, name: str, mirrored: bool) -> list[Point]:
    """The pixels of a strip in the order of the data line."""
    pixels = [_at(plan, point) for point in plan.pixels_mm(STRIPS.index(name))]
    return pixels[::-1] if mirrored else pixels


def _join(sheet: Sheet, plan: Plan, end: Point, start: Point) -> None:
    """The wire from one strip to the next: straight where they face each other, else around by the nearer side."""
    middle = LEFT + plan.width_mm / 2
    left, right = middle - plan.half_mm - 6, middle + plan.half_mm + 6
    if not left < start[0] < right:
        _go_round(sheet, plan, end, start)
    elif (end[0] > middle) == (start[0] > middle):
        out = right if end[0] > middle else left
        sheet.line(end, (out, end[1]), (out, start[1]), start, colour=BLUE, width=0.9)
    else:
        between = (end[1] + start[1]) / 2
        first, last = (right, left) if end[0] > middle else (left, right)
        corners = ((first, end[1]), (first, between), (last, between), (last, start[1]))
        sheet.line(end, *corners, start, colour=BLUE, width=0.9, dash="2.4 1.8")


def _go_round(sheet: Sheet, plan: Plan, end: Point, start: Point) -> None:
    """To a score strip: along the edge of the board, so that the wire crosses nothing."""
    (_, top), (_, bottom) = _at(plan, (0, plan.highest_mm + 6)), _at(plan, (0, plan.lowest_mm - 6))
    middle = LEFT + plan.width_mm / 2
    side = plan.width_mm / 2 - 6 if abs(end[0] - middle) > plan.half_mm else plan.half_mm + 9
    lane = middle + (side if max(end[0], start[0]) > middle else -side)
    far = bottom if start[1] > (top + bottom) / 2 else top
    near = top if end[1] < (top + bottom) / 2 else bottom
    leave = [(lane, end[1])] if side < plan.width_mm / 2 - 6 else [(end[0], near), (lane, near)]
    sheet.line(end, *leave, (lane, far), (start[0], far), start, colour=BLUE, width=0.9, dash="2.4 1.8")


def _strip(sheet: Sheet, layout: Layout, name: str, way: list[Point], place: int) -> None:
    pixels = _pixels(layout, STRIPS.index(name))
    places = sorted(layout.wire[pixel] for pixel in pixels)
    sheet.line(way[0], way[-1], colour=FAINT, width=5)
    sheet.line(way[0], way[-1], colour=BLUE, width=0.9, arrow=True)
    for point in way:
        sheet.box((point[0] - 1.2, point[1] - 1.2), (2.4, 2.4), fill=PAPER, colour=BLUE, width=0.4)
    sheet.disc(way[0], 2.4, fill=BLUE, colour=BLUE)
    upright = way[0][0] == way[-1][0]
    text = f"{place + 1} · {name} · {places[0]} to {places[-1]}"
    if upright:
        x = way[0][0] + (-26 if way[0][0] < LEFT + 60 else 26)
        sheet.words((x, (way[0][1] + way[-1][1]) / 2), text, size=6, anchor="middle", bold=True, turned=-90)
        return
    middle = ((way[0][0] + way[-1][0]) / 2, way[0][1])
    half = 1.75 * len(text)
    sheet.box((middle[0] - half, middle[1] - 4.6), (2 * half, 9.2), fill=PAPER, colour=BLUE, width=0.4, round_=4)
    sheet.words(middle, text, size=6, anchor="middle", bold=True, colour=INK)


def _entry(sheet: Sheet, way: list[Point]) -> None:
    x, y = way[0]
    sheet.line((20, y), (x - 3, y), colour=BLUE, width=1.2, arrow=True)
    sheet.words((20, y - 5), "from the Pi", size=5, colour=BLUE, bold=True)
