"""The fast turns of the search are the engine's turns, in positions of every kind."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine import RULE_SETS, Color, Edition, Ending, Phase, Position, State
from engine.search.sides import side_of, unpack
from engine.search.turn_ends import Turns
from engine.turns import whole_turns

GAMES = 10

each_rule_set = pytest.mark.parametrize("edition", RULE_SETS, ids=str)


def turn_starts(edition: Edition, rng: random.Random) -> Iterator[State]:
    """The states of a random game in which a turn begins, as if nothing had been played before."""
    state = State.initial(edition, rng.choice(list(Color)))
    while state.outcome is None:
        if state.phase is Phase.OPENING and not state.again:
            yield State.at(edition, state.position, state.to_move)
        state = state.apply(rng.choice(state.legal_actions()))


def sides(position: Position, player: Color) -> tuple[int, int]:
    return side_of(position, player), side_of(position, player.opponent)


@each_rule_set
def test_a_turn_ends_where_the_engine_says_it_can(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    turns = Turns.of(edition)
    for state in (state for _ in range(GAMES) for state in turn_starts(edition, rng)):
        me, you = sides(state.position, state.to_move)
        ends = turns.ends(me, you)
        after = [end for _, end in whole_turns(state)]
        passed = {end for end in after if end.outcome is not None and end.outcome.reason is Ending.PASSED}
        assert {(own, you) for own in ends.final} | ends.pushed_final == {
            sides(end.position, state.to_move) for end in passed
        }, str(state)
        assert {(own, you) for own in ends.sides} | ends.pushed == {
            sides(end.position, state.to_move) for end in after if end not in passed
        }, str(state)


@each_rule_set
def test_where_nobody_can_open_there_is_no_end(edition: Edition) -> None:
    blocked = Position.parse("bbbbbb/rrrbbb/rrrbbb/-/-/rrr/rrr/-")
    turns = Turns.of(edition)
    red, black = sides(blocked, Color.RED)
    assert turns.can_open(red, black)
    red, black = sides(Position.parse("rrr/rrrrrr/bbbbbb/bbbbbb/-/-/-/rrr"), Color.RED)
    assert not turns.can_open(red, black)
    assert turns.ends(red, black).is_blocked


def test_a_side_is_what_its_player_sees() -> None:
    position = Position.parse("rrrrrb/rrb/b/rb/rb/rb/rb/rbbbbb")
    assert unpack(side_of(position, Color.RED)) == position.red
    assert unpack(side_of(position, Color.BLACK)) == position.black[::-1]
