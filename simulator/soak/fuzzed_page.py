"""A board with its page, for garbage: the whole service, conducted, behind a guard that has all the time in the world.

The limits of the guard would keep most of the garbage out. What they do is tried by the crowd.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine import Action, Color
from firmware.config import Settings
from firmware.guard.devices import Devices
from firmware.guard.guard import Guard
from firmware.guard.limits import Limits
from firmware.looking_back import LookingBack
from firmware.service import Service
from firmware.web.onscreen import ServedBoard
from firmware.web.server import WebServer
from simulator.board import SimulatedBoard
from simulator.scenario import LAYOUT, Beginning, Movement
from simulator.soak.conducted import ConductedPerformance, Conductor
from simulator.soak.fuzz import Unclear
from simulator.steps import Lift, Put
from simulator.words import Spot

HOST = "127.0.0.1"
PLENTY = 10**9
UNHURRIED = Limits(
    connections_per_s=PLENTY,
    connection_burst=PLENTY,
    requests_per_s=PLENTY,
    request_burst=PLENTY,
    player_messages_per_s=PLENTY,
    message_burst=PLENTY,
)
MOVE_EVERY = 1000
"""A pawn is moved each time so much garbage has come, to see that the game goes on."""


class FuzzedPage:
    """The page of a board, at `port`. Everything is done in `conductor.run`."""

    def __init__(self, conductor: Conductor, running: asyncio.Task[None], port: int) -> None:
        self.conductor = conductor
        self.port = port
        self._running = running
        self._pieces = 0
        self.mistakes: list[str] = []

    def count(self) -> None:
        """One more piece of garbage has come: were there mistakes of ours in the log, and does the game go on?"""
        if self._running.done():
            raise Unclear(f"the service has ended: {self._running.exception()!r}")
        if self.mistakes:
            told, self.mistakes = self.mistakes[0], []
            raise Unclear(f"the log says {told}")
        self._pieces += 1
        if self._pieces % MOVE_EVERY == 0:
            self.move()

    def move(self) -> None:
        performance = ConductedPerformance(self.conductor, Beginning())
        performance.do(Movement.of(Lift(Color.RED, Spot(0)), Put(Color.RED, Spot(1))))
        if performance.session.game.actions != (Action.parse("red:0-1"),):
            raise Unclear(f"a move is not understood any more: {performance.session.game}")


class _Listener(logging.Handler):
    """Takes note of what the program says of itself."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._mistakes = mistakes

    def emit(self, record: logging.LogRecord) -> None:
        self._mistakes.append(f"{record.getMessage()} {record.exc_info and record.exc_info[1]!r}")


@contextmanager
def fuzzed_page() -> Iterator[FuzzedPage]:
    conductor = Conductor(SimulatedBoard(LAYOUT))
    with tempfile.TemporaryDirectory() as folder:
        service = Service(
            Settings(), conductor.sensors, conductor.board.lights, conductor.panel, clock=lambda: conductor.now
        )
        guard = Guard([], Devices(Path(folder) / "devices.json"), limits=UNHURRIED)
        looking_back = LookingBack(lambda game, turns: None, lambda sentence: None)
        server = WebServer(ServedBoard(service, None, None, looking_back), guard)
        conductor.begin(service)
        service.on_change.append(server.refresh)
        service.on_frame.append(server.show)
        service.on_event.append(server.tell)
        running = conductor.run(_started(service))
        page = FuzzedPage(conductor, running, conductor.run(server.start(HOST, 0)))
        listener = _Listener(page.mistakes)
        logging.getLogger().addHandler(listener)
        try:
            page.move()
            yield page
        finally:
            service.stop()
            conductor.run(_ended(running, looking_back, server))
            logging.getLogger().removeHandler(listener)
            conductor.close()


async def _started(service: Service) -> asyncio.Task[None]:
    return asyncio.create_task(service.run())


async def _ended(running: asyncio.Task[None], looking_back: LookingBack, server: WebServer) -> None:
    await asyncio.wait([running])
    await looking_back.close()
    await server.stop()
