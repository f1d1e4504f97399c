"""Which legal actions a board may be showing.

The search goes from the game's state through the rest of the turn, and on through the opponent's, and keeps to what
can be seen: an action takes a pawn from a row that a pawn has left, or moves one on that has just arrived; a pawn
that was put where none is seen has moved on, or is in a hand still; and there and back leaves nothing to see. Of a
board that nobody has watched, because the service has just started, no more than one pawn is believed to have taken the
place of another: else a pawn that was put down wrong could stand for two whole turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import ROWS, Action, Color, Kind, Phase, State
from firmware.sight import Sighting

PAWNS_MOVED_IN_A_TURN = 3


@dataclass(frozen=True, slots=True)
class Explanation:
    """Legal actions that the board may be showing, and the state after them."""

    actions: tuple[Action, ...]
    end: State


def explanations(state: State, sighting: Sighting, left_rows: Sequence[int] | None) -> list[Explanation]:
    """All that the board may be showing; `left_rows` are the rows that pawns have left, None where nobody knows."""
    return list(_Search(state, sighting, left_rows).from_state((), state, opponents_turn=False))


class _Search:
    def __init__(self, root: State, sighting: Sighting, left_rows: Sequence[int] | None) -> None:
        self._root = root.position
        self._sighting = sighting
        self._rows_left = _rows_left(sighting, left_rows)
        hands = len(sighting.missing(root.position)) - sighting.surplus(root.position)
        self._hands = max(0, hands)
        self._most_moves = None if left_rows is not None else sighting.surplus(root.position) + 1

    def from_state(self, path: tuple[Action, ...], state: State, opponents_turn: bool) -> Iterator[Explanation]:
        # Without hands there may still be one pawn that is not seen where it went: the one that follows up at once.
        unseen = self._unseen_arrivals(state) if path else 0
        if state.outcome is not None or unseen > max(1, self._hands):
            return
        if path and state.phase is Phase.OPENING and not state.again:
            if unseen > self._hands or opponents_turn or not self._may_show_a_turn_of(state.to_move, state):
                return
            opponents_turn = True
        for action in state.legal_actions():
            if action.origin is not None and self._most_moves is not None and _moves(path) >= self._most_moves:
                continue
            if not _was_seen_to_begin(path, action, self._rows_left, self._sighting.sees_color):
                continue
            after = state.apply(action)
            longer = (*path, action)
            if action.kind is Kind.DECLINE or self._sighting.surplus(after.position):
                yield from self.from_state(longer, after, opponents_turn)
            else:
                yield Explanation(longer, after)

    def _may_show_a_turn_of(self, color: Color, state: State) -> bool:
        """Whether the pawns that are still unexplained can be this player's doing."""
        surplus = self._sighting.surplus(state.position)
        if surplus > PAWNS_MOVED_IN_A_TURN:
            return False
        return not self._sighting.sees_color or self._sighting.surplus_of(color, state.position) > 0

    def _unseen_arrivals(self, state: State) -> int:
        """Pawns that actions have put where none is seen."""
        position, root, seen = state.position, self._root, self._sighting
        if not seen.sees_color:
            return sum(max(0, position.total(row) - max(root.total(row), seen.unknown[row])) for row in range(ROWS))
        return sum(
            max(0, now - max(before, there))
            for color, there_by_row in ((Color.RED, seen.red), (Color.BLACK, seen.black))
            for now, before, there in zip(position.of(color), root.of(color), there_by_row, strict=True)
        )


def _moves(actions: tuple[Action, ...]) -> int:
    return sum(action.kind is not Kind.DECLINE for action in actions)


def were_seen_taken_back(actions: Sequence[Action], sighting: Sighting, left_rows: Sequence[int] | None) -> bool:
    """Whether the pawns of these actions, the last first, were seen to leave the rows that they had gone to."""
    rows_left = _rows_left(sighting, left_rows)
    path: tuple[Action, ...] = ()
    for action in reversed(actions):
        reverse = Action(action.kind, action.color, action.destination, action.origin)
        if not _was_seen_to_begin(path, reverse, rows_left, sighting.sees_color, (Kind.FOLLOW_UP, Kind.OPENING)):
            return False
        path = (*path, reverse)
    return True


def _rows_left(sighting: Sighting, left_rows: Sequence[int] | None) -> list[bool]:
    """Which rows a pawn has left or may have left unseen."""
    return [left_rows is None or row in left_rows or bool(sighting.room_unseen[row]) for row in range(ROWS)]


def _was_seen_to_begin(
    path: tuple[Action, ...],
    action: Action,
    rows_left: Sequence[bool],
    sees_color: bool,
    in_one_movement: tuple[Kind, Kind] = (Kind.OPENING, Kind.FOLLOW_UP),
) -> bool:
    """Whether a pawn left the row, or one goes on with the movement that brought it there; not just back again."""
    if action.origin is None:
        return True
    if any(_is_reverse_of(earlier, action, sees_color) for earlier in path):
        return False
    if rows_left[action.origin]:
        return True
    last = path[-1] if path else None
    return last is not None and (last.kind, action.kind, last.color, last.destination) == (
        *in_one_movement,
        action.color,
        action.origin,
    )


def _is_reverse_of(earlier: Action, action: Action, sees_color: bool) -> bool:
    return (earlier.origin, earlier.destination) == (action.destination, action.origin) and (
        earlier.color is action.color or not sees_color
    )
