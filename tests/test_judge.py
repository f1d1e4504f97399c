"""Every attempt is answered with the action it is, or with the reason that helps most and the rows to look at."""

from __future__ import annotations

import itertools
import random

import pytest

from engine import ROWS, RULE_SETS, Action, Color, Edition, IllegalAction, Kind, NoSuchPawn, Reason, State
from tests.positions import play, turn

SETUP = "rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb"


def refused(state: State, color: str, origin: int, destination: int) -> tuple[Reason, tuple[int, ...], str]:
    with pytest.raises(IllegalAction) as refusal:
        state.judge(Color(color), origin, destination)
    return refusal.value.reason, refusal.value.rows, str(refusal.value)


def test_a_legal_movement_is_the_action_it_is() -> None:
    opening = turn("zen", "red", SETUP)
    follow_up = play(opening, "0-1")
    bonus = play(follow_up, "+5-7")
    assert opening.judge(Color.RED, 0, 1) == Action(Kind.OPENING, Color.RED, 0, 1)
    assert follow_up.judge(Color.RED, 0, 2) == Action(Kind.FOLLOW_UP, Color.RED, 0, 2)
    assert bonus.judge(Color.RED, 7, 6) == Action(Kind.BONUS, Color.RED, 7, 6)


@pytest.mark.parametrize(
    ("actions", "movement", "reason", "rows"),
    [
        ("", ("black", 7, 6), Reason.WRONG_COLOR, (7, 6)),
        ("", ("red", 1, 0), Reason.BACKWARDS, (1, 0)),
        ("", ("red", 0, 2), Reason.WRONG_DISTANCE, (0, 2, 1)),
        ("", ("red", 3, 3), Reason.NOT_MOVED, (3,)),
        ("0-1", ("black", 7, 5), Reason.WRONG_COLOR, (7, 5)),
        ("0-1", ("red", 1, 0), Reason.BACKWARDS, (1, 0)),
        ("0-1", ("red", 0, 1), Reason.WRONG_DISTANCE, (0, 1, 2)),
        ("0-1", ("red", 0, 3), Reason.WRONG_DISTANCE, (0, 3, 2)),
        ("6-7", ("black", 7, 6), Reason.WRONG_COLOR, (7, 6)),
        ("6-7", ("red", 0, 2), Reason.WRONG_DISTANCE, (0, 2)),
        ("6-7 done 7-6 done", ("red", 7, 6), Reason.ALREADY_HOME, (7, 6)),
    ],
)
def test_a_movement_against_the_rules_has_its_reason_and_its_rows(
    actions: str, movement: tuple[str, int, int], reason: Reason, rows: tuple[int, ...]
) -> None:
    state = play(turn("zen", "red", SETUP), actions)
    assert refused(state, *movement)[:2] == (reason, rows)


def test_a_full_row_is_named() -> None:
    state = turn("zen", "red", "rrrr/rrrbbb/-/bb/rrr/bbb/rrb/bbb")
    assert refused(state, "red", 0, 1) == (Reason.ROW_FULL, (1,), "row 1 is full: an inner row has room for 6 pawns")


def test_a_distance_that_is_wrong_says_how_far_it_should_have_been() -> None:
    state = play(turn("zen", "red", SETUP), "0-1")
    assert refused(state, "red", 0, 3)[2] == "too far: a follow-up goes 2 rows; from row 0 that is row 2"
    assert refused(state, "red", 0, 1)[2] == "not far enough: a follow-up goes 2 rows; from row 0 that is row 2"
    assert refused(turn("zen", "red", SETUP), "red", 0, 2)[2] == (
        "too far: an opening goes 1 row; from row 0 that is row 1"
    )


def test_an_overshoot_that_stops_before_the_goal_is_told_where_the_goal_is() -> None:
    state = play(turn("zen", "red", "rrrrr/rrbb/r/r/r/r/r/bbbbbbbbbb"), "0-1")
    assert refused(state, "red", 5, 6)[2] == (
        "not far enough: a follow-up goes 4 rows, or less into the goal, row 7; from row 5 that is row 7"
    )


def test_an_opponents_pawn_in_its_goal_is_locked_for_an_aggressive_bonus() -> None:
    state = play(turn("zen+aggressive", "red", "rrrrrrb/rb/rb/rb/rb/rb/rb/bbbbb"), "6-7")
    assert refused(state, "black", 0, 1)[:2] == (Reason.LOCKED, (0, 1))


def test_nothing_is_legal_when_the_game_is_over() -> None:
    state = turn("zen", "red", "bbbbbbbbbbbb/-/-/-/-/-/r/rrrrrrrrrrr")
    assert refused(state, "red", 6, 7)[0] is Reason.GAME_OVER
    with pytest.raises(IllegalAction, match="the game is over"):
        state.apply(Action.parse("red:done"))


@pytest.mark.parametrize(
    ("actions", "action", "reason"),
    [
        ("", "red:done", Reason.MUST_MOVE),
        ("", "red:+0-1", Reason.WRONG_PHASE),
        ("0-1", "red:0-2", Reason.WRONG_PHASE),
        ("0-1", "black:done", Reason.WRONG_COLOR),
        ("0-1", "red:*0-2", Reason.WRONG_PHASE),
    ],
)
def test_an_action_that_is_not_asked_for_is_refused(actions: str, action: str, reason: Reason) -> None:
    state = play(turn("zen", "red", SETUP), actions)
    with pytest.raises(IllegalAction) as refusal:
        state.apply(Action.parse(action))
    assert refusal.value.reason is reason


@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_of_all_conceivable_movements_exactly_the_legal_ones_are_allowed(
    edition: Edition, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(request.node.name)
    for _ in range(12):
        state = State.initial(edition, rng.choice(list(Color)))
        while state.outcome is None:
            movements = [action for action in state.legal_actions() if action.kind is not Kind.DECLINE]
            assert sorted(map(str, allowed(state))) == sorted(map(str, movements))
            state = state.apply(rng.choice(state.legal_actions()))
        assert allowed(state) == []


def allowed(state: State) -> list[Action]:
    actions = []
    for color, origin, destination in itertools.product(Color, range(ROWS), range(ROWS)):
        try:
            actions.append(state.judge(color, origin, destination))
        except (IllegalAction, NoSuchPawn):
            continue
    return actions
