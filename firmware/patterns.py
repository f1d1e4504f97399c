"""How each look shines: its shape in the row and its movement in time, whatever its hue.

Each look can be told by its pattern alone; where looks share a shape they move differently.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, tau

from firmware import shapes, tempo
from firmware.looks import Glow, Look, Mood
from firmware.shapes import DARK, FULL, Levels

LOW = 28
"""What is left of a blinking row between its blinks: it never vanishes."""


def row_levels(glow: Glow, pixels: int, now: float) -> Levels:
    """How brightly each pixel of a row shines."""
    return _PATTERNS[glow.look](glow, pixels, now - glow.since)


def score_level(mood: Mood, elapsed: float) -> int:
    """How brightly the points of a score strip shine."""
    if mood is Mood.STANDING:
        return 64
    return _between(150, FULL, _wave(elapsed, tempo.BREATH_S)) if mood is Mood.WINNING else 150


# Steady


def _turn(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.between_marks(pixels, 100)


def _movable(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.bar_of(glow.pawns, pixels, 80, 1)


def _origin(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.ends(pixels, 200)


def _legal(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.swell(pixels, 190)


def _bonus(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.two_swells(pixels, 150)


def _distance(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.dots(pixels, FULL, glow.count)


def _missing(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.dots_of(glow.pawns, pixels, 190, glow.count)


def _counted(glow: Glow, pixels: int, elapsed: float) -> Levels:
    """Bright while the row is being counted, which is before `since`, then a faint memory of it."""
    level = _between(FULL, 56, elapsed / tempo.COUNTED_FADE_S)
    return shapes.bar_of(glow.pawns, pixels, level, glow.count)


# Going on


def _error(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.whole(pixels, FULL if _first_half(elapsed, tempo.BLINK_S) else LOW)


def _came_from(glow: Glow, pixels: int, elapsed: float) -> Levels:
    """Waves from both ends towards the middle."""
    waves = (_wave(elapsed + tempo.CALL_S * offset, tempo.CALL_S) for offset in shapes.offsets(pixels))
    return tuple(_between(LOW, 200, wave) for wave in waves)


def _too_many(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.every_other(glow.pawns, pixels, 210 if _first_half(elapsed, tempo.SHIFT_S) else LOW)


def _too_few(glow: Glow, pixels: int, elapsed: float) -> Levels:
    """Brighter while the rows with too many are dark, and always bright enough to be counted."""
    return shapes.dots_of(glow.pawns, pixels, 110 if _first_half(elapsed, tempo.SHIFT_S) else FULL, glow.count)


def _question(glow: Glow, pixels: int, elapsed: float) -> Levels:
    """The answer yes in the middle, then the answer no at the ends."""
    if _first_half(elapsed, tempo.ANSWERS_S):
        return shapes.inner_half(pixels, 220 if glow.count == 1 else DARK)
    return shapes.outer_half(pixels, 220 if glow.count == 2 else DARK)


def _thinking(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.between_marks(pixels, _between(60, 220, _wave(elapsed, tempo.THINKING_S)))


def _lift_here(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.ends(pixels, _between(70, FULL, _wave(elapsed, tempo.ADVICE_PULSE_S)))


def _put_here(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.swell(pixels, _between(70, FULL, _wave(elapsed, tempo.ADVICE_PULSE_S)))


def _leave(glow: Glow, pixels: int, elapsed: float) -> Levels:
    """A light that closes over the row from both ends, like a lid."""
    open_half = 1 - elapsed % tempo.LEAVE_S / tempo.LEAVE_S
    return tuple(210 if offset > open_half else DARK for offset in shapes.offsets(pixels))


def _path(glow: Glow, pixels: int, elapsed: float) -> Levels:
    if elapsed < 0:
        return shapes.whole(pixels, DARK)
    share = elapsed % tempo.RUN_S / tempo.RUN_ROW_S
    return shapes.core(pixels, _between(DARK, 230, _wave(share, 1)) if share < 1 else DARK)


def _attention(glow: Glow, pixels: int, elapsed: float) -> Levels:
    return shapes.whole(pixels, _between(LOW, 180, _wave(elapsed, tempo.BREATH_S)))


# Once


def _accepted(glow: Glow, pixels: int, elapsed: float) -> Levels:
    """A flash that spreads from the middle to the ends, like a drop in water."""
    level = _between(FULL, DARK, elapsed / tempo.ACCEPTED_S)
    reach = elapsed / tempo.ACCEPTED_SPREAD_S + 1 / pixels
    return tuple(level if offset <= reach else DARK for offset in shapes.offsets(pixels))


def _again(glow: Glow, pixels: int, elapsed: float) -> Levels:
    if elapsed < 0:
        return shapes.whole(pixels, DARK)
    return shapes.whole(pixels, _between(FULL, DARK, elapsed / tempo.SWEEP_ROW_S))


def _ready(glow: Glow, pixels: int, elapsed: float) -> Levels:
    """A light that goes through all rows from left to right."""
    width = pixels / 4
    head = elapsed / tempo.READY_S * (pixels + 2 * width) - width
    return tuple(_between(FULL, DARK, abs(place - head) / width) for place in range(pixels))


_PATTERNS: dict[Look, Callable[[Glow, int, float], Levels]] = {
    Look.TURN: _turn,
    Look.MOVABLE: _movable,
    Look.ORIGIN: _origin,
    Look.LEGAL: _legal,
    Look.PATH: _path,
    Look.DISTANCE: _distance,
    Look.BONUS: _bonus,
    Look.THINKING: _thinking,
    Look.LIFT_HERE: _lift_here,
    Look.PUT_HERE: _put_here,
    Look.LEAVE: _leave,
    Look.AGAIN: _again,
    Look.ACCEPTED: _accepted,
    Look.ERROR: _error,
    Look.CAME_FROM: _came_from,
    Look.TOO_MANY: _too_many,
    Look.TOO_FEW: _too_few,
    Look.MISSING: _missing,
    Look.READY: _ready,
    Look.QUESTION: _question,
    Look.COUNTED: _counted,
    Look.ATTENTION: _attention,
}


# Time


def _first_half(elapsed: float, period: float) -> bool:
    return elapsed % period < period / 2


def _wave(elapsed: float, period: float) -> float:
    """From 0 to 1 and back, smoothly, starting at 0."""
    return (1 - cos(tau * elapsed / period)) / 2


def _between(start: int, end: int, share: float) -> int:
    """The level on the way from one to another; before it the one, after it the other."""
    return round(start + (end - start) * min(1.0, max(0.0, share)))
