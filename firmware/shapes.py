"""Where in a row a look shines: a level from `DARK` to `FULL` for each pixel, from left to right.

Shapes stand still and are worked out once for each length of row and level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import cos, pi

from engine import Color

Levels = tuple[int, ...]
DARK = 0
FULL = 255
FAINTEST = 16
"""What is fainter is left dark: the ends of a swell belong to others."""
MARGIN = 2
"""Pixels at either end of a row that a mark and the dark beside it have to themselves."""


@cache
def whole(pixels: int, level: int) -> Levels:
    return (level,) * pixels


@cache
def between_marks(pixels: int, level: int) -> Levels:
    """The whole row without its margins."""
    margin = MARGIN if pixels > 2 * MARGIN else 0
    return _only(pixels, range(margin, pixels - margin), level)


@cache
def ends(pixels: int, level: int) -> Levels:
    """A bracket: both margins."""
    return tuple(level if min(place, pixels - 1 - place) < MARGIN else DARK for place in range(pixels))


@cache
def swell(pixels: int, level: int) -> Levels:
    """Bright in the middle, fading to the ends."""
    return _without_faint(level * cos(pi / 2 * offset) ** 2 for offset in offsets(pixels))


@cache
def two_swells(pixels: int, level: int) -> Levels:
    """Bright to the left and to the right, dark in the middle."""
    return _without_faint(level * cos(pi * (offset - 0.5)) ** 2 for offset in offsets(pixels))


@cache
def core(pixels: int, level: int) -> Levels:
    """The middle third."""
    return tuple(level if offset < 1 / 3 else DARK for offset in offsets(pixels))


@cache
def inner_half(pixels: int, level: int) -> Levels:
    return tuple(level if offset < 1 / 2 else DARK for offset in offsets(pixels))


@cache
def outer_half(pixels: int, level: int) -> Levels:
    return tuple(DARK if offset < 1 / 2 else level for offset in offsets(pixels))


@cache
def dots(pixels: int, level: int, count: int) -> Levels:
    """So many pixels around the middle, with gaps where there is room, so that they are easily counted."""
    step = 2 if 2 * count - 1 <= pixels else 1
    first = max(0, (pixels - step * (count - 1)) // 2)
    return _only(pixels, range(first, pixels, step)[:count], level)


@cache
def dots_of(pawns: Color | None, pixels: int, level: int, count: int) -> Levels:
    """So many pixels with gaps, red's from the left and black's from the right."""
    return _only(pixels, _own_places(pawns, pixels)[:count], level)


@cache
def every_other(pawns: Color | None, pixels: int, level: int) -> Levels:
    """The whole row, dotted; the dots of one colour are the gaps of the other."""
    return dots_of(pawns, pixels, level, len(range(pixels)[_first_own(pawns) :: 2]))


@cache
def bar_of(pawns: Color | None, pixels: int, level: int, count: int) -> Levels:
    """So many pixels without gaps, red's from the left and black's from the right."""
    places = range(pixels - 1, -1, -1) if pawns is Color.BLACK else range(pixels)
    return _only(pixels, places[:count], level)


@cache
def offsets(pixels: int) -> tuple[float, ...]:
    """How far each pixel is from the middle: 0 there, almost 1 at the ends."""
    return tuple(abs(place - (pixels - 1) / 2) / (pixels / 2) for place in range(pixels))


def _own_places(pawns: Color | None, pixels: int) -> list[int]:
    """All places in the order in which a colour takes them: those of the other only when its own are used up."""
    own, others = (list(range(pixels)[first::2]) for first in (_first_own(pawns), 1 - _first_own(pawns)))
    return own[::-1] + others[::-1] if pawns is Color.BLACK else own + others


def _first_own(pawns: Color | None) -> int:
    return 1 if pawns is Color.BLACK else 0


def _only(pixels: int, places: Sequence[int], level: int) -> Levels:
    return tuple(level if place in places else DARK for place in range(pixels))


def _without_faint(levels: Iterable[float]) -> Levels:
    return tuple(round(level) if level >= FAINTEST else DARK for level in levels)
