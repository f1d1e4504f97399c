"""A service that plays for hours in virtual time, in a process of its own.

    python -m simulator.soak.long_day FOLDER HOURS SECONDS_AN_HOUR SEED

prints a line of JSON at the start and after each hour: what it takes of the machine by then, and what it has played.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import sys
import threading
from contextlib import AsyncExitStack, closing
from pathlib import Path

import msgspec
from aiohttp import ClientSession

from engine import RULE_SETS
from firmware.blackbox import BlackBox, Circumstances
from firmware.blackbox.ring import LEAST_BYTES, ring_files
from firmware.config import Settings
from firmware.keeping import Keeping
from firmware.service import Service
from firmware.web.onscreen import page
from simulator.board import SimulatedBoard, calibrated
from simulator.players import TirelessGame
from simulator.scenario import LAYOUT, Beginning
from simulator.soak.conducted import ConductedPerformance, Conductor
from simulator.stage import Performance

THINKING_S = 15.0
"""On average, before a turn: with what hands take for it, a turn every twenty seconds."""
VISIT_MESSAGES = 3
BLACK_BOX = "blackbox"


class Taken(msgspec.Struct, frozen=True):
    """What a service takes of the machine, and what it has done."""

    hour: int
    memory_bytes: int
    descriptors: int
    threads: int
    tasks: int
    ring_bytes: int
    journal_bytes: int
    games: int
    actions: int
    warnings: tuple[str, ...] = ()
    wrong: str = ""


class LongDay:
    """The service, and the people who play and now and then open the page."""

    def __init__(self, folder: Path, hours: int, hour_s: float, seed: int) -> None:
        self._folder = folder
        self._hours = hours
        self._hour_s = hour_s
        self._seed = seed
        self._random = random.Random(seed)
        self._board = SimulatedBoard(LAYOUT, seed, calibration=(calibration := calibrated(LAYOUT, seed)))
        self._calibration = calibration
        self._conductor = Conductor(self._board)
        self._warnings: list[str] = []
        self._games = self._actions = self._told_hours = 0
        self._address = ""

    def live(self) -> None:
        """All of it, to the end; whatever goes wrong is told."""
        conductor, settings = self._conductor, Settings()
        with closing(conductor), closing(Keeping(self._folder / "linja.db", self._warnings.append)) as keeping:
            service = Service(
                settings, conductor.sensors, self._board.lights, conductor.panel, clock=lambda: conductor.now
            )
            keeping.begin(service)
            conductor.begin(service)
            with closing(self._black_box(service, settings)):
                beside = AsyncExitStack()
                conductor.run(beside.enter_async_context(page(service, settings.web, self._opened, any_port=True)))
                conductor.run(beside.enter_async_context(keeping.catching_up()))
                running = conductor.run(_started(service))
                self._play()
                service.stop()
                conductor.run(_ended(running, beside))

    def _black_box(self, service: Service, settings: Settings) -> BlackBox:
        """As small as it may be, so that the ring is full soon."""

        def circumstances() -> Circumstances:
            return Circumstances.of(service.session, settings.board, settings.settle, self._calibration, 0.0)

        box = BlackBox(self._folder / BLACK_BOX, circumstances, self._warnings.append, LEAST_BYTES)
        service.recorders.append(box.record)
        return box

    def _opened(self, address: str) -> None:
        self._address = address

    def _play(self) -> None:
        """Game after game, each to its end."""
        wrong = ""
        while self._told_hours <= self._hours and not wrong:
            edition = RULE_SETS[self._games % len(RULE_SETS)]
            game = TirelessGame(edition, self._seed + self._games, begin=self._begun)
            mishap = game.play(self._think)
            self._games += 1
            self._actions += len(self._conductor.service.game.actions)
            wrong = str(mishap) if mishap else ""
        if wrong:
            self._tell(wrong)

    def _begun(self, beginning: Beginning) -> Performance:
        self._performance = ConductedPerformance(self._conductor, beginning)
        return self._performance

    def _think(self) -> bool:
        """Before each turn; whether there is time for it."""
        self._performance.let_pass(self._random.expovariate(1 / THINKING_S))
        while self._conductor.now >= self._told_hours * self._hour_s and self._told_hours <= self._hours:
            self._conductor.run(self._visit())
            self._tell()
            self._told_hours += 1
        return self._told_hours <= self._hours

    async def _visit(self) -> None:
        """Somebody opens the page, looks and goes."""
        async with ClientSession() as client:
            async with client.get(self._address) as response:
                await response.read()
            async with client.ws_connect(f"{self._address}link", origin=self._address.rstrip("/")) as link:
                for _ in range(VISIT_MESSAGES):
                    await link.receive()
        await asyncio.sleep(0.5)  # until the server, too, has let go of the connection

    def _tell(self, wrong: str = "") -> None:
        gc.collect()
        tasks = self._conductor.run(_tasks())
        memory_pages = int(Path("/proc/self/statm").read_text().split()[1])
        taken = Taken(
            hour=self._told_hours,
            memory_bytes=memory_pages * os.sysconf("SC_PAGESIZE"),
            descriptors=len(os.listdir("/proc/self/fd")),
            threads=threading.active_count(),
            tasks=tasks,
            ring_bytes=sum(file.stat().st_size for file in ring_files(self._folder / BLACK_BOX)),
            journal_bytes=sum(file.stat().st_size for file in self._folder.glob("linja.db*")),
            games=self._games,
            actions=self._actions,
            warnings=tuple(self._warnings),
            wrong=wrong,
        )
        print(msgspec.json.encode(taken).decode(), flush=True)


async def _started(service: Service) -> asyncio.Task[None]:
    return asyncio.create_task(service.run())


async def _ended(running: asyncio.Task[None], beside: AsyncExitStack) -> None:
    await running
    await beside.aclose()


async def _tasks() -> int:
    return len(asyncio.all_tasks())


if __name__ == "__main__":
    LongDay(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])).live()
