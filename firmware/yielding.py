"""Sensors that step aside: while a board is calibrated, whoever measures has its device, and the game waits as it does
for a pulled cable. Then they are made anew, and read by what was learnt.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hardware.errors import SensorLost
from hardware.interface import Sensors, Snapshot
from hardware.link_report import Linked, LinkReport


class YieldingSensors:
    """`Sensors` around others, which `make` makes: now, and each time that the board is given back.

    Only the thread that reads opens, reads and closes them.
    """

    def __init__(self, make: Callable[[], Sensors], why: str) -> None:
        self._make = make
        self._why = why
        self._sensors: Sensors | None = make()
        self._changed = threading.Condition()
        self._wanted = False
        self._closed = False

    def read(self, timeout: float) -> Snapshot | None:
        with self._changed:
            if self._wanted and not self._let_go():  # the loss itself is told at once
                self._changed.wait_for(lambda: not self._wanted, timeout)
            if self._wanted or self._closed:
                raise SensorLost(self._why)
            if self._sensors is None:
                self._sensors = self._make()
            sensors = self._sensors
        return sensors.read(timeout)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._let_go()

    def report(self) -> LinkReport | None:
        """How their link does, where they are at the end of one and have not stepped aside."""
        sensors = self._sensors
        return sensors.report() if isinstance(sensors, Linked) else None

    @contextmanager
    def aside(self) -> Iterator[None]:
        """The device is free within. For another thread than the one that reads; it waits for that one."""
        with self._changed:
            self._wanted = True
            self._changed.wait_for(lambda: self._sensors is None)
        try:
            yield
        finally:
            with self._changed:
                self._wanted = False
                self._changed.notify_all()

    def _let_go(self) -> bool:
        """Whether there was anything to let go of."""
        sensors, self._sensors = self._sensors, None
        if sensors is None:
            return False
        sensors.close()
        self._changed.notify_all()
        return True
