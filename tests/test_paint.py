"""How the looks are painted: told apart without colours, harmless to the eye, on every board."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Color, Reason
from firmware.looks import Glow, Hue, Look
from firmware.patterns import row_levels
from firmware.view import Misplaced, Stage, View
from hardware.interface import Frame
from hardware.layout import BoardSettings, Layout
from simulator.situations import Moment, situations
from tests.lights import LAYOUT, SETUP, levels, painted, seen
from tests.positions import turn

FRAMES_PER_S = 25
FLASH = 77
"""A rise of level by so much, three tenths of full, is a flash."""
EVERY_SITUATION = pytest.mark.parametrize(
    "moments", [pytest.param(moments, id=name) for name, moments in situations().items()]
)


def course(glow: Glow, seconds: float = 8.0) -> list[tuple[int, ...]]:
    """The levels of a row over time."""
    return [row_levels(glow, 12, step / FRAMES_PER_S) for step in range(int(seconds * FRAMES_PER_S))]


def pattern(look: Look) -> list[frozenset[int]]:
    """Which pixels are lit at least half as brightly as the look ever is, over time: no hue and no brightness."""
    frames = course(Glow(look, Hue.RED, pawns=Color.RED, count=2))
    half = max(max(frame) for frame in frames) / 2
    return [frozenset(place for place, level in enumerate(frame) if level >= half) for frame in frames]


def test_two_looks_differ_in_pattern_whatever_their_hue_and_brightness() -> None:
    patterns = {look: pattern(look) for look in Look}
    assert [pair for pair in combinations(Look, 2) if patterns[pair[0]] == patterns[pair[1]]] == []


@pytest.mark.parametrize(("one", "other"), [(Look.ERROR, Look.ATTENTION), (Look.MISSING, Look.TOO_FEW)])
def test_looks_of_one_shape_differ_for_a_good_part_of_the_time(one: Look, other: Look) -> None:
    differing = sum(a != b for a, b in zip(pattern(one), pattern(other), strict=True))
    assert differing > len(pattern(one)) / 4


def flashes(course: list[int]) -> list[int]:
    """When a pixel has risen by `FLASH` from where it was darkest since its last flash."""
    moments, darkest = [], course[0]
    for moment, (before, level) in enumerate(pairwise(course)):
        darkest = min(darkest, before) if before < level else min(darkest, level)
        if level - darkest >= FLASH:
            moments.append(moment)
            darkest = level
    return moments


def most_in_a_second(moments: list[int]) -> int:
    return max((sum(start <= moment < start + FRAMES_PER_S for moment in moments) for start in moments), default=0)


def most_flashes(frames: list[Frame]) -> int:
    """The most flashes of any pixel within a second."""
    strips = [levels(frame, range(LAYOUT.pixel_count)) for frame in frames]
    return max(most_in_a_second(flashes(list(pixel))) for pixel in zip(*strips, strict=True))


@EVERY_SITUATION
def test_nothing_flashes_more_than_three_times_a_second(moments: tuple[Moment, ...]) -> None:
    view, start = moments[0].view, moments[0].now
    assert most_flashes([painted(view, start + step / FRAMES_PER_S) for step in range(100)]) <= 3


@given(st.lists(st.integers(min_value=0, max_value=75), max_size=30))
def test_not_even_hands_that_touch_the_board_all_the_time_make_an_error_flash_faster(touches: list[int]) -> None:
    frames = []
    for step in range(75):
        touched_at = max((touch for touch in (0, *touches) if touch <= step), default=0) / FRAMES_PER_S
        frames.append(painted(wrong(touched_at), step / FRAMES_PER_S))
    rows = range(LAYOUT.row_pixels[3].start, LAYOUT.row_pixels[3].start + 1)
    assert most_in_a_second(flashes([levels(frame, rows)[0] for frame in frames])) <= 3


def wrong(touched_at: float) -> View:
    misplaced = Misplaced(Color.RED, 4, 3, Reason.BACKWARDS, "never back")
    return replace(seen(turn("zen", "red", SETUP)), misplaced=misplaced, touched_at=touched_at)


@pytest.mark.parametrize("row_pixels", [1, 2, 3, 4, 5, 7, 12, 30])
@pytest.mark.parametrize("score_pixels", [0, 1, 10, 60, 100])
def test_every_situation_can_be_painted_on_every_board(row_pixels: int, score_pixels: int) -> None:
    chain = 8 * row_pixels + 2 * score_pixels
    board = BoardSettings(row_pixels=row_pixels, score_pixels=score_pixels, chain_pixels=chain)
    layout = Layout.of(board)
    for moments in situations().values():
        for moment in moments:
            assert len(painted(moment.view, moment.now, layout)) == chain


@pytest.mark.parametrize("pixels", range(3, 13))
@pytest.mark.parametrize("look", Look)
def test_every_look_is_seen_in_a_row_of_three_pixels_or_more(look: Look, pixels: int) -> None:
    glow = Glow(look, Hue.RED, pawns=Color.BLACK, count=1)
    assert any(any(row_levels(glow, pixels, step / FRAMES_PER_S)) for step in range(FRAMES_PER_S))


def test_a_strip_that_is_too_short_shows_as_many_pawns_as_fit() -> None:
    glow = Glow(Look.MISSING, Hue.RED, pawns=Color.RED, count=7)
    assert [sum(level > 0 for level in row_levels(glow, pixels, 0.0)) for pixels in (3, 7, 12)] == [3, 7, 7]


@pytest.mark.parametrize("count", range(1, 7))
def test_missing_pawns_of_both_colours_in_a_row_are_counted_from_either_side(count: int) -> None:
    red = row_levels(Glow(Look.MISSING, Hue.RED, pawns=Color.RED, count=count), 12, 0.0)
    black = row_levels(Glow(Look.MISSING, Hue.BLACK, pawns=Color.BLACK, count=count), 12, 0.0)
    assert red == black[::-1]
    assert not any(r and b for r, b in zip(red, black, strict=True))


@pytest.mark.parametrize("distance", range(1, 6))
def test_no_two_pixels_of_a_distance_touch(distance: int) -> None:
    levels = row_levels(Glow(Look.DISTANCE, Hue.DISTANCE, count=distance), 12, 0.0)
    lit = [place for place, level in enumerate(levels) if level]
    assert len(lit) == distance
    assert all(after - before == 2 for before, after in pairwise(lit))


def test_where_two_looks_meet_on_a_pixel_the_brighter_is_seen() -> None:
    view = seen(turn("zen", "red", SETUP), Stage.PLAYING)
    flashing = replace(view, accepted_row=0, accepted_at=0.0)
    before, during = (levels(painted(each, 0.7), LAYOUT.row_pixels[0]) for each in (view, flashing))
    assert all(b <= d for b, d in zip(before, during, strict=True))
