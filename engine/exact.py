"""From the exact margins of turn starts to those of every action in a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.action import Action
from engine.errors import BadInput
from engine.search.thought import Judged, Thought
from engine.state import Ending, State
from engine.turns import goes_on

_Line = tuple[Action, ...]


def judge(state: State, margin: Callable[[State], int]) -> Thought:
    """Every legal action in any phase of a turn; `margin` knows what the turn starts that it leads to are worth."""
    if state.outcome is not None:
        raise BadInput("the game is over: there is nothing to judge")
    rest = _RestOfTurn(state, margin)
    found = [(*rest.after(state, action), action) for action in state.legal_actions()]
    found.sort(key=lambda each: each[0], reverse=True)
    judged = tuple(Judged(action, prospect.margin, (action, *line)) for prospect, line, action in found)
    return Thought(judged, depth=1, nodes=rest.nodes, is_exact=True, is_settled=True)


def final_margin(state: State) -> int:
    """The margin of a game that is over, for the player who moved last; a repetition is a draw whatever the points."""
    assert state.outcome is not None
    player = state.to_move
    if state.outcome.reason is Ending.REPETITION:
        return 0
    return state.outcome.points.of(player) - state.outcome.points.of(player.opponent)


@dataclass(frozen=True, slots=True, order=True)
class _Prospect:
    """What an action leads to for the player to move, the better the greater."""

    margin: int
    haste: int
    """With equal margins, a player who is ahead ends the game, or gains ground, rather than go round in a circle."""


class _RestOfTurn:
    """The best ways to finish the turn that is under way; ways that meet again are worked out once."""

    def __init__(self, state: State, margin: Callable[[State], int]) -> None:
        self._margin = margin
        self._player = state.to_move
        self._known: dict[State, tuple[_Prospect, tuple[Action, ...]]] = {}
        self.nodes = 0

    def after(self, state: State, action: Action) -> tuple[_Prospect, tuple[Action, ...]]:
        """What an action leads to, and the best actions that finish the turn after it."""
        after = state.apply(action)
        if not goes_on(after):
            return self._end(after), ()
        if after not in self._known:
            ways = (((found := self.after(after, each))[0], (each, *found[1])) for each in after.legal_actions())
            self._known[after] = max(ways, key=lambda way: way[0])
        return self._known[after]

    def _end(self, end: State) -> _Prospect:
        self.nodes += 1
        margin = self._margin(end)
        if end.to_move is not self._player:
            margin = -margin
        return _Prospect(margin, _haste(end) if margin > 0 else 0)


def _haste(end: State) -> int:
    """How much nearer to its end a turn has brought the game."""
    if end.outcome is not None:
        return 2
    # A turn that gains no ground continues the list of turn starts; any other begins it anew.
    if len(end.turn_starts) <= 1:
        return 1
    return -end.turn_starts.count(end.turn_starts[-1])
