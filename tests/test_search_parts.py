"""The parts of the search: its estimate, and its memory."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine import EDITIONS, RULE_SETS, Color, Edition, Position, State
from engine.score import points
from engine.search import Search
from engine.search.memory import BYTES_AN_ENTRY, Bound, Entry, Memory
from engine.search.pairs import PAIRS, UNIT
from engine.search.sides import side_of
from engine.search.worth import Worth

POSITION = Position.parse("rrrrbb/rrb/r/rbb/-/rb/rrbb/rbbbb")
ENTRY = Entry(3, Bound.EXACT, 7, None)

each_rule_set = pytest.mark.parametrize("edition", RULE_SETS, ids=str)


def sides(position: Position) -> tuple[int, int]:
    return side_of(position, Color.RED), side_of(position, Color.BLACK)


@each_rule_set
def test_a_side_is_worth_what_every_two_of_its_pawns_are_worth(edition: Edition) -> None:
    rows = [row for row, count in enumerate(POSITION.red) for _ in range(count)]
    worth = PAIRS[edition.name].worth
    assert Worth(edition).side[sides(POSITION)[0]] == sum(
        worth[further][behind] for behind, further in combinations(rows, 2)
    )


@each_rule_set
def test_an_estimate_favours_the_same_side_whoever_is_to_move(edition: Edition) -> None:
    worth = Worth(edition)
    red, black = sides(POSITION)
    assert worth.estimate(red, black) + worth.estimate(black, red) == 2 * worth.turn
    assert worth.turn > 0


@each_rule_set
def test_the_margin_of_a_finished_game_is_that_of_the_count(edition: Edition) -> None:
    count = points(POSITION, edition)
    assert Worth(edition).final(*sides(POSITION)) == UNIT * (count.red - count.black)


def test_every_edition_has_its_numbers_for_every_two_rows() -> None:
    assert PAIRS.keys() == EDITIONS.keys()
    assert all([len(row) for row in pairs.worth] == list(range(1, 9)) for pairs in PAIRS.values())


def test_a_memory_holds_no_more_than_it_has_room_for() -> None:
    memory = Memory(100 * BYTES_AN_ENTRY)
    for key in range(1_000):
        memory.keep(key, ENTRY)
        assert len(memory) <= 100
    assert memory.get(999) == ENTRY
    assert memory.get(0) is None


def test_what_is_asked_for_is_not_forgotten() -> None:
    memory = Memory(100 * BYTES_AN_ENTRY)
    memory.keep(-1, ENTRY)
    for key in range(1_000):
        memory.keep(key, ENTRY)
        assert memory.get(-1) == ENTRY


def test_a_search_with_little_memory_comes_to_the_same_end() -> None:
    state = State.parse("zen black opening bbbbbb/bbbbb/r/b/-/r/rr/rrrrrrrr")
    assert Search(memory_bytes=1).think(state).judged == Search().think(state).judged
