"""A game as the compiled code wants it: its edition as numbers, and arrays over all placements.

Here placements are numbered by progress, so that those that are equally far stand side by side. A row is counted from
behind the own start line, unless it is said to be the mover's.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np

from engine.edition import Edition
from engine.placement import Geometry


class Rules(NamedTuple):
    """The edition, the board and the placements."""

    goal_follow_up: int
    follow_up_optional: bool
    again_on_empty: bool
    bonus: bool
    ends_at_once: bool
    aggressive: bool
    goal: int
    room: int
    number: Any
    """The number that `Geometry` has for it: int32[placement]."""
    first: Any
    """The first placement with this progress, int32[progress], and at last the number of all."""
    progress: Any
    """How many rows the pawns have gone in all: int16[placement]."""
    pawns: Any
    """How many are in each row: int8[placement, row]."""
    rearmost: Any
    """The rearmost row that has any: int8[placement]."""
    points: Any
    """What they are worth: int8[placement]."""
    moved: Any
    """The placement after one pawn goes from one row to another: int32[placement, origin, destination]."""
    standing: Any
    """How many are in each of the mover's rows, where this is the opponent: int8[row, placement]."""
    last: Any
    """The mover's row in which the opponent's rearmost is: int8[placement]."""
    pushed: Any
    """The opponent's placement after an aggressive bonus, or -1: int32[back or forward, mover's row, placement]."""


def rules_of(edition: Edition, geometry: Geometry) -> Rules:
    goal = geometry.rows - 1
    if sorted(edition.row_points, reverse=True) != list(edition.row_points):
        raise ValueError(f"{edition}: a pawn must not lose points on its way to the goal")
    by_number = np.array(list(geometry.all_counts()), dtype=np.int8)
    progress = by_number.astype(np.int16) @ np.arange(geometry.rows, dtype=np.int16)
    number = np.argsort(progress, kind="stable").astype(np.int32)
    pawns = by_number[number]
    moved = _moved(geometry, pawns, number)
    return Rules(
        goal_follow_up=edition.goal_follow_up,
        follow_up_optional=edition.follow_up_optional,
        again_on_empty=edition.again_on_empty,
        bonus=edition.bonus,
        ends_at_once=edition.ends_at_once,
        aggressive=edition.aggressive,
        goal=goal,
        room=geometry.room,
        number=number,
        first=np.searchsorted(progress[number], np.arange(geometry.furthest + 2)).astype(np.int32),
        progress=progress[number],
        pawns=pawns,
        rearmost=(pawns > 0).argmax(axis=1).astype(np.int8),
        points=(pawns @ np.array(edition.row_points[goal::-1], np.int8)).astype(np.int8),
        moved=moved,
        standing=np.ascontiguousarray(pawns[:, ::-1].T),
        last=(goal - (pawns > 0).argmax(axis=1)).astype(np.int8),
        pushed=_pushed(moved, goal),
    )


def _moved(geometry: Geometry, pawns: Any, number: Any) -> Any:
    placement = np.empty(len(number), np.int32)
    placement[number] = np.arange(len(number), dtype=np.int32)
    moved = np.full((len(number), geometry.rows, geometry.rows), -1, np.int32)
    for origin in range(geometry.rows):
        for destination in range(geometry.rows):
            can = pawns[:, origin] > 0
            after = pawns[can].astype(np.int32)
            after[:, origin] -= 1
            after[:, destination] += 1
            moved[can, origin, destination] = placement[_numbers(geometry, after)]
    return moved


def _numbers(geometry: Geometry, counts: Any) -> Any:
    """What `Geometry.number` says, for many at once."""
    up_to = counts.cumsum(axis=1)
    numbers = np.zeros(len(counts), np.int32)
    for row in range(geometry.rows - 1):
        numbers += np.array([comb(pawns + row, row + 1) for pawns in range(geometry.pawns + 1)], np.int32)[
            up_to[:, row]
        ]
    return numbers


def _pushed(moved: Any, goal: int) -> Any:
    pushed = np.full((2, goal + 1, len(moved)), -1, np.int32)
    for origin in range(goal):
        pushed[1, goal - origin - 1] = moved[:, origin, origin + 1]
        if origin:
            pushed[0, goal - origin + 1] = moved[:, origin, origin - 1]
    return pushed
