"""The whole service in virtual time: its loop, threads, journal, black box and page run as ever, but its clock is the
conductor's, who hands it each scan and each deadline and waits until it has gone round."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Coroutine
from typing import Any, TypeVar, cast

from engine import Game, Position
from firmware.blackbox.entry import Tick
from firmware.events import Event
from firmware.inputs import Input
from firmware.service import Service
from firmware.session import Session
from firmware.view import Stage, View
from hardware.interface import KeyEvent, Snapshot
from simulator.arrangement import arrange
from simulator.board import SimulatedBoard
from simulator.scenario import Beginning
from simulator.stage import SETTLED_S, Performance

T = TypeVar("T")


class Handed:
    """`Sensors` and `Panel` that give what they are handed."""

    def __init__(self) -> None:
        self.waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read(self, timeout: float) -> Any:
        try:
            return self.waiting.get(timeout=timeout)
        except queue.Empty:
            return None

    def play(self, tune: object) -> None:
        pass

    def close(self) -> None:
        pass


class Conductor:
    """Makes time pass for a service. Its loop runs only while it is given something, and then in this thread."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.now = 0.0
        self.board = board
        self.sensors, self.panel = Handed(), Handed()
        self._loop = asyncio.new_event_loop()
        self._taken = asyncio.Event()

    def begin(self, service: Service) -> None:
        self.service = service
        service.recorders.append(self._record)

    def give(self, what: Snapshot | KeyEvent) -> None:
        """Through the thread of a driver. All that comes of it has come when this returns."""
        self._taken.clear()
        (self.panel if isinstance(what, KeyEvent) else self.sensors).waiting.put(what)
        self.run(self._gone_round_with_it())

    def go_round(self) -> None:
        self.run(self.service.go_round())

    def new_game(self, game: Game) -> None:
        self.service.new_game(game.start.edition, game.start.to_move, 0)
        self.go_round()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """In the service's loop, for as long as it takes."""
        return self._loop.run_until_complete(coroutine)

    def close(self) -> None:
        self._loop.close()

    async def _gone_round_with_it(self) -> None:
        await self._taken.wait()
        await self.service.go_round()

    def _record(self, now: float, what: Input | Tick | Event) -> None:
        if isinstance(what, Snapshot | KeyEvent):
            self._taken.set()


class ConductedSession:
    """A service's session as a performance sees it: what is given to it goes through the whole service."""

    def __init__(self, conductor: Conductor) -> None:
        self._conductor = conductor
        self._session = conductor.service.session

    @property
    def game(self) -> Game:
        return self._session.game

    @property
    def view(self) -> View:
        return self._session.view

    @property
    def deadline(self) -> float | None:
        return self._session.deadline

    def see(self, snapshot: Snapshot, now: float) -> list[Event]:
        self._conductor.now = now
        self._conductor.give(snapshot)
        return []

    def touch(self, key: KeyEvent, now: float) -> list[Event]:
        self._conductor.now = now
        self._conductor.give(key)
        return []

    def tick(self, now: float) -> list[Event]:
        self._conductor.now = now
        self._conductor.go_round()
        return []


class ConductedPerformance(Performance):
    """A performance with a conducted service, which goes on with it where the last one ended."""

    def __init__(self, conductor: Conductor, beginning: Beginning) -> None:
        # Board, session and time are the conductor's, so nothing is made here of what the base makes.
        self.now = self._next_scan = conductor.now
        self.events: list[tuple[float, Event]] = []
        self.board = conductor.board
        self.session = cast(Session, ConductedSession(conductor))
        self._digital = False
        self._seen: Snapshot | None = None
        self._latest = 0
        self._marks: dict[str, int] = {}
        arrange(self.board.table, Position.setup())
        self.let_pass(SETTLED_S)
        game = Game.new(beginning.edition, beginning.first)
        conductor.new_game(game)
        self.let_pass(SETTLED_S)
        if (self.session.game, self.session.view.stage) != (game, Stage.PLAYING):
            raise AssertionError(f"a new game did not begin: {self.session.view}")

    def _note(self, events: list[Event]) -> None:
        """What happens is the service's to tell, and what its session wishes for is its to bring."""
