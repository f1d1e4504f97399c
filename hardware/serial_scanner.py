"""Sensors behind a scanner on a serial port: finds it, opens it, loses it, and finds it again."""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from serial import Serial
from serial.tools.list_ports import comports

from hardware.errors import SensorLost
from hardware.link_report import LinkReport
from hardware.scanner_conversation import Classifier, Conversation
from hardware.scanner_protocol import Rate, Reset, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from serial.tools.list_ports_common import ListPortInfo

    from hardware.interface import Snapshot
    from hardware.layout import Layout

PORT_ERRORS: tuple[type[Exception], ...] = (OSError,)
with suppress(ImportError):  # Windows has no terminals
    import termios

    PORT_ERRORS = (OSError, termios.error)  # which pyserial lets through when the port goes while it opens

PICO = (0x2E8A, 0x0005)
"""USB vendor and product of a Raspberry Pi Pico that runs MicroPython."""
BAUD = 115_200
WRITE_S = 0.5
"""Much longer than a few bytes take, so that a busy computer is not taken for a lost scanner."""
SLICE_S = 0.02
"""The longest wait in one piece, and so the most that a read can outlast its timeout."""
FIRST_RETRY_S = 0.1
LAST_RETRY_S = 2.0
FULL_RATE = Rate(most=100, least=5)


class SerialScanner:
    """`Sensors` behind a scanner. Without a configured port it takes the one Pico that is plugged in."""

    def __init__(
        self,
        layout: Layout,
        classifier: Classifier,
        port: str | None = None,
        *,
        rate: Rate = FULL_RATE,
        ports: Callable[[], Iterable[ListPortInfo]] = comports,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._conversation = Conversation(layout, classifier, rate)
        self._configured = port
        self._ports = ports
        self._clock = clock
        self._sleep = sleep
        self._port: Serial | None = None
        self._port_name = port or ""
        self._snapshots: deque[Snapshot] = deque()
        self._retry_at = clock()
        self._retry_s = FIRST_RETRY_S
        self._reason = "the scanner was not looked for yet"
        self._connections = 0
        self._closed = False

    def read(self, timeout: float) -> Snapshot | None:
        if self._closed:
            raise SensorLost(self._reason)
        deadline = self._clock() + timeout
        while not self._snapshots:
            if self._port or self._opened():
                self._exchange(wait=self._clock() < deadline)
            else:
                self._sleep(max(0.0, min(deadline, self._retry_at) - self._clock()))
            if self._clock() >= deadline and not self._snapshots:
                self._insist_on_a_scanner()
                return None
        return self._snapshots.popleft()

    def close(self) -> None:
        self._closed = True
        self._let_go("the scanner was closed")

    def set_raw(self, on: bool) -> None:
        """Whether every scan is reported, changed or not: for calibration, which wants the noise too.

        To be called by the thread that reads.
        """
        self._conversation.set_raw(on)

    def report(self) -> LinkReport:
        scanner, decoder = self._conversation.scanner, self._conversation.decoder
        return LinkReport(
            port=self._port_name,
            board=scanner.board.hex() if scanner else "",
            firmware=".".join(map(str, scanner.firmware)) if scanner else "",
            frames=decoder.frames,
            lost=self._conversation.lost,
            damaged=decoder.damaged,
            skipped_bytes=decoder.skipped,
            restarts=self._conversation.restarts,
            connections=self._connections,
        )

    def _insist_on_a_scanner(self) -> None:
        """Raises `SensorLost` unless the link is live: only there does silence mean that nothing is new."""
        if not self._port:
            raise SensorLost(self._reason)
        if not self._conversation.live:
            raise SensorLost(f"the scanner at {self._port_name} has not answered yet")

    def _opened(self) -> bool:
        """Whether the port could be opened, once it is time to try."""
        if self._clock() < self._retry_at:
            return False
        try:
            self._port_name = self._configured or find_scanner(self._ports())
            self._port = open_port(self._port_name)
        except PORT_ERRORS as error:
            self._let_go(str(error))
            return False
        self._conversation.begin(self._clock())
        return True

    def _exchange(self, wait: bool) -> None:
        """Receive what has arrived, or the next byte if told to wait a little, and send what is to be sent."""
        assert self._port
        was_live = self._conversation.live
        try:
            data = self._port.read(self._port.in_waiting or int(wait))
            now = self._clock()
            self._snapshots += self._conversation.receive(data, now)
            self._conversation.check(now)
            if to_send := self._conversation.to_send(now):
                self._port.write(to_send)
        except PORT_ERRORS as error:
            known = isinstance(error, SensorLost)
            reason = str(error) if known else f"the scanner at {self._port_name} is gone: {error}"
            self._let_go(reason)
            raise SensorLost(reason) from error
        if self._conversation.live and not was_live:
            self._connections += 1
            self._retry_s = FIRST_RETRY_S

    def _let_go(self, reason: str) -> None:
        self._snapshots.clear()  # what came before a loss must not be read after it
        self._reason = reason
        self._retry_at = self._clock() + self._retry_s
        self._retry_s = min(2 * self._retry_s, LAST_RETRY_S)
        port, self._port = self._port, None
        if port:
            port.close()


def find_scanner(ports: Iterable[ListPortInfo]) -> str:
    """The port of the only Pico there is."""
    picos = [port for port in ports if (port.vid, port.pid) == PICO]
    if not picos:
        raise SensorLost("no scanner is plugged in (USB {:04x}:{:04x})".format(*PICO))
    if len(picos) > 1:
        found = ", ".join(f"{pico.device} (board {pico.serial_number})" for pico in picos)
        raise SensorLost(f"there are {len(picos)} boards that could be the scanner, set its port: {found}")
    return picos[0].device


def open_port(name: str) -> Serial:
    return Serial(name, BAUD, timeout=SLICE_S, write_timeout=WRITE_S, exclusive=True)


def leave_to_flash(port: str | None = None) -> None:
    """Restart the scanner to MicroPython's prompt, once, so that mpremote can reach it."""
    with open_port(port or find_scanner(comports())) as scanner:
        scanner.write(encode(Reset(to_repl=True)))
        scanner.flush()
