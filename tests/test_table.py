"""What hands can do to the pawns, and what they cannot."""

from __future__ import annotations

import math

import pytest

from hardware.interface import Reading
from hardware.layout import BoardSettings, Layout
from simulator.table import HELD_HEIGHT_MM, Pawn, Table, TableError

RED, BLACK, EMPTY = Reading.RED, Reading.BLACK, Reading.EMPTY
LAYOUT = Layout.of(BoardSettings())


def set_up_table(seed: int = 0) -> Table:
    table = Table(LAYOUT, seed)
    table.set_up()
    return table


def rows(table: Table) -> str:
    """Red and black pawns of every row, from row 0 to row 7."""
    readings = table.readings()
    return " ".join(
        f"{sum(readings[slot] is RED for slot in row)}{sum(readings[slot] is BLACK for slot in row)}"
        for row in LAYOUT.rows
    )


def where(pawn: Pawn) -> str:
    return "nowhere" if pawn.slot is None else LAYOUT.name(pawn.slot)


def test_the_set_up_has_six_pawns_on_each_start_line_and_one_of_each_colour_between() -> None:
    assert rows(set_up_table()) == "60 11 11 11 11 11 11 06"


def test_setting_up_again_brings_every_pawn_back() -> None:
    table = set_up_table()
    table.lift(RED, 0)
    table.knock(3)
    table.set_up()
    assert rows(table) == "60 11 11 11 11 11 11 06"
    assert not table.in_hand


def test_a_board_with_too_few_slots_cannot_be_set_up() -> None:
    table = Table(Layout.of(BoardSettings(start_slots=4, start_ranks=2)))
    with pytest.raises(TableError, match="too few slots"):
        table.set_up()


def test_pawns_beside_the_board_stand_on_no_slot() -> None:
    table = set_up_table()
    table.clear()
    assert rows(table) == "00 00 00 00 00 00 00 00"
    assert len({(pawn.place.x_mm, pawn.place.y_mm) for pawn in table.pawns}) == 24


def test_a_lifted_pawn_is_in_hand_and_off_its_slot_until_it_is_placed() -> None:
    table = set_up_table()
    pawn = table.lift(RED, 0)
    assert table.in_hand == (pawn,)
    assert rows(table) == "50 11 11 11 11 11 11 06"
    assert table.place(1) is pawn
    assert not table.in_hand
    assert rows(table) == "50 21 11 11 11 11 11 06"


def test_a_slot_can_be_named_for_lifting_and_placing() -> None:
    table = set_up_table()
    pawn = table.lift(RED, 0, 5)
    assert LAYOUT.centres_mm[LAYOUT.slot(0, 5)] == (pawn.place.x_mm, pawn.place.y_mm)
    table.place(5, 3)
    assert where(pawn) == "5.3"


def test_several_pawns_in_hand_are_told_apart_by_colour() -> None:
    table = set_up_table()
    red, black = table.lift(RED, 1), table.lift(BLACK, 7)
    with pytest.raises(TableError, match="both colours are in hand"):
        table.place(4)
    assert table.place(4, color=BLACK) is black
    assert table.place(2) is red


def test_of_several_pawns_of_one_colour_the_first_lifted_is_put_down_first() -> None:
    table = set_up_table()
    first, second = table.lift(RED, 1), table.lift(RED, 0)
    assert (table.place(2), table.place(2)) == (first, second)


def test_a_pawn_taken_away_is_beside_the_board_and_can_be_taken_back() -> None:
    table = set_up_table()
    pawn = table.lift(BLACK, 3)
    table.put_aside()
    assert rows(table) == "60 11 11 10 11 11 11 06"
    assert table.take(BLACK) is pawn
    table.place(3)
    assert rows(table) == "60 11 11 11 11 11 11 06"


def test_what_cannot_be_done_is_named_and_changes_nothing() -> None:
    table = set_up_table()
    for row in (0, 0, 0, 0):
        table.lift(RED, row)
        table.place(1)
    held = table.lift(RED, 0)
    before = table.readings()
    for verb, complaint in (
        (lambda: table.lift(RED, 7), "no red pawn is in row 7"),
        (lambda: table.lift(RED, 3, 4), "no red pawn is on slot 3.4: it is empty"),
        (lambda: table.lift(RED, 3, 5), "no red pawn is on slot 3.5: a black one is"),
        (lambda: table.lift(RED, 9), "there is no row 9"),
        (lambda: table.lift(RED, 3, 6), "row 3 has no slot 6"),
        (lambda: table.place(1), "row 1 has no free slot"),
        (lambda: table.place(3, 5), "slot 3.5 is taken by a black pawn"),
        (lambda: table.place(4, color=BLACK), "no black pawn is in hand"),
        (lambda: table.take(RED), "no red pawn is beside the board"),
        (lambda: table.slide(RED, 0, 1), "row 1 has no free slot"),
        (lambda: table.bump(7, color=RED), "no red pawn is in row 7"),
        (lambda: table.move(held, math.nan, 0), "a pawn cannot be at x nan"),
        (lambda: table.move(held, 0, 0, -1), "a pawn cannot be at x 0, y 0, height -1 mm"),
    ):
        with pytest.raises(ValueError, match=complaint):
            verb()
    assert table.readings() == before
    assert table.in_hand == (held,)


