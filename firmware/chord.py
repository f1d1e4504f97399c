"""Keys that mean something else when they are held together: pure, with the time given.

A chord must not also do what its keys do alone. Fingers never come down at the same moment, so the first key of a chord
is kept back for as long as a second finger may take, which is too short to be felt when none comes.
"""

from __future__ import annotations

from collections.abc import Iterable

from hardware.interface import Button, KeyEvent, Touch

TOGETHER_S = 0.06
"""The longest time between the fingers of a chord."""


class Chord:
    """Takes what fingers did; passes on what is not part of the chord; knows when the chord has been held."""

    def __init__(self, buttons: Iterable[Button], hold_s: float) -> None:
        self._buttons = frozenset(buttons)
        self._hold_s = hold_s
        self._down: set[Button] = set()
        self._kept_back: KeyEvent | None = None
        self._kept_until = 0.0
        self._complete_at: float | None = None
        """When the chord will have been held, while all its keys are down."""
        self._is_struck = False
        """From all keys down until all keys up: whatever they do in between is the chord's."""
        self.is_held = False

    @property
    def deadline(self) -> float | None:
        """When `tick` has to be called at the latest."""
        if self._kept_back is not None:
            return self._kept_until
        return None if self.is_held else self._complete_at

    def feel(self, key: KeyEvent, now: float) -> list[KeyEvent]:
        """What a finger did, to what it means for others; most often itself."""
        passed = self.tick(now)
        if key.button not in self._buttons:
            return [*passed, *self._let_go(), key]
        match key.touch:
            case Touch.PRESSED:
                return [*passed, *self._press(key, now)]
            case Touch.RELEASED:
                return [*passed, *self._release(key)]
        return passed if self._is_struck else [*passed, *self._let_go(), key]

    def tick(self, now: float) -> list[KeyEvent]:
        """Time has passed."""
        if self._complete_at is not None and now >= self._complete_at:
            self.is_held = True
        return self._let_go() if now >= self._kept_until else []

    def _press(self, key: KeyEvent, now: float) -> list[KeyEvent]:
        self._down.add(key.button)
        if self._down == self._buttons:
            self._kept_back = None
            self._is_struck = True
            self._complete_at = now + self._hold_s
        else:
            self._kept_back, self._kept_until = key, now + TOGETHER_S
        return []

    def _release(self, key: KeyEvent) -> list[KeyEvent]:
        self._down.discard(key.button)
        self._complete_at = None
        if not self._is_struck:
            return [*self._let_go(), key]
        if not self._down:
            self._is_struck = self.is_held = False
        return []

    def _let_go(self) -> list[KeyEvent]:
        kept_back, self._kept_back = self._kept_back, None
        return [] if kept_back is None else [kept_back]
