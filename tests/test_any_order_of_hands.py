"""Whatever the order of hands, and however little of it is seen, the game is what was played.

Random turns are carried out one pawn after the other, at once, with both pawns lifted first, or with one pawn in one
movement. Where the board cannot know, it asks, and the hands answer; then the game must be what was meant.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine import RULE_SETS, Action, Edition, Kind, Phase, State
from firmware.events import Event
from firmware.view import Stage
from hardware.interface import Button
from tests.hand_moves import Bench

GAMES = 12
Way = Callable[["Hands", list[Action], random.Random], None]


class Hands(Bench):
    """Hands that know which states they mean to go through, and answer when the board asks."""

    meant: frozenset[State] = frozenset()

    def show(self) -> list[Event]:
        events = super().show()
        if self.session.view.stage is Stage.ASKING:
            self.answer()
        return events

    def answer(self) -> None:
        """Yes, if what is asked is on the way; otherwise no, until it is."""
        while (question := self.session.view.question) is not None:
            state = self.state
            for word in question.played.split():
                state = state.apply(Action.parse(word))
            self.press(Button.DONE if question.played and state in self.meant else Button.BACK)

    def move_pawn(self, action: Action, *, show: bool = True) -> None:
        assert action.origin is not None
        assert action.destination is not None
        self.move(str(action.color), action.origin, action.destination, show=show)


def one_after_the_other(hands: Hands, moves: list[Action], rng: random.Random) -> None:
    for action in moves:
        hands.move_pawn(action)


def so_fast_that_only_the_end_is_seen(hands: Hands, moves: list[Action], rng: random.Random) -> None:
    for action in moves:
        hands.move_pawn(action, show=False)
    hands.show()


def two_pawns_in_two_hands(hands: Hands, moves: list[Action], rng: random.Random) -> None:
    first, second, *rest = moves
    for action in rng.sample([first, second], 2):
        hands.lift(str(action.color), action.origin)  # type: ignore[arg-type]
    for action in rng.sample([first, second], 2):
        hands.place(str(action.color), action.destination)  # type: ignore[arg-type]
    one_after_the_other(hands, rest, rng)


def one_pawn_in_one_movement(hands: Hands, moves: list[Action], rng: random.Random) -> None:
    first, second, *rest = moves
    hands.lift(str(first.color), first.origin)  # type: ignore[arg-type]
    hands.place(str(first.color), second.destination)  # type: ignore[arg-type]
    one_after_the_other(hands, rest, rng)


def ways(state: State, moves: list[Action]) -> list[Way]:
    """The ways in which these movements can be carried out so that something of each can be seen."""
    possible: list[Way] = [one_after_the_other]
    steps = {(action.color, action.origin, action.destination) for action in moves}
    if steps & {(color, destination, origin) for color, origin, destination in steps}:
        return possible  # there and back: only seen when it is done step by step
    if not goes_on_in_a_bonus(moves) and all(state.position.has_room(action.destination or 0) for action in moves):
        possible.append(so_fast_that_only_the_end_is_seen)
    if len(moves) > 1:
        first, second = moves[:2]
        same_pawn_needed = (first.color, first.origin) == (second.color, second.origin)
        if state.position.of(second.color)[second.origin or 0] > same_pawn_needed:
            possible.append(two_pawns_in_two_hands)
        if (first.color, first.destination) == (second.color, second.origin):
            possible.append(one_pawn_in_one_movement)
    return possible


def goes_on_in_a_bonus(moves: list[Action]) -> bool:
    """A bonus is a movement of its own: a pawn that arrived in the same turn is lifted for it, and that is seen."""
    arrived = {(action.color, action.destination) for action in moves}
    return any(action.kind is Kind.BONUS and (action.color, action.origin) in arrived for action in moves)


def random_turn(state: State, rng: random.Random) -> tuple[list[Action], list[State]]:
    actions, states = [], [state]
    while states[-1].outcome is None and (len(states) == 1 or states[-1].phase is not Phase.OPENING):
        actions.append(rng.choice(states[-1].legal_actions()))
        states.append(states[-1].apply(actions[-1]))
    return actions, states[1:]


@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_the_game_is_what_the_hands_meant(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    for _ in range(GAMES):
        hands = Hands(str(edition))
        while hands.state.outcome is None:
            actions, states = random_turn(hands.state, rng)
            moves = [action for action in actions if action.kind is not Kind.DECLINE]
            hands.meant = frozenset(states)
            way = rng.choice(ways(hands.state, moves))
            way(hands, moves, rng)
            if actions[-1].kind is Kind.DECLINE and hands.state != states[-1]:
                hands.press(Button.DONE)
            assert hands.state == states[-1], f"{[str(action) for action in actions]} {way.__name__}"
