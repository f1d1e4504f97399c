"""Where a whole turn can end, of all positions of one edition: fast, and each end once however many ways lead to it.

A position is two sides, that of the player whose turn it is and the opponent's (see `sides`). The movements that a
set of rows allows are looked up in tables made once.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.board import LAST_ROW, ROOM, ROWS
from engine.edition import Edition
from engine.search.sides import (
    BEFORE_GOAL,
    BITS,
    FIRST_INNER_ROW,
    GOAL_ROW,
    INNER,
    INNER_ROWS,
    Facing,
    Occupied,
    Rear,
    RearWithout,
    Step,
    full,
    row_bit,
    rows_in,
    step,
    taken,
)

_ALL_ROWS = [sum(row_bit(row) for row in range(ROWS) if rows >> row & 1) for rows in range(1 << ROWS)]


class _Opening(NamedTuple):
    step: Step
    left: int
    entered: int
    shift: int
    """Where the count of the entered row begins."""


def _landing(origin: int, distance: int) -> int:
    return min(origin + distance, LAST_ROW)


def _steps(rows: int, distance: int) -> tuple[Step, ...]:
    return tuple(step(row, _landing(row, distance)) for row in rows_in(rows) if row != LAST_ROW)


_OPENINGS = {
    rows: tuple(
        _Opening(step(row, row + 1), row_bit(row), row_bit(row + 1), BITS * (row + 1))
        for row in rows_in(rows)
        if row != LAST_ROW
    )
    for rows in _ALL_ROWS
}
_FORWARD = [{rows: _steps(rows, distance) for rows in _ALL_ROWS} for distance in range(ROOM)]
"""By distance, of each set of rows: the steps of a pawn out of each."""
_BACK = {rows: tuple(step(row, row - 1) for row in rows_in(rows) if row) for rows in _ALL_ROWS}
_REACH_GOAL = [sum(row_bit(row) for row in range(LAST_ROW - distance, LAST_ROW)) for distance in range(ROOM)]
"""By distance: the rows from which a pawn comes into its goal."""
_EXACT = [row_bit(LAST_ROW - distance) for distance in range(ROOM)]
_EXACT_STEP = [step(LAST_ROW - distance, LAST_ROW) for distance in range(ROOM)]

Pushed = tuple[int, int]
"""The own side and the opponent's, where a bonus has moved a pawn of the opponent."""


class TurnEnds(NamedTuple):
    """The distinct ends of a turn. All four are empty when the player cannot open."""

    sides: set[int]
    """The own side where the game goes on and the opponent's has not changed."""
    final: set[int]
    """The own side where the game is over."""
    pushed: set[Pushed]
    pushed_final: set[Pushed]

    @property
    def is_blocked(self) -> bool:
        return not any(self)


