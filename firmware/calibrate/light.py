"""What the guided calibration shows: a cross of light over the slot that is asked for, and a mark at every other slot
that matters.

A slot is found by the pixel of its row above or below it; on a start line, which has two ranks and one strip, by the
pixels of both score strips at its height. So nobody needs a screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, dist, tau
from typing import TYPE_CHECKING

from firmware.calibrate.guide import Mark
from firmware.looks import Hue
from firmware.palette import Palette, PaletteSettings
from hardware.interface import Frame
from hardware.layout import ROWS
from hardware.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.layout import Layout


@dataclass(frozen=True, slots=True)
class Look:
    """A hue, its brightest and its dimmest level, and how often a second it goes from one to the other."""

    hue: Hue
    high: int
    low: int
    per_s: float = 0.0

    def level(self, now: float) -> int:
        if not self.per_s:
            return self.high
        return round(self.low + (self.high - self.low) * (1 - cos(tau * self.per_s * now)) / 2)


LOOKS = {
    Mark.ASKED: Look(Hue.ACCEPTED, 255, 90, 0.8),
    Mark.ANSWERED: Look(Hue.LEGAL, 30, 30),
    Mark.PLACE_RED: Look(Hue.RED, 190, 190),
    Mark.PLACE_BLACK: Look(Hue.BLACK, 190, 190),
    Mark.TAKE_OFF: Look(Hue.CALM, 220, 40, 1.0),
    Mark.WEAK: Look(Hue.ATTENTION, 230, 40, 1.5),
    Mark.UPSIDE_DOWN: Look(Hue.ERROR, 255, 0, 3.0),
    Mark.SEEN: Look(Hue.ERROR, 200, 40, 1.5),
    Mark.AILING: Look(Hue.ATTENTION, 255, 0, 3.0),
}
"""Told apart by rhythm as well as by hue: steady, breathing, pulsing, blinking."""


class GuidingLight:
    """Paints marks for one board."""

    def __init__(self, layout: Layout, palette: PaletteSettings) -> None:
        plan = Plan(layout)
        self._ramps = Palette.of(palette).ramps
        self._pixels = layout.pixel_count
        self._row_pixel = [_nearest(plan, layout, slot, layout.row_of[slot]) for slot in range(layout.slot_count)]
        self._side_pixels = [
            [_nearest(plan, layout, slot, strip) for strip in (ROWS, ROWS + 1) if layout.score_pixels[strip - ROWS]]
            for slot in range(layout.slot_count)
        ]

    def frame(self, marks: Mapping[int, Mark], now: float) -> Frame:
        """The frame that shows the marks; of two at one pixel, the one that asks for something."""
        pixels = [bytes(3)] * self._pixels
        for slot, mark in sorted(marks.items(), key=lambda item: item[1] is not Mark.ANSWERED):
            look = LOOKS[mark]
            colour = self._ramps[look.hue][look.level(now)]
            pixels[self._row_pixel[slot]] = colour
            if mark is not Mark.ANSWERED:
                for pixel in self._side_pixels[slot]:
                    pixels[pixel] = colour
        return Frame(b"".join(pixels))


def _nearest(plan: Plan, layout: Layout, slot: int, strip: int) -> int:
    """The pixel of a strip that is nearest to a slot."""
    span = (*layout.row_pixels, *layout.score_pixels)[strip]
    centre = layout.centres_mm[slot]
    return min(zip(plan.pixels_mm(strip), span, strict=True), key=lambda pixel: dist(pixel[0], centre))[1]