def test_nothing_can_be_placed_with_empty_hands() -> None:
    with pytest.raises(TableError, match="no pawn is in hand"):
        set_up_table().place(1)


def test_a_pawn_between_two_slots_stands_in_its_row_but_on_no_slot() -> None:
    table = set_up_table()
    pawn = table.lift(RED, 0)
    table.place(3, 2, off_mm=(16.0, 0.0))
    assert (pawn.row, pawn.slot) == (3, None)
    assert table.lift(RED, 3) is not pawn, "hands take a pawn that stands well first"
    assert table.lift(RED, 3) is pawn, "but they find it all the same"


def test_a_pawn_a_little_off_the_centre_is_still_on_its_slot() -> None:
    table = set_up_table()
    pawn = table.lift(RED, 0)
    table.place(3, 2, off_mm=(-5.0, 4.0))
    assert where(pawn) == "3.2"


def test_a_pawn_on_any_slot_is_in_the_row_of_that_slot() -> None:
    table = Table(LAYOUT)
    pawn = table.take(RED)
    seen = []
    for x_mm, y_mm in LAYOUT.centres_mm:
        table.move(pawn, x_mm, y_mm)
        seen.append((pawn.slot, pawn.row))
    assert seen == list(enumerate(LAYOUT.row_of))


def test_carrying_goes_in_small_steps_and_ends_exactly_there() -> None:
    table = set_up_table()
    pawn = table.lift(RED, 0)
    heights = [pawn.place.height_mm for _ in table.carry(pawn, 3.0, 20.0, 5.0, mm_per_s=100)]
    assert heights == sorted(heights, reverse=True)
    assert max(a - b for a, b in zip([HELD_HEIGHT_MM, *heights], heights, strict=False)) <= 1.0
    assert (pawn.place.x_mm, pawn.place.y_mm, pawn.place.height_mm) == (3.0, 20.0, 5.0)


def test_a_slid_pawn_never_leaves_the_board_and_crosses_free_slots_of_every_row_between() -> None:
    table = set_up_table()
    pawn = table.standing()[LAYOUT.slot(1, 0)]
    crossed = [where(pawn) for _ in table.slide(RED, 1, 5) if not pawn.held and pawn.slot is not None]
    assert [row for row in "12345" if any(name.startswith(row) for name in crossed)] == list("12345")
    assert where(pawn)[0] == "5"


def test_a_slid_pawn_does_not_pass_through_the_middle_of_another() -> None:
    table = set_up_table()
    pawn = table.standing()[LAYOUT.slot(0, 1)]
    others = {(p.place.x_mm, p.place.y_mm) for p in table.pawns if p is not pawn}
    nearest = min(
        min(math.dist((pawn.place.x_mm, pawn.place.y_mm), other) for other in others) for _ in table.slide(RED, 0, 6, 1)
    )
    assert nearest > 8.0


def test_a_bumped_pawn_is_in_hand_for_a_moment_and_back_where_it_was() -> None:
    table = set_up_table()
    pawn = table.standing()[LAYOUT.slot(4, 0)]
    assert [table.in_hand for _ in table.bump(4)] == [(pawn,)]
    assert where(pawn) == "4.0"


def test_a_bump_may_shuffle_the_pawn_within_its_row() -> None:
    table = set_up_table()
    pawn = table.standing()[LAYOUT.slot(4, 0)]
    assert sum(table.bump(4, 0, to_slot=3)) > 0
    assert where(pawn) == "4.3"


def test_a_knocked_pawn_lies_and_stands_on_no_slot() -> None:
    table = set_up_table()
    pawn = table.knock(3, color=RED)
    assert pawn.place.bearing is not None
    assert rows(table) == "60 11 11 01 11 11 11 06"


def test_a_pawn_that_lies_is_upright_again_once_lifted() -> None:
    table = set_up_table()
    pawn = table.knock(3, color=RED, rolls_mm=5.0)
    assert (pawn.row, pawn.slot) == (3, None)
    assert table.lift(RED, 3) is pawn
    table.place(3)
    assert rows(table) == "60 11 11 11 11 11 11 06"


def test_a_sweep_disturbs_the_swept_rows_and_no_other() -> None:
    table = set_up_table()
    assert len(list(table.sweep([3, 4]))) == 4
    assert rows(table).split()[:3] + rows(table).split()[5:] == ["60", "11", "11", "11", "11", "06"]
    assert rows(table).split()[3:5] != ["11", "11"]


def test_the_same_seed_makes_the_same_magnets_and_accidents() -> None:
    def after_accidents(seed: int) -> list[tuple[float, object]]:
        table = set_up_table(seed)
        table.knock(2)
        list(table.sweep([4, 5]))
        return [(pawn.strength, pawn.place) for pawn in table.pawns]

    assert after_accidents(5) == after_accidents(5)
    assert after_accidents(5) != after_accidents(6)
