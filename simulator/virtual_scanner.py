"""A scanner made of software on a pseudo-terminal: it speaks the real bytes, so the real serial driver runs on it.

`Scanner` is the conversation, without I/O and clock, as the firmware leads it; `Terminal` is the cable, and
`VirtualScanner` runs the one on the other. Faults act at the bytes: unplugged, the terminal is gone, and what is
plugged in again is a new one under the same name.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from hardware import scanner_protocol as link
from hardware.calibration import RAIL_LEVELS, TOP_LEVEL, TYPICAL_NOISE_LEVELS
from simulator.board import DEADBAND_LEVELS, REST_S, SCAN_S
from simulator.faults import SLOW_S, FaultKind, Faults
from simulator.magnets import HallSensors

if TYPE_CHECKING:
    from pathlib import Path

    from simulator.table import Table

FIRMWARE = (1, 0, 0)
BOARD = b"virtual\0"
FAULTS_S = 1.0
MOST_PER_S = round(1 / SCAN_S)


class Scanner:
    """One power-on of the scanner, from its first Hello; what it hears and when it scans becomes what it says."""

    def __init__(self, hall: HallSensors, table: Table, faults: Faults, now: float) -> None:
        self._hall = hall
        self._layout = table.layout
        self._broken = faults
        self._decoder = link.Decoder()
        self._started = now
        self._sequence = 0
        self._sent: tuple[int, ...] = ()
        self._sent_at = self._reported_at = now
        self._faults = link.Faults()
        self._scan_s = SCAN_S
        self._rest_s = REST_S
        self._raw = False
        self.next_scan = now
        self.asked_to_restart = False

    def hello(self) -> link.Hello:
        return link.Hello(firmware=FIRMWARE, board=BOARD, channels=self._layout.channel_count)

    def hear(self, data: bytes) -> list[link.Message]:
        """The answers to what these bytes ask."""
        answers: list[link.Message] = []
        for message in self._decoder.feed(data):
            match message:
                case link.HelloRequest() | link.Foreign():
                    answers.append(self.hello())
                case link.Ping(token):
                    answers.append(link.Pong(token))
                case link.Rate(most, least):
                    most = min(max(most, 1), MOST_PER_S)
                    self._scan_s, self._rest_s = 1 / most, 1 / min(max(least, 1), most)
                case link.RawMode(on):
                    self._raw = on
                case link.Reset():
                    self.asked_to_restart = True
        return answers

    def scan(self, now: float) -> list[link.Message]:
        """Look at every channel; levels if one moved or it is time, faults likewise."""
        self.next_scan = now + self._scan_s
        levels = self._channels()
        said: list[link.Message] = []
        if self._raw or now - self._sent_at >= self._rest_s or self._moved(levels):
            said.append(link.Levels(self._sequence, round((now - self._started) * 1000), levels))
            self._sequence = (self._sequence + 1) % link.SEQUENCE_PERIOD
            self._sent, self._sent_at = levels, now
        faults = link.Faults(
            tuple(
                link.Fault(link.FaultKind.SATURATED, channel)
                for channel, level in enumerate(levels)
                if not RAIL_LEVELS <= level <= TOP_LEVEL - RAIL_LEVELS
            )
        )
        if faults != self._faults or now - self._reported_at >= FAULTS_S:
            said.append(faults)
            self._faults, self._reported_at = faults, now
        return said

    def _channels(self) -> tuple[int, ...]:
        """Slots by their wiring; a channel that is wired to none reads 0, as a broken wire does."""
        channels = [0] * self._layout.channel_count
        levels = self._broken.bend(self._hall.levels(), self._hall.baselines)
        for channel, level in zip(self._layout.channels, levels, strict=True):
            channels[channel] = level
        return tuple(channels)

    def _moved(self, levels: tuple[int, ...]) -> bool:
        return not self._sent or any(
            abs(level - before) > DEADBAND_LEVELS for level, before in zip(levels, self._sent, strict=True)
        )


class Terminal:
    """A pseudo-terminal that can be opened at `path`, seen from the scanner's end."""

    def __init__(self, path: Path) -> None:
        import tty  # here, because not every system has terminals

        # Our own hold on the far end keeps the terminal alive while no driver has it open.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._path = path
        if path.is_symlink():  # of a run that could not tidy up; anything else there is not ours
            path.unlink()
        path.symlink_to(os.ttyname(self._slave))

    def read(self, timeout_s: float) -> bytes:
        """What has come by then, or nothing."""
        return os.read(self._master, 4096) if select.select([self._master], [], [], timeout_s)[0] else b""

    def write(self, data: bytes) -> None:
        """As much as fits: nobody may be listening, and then it is lost, as on a real cable."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, data)

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)


class Outbox:
    """What a scanner says on its way out, with the faults of the cable: kept back, damaged, late or as it is."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._leaving: deque[tuple[float, bytes]] = deque()

    def put(self, messages: list[link.Message], now: float) -> None:
        for message in messages:
            if self._faults.strikes(FaultKind.SILENT):
                continue
            frame = link.encode(message)
            if self._faults.strikes_message():
                frame = self._faults.damage(frame)
            leaves_in_s = SLOW_S if self._faults.strikes(FaultKind.SLOW) else 0.0
            self._leaving.append((now + leaves_in_s, frame))

    def take(self, now: float) -> list[bytes]:
        """What has been held back long enough."""
        ready = []
        while self._leaving and self._leaving[0][0] <= now:
            ready.append(self._leaving.popleft()[1])
        return ready

    def clear(self) -> None:
        self._leaving.clear()


class VirtualScanner:
    """The scanner under a table, plugged in at `path`, running in a thread of its own until it is closed."""

    def __init__(
        self,
        table: Table,
        faults: Faults,
        path: Path,
        seed: int = 0,
        noise_levels: float = TYPICAL_NOISE_LEVELS,
    ) -> None:
        self._table = table
        self._hall = HallSensors(table, seed, noise_levels)
        self._faults = faults
        self._path = path
        self._terminal: Terminal | None = Terminal(path)
        self._outbox = Outbox(faults)
        self._closing = threading.Event()
        self._power_on()
        self._thread = threading.Thread(target=self._run, name="virtual scanner", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop and take the terminal away. Closing twice is harmless."""
        self._closing.set()
        self._thread.join()
        self._unplug()

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._faults.strikes(FaultKind.UNPLUG):
                self._unplug()
                self._closing.wait(SCAN_S)
                continue
            if self._terminal is None:
                self._terminal = Terminal(self._path)
                self._power_on()
            if self._faults.strikes(FaultKind.RESET) or self._scanner.asked_to_restart:
                self._power_on()
            self._converse(self._terminal)

    def _unplug(self) -> None:
        if self._terminal:
            self._terminal.close()
        self._terminal = None
        self._outbox.clear()

    def _power_on(self) -> None:
        self._scanner = Scanner(self._hall, self._table, self._faults, time.monotonic())
        self._outbox.put([self._scanner.hello()], time.monotonic())

    def _converse(self, terminal: Terminal) -> None:
        """Listen until the next scan, answer, scan, and let go what has been held back long enough."""
        heard = terminal.read(max(0.0, self._scanner.next_scan - time.monotonic()))
        self._outbox.put(self._scanner.hear(heard), time.monotonic())
        now = time.monotonic()
        if now >= self._scanner.next_scan:
            self._outbox.put(self._scanner.scan(now), now)
        for frame in self._outbox.take(time.monotonic()):
            terminal.write(frame)
