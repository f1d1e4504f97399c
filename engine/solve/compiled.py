"""The best that a turn can come to, compiled: one mover against many opponents at once.

The table holds, by the opponent and the player to move, the final margin for the player to move. After a turn of the
mover the opponent is to move, so that what all turns to the same placement come to is found in one line of the table,
one opponent after the other: the loops here run along such lines, and the compiler makes them do many at a time. What
differs between opponents, a distance or a lack of room, is a condition inside the loop.

Everything here is the margin for the opponent, and the mover looks for the least. Opponents with whom the mover cannot
stand on one board, or has passed already, are not told apart until the end: what is found for them means nothing.

This is one file because numba, when it decides whether what it compiled before still holds, looks at one file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

NO_TURN = 127
"""More than any margin: there is no such turn."""
ANY = 127
"""More than any number of pawns."""
SECOND_TURNS = 8
"""For so many values of progress, what a second full turn comes to is remembered; a turn gains less."""

SETTLED = -128
"""No margin is that low: there is nothing to find out about the position."""

compiled = njit(cache=True, nogil=True)


class Side(NamedTuple):
    """The opponents, from one placement up to another, and what is known of turns that end with them to move."""

    first: int
    end: int
    table: Any
    second: Any
    """What a second full turn comes to that earns no third: int8[progress, mover, opponent]."""
    standing: Any
    """How many of their pawns are in each of the mover's rows."""
    last: Any
    """The mover's row in which their rearmost is; a mover whose rearmost is further has passed."""
    points: Any
    plain: Any
    """From here on: where a follow-up is worked out."""
    earning: Any
    unearning: Any
    bonus: Any


@compiled
def side_of(rules: Any, table: Any, second: Any, first: int, end: int) -> Side:
    size = end - first
    standing = rules.standing[:, first:end].copy()
    scratch = (np.empty(size, np.int8), np.empty(size, np.int8), np.empty(size, np.int8), np.empty(size, np.int8))
    last, points = rules.last[first:end], rules.points[first:end]
    return Side(first, end, table, second, standing, last, points, scratch[0], scratch[1], scratch[2], scratch[3])


@compiled
def ends(side: Any, mover: int) -> Any:
    """What it comes to for each opponent if the mover's turn ends here."""
    return side.table[mover, side.first : side.end]


@compiled
def limit(rules: Any, mover: int, row: int) -> int:
    """How few of an opponent's pawns there must be in the row, so that one more pawn may stop there."""
    return rules.room - rules.pawns[mover, row] if 0 < row < rules.goal else ANY


@compiled
def take(least: Any, ends: Any, standing: Any, below: int) -> None:
    """The turn, against those who have fewer than so many pawns standing in the row."""
    for each in range(len(least)):
        least[each] = min(least[each], ends[each] if standing[each] < below else NO_TURN)


@compiled
def take_met(least: Any, ends: Any, meeting: Any, met: int, standing: Any, below: int) -> None:
    """The same against those alone of whom so many pawns were met."""
    for each in range(len(least)):
        fits = (meeting[each] == met) & (standing[each] < below)
        least[each] = min(least[each], ends[each] if fits else NO_TURN)


@compiled
def take_back(least: Any, ends: Any, standing: Any, below: int, last: Any, rearmost: int) -> None:
    """A bonus that goes back, against those who have not been passed. With the game over, nothing is gained by it."""
    for each in range(len(least)):
        fits = (standing[each] < below) & (last[each] >= rearmost)
        least[each] = min(least[each], ends[each] if fits else NO_TURN)


@compiled
def take_pushed(
    least: Any, rules: Any, side: Any, mover: int, forward: int, row: int, meeting: Any, met: int, only_over: bool
) -> None:
    """An aggressive bonus that moves a pawn of the opponent into the row; `only_over`: where the game is over."""
    below = limit(rules, mover, row)
    rearmost = rules.rearmost[mover]
    for each in range(len(least)):
        pushed = rules.pushed[forward, row, side.first + each]
        if meeting[each] == met and pushed >= 0 and side.standing[row, each] < below:
            if side.last[each] < rearmost:
                least[each] = min(least[each], rules.points[pushed] - rules.points[mover])
            elif not only_over:
                least[each] = min(least[each], side.table[mover, pushed])


