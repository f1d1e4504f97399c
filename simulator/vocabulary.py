"""The vocabulary of the language of light: every look alone in a row, in one picture."""

from __future__ import annotations

from collections.abc import Iterator

from engine import ROWS, Color
from firmware.looks import BoardLight, Glow, Hue, Look, ScoreLight
from firmware.paint import paint
from firmware.palette import Palette
from hardware.layout import Layout
from simulator.glow import Point, document, glowing, light_definitions, number

PER_LINE = 3
LINE_MM = 54.0
PIXEL_MM = 25.0
GAP_MM = 36.0
RIM_MM = 24.0
NAME_MM = 18.0

_STEADY = (
    Glow(Look.TURN, Hue.RED),
    Glow(Look.MOVABLE, Hue.RED, pawns=Color.RED),
    Glow(Look.ORIGIN, Hue.RED),
    Glow(Look.LEGAL, Hue.LEGAL),
    Glow(Look.BONUS, Hue.BONUS),
    Glow(Look.DISTANCE, Hue.DISTANCE, count=4),
    Glow(Look.MISSING, Hue.BLACK, pawns=Color.BLACK, count=4),
    Glow(Look.COUNTED, Hue.BLACK, pawns=Color.BLACK, count=4),
)
_DOUBTED_SLOT = 5
_MOVING = (
    (Glow(Look.PATH, Hue.RED), (0.04, 0.14, 0.24)),
    (Glow(Look.THINKING, Hue.BLACK), (0.0, 0.6, 1.2)),
    (Glow(Look.LIFT_HERE, Hue.BLACK, pawns=Color.BLACK), (0.1, 0.4, 0.75)),
    (Glow(Look.PUT_HERE, Hue.LEGAL), (0.1, 0.4, 0.75)),
    (Glow(Look.LEAVE, Hue.LEGAL), (0.5, 1.0, 1.8)),
    (Glow(Look.AGAIN, Hue.RED), (0.0, 0.2, 0.4)),
    (Glow(Look.ACCEPTED, Hue.ACCEPTED), (0.04, 0.16, 0.5)),
    (Glow(Look.READY, Hue.ACCEPTED), (0.3, 0.6, 0.9)),
    (Glow(Look.ERROR, Hue.ERROR), (0.2, 0.6, 1.0)),
    (Glow(Look.CAME_FROM, Hue.RED), (0.3, 0.6, 0.9)),
    (Glow(Look.TOO_MANY, Hue.BLACK, pawns=Color.BLACK, count=2), (0.4, 1.2, 2.0)),
    (Glow(Look.TOO_FEW, Hue.BLACK, pawns=Color.BLACK, count=2), (0.4, 1.2, 2.0)),
    (Glow(Look.QUESTION, Hue.LEGAL, count=1), (0.5, 1.5, 2.5)),
    (Glow(Look.ATTENTION, Hue.ATTENTION), (0.0, 1.0, 2.0)),
)
"""Looks that move, and the seconds at which they are shown."""
_ANSWER_NO = Glow(Look.QUESTION, Hue.CALM, count=2)

_Cell = tuple[str, BoardLight, float]
"""A name, and what is painted at which moment."""


def draw_vocabulary(layout: Layout, palette: Palette) -> str:
    """A strip for each look that stands still, three moments for each that moves."""
    cells = list(_cells())
    cell_mm = len(layout.row_pixels[0]) * PIXEL_MM + GAP_MM
    width, height = 2 * RIM_MM - GAP_MM + PER_LINE * cell_mm, 2 * RIM_MM + LINE_MM * len(cells) / PER_LINE
    names, pixels = [], []
    for place, (name, light, now) in enumerate(cells):
        x, y = RIM_MM + place % PER_LINE * cell_mm, RIM_MM + place // PER_LINE * LINE_MM
        names.append(_name(name, x, y + NAME_MM * 0.8))
        pixels += _strip(layout, palette, light, now, (x, y + NAME_MM + 10))
    panel = f'<rect width="{number(width)}" height="{number(height)}" rx="12" fill="#33251a"/>\n'
    dark = "".join(f"M{number(x)} {number(y)}h0" for (x, y), _ in pixels)
    sockets = f'<path d="{dark}" stroke="#56493c" stroke-width="3" stroke-linecap="round"/>\n'
    body = "".join((panel, *names, sockets, glowing(pixels)))
    return document(width, height, light_definitions(width, height), body)


def _cells() -> Iterator[_Cell]:
    for glow in _STEADY:
        yield glow.look.value, _alone(glow), 0.0
    yield "a doubted slot", _alone(doubted_slots=(_DOUBTED_SLOT,)), 0.0
    for glow, moments in _MOVING:
        light = _alone(glow, _ANSWER_NO) if glow.look is Look.QUESTION else _alone(glow)
        for moment in moments:
            yield f"{glow.look.value}, {moment:.2f} s", light, moment


def _alone(*glows: Glow, doubted_slots: tuple[int, ...] = ()) -> BoardLight:
    """A board on which only row 0 says anything."""
    scores = ScoreLight(0, Hue.RED), ScoreLight(0, Hue.BLACK)
    return BoardLight((glows, *((),) * (ROWS - 1)), scores, doubted_slots)


def _name(name: str, x: float, y: float) -> str:
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{number(NAME_MM)}" fill="#d9cbb0">{name}</text>\n'


def _strip(layout: Layout, palette: Palette, light: BoardLight, now: float, start: Point) -> list[tuple[Point, bytes]]:
    """The pixels of row 0 in a line to the right of a point."""
    frame = paint(light, layout, palette, now)
    x, y = start
    return [
        ((x + PIXEL_MM * (place + 0.3), y), frame.pixels[3 * pixel : 3 * pixel + 3])
        for place, pixel in enumerate(layout.row_pixels[0])
    ]
