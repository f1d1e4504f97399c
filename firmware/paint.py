"""From what the board says to the colour of every pixel."""

from __future__ import annotations

from firmware.looks import BoardLight, Glow, Hue, ScoreLight
from firmware.palette import Palette, Ramp
from firmware.patterns import row_levels, score_level
from firmware.shapes import MARGIN
from hardware.interface import Frame
from hardware.layout import Layout

DOUBTED_LEVEL = 90
BELOW_ZERO_RHYTHM = (1.0, 0.35)
"""Points below zero are a broken line: bright and dim by turns, still a pixel a point."""

_Pixel = tuple[int, Ramp]
"""A level, and the ramp of its hue."""


def paint(light: BoardLight, layout: Layout, palette: Palette, now: float) -> Frame:
    """The frame that says it, at the moment `now` of whatever moves."""
    ramps = palette.ramps
    pixels: list[_Pixel] = [(0, ramps[Hue.ACCEPTED])] * layout.pixel_count
    for span, glows in zip(layout.row_pixels, light.rows, strict=True):
        for glow in glows:
            _lay(pixels, span, glow, ramps[glow.hue], now)
    for slot in light.doubted_slots:
        pixel = _pixel_of_slot(layout, slot)
        pixels[pixel] = max(pixels[pixel], (DOUBTED_LEVEL, ramps[Hue.ATTENTION]), key=_level)
    red, black = light.scores
    _fill(pixels, layout.score_pixels[0], red, ramps[red.hue], now)
    _fill(pixels, layout.score_pixels[1][::-1], black, ramps[black.hue], now)
    return _frame(pixels, light.dim)


def _lay(pixels: list[_Pixel], span: range, glow: Glow, ramp: Ramp, now: float) -> None:
    """One glow over those that are there already: on each pixel the brighter is seen."""
    for pixel, level in zip(span, row_levels(glow, len(span), now), strict=True):
        if level > pixels[pixel][0]:
            pixels[pixel] = (level, ramp)


def _fill(pixels: list[_Pixel], strip: range, score: ScoreLight, ramp: Ramp, now: float) -> None:
    """The points of one player; `strip` runs from the player's own edge to the far one."""
    level = score_level(score.mood, now - score.since)
    for pixel in strip[: max(0, score.points)]:
        pixels[pixel] = (level, ramp)
    for place, pixel in enumerate(strip[::-1][: max(0, -score.points)]):
        pixels[pixel] = (round(level * BELOW_ZERO_RHYTHM[place % 2]), ramp)


def _pixel_of_slot(layout: Layout, slot: int) -> int:
    """The pixel of the row nearest to the slot, between the margins, which belong to other marks."""
    widest_mm = max(x for x, _ in layout.centres_mm)
    span = layout.row_pixels[layout.row_of[slot]]
    share = (layout.centres_mm[slot][0] + widest_mm) / (2 * widest_mm) if widest_mm else 0.5
    place = round(share * (len(span) - 1))
    margin = MARGIN if len(span) > 2 * MARGIN else 0
    return span[min(max(place, margin), len(span) - 1 - margin)]


def _frame(pixels: list[_Pixel], dim: float) -> Frame:
    if dim == 1.0:
        return Frame(b"".join([ramp[level] for level, ramp in pixels]))
    return Frame(b"".join([ramp[round(level * dim)] for level, ramp in pixels]))


def _level(pixel: _Pixel) -> int:
    return pixel[0]
