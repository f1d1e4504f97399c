"""The root of a search: the turn under way, by its legal actions and by where it can end."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action
from engine.board import Color
from engine.search.sides import side_of
from engine.search.tree import key_of
from engine.state import Ending, State
from engine.turns import Line, whole_turns


@dataclass(frozen=True, slots=True)
class End:
    """One way in which the turn can end."""

    me: int
    """The side of the player who is to move then."""
    you: int
    ply: int
    """1 where it is the other player's turn, 2 where that one cannot open."""
    final_margin: int | None
    """For the root's player, where the game is over."""

    @classmethod
    def of(cls, state: State, player: Color) -> End:
        if state.outcome is not None:
            points = state.outcome.points
            is_draw = state.outcome.reason is Ending.REPETITION
            margin = 0 if is_draw else points.of(player) - points.of(player.opponent)
            return cls(0, 0, 1, margin)
        me, you = (side_of(state.position, color) for color in (state.to_move, state.to_move.opponent))
        return cls(me, you, 2 if state.to_move is player else 1, None)


class Root:
    """The legal actions of a state, and the distinct ends that each can lead to."""

    def __init__(self, state: State) -> None:
        self.lines: dict[Action, dict[End, Line]] = {}
        for line, after in whole_turns(state):
            self.lines.setdefault(line[0], {}).setdefault(End.of(after, state.to_move), line)
        self.ends = list(dict.fromkeys(end for lines in self.lines.values() for end in lines))
        self.dead = _dead(state)


def _dead(state: State) -> frozenset[tuple[int, int]]:
    """The turn starts that would come for the third time, each with whose turn it is: 0 for the player to move."""
    twice = {start for start in state.turn_starts if state.turn_starts.count(start) > 1}
    return frozenset(
        (
            key_of(side_of(start.position, start.player), side_of(start.position, start.player.opponent)),
            int(start.player is not state.to_move),
        )
        for start in twice
    )
