"""The code for pairing in light: each of its digits as so many pixels, in the rows between the start lines."""

from __future__ import annotations

from firmware.guard.pairing import counts
from firmware.looks import Hue
from firmware.palette import Palette
from firmware.shapes import FULL
from hardware.interface import Frame
from hardware.layout import Layout

LARGEST_DIGIT = 9
HAND = 5
"""Pixels beyond these have another hue: nobody counts nine at a glance."""


def with_code(frame: Frame, code: str, layout: Layout, palette: Palette) -> Frame:
    """A frame with the code in place of what the inner rows show; on strips that are too short, as it was."""
    strips = layout.row_pixels[1:-1]
    if any(len(strip) < LARGEST_DIGIT for strip in strips):
        return frame
    pixels = bytearray(frame.pixels)
    for strip, digit in zip(strips, counts(code), strict=True):
        for place, pixel in enumerate(strip):
            hue = Hue.CALM if place < HAND else Hue.DISTANCE
            pixels[3 * pixel : 3 * pixel + 3] = palette.ramps[hue][FULL if place < digit else 0]
    return Frame(bytes(pixels))
