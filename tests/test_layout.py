"""A layout says where everything is, and a board that contradicts itself is refused with what is wrong."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import HardwareError, LayoutError
from hardware.layout import ROWS, STRIPS, BoardSettings, Layout


def board(**settings: Any) -> Layout:
    return Layout.of(BoardSettings(**settings))


def small_board(**settings: Any) -> Layout:
    """Eight rows of one pixel and two score strips of two, so that a wiring fits on a line."""
    return board(**({"row_pixels": 1, "score_pixels": 2, "chain_pixels": 12} | settings))


def refusal(**settings: Any) -> str:
    with pytest.raises(LayoutError) as refused:
        board(**settings)
    return str(refused.value)


def test_the_board_as_designed_has_72_slots_on_80_channels_and_216_pixels() -> None:
    layout = board()
    assert layout.slot_count == 72
    assert [len(row) for row in layout.rows] == [18, 6, 6, 6, 6, 6, 6, 18]
    assert (layout.channel_count, layout.multiplexer_channels) == (80, 16)
    assert layout.pixel_count == layout.chain_pixels == 216
    assert [len(strip) for strip in (*layout.row_pixels, *layout.score_pixels)] == [12] * 8 + [60, 60]


def test_slots_and_pixels_are_numbered_row_by_row_and_the_score_strips_come_last() -> None:
    layout = board()
    assert [slot for row in layout.rows for slot in row] == list(range(72))
    assert [pixel for strip in (*layout.row_pixels, *layout.score_pixels) for pixel in strip] == list(range(216))
    assert layout.row_of[17:25] == (0, 1, 1, 1, 1, 1, 1, 2)


def test_a_slot_is_found_by_row_and_place_and_named_the_same_way() -> None:
    layout = board()
    assert layout.slot(3, 5) == 18 + 2 * 6 + 5
    assert layout.name(layout.slot(3, 5)) == "3.5"
    assert layout.name(layout.slot(7, 17)) == "7.17"


@pytest.mark.parametrize(
    ("row", "place", "message"),
    [
        (8, 0, "there is no row 8: rows are 0 to 7"),
        (-1, 0, "there is no row -1: rows are 0 to 7"),
        (3, 6, "row 3 has no slot 6: its slots are 0 to 5"),
        (0, -1, "row 0 has no slot -1: its slots are 0 to 17"),
    ],
)
def test_a_slot_that_is_not_there_is_refused_by_name(row: int, place: int, message: str) -> None:
    with pytest.raises(LayoutError, match=f"^{message}$"):
        board().slot(row, place)


def test_slots_of_a_row_lie_left_to_right_about_the_middle_axis() -> None:
    layout = board()
    inner = [layout.centres_mm[slot] for slot in layout.rows[2]]
    assert inner == [(-80.0, 88.0), (-48.0, 88.0), (-16.0, 88.0), (16.0, 88.0), (48.0, 88.0), (80.0, 88.0)]


def test_the_rank_nearest_the_edge_comes_first_on_both_start_lines() -> None:
    layout = board()
    red, black = ([layout.centres_mm[slot][1] for slot in layout.rows[row]] for row in (0, 7))
    assert red == [-28.0] * 9 + [0.0] * 9
    assert black == [7 * 44.0 + 28.0] * 9 + [7 * 44.0] * 9
    assert layout.centres_mm[layout.slot(0, 0)][0] == -4 * 32.0 == layout.centres_mm[layout.slot(0, 9)][0]


def test_without_a_wiring_list_slots_are_on_the_channel_of_their_number() -> None:
    assert board().channels == tuple(range(72))


def test_a_wiring_list_says_the_channel_of_each_slot() -> None:
    wiring = tuple(reversed(range(8, 80)))
    assert board(channels=wiring).channels == wiring


def test_a_channel_used_twice_is_refused_with_both_slots() -> None:
    wiring = (*range(71), 5)
    assert refusal(channels=wiring) == "channel 5 is used twice: by slot 5 and by slot 71"


def test_a_slot_with_no_channel_is_refused() -> None:
    assert refusal(channels=tuple(range(70))) == "slot 70 has no channel: channels names 70 of 72 slots"


def test_channels_for_slots_that_are_not_there_are_refused() -> None:
    assert refusal(channels=tuple(range(73))) == "channels names 73 slots, but the board has 72"


@pytest.mark.parametrize("channel", [80, -1])
def test_a_channel_that_no_multiplexer_has_is_refused(channel: int) -> None:
    assert refusal(channels=(channel, *range(71))) == (
        f"slot 0 is wired to channel {channel}, but 5 multiplexers of 16 have the channels 0 to 79"
    )


def test_more_slots_than_channels_are_refused() -> None:
    assert refusal(multiplexers=4) == (
        "slot 64 is wired to channel 64, but 4 multiplexers of 16 have the channels 0 to 63"
    )


def test_more_pixels_than_the_chain_has_are_refused() -> None:
    assert refusal(chain_pixels=215) == "the strips have 216 pixels, more than the 215 on the chain"


def test_a_chain_longer_than_its_strips_keeps_its_tail_unused() -> None:
    layout = board(chain_pixels=220)
    assert layout.pixel_count == 216
    assert layout.chain_pixels == 220
    assert max(layout.wire) == 215


def test_strips_take_their_places_in_the_order_of_the_chain() -> None:
    chain = ("score black", *reversed(STRIPS[:ROWS]), "score red")
    assert small_board(chain=chain).wire == (9, 8, 7, 6, 5, 4, 3, 2, 10, 11, 0, 1)


def test_a_mirrored_strip_is_met_from_its_other_end() -> None:
    assert small_board(mirrored=("score red",)).wire == (0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 10, 11)


def test_a_board_without_score_strips_is_a_board() -> None:
    layout = board(score_pixels=0, chain_pixels=96)
    assert layout.pixel_count == 96
    assert [len(strip) for strip in layout.score_pixels] == [0, 0]


@given(chain=st.permutations(STRIPS), mirrored=st.sets(st.sampled_from(STRIPS)))
def test_however_the_strips_are_chained_each_pixel_has_a_place_of_its_own(chain: list[str], mirrored: set[str]) -> None:
    layout = board(chain=tuple(chain), mirrored=tuple(mirrored))
    assert sorted(layout.wire) == list(range(216))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"chain": (*STRIPS[:-1], "row 8")}, f"chain names a strip 'row 8': strips are {', '.join(STRIPS)}"),
        ({"chain": (*STRIPS, "row 0")}, "chain names 'row 0' twice"),
        ({"chain": STRIPS[2:]}, "chain leaves out row 0, row 1"),
        ({"mirrored": ("score",)}, f"mirrored names a strip 'score': strips are {', '.join(STRIPS)}"),
        ({"mirrored": ("row 3", "row 3")}, "mirrored names 'row 3' twice"),
    ],
)
def test_strips_that_are_unknown_repeated_or_left_out_are_refused(settings: dict[str, Any], message: str) -> None:
    assert refusal(**settings) == message


@pytest.mark.parametrize(
    "key", ["inner_slots", "start_slots", "start_ranks", "multiplexers", "multiplexer_channels", "row_pixels"]
)
@pytest.mark.parametrize("count", [0, -3])
def test_a_board_with_none_of_a_part_it_needs_is_refused(key: str, count: int) -> None:
    assert refusal(**{key: count}) == f"{key} is {count}: it must be at least 1"


@pytest.mark.parametrize("key", ["inner_slots", "start_ranks", "multiplexers", "score_pixels", "chain_pixels"])
def test_a_board_with_more_than_anybody_can_build_is_refused(key: str) -> None:
    count = 99_999_999_999_999_999_999
    assert refusal(**{key: count}) == f"{key} is {count}: it must not be more than 10000"


def test_a_negative_number_of_score_pixels_is_refused() -> None:
    assert refusal(score_pixels=-1) == "score_pixels is -1: it must not be negative"


def test_a_start_line_that_does_not_divide_into_its_ranks_is_refused() -> None:
    assert refusal(start_ranks=4) == "start_slots is 18, which does not divide into 4 ranks"


@pytest.mark.parametrize("key", ["slot_pitch_mm", "row_pitch_mm", "rank_pitch_mm"])
@pytest.mark.parametrize("pitch_mm", [0.0, -1.0, float("nan"), float("inf")])
def test_a_pitch_that_is_no_length_is_refused(key: str, pitch_mm: float) -> None:
    assert refusal(**{key: pitch_mm}) == f"{key} is {pitch_mm}: it must be a length of more than 0"


def test_a_misspelt_setting_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="inner_slot`"):
        msgspec.convert({"inner_slot": 6}, BoardSettings)


def test_a_layout_error_is_caught_as_a_hardware_error_and_as_a_value_error() -> None:
    assert issubclass(LayoutError, HardwareError)
    assert issubclass(LayoutError, ValueError)
