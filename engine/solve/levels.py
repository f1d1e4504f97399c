"""The table, level by level: a level is all positions with the same sum of progress, and a turn never loses progress.

So the levels are worked out from the last to the first. Within a level, first come the turns that lead to levels done
before; then the others, which lead to the same level, again and again until nothing changes.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np

from engine.edition import Edition
from engine.placement import Geometry
from engine.solve.compiled import SECOND_TURNS, gain_ground, sweep
from engine.solve.rules import rules_of

T = TypeVar("T")

MOVERS_AT_ONCE = 64
"""As many margins as a line of a processor's cache has bytes."""
MANY_PLACEMENTS = 10_000
"""From here on, a table of small pages would be slow."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some movers who are equally far, and all opponents who are equally far: from one placement up to another."""

    movers: tuple[int, int]
    opponents: tuple[int, int]

    @property
    def shape(self) -> tuple[int, int]:
        return self.movers[1] - self.movers[0], self.opponents[1] - self.opponents[0]


class Levels:
    """The margins of all positions, as far as they are known. Usable in a `with`, which ends its threads."""

    def __init__(self, edition: Edition, geometry: Geometry, threads: int) -> None:
        self.edition = edition
        self.geometry = geometry
        self.rules = rules_of(edition, geometry)
        size = geometry.placements
        memory = mmap.mmap(-1, size * size)
        if size > MANY_PLACEMENTS and hasattr(mmap, "MADV_HUGEPAGE"):
            memory.madvise(mmap.MADV_HUGEPAGE)
        self.table = np.frombuffer(memory, dtype=np.int8).reshape(size, size)
        most = int(np.diff(self.rules.first).max())
        self._second = np.zeros((SECOND_TURNS, most, size) if edition.again_on_empty else (0, 0, 0), np.int8)
        self._placement = np.argsort(self.rules.number)
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    @property
    def last(self) -> int:
        """The level in which all pawns are in their goals."""
        return 2 * self.geometry.furthest

    def blocks(self, level: int) -> Iterator[Block]:
        """The positions of a level."""
        first = self.rules.first.tolist()
        furthest = self.geometry.furthest
        for progress in range(max(0, level - furthest), min(level, furthest) + 1):
            opponents = first[progress], first[progress + 1]
            begin, end = first[level - progress], first[level - progress + 1]
            for mover in range(begin, end, MOVERS_AT_ONCE):
                yield Block((mover, min(mover + MOVERS_AT_ONCE, end)), opponents)

    def solve(self, level: int) -> list[Any]:
        """Work out a level, all later ones being known: the margins of its blocks, int8[mover, opponent]."""
        blocks = list(self.blocks(level))
        found = list(self._pool.map(self._gain_ground_and_enter, blocks))
        while sum(self._pool.map(self._sweep, blocks, found)):
            pass
        return [margins for _, margins in found]

    def enter(self, block: Block, margins: Any) -> None:
        """Put the margins of a block into the table."""
        self.table[slice(*block.opponents), slice(*block.movers)] = margins.T

    def margin(self, mover: Sequence[int], opponent: Sequence[int]) -> int:
        """The margin for the mover; the pawns of each side are given by row, from behind its own start line."""
        line, column = (self._placement[self.geometry.number(counts)] for counts in (opponent, mover))
        return int(self.table[line, column])

    def each(self, task: Callable[..., T], *arguments: Iterable[Any]) -> Iterator[T]:
        """What a task gives for each of the arguments, in their order; several are worked on at once."""
        return self._pool.map(task, *arguments)

    def remember_second_turns(self, level: int) -> None:
        """What second turns come to in a level that is known: the levels before it ask for that."""
        if self.edition.again_on_empty:
            list(self._pool.map(self._gain_ground, self.blocks(level)))

    def _gain_ground(self, block: Block) -> tuple[Any, Any]:
        gained, margins = np.empty(block.shape, np.int8), np.empty(block.shape, np.int8)
        gain_ground(self.rules, self.table, self._second, block.movers, block.opponents, gained, margins)
        return gained, margins

    def _gain_ground_and_enter(self, block: Block) -> tuple[Any, Any]:
        found = self._gain_ground(block)
        self.enter(block, found[1])
        return found

    def _sweep(self, block: Block, found: tuple[Any, Any]) -> int:
        return int(sweep(self.rules, self.table, block.movers, block.opponents, *found))
