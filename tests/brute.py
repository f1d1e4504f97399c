"""Every game from a state on, played out with the engine's own rules: slow, short, and right."""

from __future__ import annotations

from engine import Color, Ending, State


class TooLong(Exception):
    """There are more ways to go on than one wants to wait for."""


class BruteForce:
    """The final margin of states under best play by both, red's points less black's."""

    def __init__(self, most_states: int) -> None:
        self.margins: dict[State, int] = {}
        self._most_states = most_states

    def margin(self, state: State) -> int:
        if state not in self.margins:
            if len(self.margins) > self._most_states:
                raise TooLong
            self.margins[state] = self._margin(state)
        return self.margins[state]

    def for_mover(self, state: State, of: State) -> int:
        """The margin of a state as the player sees it who is to move in another."""
        return self.margin(state) if of.to_move is Color.RED else -self.margin(state)

    def _margin(self, state: State) -> int:
        if state.outcome is not None:
            points = state.outcome.points
            return 0 if state.outcome.reason is Ending.REPETITION else points.red - points.black
        margins = [self.margin(state.apply(action)) for action in state.legal_actions()]
        return max(margins) if state.to_move is Color.RED else min(margins)
