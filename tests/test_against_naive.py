"""The engine and the naive model agree on what is legal, what follows and how it ends, step by step."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine import PAWNS, ROOM, ROWS, RULE_SETS, Action, Color, Edition, Ending, Kind, Position, State
from tests.naive import Move, NaiveGame, standing

GAMES = 30
Choice = Callable[[list[Action], random.Random], Action]

each_rule_set = pytest.mark.parametrize("edition", RULE_SETS, ids=str)


def as_move(action: Action) -> Move:
    return action.kind.value, action.color.value, action.origin, action.destination


def assert_alike(state: State, naive: NaiveGame) -> None:
    assert (state.position.red, state.position.black) == naive.counts()
    assert (state.points.red, state.points.black) == naive.points()
    assert (state.phase.value, state.distance) == (naive.phase, naive.distance)
    actions = state.legal_actions()
    assert len(actions) == len(set(actions))
    assert {as_move(action) for action in actions} == naive.moves()
    if state.outcome is None:
        assert naive.result() is None
        assert state.to_move.value == naive.to_move
    else:
        winner = state.outcome.winner.value if state.outcome.winner else None
        points = state.outcome.points
        assert naive.result() == (winner, points.red, points.black, state.outcome.reason.value)


def play_both(state: State, naive: NaiveGame, choose: Choice, rng: random.Random) -> Ending:
    assert_alike(state, naive)
    while state.outcome is None:
        action = choose(state.legal_actions(), rng)
        state, naive = state.apply(action), naive.after(as_move(action))
        assert_alike(state, naive)
    return state.outcome.reason


def any_action(actions: list[Action], rng: random.Random) -> Action:
    return rng.choice(actions)


def in_and_out_of_the_goal(actions: list[Action], rng: random.Random) -> Action:
    """Mostly an opening into the goal and a bonus out of it: the way positions repeat."""
    shuttling = [
        action
        for action in actions
        if (action.kind is Kind.OPENING and action.destination == action.color.goal)
        or (action.kind is Kind.BONUS and action.origin == action.color.goal)
    ]
    return rng.choice(shuttling if shuttling and rng.random() < 0.9 else actions)


def random_position(rng: random.Random) -> Position:
    """Pawns anywhere, huddled in few rows so that full rows and blocked players are common."""
    while True:
        rows = rng.sample(range(ROWS), rng.randint(2, ROWS))
        red, black = ([0] * ROWS, [0] * ROWS)
        for counts in (red, black):
            for row in rng.choices(rows, k=PAWNS):
                counts[row] += 1
        if all(red[row] + black[row] <= ROOM for row in range(1, ROWS - 1)):
            return Position(tuple(red), tuple(black))


def naive_from(edition: Edition, position: Position, first: Color) -> NaiveGame:
    pawns = standing(position.red, position.black)
    return NaiveGame(edition.name, edition.aggressive, first.value, pawns=pawns)


@each_rule_set
def test_random_games_from_the_setup_agree(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    for _ in range(GAMES):
        first = rng.choice(list(Color))
        naive = NaiveGame(edition.name, edition.aggressive, first.value)
        play_both(State.initial(edition, first), naive, any_action, rng)


@each_rule_set
def test_random_games_from_crowded_positions_agree_and_some_are_blocked(
    edition: Edition, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(request.node.name)
    blocked = Position.parse("bbbbbb/-/-/rrrrrr/bbbbbb/-/-/rrrrrr")
    endings = []
    for position in [blocked, *(random_position(rng) for _ in range(10 * GAMES))]:
        first = rng.choice(list(Color))
        state, naive = State.at(edition, position, first), naive_from(edition, position, first)
        endings.append(play_both(state, naive, any_action, rng))
    assert Ending.BLOCKED in endings


@pytest.mark.parametrize("edition", [edition for edition in RULE_SETS if edition.bonus], ids=str)
def test_games_that_run_in_and_out_of_the_goal_agree_and_end_in_repetition(
    edition: Edition, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(request.node.name)
    endings = [
        play_both(State.initial(edition), NaiveGame(edition.name, edition.aggressive), in_and_out_of_the_goal, rng)
        for _ in range(GAMES)
    ]
    assert Ending.REPETITION in endings
