"""The code for pairing in light: each of its digits as so many pixels, in the rows between the start lines."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.guard.pairing import counts
from firmware.looks import Hue
from firmware.palette import Palette
from firmware.shapes import DARK, FULL
from hardware.interface import Frame
from hardware.layout import Layout

LARGEST_DIGIT = 9
HAND = 5
"""Pixels beyond these have another hue: nobody counts nine at a glance."""


def has_room(layout: Layout) -> bool:
    """Whether every digit fits into every strip."""
    return all(len(strip) >= LARGEST_DIGIT for strip in _strips(layout))


def with_code(frame: Frame, code: str, layout: Layout, palette: Palette) -> Frame:
    """A frame with the code in place of what the inner rows show. They must have room for it."""
    pixels = bytearray(frame.pixels)
    for strip, digit in zip(_strips(layout), counts(code), strict=True):
        for place, pixel in enumerate(strip):
            hue = Hue.CALM if place < HAND else Hue.DISTANCE
            pixels[3 * pixel : 3 * pixel + 3] = palette.ramps[hue][FULL if place < digit else DARK]
    return Frame(bytes(pixels))


def _strips(layout: Layout) -> Sequence[range]:
    return layout.row_pixels[1:-1]
