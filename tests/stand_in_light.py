"""Light for the stand-in: enough of the language of light to see that a page shows it."""

from __future__ import annotations

from engine import Color
from firmware.view import View
from hardware.interface import Frame
from hardware.layout import Layout

Rgb = tuple[int, int, int]
TURN: dict[Color, Rgb] = {Color.RED: (210, 60, 10), Color.BLACK: (70, 90, 230)}
MOVABLE: Rgb = (70, 60, 40)
LEGAL: Rgb = (20, 190, 110)
DISTANCE: Rgb = (255, 190, 60)
ERROR: Rgb = (255, 40, 10)
ORIGIN: Rgb = (150, 110, 40)
LOST: Rgb = (160, 60, 160)


def light(layout: Layout, view: View) -> Frame:
    pixels = [(0, 0, 0)] * layout.pixel_count
    for row, hue in _rows(view).items():
        for pixel in layout.row_pixels[row]:
            pixels[pixel] = hue
    if not view.misplaced and not view.in_hand and not view.sensors_lost:
        for action in view.state.legal_actions():
            if action.origin is not None and action.origin != action.color.start:
                strip = layout.row_pixels[action.origin]
                pixels[strip[len(strip) // 2]] = MOVABLE
    for color, strip in zip(Color, layout.score_pixels, strict=True):
        for pixel in list(strip)[: max(0, view.state.points.of(color))]:
            pixels[pixel] = TURN[color]
    return Frame(bytes(value for pixel in pixels for value in pixel))


def _rows(view: View) -> dict[int, Rgb]:
    if view.sensors_lost:
        return dict.fromkeys(range(8), LOST)
    if view.misplaced:
        return {view.misplaced.row: ERROR, view.misplaced.origin: ORIGIN}
    if view.differences:
        return {difference.row: ERROR for difference in view.differences}
    if view.in_hand:
        origins = {hand.row: ORIGIN for hand in view.in_hand}
        return origins | {row: LEGAL for hand in view.in_hand for row in hand.landings}
    if view.state.outcome:
        return {}
    player = view.state.to_move
    landings = {a.destination: LEGAL for a in view.state.legal_actions() if a.destination is not None}
    return {player.start: TURN[player]} | (landings if view.state.distance else {})
