"""The threads in which drivers block. Each owns its driver: only it calls what may block, and it has ended before the
driver is closed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from hardware.interface import Frame

WAIT_S = 0.2
"""The longest that a driver is asked to wait, and so about the longest that stopping takes."""


class DriverFailed(Exception):
    """A driver cannot go on, and so the board cannot."""


class Driver(Protocol):
    """What all drivers have in common."""

    def close(self) -> None: ...


class DriverThread:
    """Takes one step with a driver after the other, until `stopping` is set or a step fails, which is told."""

    def __init__(
        self,
        part: str,
        driver: Driver,
        step: Callable[[], None],
        stopping: threading.Event,
        failed: Callable[[DriverFailed], None],
    ) -> None:
        self._part = part
        self._driver = driver
        self._step = step
        self._stopping = stopping
        self._failed = failed
        self._thread = threading.Thread(target=self._run, name=part)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Wait for the thread, which somebody has told to stop, and then close the driver."""
        self._thread.join()
        self._driver.close()

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._step()
        except Exception as error:
            failure = DriverFailed(f"the {self._part} failed: {str(error) or type(error).__name__}")
            failure.__cause__ = error
            self._failed(failure)


class LatestFrame:
    """Hands frames from the loop to the lights: a newer one replaces one that has not been taken."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._since: float | None = None

    def put(self, frame: Frame, since: float | None = None) -> None:
        """`since` is when that came in which the frame shows, where it shows anything new."""
        with self._changed:
            self._frame = frame
            self._since = since if self._since is None else self._since
            self._changed.notify()

    def take(self, timeout: float) -> tuple[Frame, float | None] | None:
        """The newest frame, once, and since when something waits for it; None when there is none within `timeout`."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None, timeout)
            frame, since = self._frame, self._since
            self._frame = self._since = None
            return None if frame is None else (frame, since)
