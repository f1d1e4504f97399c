"""Linja on a board of any size, as plainly as it can be put: the oracle for the solver.

A position is the pawns in each row, the mover's and the opponent's, each seen from behind the own start line. A turn
leads to positions in which the other is the mover, or to the end. `margins` works the whole game out without a thought
of levels: it takes the best of all ends in every position, over and over until nothing changes, beginning with draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from engine import Edition
from engine.placement import Geometry

Counts: TypeAlias = tuple[int, ...]
Position: TypeAlias = tuple[Counts, Counts]


@dataclass(frozen=True)
class End:
    """What a turn leads to: a position in which the other player is to move, or a final margin for the mover."""

    position: Position | None
    margin: int = 0


@dataclass(frozen=True)
class SmallGame:
    edition: Edition
    geometry: Geometry

    @property
    def goal(self) -> int:
        return self.geometry.rows - 1

    def positions(self) -> Iterator[Position]:
        """Every position that has room for all pawns and in which the colours have not passed."""
        for own, other in product(self.geometry.all_counts(), repeat=2):
            crowds = [own[row] + other[self.goal - row] for row in range(1, self.goal)]
            if max(crowds) <= self.geometry.room and not self.passed(own, other):
                yield own, other

    def passed(self, own: Counts, other: Counts) -> bool:
        own_last = min(row for row in range(self.goal + 1) if own[row])
        other_last = max(row for row in range(self.goal + 1) if other[self.goal - row])
        return own_last > other_last

    def score(self, own: Counts, other: Counts) -> int:
        worth = self.edition.row_points
        return sum((own[row] - other[row]) * worth[self.goal - row] for row in range(self.goal + 1))

    def has_room(self, own: Counts, other: Counts, row: int) -> bool:
        return row in (0, self.goal) or own[row] + other[self.goal - row] < self.geometry.room

    def steps(self, own: Counts, other: Counts, distance: int) -> Iterator[tuple[int, int]]:
        """Origin and destination of every pawn that can go so many rows forward, or less into its goal."""
        for row in range(self.goal):
            stop = min(row + distance, self.goal)
            if own[row] and self.has_room(own, other, stop):
                yield row, stop

    def margins(self) -> dict[Position, int]:
        """The margin for the mover in every position, where play without end is a draw."""
        ends = {position: list(self.turn_ends(*position)) for position in self.positions()}
        margins = dict.fromkeys(ends, 0)
        while True:
            new = {
                position: max(end.margin if end.position is None else -margins[end.position] for end in after)
                for position, after in ends.items()
            }
            if new == margins:
                return margins
            margins = new

    def turn_ends(self, own: Counts, other: Counts) -> Iterator[End]:
        """All that the mover's turn can lead to; a player who cannot open passes."""
        if not any(self.steps(own, other, 1)):
            can_other_open = any(self.steps(other, own, 1))
            yield End((other, own)) if can_other_open else End(None, self.score(own, other))
        else:
            yield from self._openings(own, other, again=False)

    def _openings(self, own: Counts, other: Counts, *, again: bool) -> Iterator[End]:
        for origin, stop in self.steps(own, other, 1):
            opened, over = moved(own, origin, stop), self.passed(moved(own, origin, stop), other)
            if over and self.edition.ends_at_once:
                yield self._end(opened, other, over)
            elif stop == self.goal and self.edition.bonus:
                yield from self._bonuses(opened, other, over)
            else:
                met = own[stop] + other[self.goal - stop]
                distance = self.edition.goal_follow_up if stop == self.goal else met
                yield from self._follow_ups(opened, other, distance, over, again=again)

    def _follow_ups(self, own: Counts, other: Counts, distance: int, over: bool, *, again: bool) -> Iterator[End]:
        steps = list(self.steps(own, other, distance)) if distance else []
        if not steps or over or self.edition.follow_up_optional:
            yield self._end(own, other, over)
        for origin, stop in steps:
            after = moved(own, origin, stop)
            ended = over or self.passed(after, other)
            was_empty = stop != self.goal and own[stop] + other[self.goal - stop] == 0
            if self.edition.bonus and stop == self.goal and stop - origin == distance:
                yield from self._bonuses(after, other, ended)
            elif was_empty and self.edition.again_on_empty and not again and not ended:
                yield from self._second_turn(after, other)
            else:
                yield self._end(after, other, ended)

    def _second_turn(self, own: Counts, other: Counts) -> Iterator[End]:
        if any(self.steps(own, other, 1)):
            yield from self._openings(own, other, again=True)
        else:
            yield self._end(own, other, False)

    def _bonuses(self, own: Counts, other: Counts, over: bool) -> Iterator[End]:
        yield self._end(own, other, over)
        for row, stop in self._neighbours():
            if own[row] and self.has_room(own, other, stop):
                after = moved(own, row, stop)
                yield self._end(after, other, over or self.passed(after, other))
            if self.edition.aggressive and row != self.goal and other[row] and self.has_room(other, own, stop):
                after = moved(other, row, stop)
                yield self._end(own, after, over or self.passed(own, after))

    def _neighbours(self) -> Iterator[tuple[int, int]]:
        for row in range(self.goal + 1):
            yield from ((row, stop) for stop in (row - 1, row + 1) if 0 <= stop <= self.goal)

    def _end(self, own: Counts, other: Counts, over: bool) -> End:
        return End(None, self.score(own, other)) if over else End((other, own))


def moved(counts: Counts, origin: int, destination: int) -> Counts:
    after = list(counts)
    after[origin] -= 1
    after[destination] += 1
    return tuple(after)