class Turns:
    """The turns of one edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.occupied, self.facing, self.rear = Occupied(), Facing(), Rear()

    def ends(self, me: int, you: int) -> TurnEnds:
        raise NotImplementedError

    def can_open(self, me: int, you: int) -> bool:
        room = INNER_ROWS & ~full((me & INNER) + self.facing[you])
        return bool(self.occupied[me] & (room >> BITS | BEFORE_GOAL))

    @staticmethod
    def of(edition: Edition) -> Turns:
        return BonusTurns(edition) if edition.bonus else SecondTurns(edition)


class SecondTurns(Turns):
    """Editions without a bonus, where a follow-up can earn a second turn and the game ends in the middle of one."""

    def __init__(self, edition: Edition) -> None:
        super().__init__(edition)
        self._rear_without = RearWithout(4)

    def ends(self, me: int, you: int) -> TurnEnds:
        ends = TurnEnds(set(), set(), set(), set())
        first_passed_row = ROWS - self.rear[you]
        if self._rear_without[me] < first_passed_row:
            first_passed_row = ROWS  # no turn gets there, so nobody needs to look
        self._collect(ends, me, self.facing[you], first_passed_row, self.edition.again_on_empty)
        return ends

    def _collect(self, ends: TurnEnds, me: int, facing: int, first_passed_row: int, again: bool) -> None:
        """Adds the ends of a turn; `again` where it may earn another."""
        add, add_final, rear, occupied = ends.sides.add, ends.final.add, self.rear, self.occupied
        totals = (me & INNER) + facing
        room = INNER_ROWS & ~full(totals)
        openings = _OPENINGS[occupied[me] & (room >> BITS | BEFORE_GOAL)]
        if not openings and not again:
            add(me)  # the second turn is passed over
        for opening, left, entered, shift in openings:
            after = me + opening
            if rear[after] >= first_passed_row:
                add_final(after)
                continue
            distance = self.edition.goal_follow_up if entered == GOAL_ROW else totals >> shift & 15
            room_after = room | left if distance < ROOM - 1 else (room | left) & ~entered
            origins = occupied[after] & (room_after >> BITS * distance | _REACH_GOAL[distance]) if distance else 0
            if not origins:
                add(after)
                continue
            if again:
                empty = INNER_ROWS & ~taken((after & INNER) + facing)
                for moved in _FORWARD[distance][origins & empty >> BITS * distance]:
                    if rear[after + moved] >= first_passed_row:
                        add_final(after + moved)
                    else:
                        self._collect(ends, after + moved, facing, first_passed_row, False)
                origins &= ~(empty >> BITS * distance)
            for moved in _FORWARD[distance][origins]:
                if rear[after + moved] >= first_passed_row:
                    add_final(after + moved)
                else:
                    add(after + moved)


class BonusTurns(Turns):
    """Editions with a bonus, where the turn in which the colours pass is finished."""

    def __init__(self, edition: Edition) -> None:
        super().__init__(edition)
        self._rear_without = RearWithout(3)
        self._pushed_rear = RearWithout(1) if edition.aggressive else self.rear

    def ends(self, me: int, you: int) -> TurnEnds:
        ends = TurnEnds(set(), set(), set(), set())
        rear, occupied, optional = self.rear, self.occupied, self.edition.follow_up_optional
        first_passed_row = ROWS - rear[you]
        near = self._rear_without[me] + self._pushed_rear[you] > LAST_ROW
        facing = self.facing[you]
        totals = (me & INNER) + facing
        room = INNER_ROWS & ~full(totals)
        for opening, left, entered, shift in _OPENINGS[occupied[me] & (room >> BITS | BEFORE_GOAL)]:
            after = me + opening
            ending = near and rear[after] >= first_passed_row
            add = ends.final.add if ending else ends.sides.add
            if entered == GOAL_ROW:
                self._collect_bonus(ends, after, you, facing, ending)
                continue
            distance = totals >> shift & 15
            room_after = room | left if distance < ROOM - 1 else (room | left) & ~entered
            origins = occupied[after] & (room_after >> BITS * distance | _REACH_GOAL[distance]) if distance else 0
            if optional or ending or not origins:
                add(after)
            if origins & _EXACT[distance]:
                origins ^= _EXACT[distance]
                home = after + _EXACT_STEP[distance]
                self._collect_bonus(ends, home, you, facing, ending or (near and rear[home] >= first_passed_row))
            for moved in _FORWARD[distance][origins]:
                add(after + moved)
        return self._passed_apart(ends, first_passed_row) if near else ends

    def _collect_bonus(self, ends: TurnEnds, me: int, you: int, facing: int, ending: bool) -> None:
        add = ends.final.add if ending else ends.sides.add
        add(me)
        occupied = self.occupied
        room = INNER_ROWS & ~full((me & INNER) + facing)
        for moved in _FORWARD[1][occupied[me] & (room >> BITS | BEFORE_GOAL)]:
            add(me + moved)
        for moved in _BACK[occupied[me] & (room << BITS | FIRST_INNER_ROW)]:
            add(me + moved)
        if self.edition.aggressive:
            self._collect_pushes(ends, me, you, ending)

    def _collect_pushes(self, ends: TurnEnds, me: int, you: int, ending: bool) -> None:
        add = ends.pushed_final.add if ending else ends.pushed.add
        room = INNER_ROWS & ~full((you & INNER) + self.facing[me])
        reachable = self.occupied[you] & ~GOAL_ROW
        for moved in _FORWARD[1][reachable & (room >> BITS | BEFORE_GOAL)]:
            add((me, you + moved))
        for moved in _BACK[reachable & (room << BITS | FIRST_INNER_ROW)]:
            add((me, you + moved))

    def _passed_apart(self, ends: TurnEnds, first_passed_row: int) -> TurnEnds:
        """The same ends, those where the colours passed in the last movement among the final ones."""
        rear = self.rear
        passed = {side for side in ends.sides if rear[side] >= first_passed_row}
        pushed = {pair for pair in ends.pushed if rear[pair[0]] + rear[pair[1]] > LAST_ROW}
        return TurnEnds(ends.sides - passed, ends.final | passed, ends.pushed - pushed, ends.pushed_final | pushed)
