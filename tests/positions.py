"""Positions and turns as text, the way the tests show them."""

from __future__ import annotations

from engine import Action, Color, Edition, Position, State


def turn(edition: str, player: str, position: str) -> State:
    """The start of a turn, for example `turn("zen", "red", "rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb")`."""
    return State.at(Edition.parse(edition), Position.parse(position), Color.parse(player))


def play(state: State, actions: str) -> State:
    """The state after actions such as `0-1 +0-4 *7-6 done`, each by the player to move unless it names a colour."""
    for word in actions.split():
        state = state.apply(Action.parse(word, state.to_move))
    return state


def legal(state: State) -> set[str]:
    """The legal actions as short text."""
    return {action.short(state.to_move) for action in state.legal_actions()}
