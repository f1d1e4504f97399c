"""The pictures of docs/lights.md: every situation of the language of light, from the frames that the board shows."""

from __future__ import annotations

from pathlib import Path

from engine import Color
from firmware.illuminate import meanings
from firmware.paint import paint
from firmware.palette import Palette, PaletteSettings
from hardware.layout import BoardSettings, Layout
from simulator.glow import Point
from simulator.picture import Pawn, Scene, draw, row_height_mm, standing
from simulator.situations import Moment, situations
from simulator.vocabulary import draw_vocabulary

LAYOUT = Layout.of(BoardSettings())
PALETTE = Palette.of(PaletteSettings())
HELD_ASIDE_MM, HELD_AHEAD_MM = 70.0, 14.0
"""Where a hand holds a pawn, from the middle of the row that it came from."""


def light_pictures() -> dict[str, str]:
    """The name of each picture and its SVG text."""
    pictures = {name: draw(LAYOUT, [_scene(moment) for moment in moments]) for name, moments in situations().items()}
    return {"looks": draw_vocabulary(LAYOUT, PALETTE), **pictures}


def write_light_pictures(folder: Path) -> list[Path]:
    """Writes each picture as `NAME.svg` into a folder and returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in light_pictures().items():
        path = folder / f"{name}.svg"
        path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def _scene(moment: Moment) -> Scene:
    frame = paint(meanings(moment.view, moment.now), LAYOUT, PALETTE, moment.now)
    return Scene(frame, standing(LAYOUT, *moment.stand) + _held(moment), moment.caption)


def _held(moment: Moment) -> tuple[Pawn, ...]:
    return tuple(
        Pawn(hand.color, _above(hand.row, hand.color), held=True)
        for hand in moment.view.in_hand
        if hand.color is not None
    )


def _above(row: int, color: Color) -> Point:
    return -HELD_ASIDE_MM * color.forward, row_height_mm(LAYOUT, row) + HELD_AHEAD_MM * color.forward
