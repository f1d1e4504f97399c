"""The last positions of the full game, all of them, and what they are worth by brute force on engine states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from engine import LAST_ROW, PAWNS, ROOM, BadPosition, Color, Edition, Ending, Position, State
from engine.turns import Line, goes_on, whole_turns

ROWS_TO_GO = 13
"""So many rows all pawns together have to go at most."""

TurnStart: TypeAlias = tuple[Position, Color]


@dataclass(frozen=True)
class End:
    """A turn's end: the next turn, with 1 if it is the same player's and -1 if not; or a final margin."""

    next_turn: TurnStart | None
    sign_or_margin: int


def late_starts(edition: Edition) -> list[State]:
    """Every turn start of red, and the same for black, in which few rows are left to go."""
    return [
        state
        for position in _late_positions()
        for color in Color
        if (state := State.at(edition, position, color)).outcome is None and state.to_move is color
    ]


def margins(starts: list[State]) -> dict[TurnStart, int]:
    """The margin for the player to move, play without end being a draw: the best of all ends, until nothing changes."""
    ends = {
        (state.position, state.to_move): [end_of(state.to_move, end) for _, end in whole_turns(state)]
        for state in starts
    }
    known = dict.fromkeys(ends, 0)
    while True:
        new = {
            start: max(
                end.sign_or_margin * (1 if end.next_turn is None else known[end.next_turn]) for end in ends[start]
            )
            for start in ends
        }
        if new == known:
            return known
        known = new


def margin_in(known: dict[TurnStart, int], state: State) -> int:
    """The margin for the player to move, or at the end for who would be."""
    end = end_of(state.to_move, state)
    return end.sign_or_margin if end.next_turn is None else known[end.next_turn]


def worth_of_line(state: State, line: Line, margin: Callable[[State], int]) -> int:
    """What a whole turn, or the rest of one, is worth to the player."""
    after = state
    for action in line:
        after = after.apply(action)
    assert not goes_on(after)
    return margin(after) * (1 if after.to_move is state.to_move else -1)


def end_of(player: Color, end: State) -> End:
    if end.outcome is None:
        return End((end.position, end.to_move), 1 if end.to_move is player else -1)
    assert end.outcome.reason is not Ending.REPETITION
    return End(None, end.outcome.points.of(player) - end.outcome.points.of(player.opponent))


def _late_positions() -> Iterator[Position]:
    sides = [list(_placements(left)) for left in range(ROWS_TO_GO + 1)]
    for red_left, black_left in product(range(ROWS_TO_GO + 1), repeat=2):
        if red_left + black_left <= ROWS_TO_GO:
            for red, black in product(sides[red_left], sides[black_left]):
                try:
                    yield Position(red, black[::-1])
                except BadPosition:
                    assert max(map(sum, zip(red, black[::-1], strict=True))) > ROOM


def _placements(left: int, furthest_back: int = LAST_ROW, pawns: int = PAWNS) -> Iterator[tuple[int, ...]]:
    """All ways in which pawns have so many rows to go in all, seen from behind their start line."""
    if left == 0 or pawns == 0 or furthest_back == 0:
        if left == 0:
            yield (0,) * LAST_ROW + (pawns,)
        return
    for distance in range(min(left, furthest_back), 0, -1):
        for rest in _placements(left - distance, distance, pawns - 1):
            yield tuple(count + (row == LAST_ROW - distance) for row, count in enumerate(rest))