@compiled
def take_bonus(least: Any, rules: Any, side: Any, mover: int, meeting: Any, met: int, stay: bool, gain: bool) -> None:
    """A bonus after a pawn has reached the goal. After a follow-up, any; after an opening, either those that `gain`
    ground in the turn or end the game, or those that `stay`."""
    for row in range(rules.goal + 1):
        if rules.pawns[mover, row]:
            if gain and row < rules.goal:
                ahead = rules.moved[mover, row, row + 1]
                take(least, ends(side, ahead), side.standing[row + 1], limit(rules, mover, row + 1))
            if stay and row:
                back = rules.moved[mover, row, row - 1]
                below = limit(rules, mover, row - 1)
                take_back(least, ends(side, back), side.standing[row - 1], below, side.last, rules.rearmost[mover])
    if rules.aggressive:
        for row in range(rules.goal + 1):
            if gain:
                take_pushed(least, rules, side, mover, 1, row, meeting, met, False)
            if gain or stay:
                take_pushed(least, rules, side, mover, 0, row, meeting, met, not stay)


@compiled
def take_again(side: Any, rules: Any, landed: int, stop: int, meeting: Any, met: int, below: int) -> None:
    """A follow-up into a row that has none of the mover's pawns: another full turn where it has none at all."""
    line = ends(side, landed)
    progress = rules.progress[landed]
    second = side.second[progress % SECOND_TURNS, landed - rules.first[progress], side.first : side.end]
    standing = side.standing[stop]
    for each in range(len(line)):
        fits = (meeting[each] == met) & (standing[each] < below)
        earns = (standing[each] == 0) & (side.last[each] >= rules.rearmost[landed]) & (second[each] != NO_TURN)
        side.unearning[each] = min(side.unearning[each], line[each] if fits else NO_TURN)
        value = second[each] if earns else line[each]
        side.earning[each] = min(side.earning[each], value if fits else NO_TURN)


@compiled
def take_follow_up(
    least: Any, least_second: Any, rules: Any, side: Any, opened: int, distance: int, meeting: Any, met: int
) -> None:
    """A follow-up against those of whom so many pawns were met, or what becomes of them if there is none."""
    side.plain[:] = NO_TURN
    side.earning[:] = NO_TURN
    side.unearning[:] = NO_TURN
    for start in range(rules.goal):
        stop = min(start + distance, rules.goal)
        below = limit(rules, opened, stop)
        if rules.pawns[opened, start] == 0 or below <= 0:
            continue
        landed = rules.moved[opened, start, stop]
        if rules.again_on_empty and stop < rules.goal and rules.pawns[opened, stop] == 0:
            take_again(side, rules, landed, stop, meeting, met, below)
            continue
        take_met(side.plain, ends(side, landed), meeting, met, side.standing[stop], below)
        if rules.bonus and start + distance == rules.goal:
            side.bonus[:] = NO_TURN
            take_bonus(side.bonus, rules, side, landed, meeting, met, True, True)
            take_met(side.plain, side.bonus, meeting, met, meeting, ANY)
    line = ends(side, opened)
    for each in range(len(line)):
        over = side.last[each] < rules.rearmost[opened]
        plain, left = side.plain[each], line[each]
        first, second = min(plain, side.earning[each]), min(plain, side.unearning[each])
        may_leave = rules.follow_up_optional | over | (first == NO_TURN)
        ends_here = rules.ends_at_once & over
        first = left if ends_here else min(first, left) if may_leave else first
        second = left if ends_here else min(second, left) if may_leave else second
        least[each] = min(least[each], first if meeting[each] == met else NO_TURN)
        least_second[each] = min(least_second[each], second if meeting[each] == met else NO_TURN)


@compiled
def take_turns(least: Any, least_second: Any, rules: Any, side: Any, mover: int) -> None:
    """All turns that gain ground, or after which the game is over; and the same for a second full turn."""
    goal = rules.goal
    nobody = side.standing[0] * 0
    for origin in range(goal):
        if rules.pawns[mover, origin] == 0:
            continue
        opened = rules.moved[mover, origin, origin + 1]
        if origin + 1 == goal:
            if rules.bonus:
                take(least, ends(side, opened), nobody, ANY)
                take_bonus(least, rules, side, opened, nobody, 0, False, True)
            else:
                take_follow_up(least, least_second, rules, side, opened, rules.goal_follow_up, nobody, 0)
            continue
        own = rules.pawns[mover, origin + 1]
        meeting = side.standing[origin + 1]
        for met in range(rules.room - own):
            if own + met:
                take_follow_up(least, least_second, rules, side, opened, own + met, meeting, met)
            else:
                take_met(least, ends(side, opened), meeting, 0, meeting, ANY)
                take_met(least_second, ends(side, opened), meeting, 0, meeting, ANY)


