"""The tree of whole turns: alpha-beta with a memory, to a given depth or to the end of the game.

Every value is seen by the player to move. Beside the value, a search finds out two things about it: whether an
estimate took part, or it is proven; and how far up the line a repetition reaches that took part, because such a value
holds in this line only and must not be remembered.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.edition import Edition
from engine.search.memory import PROVEN, Bound, Entry, Memory
from engine.search.turn_ends import TurnEnds, Turns
from engine.search.worth import Worth

INFINITE = 1 << 20
DRAW = 0
_NEVER = 1 << 20
_NODES_BETWEEN_QUESTIONS = 256
_SIDE_BITS = 32
BYTES_A_SIDE = 350
"""In all tables together, as measured."""
_BEFORE_GOAL_SHIFT = 24

Chain = tuple[int, ...]
"""The keys of the positions since pawns last gained ground: only these can come again."""


class Stopped(Exception):
    """The search was told to stop in the middle."""


def key_of(me: int, you: int) -> int:
    return me << _SIDE_BITS | you


class Tree:
    """All games of one edition, searched as far as is asked for."""

    def __init__(self, edition: Edition, memory: Memory) -> None:
        self.turns, self.worth, self.memory = Turns.of(edition), Worth(edition), memory
        self.is_estimated = False
        """Whether an estimate took part in the last value."""
        self._can_repeat = edition.bonus
        self._reach = _NEVER
        self.begin(frozenset())

    def begin(self, dead: frozenset[tuple[int, int]]) -> None:
        """A new root. `dead` are positions that stood twice before, with the ply (0 or 1) of who is to move there."""
        self.nodes = 0
        """How many positions have been valued since."""
        self.stop: Callable[[], bool] = lambda: False
        self._dead = dead
        self._next_question = 0

    @property
    def table_bytes(self) -> int:
        """What the tables of sides take by now; they grow with every side that is met."""
        return BYTES_A_SIDE * len(self.worth.side)

    def value(self, me: int, you: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a position, `depth` whole turns ahead; a bound where it is not between alpha and beta.

        `ply` counts players from the root: at an even one the root's player is to move.
        """
        self.is_estimated = False
        self._reach = _NEVER
        return self._value(me, you, depth, alpha, beta, ply, ())

    def _value(self, me: int, you: int, depth: int, alpha: int, beta: int, ply: int, chain: Chain) -> int:
        key = me << _SIDE_BITS | you
        self.nodes += 1
        if chain and self._repeats(key, ply, chain):
            return DRAW
        entry = self.memory.get(key)
        # Within a chain only proofs are taken from memory: estimates that lean on each other in a circle would never
        # be looked into again, however deep the search.
        if entry is not None and entry.depth >= (PROVEN if chain else depth) and _answers(entry, alpha, beta):
            self.is_estimated = entry.depth != PROVEN
            return entry.value
        if depth <= 1:
            value = self._horizon(me, you, depth)
            if entry is None and depth == 1:
                self.memory.keep(key, Entry(depth if self.is_estimated else PROVEN, Bound.EXACT, value, None))
            return value
        if self.nodes >= self._next_question:
            self._ask()
        ends = self.turns.ends(me, you)
        if ends.is_blocked:
            return self._passed_over(me, you, depth, alpha, beta, ply, (*chain, key))
        best_first = entry.best if entry is not None else None
        return self._best(key, ends, depth, alpha, beta, ply, chain, best_first)

    def _repeats(self, key: int, ply: int, chain: Chain) -> bool:
        """Whether the game is a draw here because it goes round in circles."""
        self.is_estimated = False
        if self._dead and (key, ply & 1) in self._dead:
            return True
        for back in range(2, len(chain) + 1, 2):
            if chain[-back] == key:
                self._reach = min(self._reach, ply - back)
                return True
        return False

    def _ask(self) -> None:
        self._next_question = self.nodes + _NODES_BETWEEN_QUESTIONS
        if self.stop():
            raise Stopped

    def _passed_over(self, me: int, you: int, depth: int, alpha: int, beta: int, ply: int, chain: Chain) -> int:
        """The value where the player cannot open."""
        if self.turns.can_open(you, me):
            return -self._value(you, me, depth - 1, -beta, -alpha, ply + 1, chain)
        self.is_estimated = False
        return self.worth.final(me, you)

    def _horizon(self, me: int, you: int, depth: int) -> int:
        """The value one turn ahead, or none: from here on it is estimated."""
        worth = self.worth
        self.is_estimated = True
        if depth == 0:
            return worth.estimate(me, you)
        if self.nodes >= self._next_question:
            self._ask()
        ends = self.turns.ends(me, you)
        if ends.is_blocked:
            return self._passed_over(me, you, depth, -INFINITE, INFINITE, 0, ())
        self.nodes += len(ends.sides) + len(ends.pushed)
        best = self._best_final(ends, you)
        if ends.sides:
            best = max(best, max(map(worth.side.__getitem__, ends.sides)) - worth.side[you] - worth.turn)
        elif not ends.pushed:
            self.is_estimated = False
        for own, other in ends.pushed:
            best = max(best, -worth.estimate(other, own))
        return best

    def _best_final(self, ends: TurnEnds, you: int) -> int:
        """The best margin with which this turn can end the game; nothing is worse than not to have one."""
        worth = self.worth
        best = -INFINITE
        if ends.final:
            best = max(worth.final(own, you) for own in ends.final)
        if ends.pushed_final:
            best = max(best, *(worth.final(own, other) for own, other in ends.pushed_final))
        return best

    def _best(
        self,
        key: int,
        ends: TurnEnds,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        chain: Chain,
        best_first: int | None,
    ) -> int:
        you = key & (1 << _SIDE_BITS) - 1
        worth, floor = self.worth, alpha
        best, best_key = self._best_final(ends, you), None
        is_estimated, reach = False, _NEVER
        alpha = max(alpha, best)
        if best < beta:
            ground = worth.progress[key >> _SIDE_BITS] + worth.progress[you]
            repeatable = self._can_repeat and key >> _SIDE_BITS + _BEFORE_GOAL_SHIFT & 15
            for own, other in self._ordered(ends, you, best_first):
                gained = not repeatable or worth.progress[own] + worth.progress[other] > ground
                line = () if gained else (*chain, key)
                self._reach = _NEVER
                if best_key is None:
                    value = -self._value(other, own, depth - 1, -beta, -alpha, ply + 1, line)
                else:
                    value = -self._value(other, own, depth - 1, -alpha - 1, -alpha, ply + 1, line)
                    if alpha < value < beta:
                        self._reach = _NEVER
                        value = -self._value(other, own, depth - 1, -beta, -alpha, ply + 1, line)
                if value > best or best_key is None:
                    best_key = key_of(other, own)
                    best = max(value, best)
                    if value >= beta:
                        is_estimated, reach = self.is_estimated, self._reach
                        break
                    alpha = max(alpha, value)
                is_estimated |= self.is_estimated
                reach = min(reach, self._reach)
        bound = Bound.AT_LEAST if best >= beta else Bound.EXACT if best > floor else Bound.AT_MOST
        if reach >= ply:
            self.memory.keep(key, Entry(depth if is_estimated else PROVEN, bound, best, best_key))
            reach = _NEVER
        self.is_estimated, self._reach = is_estimated, reach
        return best

    def _ordered(self, ends: TurnEnds, you: int, best_first: int | None) -> list[tuple[int, int]]:
        """The ends where the game goes on, those first that promise most."""
        side = self.worth.side
        ordered = [(own, you) for own in sorted(ends.sides, key=side.__getitem__, reverse=True)]
        if ends.pushed:
            ordered += ends.pushed
            ordered.sort(key=lambda pair: (side[pair[0]] - side[pair[1]], pair), reverse=True)
        if best_first is not None:
            pair = (best_first & (1 << _SIDE_BITS) - 1, best_first >> _SIDE_BITS)
            if pair in ordered:
                ordered.remove(pair)
                ordered.insert(0, pair)
        return ordered


def _answers(entry: Entry, alpha: int, beta: int) -> bool:
    """Whether what is known is enough for this window."""
    if entry.bound == Bound.EXACT:
        return True
    return entry.value >= beta if entry.bound == Bound.AT_LEAST else entry.value <= alpha
