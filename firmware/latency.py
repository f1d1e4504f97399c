"""How long hands wait for their light, counted: from when the service knew something new until the pixels showed it."""

from __future__ import annotations

from bisect import bisect_left

BOUNDS_MS = (2, 5, 10, 20, 50, 100, 200, 500)
"""The upper end of each class but the last, which has none."""


class Latency:
    """A histogram. One thread notes, any may read; a note costs a microsecond."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS_MS) + 1)

    def note(self, waited_s: float) -> None:
        self._counts[bisect_left(BOUNDS_MS, 1000 * waited_s)] += 1

    @property
    def counts(self) -> tuple[int, ...]:
        """How often it took as long as each class says."""
        return tuple(self._counts)
