"""A service to be tried: all of `linja play` at a scanner's port, in a process of its own that may die at any moment.

The folder has the settings and the calibration; the journal and the black box are written into it. What goes through
the two pipes is in talk.py: each batch of events is announced before it is written to the journal, and each event is
told at the moment in which its light may show.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from firmware import settings_file
from firmware.config import Settings
from firmware.drivers import open_drivers
from firmware.events import ActionAccepted, Event
from firmware.inputs import NewGame
from firmware.journal import file as journal_file
from firmware.keeping import Keeping, black_box
from firmware.service import Service, serve
from hardware.interface import Frame, KeyEvent
from simulator.soak.talk import Announced, Ask, FailWrites, Lit, Order, Shown, Told, Warned, Word

JOURNAL = "linja.db"
BLACK_BOX = "blackbox"
SETTINGS = "linja.toml"
COMPLAINTS = "complaints.txt"
"""What would go to the terminal."""


class FailingDisk:
    """Makes the journal's connections, and makes their statements fail."""

    def __init__(self) -> None:
        self.fails = FailWrites("")

    def connect(self, path: Path) -> sqlite3.Connection:
        disk = self

        class FailingConnection(sqlite3.Connection):
            def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
                strikes = bool(disk.fails.beginning) and sql.startswith(disk.fails.beginning)
                if strikes and not disk.fails.late:
                    raise sqlite3.OperationalError("disk I/O error")
                cursor = super().execute(sql, *values)
                if strikes:
                    raise sqlite3.OperationalError("disk I/O error")
                return cursor

        return sqlite3.connect(
            path,
            timeout=journal_file.BUSY_S,
            isolation_level=None,
            check_same_thread=False,
            factory=FailingConnection,
        )


class Mortal:
    """The service with somebody who listens and gives orders."""

    def __init__(self, service: Service, disk: FailingDisk, say: Callable[[Word], None], orders: Connection) -> None:
        self._service = service
        self._disk = disk
        self._say = say
        self._orders = orders
        self._answers: set[asyncio.Task[None]] = set()
        self._accepted = False
        self.address = ""

    async def announce(self, events: Sequence[Event]) -> None:
        start = self._service.session.game
        self._say(Announced(tuple(events), start.undo(len(start.actions))))

    def tell(self, event: Event) -> None:
        self._say(Told(event))
        self._accepted = self._accepted or isinstance(event, ActionAccepted)

    def light(self, frame: Frame) -> None:
        if self._accepted:
            self._accepted = False
            self._say(Lit(time.monotonic()))

    @asynccontextmanager
    async def obeying(self) -> AsyncIterator[None]:
        """Carries out orders beside the service, which stops when nobody is there to give any."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._orders.fileno(), self._obey)
        try:
            yield
        finally:
            loop.remove_reader(self._orders.fileno())

    def _obey(self) -> None:
        try:
            order: Order = self._orders.recv()
        except EOFError:
            asyncio.get_running_loop().remove_reader(self._orders.fileno())
            self._service.stop()
            return
        match order:
            case Ask(number):
                answer = asyncio.get_running_loop().create_task(self._answer(number))
                self._answers.add(answer)
                answer.add_done_callback(self._answers.discard)
            case FailWrites():
                self._disk.fails = order
            case KeyEvent():
                self._service.touch(order)
            case NewGame(edition, first, best_of):
                self._service.new_game(edition, first, best_of)

    async def _answer(self, number: int) -> None:
        service = self._service
        await service.go_round()
        settled = service.session.deadline is None
        self._say(Shown(service.game, service.view, service.readings, settled, self.address, number))


def live(folder: Path, words: Connection, orders: Connection, with_page: bool) -> None:
    """Serves until nobody gives orders any more, or it is killed."""
    with (folder / COMPLAINTS).open("ab") as complaints:
        os.dup2(complaints.fileno(), sys.stderr.fileno())
    os.environ["STATE_DIRECTORY"] = str(folder)  # for the devices that are paired with it
    settings, disk = settings_file.read(folder / SETTINGS), FailingDisk()
    one_at_a_time = threading.Lock()  # the journal's thread warns, the loop says all else

    def say(word: Word) -> None:
        with one_at_a_time:
            words.send(word)

    def warn(sentence: str) -> None:
        say(Warned(sentence))

    with (
        open_drivers(settings, folder) as board,
        closing(Keeping(folder / JOURNAL, warn, connect=disk.connect)) as keeping,
    ):
        service = Service(settings, board.sensors, board.lights, board.panel, interrupted=keeping.interrupted)
        mortal = Mortal(service, disk, say, orders)
        service.before_showing.append(mortal.announce)
        keeping.begin(service)
        service.on_event.append(mortal.tell)
        service.on_frame.append(mortal.light)
        with closing(black_box(service, settings, lambda: board.eyes.calibration, folder / BLACK_BOX, warn)):
            pages = [_page(service, settings, mortal)] if with_page else []
            serve(service, *pages, keeping.catching_up(), mortal.obeying())


def _page(service: Service, settings: Settings, mortal: Mortal) -> AbstractAsyncContextManager[None]:
    from firmware.web.onscreen import page

    def opened(address: str) -> None:
        mortal.address = address

    return page(service, settings.web, opened, any_port=True)
