"""The key `done` in the middle of a turn: which action it stands for, or why it stands for none."""

from __future__ import annotations

from engine import Action, IllegalAction, Kind, State
from firmware.in_hand import unseen_arrival
from firmware.meaning import Meaning, Quiet
from firmware.sight import Sighting
from firmware.view import Stage


def action_done(stage: Stage, meaning: Meaning, state: State, sighting: Sighting) -> Action | None:
    """With all pawns in their places, leaving what is left of the turn; with one in hand, its arrival where no sensor
    sees it."""
    if stage is not Stage.PLAYING or not isinstance(meaning, Quiet):
        return None
    if meaning.in_hand:
        return unseen_arrival(state, meaning.in_hand, sighting)
    return _decline(state) if state.may_decline else None


def why_not_done(stage: Stage, meaning: Meaning, state: State) -> str:
    """What to tell whoever pressed the key in vain."""
    if stage is Stage.SETTING_UP:
        return "the pawns are not set up yet"
    if meaning != Quiet():
        return "a pawn is not in its place"
    try:
        state.apply(_decline(state))
    except IllegalAction as refusal:
        return refusal.explanation
    return "there is nothing to be done with"


def _decline(state: State) -> Action:
    return Action(Kind.DECLINE, state.to_move)
