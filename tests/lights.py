"""Views and frames the way the tests of the lights show them."""

from __future__ import annotations

from engine import State
from firmware.illuminate import meanings
from firmware.looks import BoardLight, Look
from firmware.paint import paint
from firmware.palette import Palette, PaletteSettings
from firmware.view import Stage, View
from hardware.interface import Frame
from hardware.layout import BoardSettings, Layout

SETUP = "rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb"
FINAL = "bbbbbb/bbbb/bb/r/-/rrr/rrr/rrrrr"
"""The colours have passed: red 39, black 46 in zen."""
LAYOUT = Layout.of(BoardSettings())
PALETTE = Palette.of(PaletteSettings())


def seen(state: State, stage: Stage = Stage.PLAYING) -> View:
    """The view of a session in which nothing special is going on, and nothing has happened since second 0."""
    return View(stage, 0.0, state, None, sensors_lost=False)


def painted(view: View, now: float = 0.0, layout: Layout = LAYOUT) -> Frame:
    return paint(meanings(view, now), layout, PALETTE, now)


def rows_with(look: Look, light: BoardLight) -> list[int]:
    return [row for row in range(8) if look in light.looks(row)]


def colours(frame: Frame, pixels: range) -> list[str]:
    """The pixels of a strip as hexadecimal colours."""
    return [frame.pixels[3 * pixel : 3 * pixel + 3].hex() for pixel in pixels]


def lit(frame: Frame, pixels: range) -> list[int]:
    """The places of a strip that are not dark."""
    return [place for place, colour in enumerate(colours(frame, pixels)) if colour != "000000"]


def levels(frame: Frame, pixels: range) -> list[int]:
    """The strongest channel of each pixel of a strip."""
    return [max(frame.pixels[3 * pixel : 3 * pixel + 3]) for pixel in pixels]
