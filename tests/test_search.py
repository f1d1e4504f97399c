"""The search: right where the game can be played out, and polite everywhere else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from engine import RULE_SETS, BadInput, Color, Edition, Position, State
from engine.search import Judged, Search, Thought
from tests.brute import BruteForce, TooLong
from tests.late_positions import late_starts, margin_in, margins, worth_of_line

MOST_STATES = 500
GAMES = 20
STATES_A_GAME = 15

each_rule_set = pytest.mark.parametrize("edition", RULE_SETS, ids=str)


def random_states(edition: Edition, rng: random.Random) -> list[State]:
    states = [State.initial(edition, rng.choice(list(Color)))]
    while states[-1].outcome is None:
        states.append(states[-1].apply(rng.choice(states[-1].legal_actions())))
    return states


def played_out(edition: Edition, rng: random.Random) -> BruteForce:
    """The end of a random game, from as far back as brute force can tell."""
    brute_force = BruteForce(MOST_STATES)
    with suppress(TooLong):
        for state in reversed(random_states(edition, rng)):
            brute_force.margin(state)
    return brute_force


def states_with_answers(edition: Edition, rng: random.Random) -> Iterator[tuple[State, BruteForce]]:
    for _ in range(GAMES):
        brute_force = played_out(edition, rng)
        open_states = [state for state in brute_force.margins if state.outcome is None]
        for state in rng.sample(open_states, min(STATES_A_GAME, len(open_states))):
            yield state, brute_force


@each_rule_set
def test_every_action_is_worth_what_brute_force_says(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    search = Search(seed=rng.randrange(9))
    for state, brute_force in states_with_answers(edition, rng):
        thought = search.think(state)
        assert thought.is_exact
        assert thought.best.margin == brute_force.for_mover(state, of=state), str(state)
        for judged in thought.judged:
            assert judged.margin == brute_force.for_mover(state.apply(judged.action), of=state), (str(state), judged)


@each_rule_set
def test_all_late_positions_are_worth_what_brute_force_says_and_the_best_action_keeps_it(edition: Edition) -> None:
    starts = late_starts(edition)
    margin = partial(margin_in, margins(starts))
    search = Search()
    for state in starts:
        best = search.think(state).best
        assert best.margin == margin(state) == worth_of_line(state, best.line, margin), str(state)


@each_rule_set
def test_every_legal_action_is_judged_once_the_best_first(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    search = Search()
    for state in rng.sample(random_states(edition, rng)[:-1], 12):
        thought = search.think(state, nodes=rng.choice([0, 2_000]))
        margins = [judged.margin for judged in thought.judged]
        assert sorted(map(str, state.legal_actions())) == sorted(str(judged.action) for judged in thought.judged)
        assert margins == sorted(margins, reverse=True)
        assert_lines_finish_the_turn(thought, state)


def assert_lines_finish_the_turn(thought: Thought, state: State) -> None:
    for judged in thought.judged:
        assert judged.line[0] == judged.action
        after = state
        for action in judged.line:
            assert after.outcome is None
            after = after.apply(action)
        assert after.outcome is not None or (after.phase.value == "opening" and not after.again)


def thoughts(search: Search, state: State, nodes: int) -> list[Thought]:
    return [search.think(state, nodes=nodes) for _ in range(2)]


@each_rule_set
def test_a_seed_and_a_limit_of_nodes_make_the_same_thoughts_again(edition: Edition) -> None:
    state = State.initial(edition)
    assert thoughts(Search(seed=3), state, 20_000) == thoughts(Search(seed=3), state, 20_000)


def test_there_is_a_thought_even_where_nobody_gives_it_time() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return True

    (thought,) = Search().deepen(State.initial(RULE_SETS[0]), stop)
    assert (thought.depth, len(asked)) == (1, 1)


def test_a_search_told_to_stop_in_the_middle_of_a_depth_gives_nothing_for_it_and_can_go_on_later() -> None:
    search = Search()
    questions = iter([False, False, False, True])
    state = State.initial(RULE_SETS[-1])
    assert [thought.depth for thought in search.deepen(state, lambda: next(questions))] == [1]
    assert search.think(state, nodes=40_000).depth > 1


def test_a_limit_of_nodes_is_kept_to_within_a_turn() -> None:
    for limit in (1, 1_000, 30_000):
        assert Search().think(State.initial(RULE_SETS[-1]), nodes=limit).nodes < limit + 1_000


def test_nobody_thinks_about_a_game_that_is_over() -> None:
    over = State.at(RULE_SETS[0], Position((0,) * 7 + (12,), (12,) + (0,) * 7), Color.RED)
    with pytest.raises(BadInput, match="over"):
        next(Search().deepen(over))


def test_thinking_about_another_edition_in_between_changes_nothing() -> None:
    first, second = (State.initial(edition) for edition in RULE_SETS[1:3])
    search = Search()
    search.think(second, nodes=5_000)
    assert search.think(first, nodes=5_000) == Search().think(first, nodes=5_000)


class Indifferent:
    """A solved game in which every position is a draw."""

    edition = RULE_SETS[0]

    def judge(self, state: State) -> Thought:
        judged = (Judged(action, 0, (action,)) for action in reversed(state.legal_actions()))
        return Thought(tuple(judged), 0, 0, True)


def test_between_actions_that_are_equally_good_in_the_solved_game_the_search_decides() -> None:
    state = State.initial(Indifferent.edition)
    (thought,) = Search(solved=Indifferent()).deepen(state)
    searched = Search().think(state, nodes=5_000)
    assert [judged.action for judged in thought.judged] == [judged.action for judged in searched.judged]
    assert {judged.margin for judged in thought.judged} == {0}
    assert thought.is_exact
    assert thought.is_settled


def test_a_solved_game_of_another_edition_is_not_asked() -> None:
    state = State.initial(RULE_SETS[-1])
    assert Search(solved=Indifferent()).think(state, nodes=500) == Search().think(state, nodes=500)
