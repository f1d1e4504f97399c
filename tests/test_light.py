"""Frames become bytes: the eye's values through gamma and brightness, in the order of the wires, within the limit."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import HardwareError, LightError
from hardware.interface import Frame
from hardware.layout import STRIPS, BoardSettings, Layout
from hardware.light import Emission, Light, LightSettings

SMALL = BoardSettings(row_pixels=1, score_pixels=1, chain_pixels=10)
PLENTY_MA = 100_000.0

Colour = tuple[int, int, int]
colours = st.tuples(*[st.integers(0, 255)] * 3)
frames_of_ten = st.lists(colours, min_size=10, max_size=10)


def light(board: BoardSettings = SMALL, **settings: Any) -> Light:
    return Light(
        LightSettings(**({"brightness": 1.0, "gamma": 1.0, "limit_ma": PLENTY_MA} | settings)), Layout.of(board)
    )


def frame(*pixels: Colour) -> Frame:
    return Frame(bytes(value for pixel in pixels for value in pixel))


def shown(emission: Emission) -> list[Colour]:
    values = iter(emission.rgb)
    return list(zip(values, values, values, strict=True))


def one_pixel(colour: Colour, **settings: Any) -> Colour:
    """What the first pixel gets while the others are dark."""
    return shown(light(**settings).render(frame(colour, *[(0, 0, 0)] * 9)))[0]


def test_full_values_at_full_brightness_leave_as_they_are() -> None:
    assert one_pixel((255, 128, 1)) == (255, 128, 1)


def test_half_as_the_eye_reads_it_is_less_than_half_the_light() -> None:
    assert one_pixel((255, 128, 0), gamma=2.2) == (255, 56, 0)


def test_brightness_is_a_share_of_the_light() -> None:
    assert one_pixel((255, 128, 0), gamma=2.2, brightness=0.5) == (128, 28, 0)


def test_dark_stays_dark() -> None:
    assert light().render(Frame.dark(10)).rgb == bytes(30)


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        pytest.param((1, 0, 0), (1, 0, 0), id="the faintest red stays red"),
        pytest.param((0, 3, 0), (0, 1, 0), id="a faint green stays green"),
        pytest.param((9, 9, 9), (1, 1, 1), id="a faint white stays white"),
        pytest.param((21, 20, 0), (1, 1, 0), id="a faint yellow is not red"),
        pytest.param((21, 6, 0), (1, 0, 0), id="a faint orange is not yellow"),
        pytest.param((60, 60, 20), (1, 1, 0), id="a channel far below the others may go"),
    ],
)
def test_a_dim_colour_neither_vanishes_nor_turns_into_another(colour: Colour, expected: Colour) -> None:
    assert one_pixel(colour, gamma=2.2, brightness=0.1) == expected


@given(colour=colours, brightness=st.floats(0.01, 1), gamma=st.floats(1, 4))
def test_channels_keep_their_proportion_to_the_largest(colour: Colour, brightness: float, gamma: float) -> None:
    steps = one_pixel(colour, brightness=brightness, gamma=gamma)
    exact = [(value / 255) ** gamma for value in colour]
    scale = max(steps) / (max(exact) or 1)
    assert (max(steps) == 0) == (max(colour) == 0)
    assert all(abs(step - part * scale) <= 0.5 + 1e-9 for step, part in zip(steps, exact, strict=True))


@given(colour=colours, brightness=st.floats(0.01, 1), gamma=st.floats(1, 4))
def test_the_largest_channel_gets_the_light_it_asks_for_to_the_nearest_step(
    colour: Colour, brightness: float, gamma: float
) -> None:
    wanted = 255 * brightness * (max(colour) / 255) ** gamma
    lowest = 1 if max(colour) else 0
    assert abs(max(one_pixel(colour, brightness=brightness, gamma=gamma)) - max(wanted, lowest)) <= 0.5 + 1e-9


def test_pixels_leave_in_the_order_of_the_wires() -> None:
    board = BoardSettings(
        row_pixels=1, score_pixels=2, chain_pixels=13, chain=tuple(reversed(STRIPS)), mirrored=("score red",)
    )
    pixels = [(pixel + 1, 0, 0) for pixel in range(12)]
    places = [red for red, _, _ in shown(light(board).render(frame(*pixels)))]
    score_black, score_red_mirrored, rows_from_seven = [11, 12], [10, 9], [8, 7, 6, 5, 4, 3, 2, 1]
    unused = [0]
    assert places == score_black + score_red_mirrored + rows_from_seven + unused


def test_a_frame_of_another_board_is_refused() -> None:
    with pytest.raises(LightError, match=r"^the frame has 12 pixels, but the board has 10$"):
        light().render(Frame.dark(12))


def test_a_dark_chain_draws_its_idle_current_unused_places_included() -> None:
    board = BoardSettings(row_pixels=1, score_pixels=1, chain_pixels=14)
    assert light(board, idle_ma=0.5).render(Frame.dark(10)).current_ma == pytest.approx(14 * 0.5)


def test_the_estimate_adds_what_each_channel_draws() -> None:
    lit = light(red_ma=10, green_ma=20, blue_ma=30, idle_ma=1).render(
        frame((255, 0, 0), (0, 51, 255), *[(0, 0, 0)] * 8)
    )
    assert lit.current_ma == pytest.approx(10 * 1 + 10 + 20 / 5 + 30)
    assert lit.dimmed_to == 1.0


def test_a_frame_within_the_limit_is_left_alone() -> None:
    white = frame(*[(255, 255, 255)] * 10)
    assert light(limit_ma=610).render(white) == light().render(white)


def test_a_frame_above_the_limit_is_dimmed_to_it() -> None:
    lit = light(limit_ma=310).render(frame(*[(255, 255, 255)] * 10))
    assert shown(lit) == [(127, 127, 127)] * 10
    assert 300 < lit.current_ma <= 310
    assert lit.dimmed_to == pytest.approx(0.5, abs=0.01)


def test_the_whole_board_in_full_white_draws_no_more_than_the_default_two_amperes() -> None:
    lit = Light(LightSettings(brightness=1.0), Layout.of(BoardSettings())).render(Frame(b"\xff" * 648))
    assert 1950 < lit.current_ma <= 2000
    assert lit.current_ma == pytest.approx(216 * 1.0 + sum(lit.rgb) * 20 / 255)


@given(
    pixels=frames_of_ten,
    limit_ma=st.floats(13, 700),
    currents_ma=st.tuples(*[st.floats(0, 60)] * 3),
    gamma=st.floats(1, 4),
)
def test_what_leaves_is_never_estimated_above_the_limit_and_no_pixel_vanishes(
    pixels: list[Colour], limit_ma: float, currents_ma: tuple[float, float, float], gamma: float
) -> None:
    red_ma, green_ma, blue_ma = currents_ma
    lit = light(limit_ma=limit_ma, red_ma=red_ma, green_ma=green_ma, blue_ma=blue_ma, idle_ma=0.5, gamma=gamma).render(
        frame(*pixels)
    )
    drawn_ma = 5 + sum((r * red_ma + g * green_ma + b * blue_ma) / 255 for r, g, b in shown(lit))
    assert drawn_ma <= limit_ma + 1e-6
    assert drawn_ma == pytest.approx(lit.current_ma)
    assert [max(pixel) > 0 for pixel in shown(lit)] == [max(pixel) > 0 for pixel in pixels]


@given(pixels=frames_of_ten, limit_ma=st.floats(15, 400))
def test_dimming_to_the_limit_keeps_the_hue_of_every_pixel(pixels: list[Colour], limit_ma: float) -> None:
    for pixel, steps in zip(pixels, shown(light(limit_ma=limit_ma).render(frame(*pixels))), strict=True):
        scale = max(steps) / (max(pixel) or 1)
        assert all(abs(step - value * scale) <= 0.5 + 1e-9 for step, value in zip(steps, pixel, strict=True))


@given(pixels=frames_of_ten, limit_ma=st.floats(15, 400))
def test_dimming_to_the_limit_takes_the_same_share_of_every_pixel(pixels: list[Colour], limit_ma: float) -> None:
    lit = light(limit_ma=limit_ma).render(frame(*pixels))
    for pixel, steps in zip(pixels, shown(lit), strict=True):
        lowest = 1 if max(pixel) else 0
        assert abs(max(steps) - max(lowest, max(pixel) * lit.dimmed_to)) <= 0.5 + 1e-9


@given(pixels=frames_of_ten, limit_ma=st.floats(20, 400))
def test_dimming_to_the_limit_takes_no_more_than_it_must(pixels: list[Colour], limit_ma: float) -> None:
    free = light().render(frame(*pixels))
    lit = light(limit_ma=limit_ma).render(frame(*pixels))
    a_step_of_every_channel_ma = 10 * 60 / 255
    assert lit.current_ma >= min(free.current_ma, limit_ma) - 2 * a_step_of_every_channel_ma


def test_a_limit_below_the_dimmest_light_is_refused() -> None:
    with pytest.raises(LightError) as refused:
        light(limit_ma=12)
    assert str(refused.value) == "limit_ma is 12, but 10 pixels of a chain of 10 draw up to 12.4 mA at their dimmest"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"brightness": 0.0}, "brightness is 0.0: it must be from 0.01 to 1"),
        ({"brightness": 1.1}, "brightness is 1.1: it must be from 0.01 to 1"),
        ({"brightness": float("nan")}, "brightness is nan: it must be from 0.01 to 1"),
        ({"gamma": 0.5}, "gamma is 0.5: it must be from 1 to 4"),
        ({"gamma": 5.0}, "gamma is 5.0: it must be from 1 to 4"),
        ({"limit_ma": -1.0}, "limit_ma is -1.0: it must be a current of 0 or more"),
        ({"limit_ma": float("inf")}, "limit_ma is inf: it must be a current of 0 or more"),
        ({"red_ma": -20.0}, "red_ma is -20.0: it must be a current of 0 or more"),
        ({"green_ma": float("nan")}, "green_ma is nan: it must be a current of 0 or more"),
        ({"blue_ma": float("inf")}, "blue_ma is inf: it must be a current of 0 or more"),
        ({"idle_ma": -0.1}, "idle_ma is -0.1: it must be a current of 0 or more"),
    ],
)
def test_a_setting_out_of_range_is_refused_by_name(settings: dict[str, float], message: str) -> None:
    with pytest.raises(LightError) as refused:
        LightSettings(**settings)
    assert str(refused.value) == message


def test_settings_from_a_file_are_checked_alike() -> None:
    with pytest.raises(msgspec.ValidationError, match="brightness is 2"):
        msgspec.convert({"brightness": 2}, LightSettings)
    with pytest.raises(msgspec.ValidationError, match="brightnes`"):
        msgspec.convert({"brightnes": 0.5}, LightSettings)


def test_a_light_error_is_caught_as_a_hardware_error_and_as_a_value_error() -> None:
    assert issubclass(LightError, HardwareError)
    assert issubclass(LightError, ValueError)
