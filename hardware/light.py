"""From a frame as the eye reads it to the bytes a chain of pixels gets, within what the power supply can give.

Each value goes through gamma and the one brightness to an exact share of full light. The largest channel of a pixel is
rounded to a step of the chain, at least 1, and the other two follow it in proportion: a dim colour neither vanishes nor
turns into another as far as whole steps allow. Where the frame would draw more than the limit, all pixels are dimmed
by one factor and rounded again, until the estimate of the very bytes that leave is within it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from hardware.errors import LightError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.interface import Frame
    from hardware.layout import Layout

FULL = 255
"""The highest step of a channel."""
PARTS = 1024
"""How finely a frame is dimmed to the limit."""

Colour = tuple[int, int, int]
DARK: Colour = (0, 0, 0)


class LightSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How bright the board is and what it may draw: section `[light]` of the settings."""

    brightness: float = 0.5
    """The share of full light that the brightest value gets."""
    gamma: float = 2.2
    limit_ma: float = 2000.0
    """What all pixels together may draw."""
    red_ma: float = 20.0
    """What the red of one pixel draws at full, over its idle current; green and blue alike."""
    green_ma: float = 20.0
    blue_ma: float = 20.0
    idle_ma: float = 1.0
    """What one pixel draws when dark."""

    def __post_init__(self) -> None:
        _check_range("brightness", self.brightness, 0.01, 1)
        _check_range("gamma", self.gamma, 1, 4)
        for key in ("limit_ma", "red_ma", "green_ma", "blue_ma", "idle_ma"):
            current_ma = getattr(self, key)
            if not (isfinite(current_ma) and current_ma >= 0):
                raise LightError(f"{key} is {current_ma}: it must be a current of 0 or more")


@dataclass(frozen=True, slots=True)
class Emission:
    """What leaves for one frame: red, green and blue bytes, place after place along the chain."""

    rgb: bytes
    current_ma: float
    """What the pixels are estimated to draw."""
    dimmed_to: float
    """The share of its light that the frame was left with: 1.0 unless the limit asked for less."""


class Light:
    """Renders frames for one board. Pure: the same frame always gives the same emission."""

    def __init__(self, settings: LightSettings, layout: Layout) -> None:
        self._pixel_count = layout.pixel_count
        self.chain_pixels = layout.chain_pixels
        self._along_chain = _along_chain(layout)
        self._light = [settings.brightness * FULL * (value / FULL) ** settings.gamma for value in range(FULL + 1)]
        self._step_ma = (settings.red_ma / FULL, settings.green_ma / FULL, settings.blue_ma / FULL)
        self._idle_ma = settings.idle_ma * layout.chain_pixels
        self._lit_limit_ma = settings.limit_ma - self._idle_ma
        dimmest_ma = self._lit_ma(bytes([1, 1, 1]) * layout.pixel_count)
        if dimmest_ma > self._lit_limit_ma:
            raise LightError(
                f"limit_ma is {settings.limit_ma:g}, but {layout.pixel_count} pixels of a chain of "
                f"{layout.chain_pixels} draw up to {self._idle_ma + dimmest_ma:.1f} mA at their dimmest"
            )

    def render(self, frame: Frame) -> Emission:
        """The bytes for the chain; `LightError` when the frame is of another board."""
        if len(frame) != self._pixel_count:
            raise LightError(f"the frame has {len(frame)} pixels, but the board has {self._pixel_count}")
        values = iter(frame.pixels)
        colours = self._along_chain([*zip(values, values, values, strict=True), DARK])
        part = PARTS
        rgb = self._shade(colours, part)
        while (lit_ma := self._lit_ma(rgb)) > self._lit_limit_ma:
            # In proportion first; where rounding leaves a little too much, a part at a time. At part 0 every pixel
            # is at its dimmest, which the limit allows.
            part = min(part - 1, int(part * self._lit_limit_ma / lit_ma))
            rgb = self._shade(colours, part)
        return Emission(rgb, self._idle_ma + lit_ma, part / PARTS)

    def _lit_ma(self, rgb: bytes) -> float:
        red, green, blue = self._step_ma
        return red * sum(rgb[0::3]) + green * sum(rgb[1::3]) + blue * sum(rgb[2::3])

    def _shade(self, colours: Sequence[Colour], part: int) -> bytes:
        # A frame has few colours, so each is worked out once.
        shades = {colour: self._steps(colour, part / PARTS) for colour in set(colours)}
        return b"".join([shades[colour] for colour in colours])

    def _steps(self, colour: Colour, dimmed_to: float) -> bytes:
        light = self._light
        largest = light[max(colour)]
        if not largest:
            return bytes(3)
        scale = max(1, round(largest * dimmed_to)) / largest
        red, green, blue = colour
        return bytes((round(light[red] * scale), round(light[green] * scale), round(light[blue] * scale)))


def _along_chain(layout: Layout) -> Callable[[Sequence[Colour]], Sequence[Colour]]:
    """Puts the colours of the pixels and, after them, the dark of unused places into the order of the chain."""
    pixel_at = [layout.pixel_count] * layout.chain_pixels
    for pixel, place in enumerate(layout.wire):
        pixel_at[place] = pixel
    return itemgetter(*pixel_at)


def _check_range(key: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise LightError(f"{key} is {value}: it must be from {lowest} to {highest}")
