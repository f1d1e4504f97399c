"""The newest of something, handed from a thread to the loop: what was not taken in time is replaced, so that a fast
thread never floods the loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """`deliver` is called in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[T], None]) -> None:
        self._loop = loop
        self._deliver = deliver
        self._lock = threading.Lock()
        self._waiting: list[T] = []

    def put(self, value: T) -> None:
        """From any thread."""
        with self._lock:
            is_due = not self._waiting
            self._waiting = [value]
        if is_due:
            self._loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        with self._lock:
            (value,) = self._waiting
            self._waiting = []
        self._deliver(value)
