"""Whole turns: every way to finish the turn that is under way, action by action, and what it leads to."""

from __future__ import annotations

from collections.abc import Iterator

from engine.action import Action
from engine.state import Phase, State

Line = tuple[Action, ...]
"""Actions in the order they are played."""


def whole_turns(state: State) -> Iterator[tuple[Line, State]]:
    """The ways to finish this turn, a second full turn included, and the state after each."""
    for action in state.legal_actions():
        after = state.apply(action)
        if goes_on(after):
            for rest, end in whole_turns(after):
                yield (action, *rest), end
        else:
            yield (action,), after


def goes_on(after: State) -> bool:
    """Whether the turn that led to this state is not over yet."""
    return after.outcome is None and (after.phase is not Phase.OPENING or after.again)
