"""Deeper and deeper: a thought for each depth, until the game is searched out or nobody wants to know more.

At every depth the best action is found first, with all others merely shown to be no better. Then the others are judged
each for itself, two turns less deep: that costs little, and the turn of the same player is the last in both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from random import Random
from typing import Protocol

from engine.action import Action
from engine.edition import Edition
from engine.errors import BadInput
from engine.search.memory import Memory
from engine.search.pairs import UNIT
from engine.search.root import End, Root
from engine.search.thought import Judged, Thought
from engine.search.tree import INFINITE, Stopped, Tree
from engine.state import State

DEFAULT_MEMORY_BYTES = 64 * 2**20
_SHARE_OF_TABLES = 0.25
"""How much of the memory is for what is known of single sides; the rest is for positions."""
_LESS_DEEP = 2
"""How many turns less deep the actions are judged that are not the best."""


def never() -> bool:
    return False


class SolvedGame(Protocol):
    """Knows the exact margin of every position of one edition."""

    @property
    def edition(self) -> Edition: ...

    def judge(self, state: State) -> Thought: ...


class Search:
    """Thinks about states of any edition, one after the other; what it learned about one helps with the next.

    One thing at a time: who begins to think about a state is done with the one before.
    """

    def __init__(
        self, memory_bytes: int = DEFAULT_MEMORY_BYTES, seed: int = 0, solved: SolvedGame | None = None
    ) -> None:
        self._memory = Memory(memory_bytes - int(memory_bytes * _SHARE_OF_TABLES))
        self._most_table_bytes = int(memory_bytes * _SHARE_OF_TABLES)
        self._seed = seed
        self._solved = solved
        self._edition: Edition | None = None
        self._tree: Tree | None = None

    def deepen(self, state: State, stop: Callable[[], bool] = never) -> Iterator[Thought]:
        """A thought for each depth, the first at once; ends when `stop` says so, or when all is proven."""
        if state.outcome is not None:
            raise BadInput("the game is over: there is nothing to think about")
        if self._solved is not None and self._solved.edition == state.edition:
            yield self._solved.judge(state)
            return
        tree, root = self._tree_of(state.edition), Root(state)
        if root.dead:
            self._memory.forget()
        tree.begin(root.dead)
        rounds = _Rounds(tree, root, Random(self._seed))
        thought = rounds.thought(1)
        yield thought
        tree.stop = stop
        try:
            for depth in count(2):
                if thought.is_exact or stop():
                    return
                thought = rounds.thought(depth)
                yield thought
        except Stopped:
            return
        finally:
            if root.dead:
                self._memory.forget()

    def think(self, state: State, *, nodes: int | None = None, stop: Callable[[], bool] = never) -> Thought:
        """The last thought within the limit; there is always a first one."""
        thoughts = self.deepen(state, lambda: (nodes is not None and self.nodes >= nodes) or stop())
        return deque(thoughts, maxlen=1).pop()

    @property
    def nodes(self) -> int:
        """How many positions have been valued for the state that was thought about last, so far."""
        return 0 if self._tree is None else self._tree.nodes

    def _tree_of(self, edition: Edition) -> Tree:
        if self._edition != edition:
            self._memory.forget()
            self._edition, self._tree = edition, None
        if self._tree is None or self._tree.table_bytes > self._most_table_bytes:
            self._tree = Tree(edition, self._memory)
        return self._tree


class _Rounds:
    """One state, searched once for each depth."""

    def __init__(self, tree: Tree, root: Root, random: Random) -> None:
        self._tree, self._root = tree, root
        self._order = list(root.ends)
        random.shuffle(self._order)

    def thought(self, depth: int) -> Thought:
        values: dict[End, int] = {}
        best_value, best, is_settled = self._best_of(self._order, depth, values)
        self._order.sort(key=values.__getitem__, reverse=True)
        self._order.remove(best)
        self._order.insert(0, best)
        judged, is_exact = [], is_settled
        for action, lines in self._root.lines.items():
            if best in lines:
                judged.append((best_value, best, action))
                continue
            ends = [end for end in self._order if end in lines]
            value, end, proven = self._best_of(ends, max(1, depth - _LESS_DEEP), {})
            judged.append((min(value, best_value), end, action))
            is_exact &= proven
        judged.sort(key=lambda one: one[0], reverse=True)
        return self._told(judged, best, depth, is_exact, is_settled)

    def _told(
        self, judged: list[tuple[int, End, Action]], best: End, depth: int, is_exact: bool, is_settled: bool
    ) -> Thought:
        judged.sort(key=lambda one: (one[0], one[1] is best), reverse=True)
        return Thought(
            tuple(Judged(action, _points(value), self._root.lines[action][end]) for value, end, action in judged),
            depth,
            self._tree.nodes,
            is_exact,
            is_settled,
        )

    def _best_of(self, ends: Iterable[End], depth: int, values: dict[End, int]) -> tuple[int, End, bool]:
        """The best of some ends, its value, and whether that is proven."""
        best, best_end, is_proven = -INFINITE, None, True
        for end in ends:
            value, proven = self._value(end, depth - 1, best, INFINITE, best_end is None)
            values[end] = value
            is_proven &= proven
            if value > best:
                best, best_end = value, end
        assert best_end is not None
        return best, best_end, is_proven

    def _value(self, end: End, depth: int, alpha: int, beta: int, is_first: bool) -> tuple[int, bool]:
        """The value of an end for the root's player, and whether it is proven."""
        if end.final_margin is not None:
            return UNIT * end.final_margin, True
        if not is_first:
            value = self._searched(end, depth, alpha, alpha + 1)
            if value <= alpha:
                return value, not self._tree.is_estimated
        value = self._searched(end, depth, alpha, beta)
        return value, not self._tree.is_estimated

    def _searched(self, end: End, depth: int, alpha: int, beta: int) -> int:
        if end.ply == 1:
            return -self._tree.value(end.me, end.you, depth, -beta, -alpha, 1)
        return self._tree.value(end.me, end.you, depth, alpha, beta, 2)


def _points(value: int) -> float:
    return value // UNIT if value % UNIT == 0 else value / UNIT
