"""Which movements the rules allow in each phase of a turn, as far as the board alone decides it.

The actions themselves are made once, when the module is loaded: a game only chooses among them.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.action import Action, Kind
from engine.board import LAST_ROW, ROOM, ROWS, Color, Position


class _Step(NamedTuple):
    origin: int
    destination: int
    action: Action


def landing_row(color: Color, origin: int, distance: int) -> int:
    """Where a pawn stops that goes `distance` rows forward: in its goal at the latest."""
    if color is Color.RED:
        return min(origin + distance, LAST_ROW)
    return max(origin - distance, 0)


def _step(kind: Kind, color: Color, origin: int, destination: int) -> _Step:
    return _Step(origin, destination, Action(kind, color, origin, destination))


def _forward_steps(kind: Kind, color: Color, distance: int) -> tuple[_Step, ...]:
    origins = (row for row in range(ROWS) if row != color.goal)
    return tuple(_step(kind, color, row, landing_row(color, row, distance)) for row in origins)


def _bonus_steps(color: Color, *, from_goal: bool) -> tuple[_Step, ...]:
    return tuple(
        _step(Kind.BONUS, color, row, neighbour)
        for row in range(ROWS)
        for neighbour in (row - 1, row + 1)
        if 0 <= neighbour < ROWS and (from_goal or row != color.goal)
    )


_OPENINGS = {color: _forward_steps(Kind.OPENING, color, 1) for color in Color}
_FOLLOW_UPS = {
    color: tuple(_forward_steps(Kind.FOLLOW_UP, color, distance) for distance in range(ROOM)) for color in Color
}
_OWN_BONUSES = {color: _bonus_steps(color, from_goal=True) for color in Color}
_OPPONENT_BONUSES = {color: _bonus_steps(color.opponent, from_goal=False) for color in Color}
DECLINES = {color: Action(Kind.DECLINE, color) for color in Color}


def openings(position: Position, player: Color) -> list[Action]:
    """One own pawn, not in its goal, one row forward."""
    return _possible(_OPENINGS[player], position, position.of(player))


def follow_ups(position: Position, player: Color, distance: int) -> list[Action]:
    """One own pawn exactly `distance` rows forward, or less into its goal; full rows on the way are crossed."""
    return _possible(_FOLLOW_UPS[player][distance], position, position.of(player))


def bonuses(position: Position, player: Color, *, aggressive: bool) -> list[Action]:
    """Any own pawn one row forward or back; with the option, one of the opponent's that is not in its goal."""
    own = _possible(_OWN_BONUSES[player], position, position.of(player))
    if not aggressive:
        return own
    return own + _possible(_OPPONENT_BONUSES[player], position, position.of(player.opponent))


def _possible(steps: tuple[_Step, ...], position: Position, pawns: tuple[int, ...]) -> list[Action]:
    red, black = position.red, position.black
    return [
        action
        for origin, destination, action in steps
        if pawns[origin] and (destination in (0, LAST_ROW) or red[destination] + black[destination] < ROOM)
    ]
