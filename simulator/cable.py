"""A cable between a scanner made of software and whoever wants to hear it: no thread, no terminal, and its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.faults import FaultKind, Faults
from simulator.virtual_scanner import Outbox, Scanner

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.magnets import HallSensors
    from simulator.table import Table


class Cable:
    """The scanner's line. Reading lets time pass, virtual time unless `wait` waits for it."""

    name = "the simulated scanner"

    def __init__(
        self, hall: HallSensors, table: Table, faults: Faults, wait: Callable[[float], None] = lambda s: None
    ) -> None:
        self._hall = hall
        self._table = table
        self._faults = faults
        self._wait = wait
        self.now = 0.0
        self._outbox = Outbox(faults)
        self._power_on()

    def read(self, timeout_s: float) -> bytes:
        """What arrives until then."""
        self._wait(timeout_s)
        end = self.now + timeout_s
        while self._scanner.next_scan <= end:
            self.now = max(self.now, self._scanner.next_scan)
            self._check_plug()
            if self._faults.strikes(FaultKind.RESET) or self._scanner.asked_to_restart:
                self._power_on()
            self._outbox.put(self._scanner.scan(self.now), self.now)
        self.now = end
        return b"".join(self._outbox.take(self.now))

    def write(self, data: bytes) -> None:
        self._check_plug()
        self._outbox.put(self._scanner.hear(data), self.now)

    def _check_plug(self) -> None:
        if self._faults.strikes(FaultKind.UNPLUG):
            raise OSError("the simulated scanner is unplugged")

    def _power_on(self) -> None:
        self._scanner = Scanner(self._hall, self._table, self._faults, self.now)
        self._outbox.put([self._scanner.hello()], self.now)
