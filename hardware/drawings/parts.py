"""Chips and headers as boxes with named pins, for the wiring drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drawings.svg import INK, PAPER, QUIET, Sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.drawings.svg import Point

PICO_LEFT = (
    *("GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7"),
    *("GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15"),
)
"""Pins 1 to 20 of a Raspberry Pi Pico, from its USB socket downwards."""
PICO_RIGHT = (
    *("VBUS", "VSYS", "GND", "3V3_EN", "3V3", "ADC_VREF", "GP28", "AGND", "GP27", "GP26"),
    *("RUN", "GP22", "GND", "GP21", "GP20", "GP19", "GP18", "GND", "GP17", "GP16"),
)
"""Pins 40 to 21, likewise."""
PI_LEFT = (
    *("3V3", "GPIO 2", "GPIO 3", "GPIO 4", "GND", "GPIO 17", "GPIO 27", "GPIO 22", "3V3", "GPIO 10"),
    *("GPIO 9", "GPIO 11", "GND", "GPIO 0", "GPIO 5", "GPIO 6", "GPIO 13", "GPIO 19", "GPIO 26", "GND"),
)
"""The odd pins of a Raspberry Pi's header, from the corner of the board inwards."""
PI_RIGHT = (
    *("5V", "5V", "GND", "GPIO 14", "GPIO 15", "GPIO 18", "GND", "GPIO 23", "GPIO 24", "GND"),
    *("GPIO 25", "GPIO 8", "GPIO 7", "GPIO 1", "GND", "GPIO 12", "GND", "GPIO 16", "GPIO 20", "GPIO 21"),
)
"""The even pins."""
PITCH = 7.0
LEG = 5.0


class Chip:
    """A box with pins on its left and right. Those in `used` are drawn in their colour, the others faintly."""

    def __init__(
        self,
        sheet: Sheet,
        corner: Point,
        width: float,
        title: str,
        *,
        left: Sequence[str] = (),
        right: Sequence[str] = (),
        used: Mapping[str, str],
        note: str = "",
        numbers: tuple[Sequence[int], Sequence[int]] = ((), ()),
        head: float = 15.0,
    ) -> None:
        self._sheet = sheet
        self._used = used
        x, y = corner
        height = head + PITCH * max(len(left), len(right)) + 2
        sheet.box(corner, (width, height), fill="#ffffff", width=0.8, round_=2)
        sheet.words((x + width / 2, y + 5), title, size=5.4, anchor="middle", bold=True)
        if note:
            sheet.words((x + width / 2, y + 10.5), note, size=4, anchor="middle", colour=QUIET)
        self.bottom = y + height
        self._points: dict[str, list[Point]] = {}
        self._column(x, y + head, left, -1, numbers[0])
        self._column(x + width, y + head, right, 1, numbers[1])

    def pin(self, name: str, which: int = 0) -> Point:
        """The outer end of a pin; `which` of those of this name."""
        return self._points[name][which]

    def _column(self, x: float, y: float, names: Sequence[str], outward: int, numbers: Sequence[int]) -> None:
        for place, name in enumerate(names):
            at = y + PITCH * (place + 0.5)
            tip = (x + outward * LEG, at)
            shown = self._used.get(name)
            # Of pins that share a name, the first is the one that is used.
            colour = shown if shown and name not in self._points else QUIET
            self._sheet.line((x, at), tip, colour=colour, width=1.0 if colour != QUIET else 0.4)
            self._sheet.words(
                (x - outward * 2, at),
                name,
                size=4.2,
                colour=INK if colour != QUIET else QUIET,
                bold=colour != QUIET,
                anchor="start" if outward < 0 else "end",
            )
            if numbers:
                spot = (x + outward * 3, at - 2)
                self._sheet.words(spot, str(numbers[place]), size=2.8, colour=QUIET, anchor="middle")
            self._points.setdefault(name, []).append(tip)


def pico(sheet: Sheet, corner: Point, used: Mapping[str, str]) -> Chip:
    numbers = (range(1, 21), range(40, 20, -1))
    x, y = corner
    sheet.box((x + 21, y - 4), (14, 8), fill="#d8dade", colour=QUIET)
    return Chip(
        sheet,
        corner,
        56,
        "Raspberry Pi Pico",
        left=PICO_LEFT,
        right=PICO_RIGHT,
        used=used,
        note="USB at the top",
        numbers=numbers,
    )


def pi_header(sheet: Sheet, corner: Point, used: Mapping[str, str]) -> Chip:
    numbers = (range(1, 41, 2), range(2, 41, 2))
    return Chip(
        sheet,
        corner,
        52,
        "Raspberry Pi",
        left=PI_LEFT,
        right=PI_RIGHT,
        used=used,
        note="header of 40 pins",
        numbers=numbers,
    )


def ground(sheet: Sheet, at: Point, colour: str = INK) -> None:
    """The sign for ground, hanging from a point."""
    x, y = at
    sheet.line((x, y), (x, y + 3), colour=colour)
    for half, below in ((3.6, 3), (2.2, 4.4), (0.9, 5.8)):
        sheet.line((x - half, y + below), (x + half, y + below), colour=colour, width=0.7)


def resistor(sheet: Sheet, start: Point, end: Point, value: str, colour: str = INK) -> None:
    """A resistor in the middle of a straight wire, with its value beside it."""
    (x0, y0), (x1, y1) = start, end
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    sheet.line(start, end, colour=colour)
    upright = x0 == x1
    size = (3.6, 9.0) if upright else (9.0, 3.6)
    sheet.box((x - size[0] / 2, y - size[1] / 2), size, fill=PAPER, colour=colour)
    if upright:
        sheet.words((x + 4, y), value, size=4.2)
    else:
        sheet.words((x, y - 4.6), value, size=4.2, anchor="middle")
