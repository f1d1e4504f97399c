"""Parts that a board does without: drivers that light nothing and feel no finger."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.interface import Frame, KeyEvent, Tune


class NoLights:
    """`Lights` of a board without pixels."""

    def show(self, frame: Frame) -> None:
        pass

    def close(self) -> None:
        pass


class NoPanel:
    """`Panel` of a board without keys and buzzer."""

    def __init__(self) -> None:
        self._closed = Event()

    def read(self, timeout: float) -> KeyEvent | None:
        """Nothing, after `timeout` seconds."""
        self._closed.wait(timeout)
        return None

    def play(self, tune: Tune) -> None:
        pass

    def close(self) -> None:
        self._closed.set()
