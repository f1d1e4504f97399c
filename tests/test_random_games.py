"""What holds in every game, seen along many random ones in each rule set."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine import LAST_ROW, PAWNS, ROOM, RULE_SETS, Action, Color, Edition, Ending, Game, Kind, Phase, State

GAMES = 3_000
GAMES_IN_FULL = 40
"""How many of them are also taken back and read back at every step, which takes long."""

each_rule_set = pytest.mark.parametrize("edition", RULE_SETS, ids=str)


def random_steps(edition: Edition, rng: random.Random) -> Iterator[tuple[State, Action, State]]:
    state = State.initial(edition, rng.choice(list(Color)))
    while state.outcome is None:
        action = rng.choice(state.legal_actions())
        after = state.apply(action)
        yield state, action, after
        state = after


def random_game(edition: Edition, rng: random.Random) -> Game:
    game = Game.new(edition, rng.choice(list(Color)))
    while game.state.outcome is None:
        game = game.play(rng.choice(game.state.legal_actions()))
    return game


@each_rule_set
def test_no_random_game_ever_breaks_the_board(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    for _ in range(GAMES):
        for before, action, after in random_steps(edition, rng):
            position = after.position
            assert sum(position.red) == sum(position.black) == PAWNS
            assert all(0 <= position.total(row) <= ROOM for row in range(1, LAST_ROW))
            assert min(position.red) >= 0
            assert min(position.black) >= 0
            if action.kind not in (Kind.BONUS, Kind.DECLINE):
                assert (action.destination - action.origin) * action.color.forward > 0  # type: ignore[operator]
            assert after.outcome is not None or after.legal_actions()
            assert (after.phase is Phase.OVER) == (after.outcome is not None)
            assert before.outcome is None
        assert after.legal_actions() == []
        assert_the_winner_agrees_with_the_points(after)


def assert_the_winner_agrees_with_the_points(state: State) -> None:
    assert state.outcome is not None
    winner, points = state.outcome.winner, state.outcome.points
    assert points == state.points
    if state.outcome.reason is Ending.REPETITION or points.red == points.black:
        assert winner is None
    else:
        assert winner is not None
        assert points.of(winner) > points.of(winner.opponent)


@each_rule_set
def test_undo_after_an_action_is_the_identity_and_redo_brings_it_back(
    edition: Edition, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(request.node.name)
    for _ in range(GAMES_IN_FULL):
        game = random_game(edition, rng)
        replayed = Game.from_state(game.start)
        for action in game.actions:
            further = replayed.play(action)
            taken_back = further.undo()
            assert (taken_back.states, taken_back.actions) == (replayed.states, replayed.actions)
            assert taken_back.redo() == further
            replayed = further
        assert replayed == game
        depth = rng.randrange(len(game.actions) + 1)
        assert game.undo(depth).redo(depth) == game


@each_rule_set
def test_every_text_of_a_random_game_reads_back(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    for _ in range(GAMES_IN_FULL):
        game = random_game(edition, rng)
        assert Game.parse(str(game)) == game
        for state, action in zip(game.states, game.actions, strict=False):
            assert State.parse(str(state)) == state
            assert Action.parse(str(action)) == action
        assert State.parse(str(game.state)) == game.state
        unfinished = game.undo(rng.randrange(len(game.actions)))
        assert Game.parse(str(unfinished)) == Game(unfinished.states, unfinished.actions)
