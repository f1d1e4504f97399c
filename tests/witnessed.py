"""A service on real parts, simulated board or serial driver, in real time; and a witness of what it tells and shows.

Nothing here sleeps: a test waits until something has happened, for as long as pytest lets it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from firmware.config import GameSettings, Settings
from firmware.events import Event, GameStarted
from firmware.service import Service
from hardware.calibration import Classifier
from hardware.interface import Frame, Sensors, Snapshot
from hardware.serial_scanner import SerialScanner
from simulator.board import SimulatedBoard, SimulatedLights, SimulatedPanel, calibrated
from simulator.faults import Faults
from simulator.table import Table
from simulator.virtual_scanner import VirtualScanner

SETTINGS = Settings(game=GameSettings(edition="zen"))
LAYOUT = SETTINGS.layout


@dataclass(frozen=True)
class Board:
    """What a service is wired to, and the table above it."""

    table: Table
    faults: Faults
    sensors: Sensors
    lights: WatchedLights
    panel: SimulatedPanel


class WatchedLights(SimulatedLights):
    """Lights that another thread can wait for."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        self._shown = threading.Condition()

    def show(self, frame: Frame) -> None:
        with self._shown:
            super().show(frame)
            self._shown.notify_all()

    def wait_for_one_of(self, frames: Sequence[Frame]) -> None:
        with self._shown:
            self._shown.wait_for(lambda: set(frames) & set(self.frames))


class SerialBoard:
    """The real serial driver on the virtual scanner."""

    def __init__(self, directory: Path) -> None:
        pytest.importorskip("tty", reason="this system has no pseudo-terminals")
        self.table = Table(LAYOUT)
        self.faults = Faults(LAYOUT)
        self.panel = SimulatedPanel()
        self._scanner = VirtualScanner(self.table, self.faults, directory / "scanner")
        self.sensors: Sensors = SerialScanner(LAYOUT, Classifier(calibrated(LAYOUT)), str(directory / "scanner"))

    def close(self) -> None:
        self._scanner.close()


@contextmanager
def wired(kind: str, directory: Path) -> Iterator[Board]:
    """A board with its pawns set up: `simulated`, or `serial` with the real driver."""
    board = SimulatedBoard(LAYOUT) if kind == "simulated" else SerialBoard(directory)
    board.table.set_up()
    try:
        yield Board(board.table, board.faults, board.sensors, WatchedLights(), board.panel)
    finally:
        board.close()


class Witness:
    """Hears all that a service tells and sees all that its lights show, and waits for it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.events: list[Event] = []
        self.frames: list[Frame] = []
        self._news = asyncio.Event()
        service.on_event.append(self._hear)
        service.on_frame.append(self._see)
        service.on_change.append(self._news.set)

    async def until(self, holds: Callable[[], object]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()

    async def heard(self, kind: type[Event]) -> None:
        """Waits for the next event of a kind, and forgets what came before it."""
        await self.until(lambda: any(isinstance(event, kind) for event in self.events))
        while not isinstance(self.events.pop(0), kind):
            pass

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    def _see(self, frame: Frame) -> None:
        self.frames.append(frame)
        self._news.set()


@asynccontextmanager
async def serving(service: Service) -> AsyncIterator[Witness]:
    witness = Witness(service)
    running = asyncio.create_task(service.run())
    try:
        yield witness
    finally:
        service.stop()
        await running


def service_on(board: Board) -> Service:
    return Service(SETTINGS, board.sensors, board.lights, board.panel)


class FedSensors:
    """`Sensors` that give what a test feeds them, once each."""

    def __init__(self) -> None:
        self._fed: SimpleQueue[Snapshot | Exception] = SimpleQueue()
        self.closed = False

    def feed(self, *fed: Snapshot | Exception) -> None:
        for one in fed:
            self._fed.put(one)

    def read(self, timeout: float) -> Snapshot | None:
        assert not self.closed
        try:
            fed = self._fed.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(fed, Exception):
            raise fed
        return fed

    def close(self) -> None:
        self.closed = True


def snapshot_of(table: Table) -> Snapshot:
    return Snapshot(table.readings(), (100,) * LAYOUT.slot_count)


def set_up_table() -> Table:
    table = Table(LAYOUT)
    table.set_up()
    return table


SET_UP = snapshot_of(set_up_table())


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def started(sensors: FedSensors, witness: Witness) -> None:
    sensors.feed(SET_UP)
    await witness.heard(GameStarted)
