"""Why something is not allowed: every attempt is answered with the action it is, or with the one reason that helps
a person most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.action import Action, Kind
from engine.board import ROOM, Color, require_color, require_row
from engine.errors import BadInput, IllegalAction, NoSuchPawn, Reason
from engine.movement import landing_row

if TYPE_CHECKING:
    from engine.state import State

_KINDS = {"opening": Kind.OPENING, "follow-up": Kind.FOLLOW_UP, "bonus": Kind.BONUS}


def movement(state: State, color: Color, origin: int, destination: int) -> Action:
    """The action that moving a pawn of `color` from row to row is in this state."""
    return Action(_kind_of(state, color, origin, destination), color, origin, destination)


def action(state: State, action: Action) -> None:
    """Raises unless the action is legal in this state."""
    if not isinstance(action, Action):
        raise BadInput(f"an Action is expected, not {action!r}")
    if action.kind is Kind.DECLINE:
        _check_decline(state, action.color)
        return
    assert action.origin is not None
    assert action.destination is not None
    due = _kind_of(state, action.color, action.origin, action.destination)
    if due is not action.kind:
        raise IllegalAction(
            Reason.WRONG_PHASE,
            (action.origin, action.destination),
            f"{state.to_move} has a {due.value} to make, not a {action.kind.value}",
        )


def _kind_of(state: State, color: Color, origin: int, destination: int) -> Kind:
    require_color(color)
    require_row(origin)
    require_row(destination)
    if not state.position.of(color)[origin]:
        raise NoSuchPawn(f"there is no {color} pawn in row {origin}")
    if state.outcome is not None:
        raise IllegalAction(Reason.GAME_OVER, (), "the game is over")
    if origin == destination:
        raise IllegalAction(Reason.NOT_MOVED, (origin,), f"the pawn has not left row {origin}")
    kind = _KINDS[state.phase.value]
    if kind is Kind.BONUS:
        _check_bonus(state, color, origin, destination)
    else:
        _check_forward(state, color, origin, destination)
    if not state.position.has_room(destination):
        raise IllegalAction(
            Reason.ROW_FULL, (destination,), f"row {destination} is full: an inner row has room for {ROOM} pawns"
        )
    return kind


def _check_forward(state: State, color: Color, origin: int, destination: int) -> None:
    rows = (origin, destination)
    if color is not state.to_move:
        raise IllegalAction(Reason.WRONG_COLOR, rows, f"it is {state.to_move}'s turn: only {state.to_move} pawns move")
    if origin == color.goal:
        raise IllegalAction(Reason.ALREADY_HOME, rows, "this pawn is in its goal and stays there")
    if (destination - origin) * color.forward < 0:
        raise IllegalAction(Reason.BACKWARDS, rows, f"{color} moves towards row {color.goal}, never back")
    distance = state.distance or 1
    landing = landing_row(color, origin, distance)
    if destination != landing:
        went, due = abs(destination - origin), abs(landing - origin)
        verdict = "too far" if went > due else "not far enough"
        goal = f", or less into the goal, row {color.goal}" if due < distance else ""
        name = "a follow-up goes" if state.distance else "an opening goes"
        raise IllegalAction(
            Reason.WRONG_DISTANCE,
            (origin, destination, landing),
            f"{verdict}: {name} {_rows(distance)}{goal}; from row {origin} that is row {landing}",
        )


def _check_bonus(state: State, color: Color, origin: int, destination: int) -> None:
    rows = (origin, destination)
    if color is not state.to_move:
        if not state.edition.aggressive:
            raise IllegalAction(Reason.WRONG_COLOR, rows, f"the bonus moves one of {state.to_move}'s own pawns")
        if origin == color.goal:
            raise IllegalAction(Reason.LOCKED, rows, f"a {color} pawn in its goal is out of reach of a bonus")
    if abs(destination - origin) != 1:
        raise IllegalAction(Reason.WRONG_DISTANCE, rows, "too far: a bonus goes 1 row, forward or back")


def _check_decline(state: State, color: Color) -> None:
    if state.outcome is not None:
        raise IllegalAction(Reason.GAME_OVER, (), "the game is over")
    if color is not state.to_move:
        raise IllegalAction(Reason.WRONG_COLOR, (), f"it is {state.to_move}'s turn: {color} has nothing to decline")
    if not state.may_decline:
        raise IllegalAction(
            Reason.MUST_MOVE, (), f"{state.to_move} must make the {state.phase.value}: it is not a choice"
        )


def _rows(distance: int) -> str:
    return "1 row" if distance == 1 else f"{distance} rows"