@compiled
def gain_ground(rules: Any, table: Any, second: Any, movers: Any, opponents: Any, gained: Any, margins: Any) -> None:
    """What turns come to that gain ground, into `gained`, as the margin for the opponent; and the mover's margin as far
    as that tells: not less than 0 where a turn may gain no ground, since that may lead to a game without end."""
    side = side_of(rules, table, second, opponents[0], opponents[1])
    least_second = np.empty(opponents[1] - opponents[0], np.int8)
    for mover in range(movers[0], movers[1]):
        least = gained[mover - movers[0]]
        least[:] = NO_TURN
        least_second[:] = NO_TURN
        take_turns(least, least_second, rules, side, mover)
        if rules.again_on_empty:
            progress = rules.progress[mover]
            second[progress % SECOND_TURNS, mover - rules.first[progress], side.first : side.end] = least_second
        settle(rules, side, mover, least, margins[mover - movers[0]])


@compiled
def settle(rules: Any, side: Any, mover: int, least: Any, margins: Any) -> None:
    """Make margins of what was found, and mark what needs no finding out."""
    crowded = np.zeros(len(least), np.bool_)
    for row in range(1, rules.goal):
        room = rules.room - rules.pawns[mover, row]
        for each in range(len(least)):
            crowded[each] |= side.standing[row, each] > room
    opened = stay_by(rules, mover)
    stays_before = rules.rearmost[opened] if opened >= 0 else ANY
    for each in range(len(least)):
        passed = side.last[each] < rules.rearmost[mover]
        score = rules.points[mover] - side.points[each]
        margin = -least[each]
        if side.last[each] >= stays_before or least[each] == NO_TURN:
            margin = max(margin, 0)
        margins[each] = 0 if crowded[each] else score if passed else margin
        if crowded[each] or passed:
            least[each] = SETTLED
        elif least[each] == NO_TURN and not can_open(rules, side.first + each, mover):
            least[each] = SETTLED
            margins[each] = score


@compiled
def stay_by(rules: Any, mover: int) -> int:
    """The placement after an opening into the goal that leaves it to a bonus to give the ground back, or -1."""
    return rules.moved[mover, rules.goal - 1, rules.goal] if rules.bonus else -1


@compiled
def can_open(rules: Any, mover: int, opponent: int) -> bool:
    for row in range(rules.goal):
        if rules.pawns[mover, row]:
            ahead = rules.pawns[mover, row + 1] + rules.pawns[opponent, rules.goal - row - 1]
            if row + 1 == rules.goal or ahead < rules.room:
                return True
    return False


@compiled
def sweep(rules: Any, table: Any, movers: Any, opponents: Any, gained: Any, margins: Any) -> int:
    """Put turns that gain no ground to those that do, with the values they have now; how many margins are new by it.

    A player who cannot open does not gain ground either.
    """
    side = side_of(rules, table, np.empty((0, 0, 0), np.int8), opponents[0], opponents[1])
    least = np.empty(opponents[1] - opponents[0], np.int8)
    nobody = np.zeros(len(least), np.int8)
    new = 0
    for mover in range(movers[0], movers[1]):
        least[:] = NO_TURN
        opened = stay_by(rules, mover)
        if opened >= 0:
            take_bonus(least, rules, side, opened, nobody, 0, True, False)
        found, margin = gained[mover - movers[0]], margins[mover - movers[0]]
        passed_to = ends(side, mover)
        rearmost = rules.rearmost[opened] if opened >= 0 else ANY
        for each in range(len(least)):
            if found[each] == SETTLED:
                continue
            value = found[each]
            if value == NO_TURN:
                value = passed_to[each]
            elif side.last[each] >= rearmost:
                value = min(value, least[each])
            if margin[each] != -value:
                margin[each] = -value
                table[side.first + each, mover] = -value
                new += 1
    return new
