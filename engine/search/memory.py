"""What the search remembers of positions it has seen, within a bound of memory.

Entries go into the younger of two halves. When that is full, the older half is forgotten and the younger takes its
place: what has not been asked for in the meantime is lost, the rest is carried over when it is found.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

BYTES_AN_ENTRY = 220
"""The key, the entry with its numbers, and a place in a dictionary: 175 to 205 as measured, and some for its growth."""


class Bound(IntEnum):
    """What is known about a value."""

    EXACT = 0
    AT_LEAST = 1
    AT_MOST = 2


class Entry(NamedTuple):
    """What is known of a position."""

    depth: int
    """How many whole turns the value looks ahead; `PROVEN` where nothing was estimated."""
    bound: int
    value: int
    best: int | None
    """The key of the position after the best turn that is known."""


PROVEN = 1 << 20


class Memory:
    """Entries by the key of their position."""

    def __init__(self, limit_bytes: int) -> None:
        self._room = max(1, limit_bytes // BYTES_AN_ENTRY // 2)
        self._young: dict[int, Entry] = {}
        self._old: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: int) -> Entry | None:
        entry = self._young.get(key)
        if entry is None and (entry := self._old.get(key)) is not None:
            self.keep(key, entry)
        return entry

    def keep(self, key: int, entry: Entry) -> None:
        if len(self._young) >= self._room:
            self._old, self._young = self._young, {}
        self._young[key] = entry

    def forget(self) -> None:
        self._young, self._old = {}, {}
