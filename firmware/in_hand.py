"""The pawns in hand: which were lifted just now, where each may be put down, and where one was put down unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine import Action, Kind, State
from firmware.meaning import Meaning, Quiet, Unsettled
from firmware.sight import Missing, Sighting
from firmware.view import Hand


def hands_over(state: State, in_hand: Sequence[Missing]) -> tuple[Hand, ...]:
    """The pawns in hand with their landings: those of this turn, and those of the opponent's if it may end now."""
    if not in_hand:
        return ()
    actions = state.legal_actions()
    if state.may_decline:
        declined = state.apply(Action(Kind.DECLINE, state.to_move))
        actions += [action for action in declined.legal_actions() if action.color is not state.to_move]
    return tuple(Hand(pawn.row, pawn.color, _landings(actions, pawn)) for pawn in in_hand)


def _landings(actions: list[Action], pawn: Missing) -> tuple[int, ...]:
    rows = {
        action.destination
        for action in actions
        if action.destination is not None and action.origin == pawn.row and pawn.color in (None, action.color)
    }
    return tuple(sorted(rows))


def lifted_since(before: Meaning, in_hand: Sequence[Missing]) -> list[Missing]:
    """The pawns that were not in hand yet when the board meant that; those of one row and colour are counted."""
    known = before.in_hand if isinstance(before, Quiet | Unsettled) else ()
    return list((Counter(in_hand) - Counter(known)).elements())


def unseen_arrival(state: State, in_hand: Sequence[Missing], sighting: Sighting) -> Action | None:
    """The action of the one pawn in hand, if it can only have gone where no sensor would see it."""
    if len(in_hand) != 1:
        return None
    (hand,) = hands_over(state, in_hand)
    unseen = [row for row in hand.landings if sighting.room_unseen[row]]
    if len(unseen) != 1:
        return None
    fitting = [
        action
        for action in state.legal_actions()
        if (action.origin, action.destination) == (hand.row, unseen[0]) and hand.color in (None, action.color)
    ]
    return fitting[0] if len(fitting) == 1 else None
