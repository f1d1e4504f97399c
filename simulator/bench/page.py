"""What the service takes while pages watch light that moves, and how long it takes to stop with pages open.

Twice: on a board that has lost its sensors, so that all rows breathe and nothing but the service is at work; and as
`linja simulate` runs it, with the simulated board in the same process and a pawn that stands wrong; only its journal,
which has nothing to write then, is left out. The viewers are a process of their own.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from firmware.config import Settings
from firmware.service import Service
from firmware.view import Stage
from firmware.web.host import Hands
from firmware.web.onscreen import page
from hardware.absent import NoLights, NoPanel
from hardware.errors import SensorLost
from hardware.interface import Reading, Snapshot
from simulator.bench.figures import plain
from simulator.board import SimulatedBoard
from simulator.page_hands import SimulatedHands

VIEWERS = 4
MEASURED_S = 8.0
LOOK_S = 0.02


class LostSensors:
    """`Sensors` that cannot be read."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def read(self, timeout: float) -> Snapshot | None:
        self._closed.wait(timeout)
        raise SensorLost("there is no board")

    def close(self) -> None:
        self._closed.set()


@dataclass(frozen=True, slots=True)
class Watched:
    """What it was like with pages open."""

    frames_a_second: float
    """That the slowest of the viewers has seen."""
    processor_share: float
    stopped_s: float


def report() -> Iterator[str]:
    settings = Settings()
    yield from _lines("service alone", asyncio.run(_watch_lost_sensors(settings)))
    yield from _lines("linja simulate", asyncio.run(_watch_simulated_board(settings)))


def _lines(name: str, watched: Watched) -> Iterator[str]:
    yield plain(f"{name}: moving light, to each of {VIEWERS} viewers", f"{watched.frames_a_second:.1f} a second", "25")
    yield plain(f"{name}: processor meanwhile", f"{100 * watched.processor_share:.2f} % of a core", "5 %")
    yield plain(f"{name}: stopping with these pages open", f"{watched.stopped_s:.3f} s", "1 s")


async def _watch_lost_sensors(settings: Settings) -> Watched:
    return await _watched(settings, Service(settings, LostSensors(), NoLights(), NoPanel()))


async def _watch_simulated_board(settings: Settings) -> Watched:
    board = SimulatedBoard(settings.layout)
    board.table.set_up()
    service = Service(settings, board.sensors, board.lights, board.panel)

    async def move_a_pawn_backwards() -> None:
        while service.view.stage is not Stage.PLAYING:
            await asyncio.sleep(LOOK_S)
        board.table.lift(Reading.RED, 6)
        board.table.place(4)
        while service.view.misplaced is None:
            await asyncio.sleep(LOOK_S)

    return await _watched(settings, service, SimulatedHands(board), move_a_pawn_backwards)


async def _watched(
    settings: Settings,
    service: Service,
    hands: Hands | None = None,
    set_off: Callable[[], Awaitable[None]] | None = None,
) -> Watched:
    addresses: list[str] = []
    async with page(service, settings.web, addresses.append, hands, any_port=True):
        running = asyncio.create_task(service.run())
        if set_off is not None:
            await set_off()
        viewers = await _viewers(addresses[0])
        began, spent = time.monotonic(), time.process_time()
        await asyncio.sleep(MEASURED_S)
        processor_share = (time.process_time() - spent) / (time.monotonic() - began)
        stopping = time.monotonic()
        service.stop()
        await running
    stopped_s = time.monotonic() - stopping
    seen, _ = await asyncio.to_thread(viewers.communicate)
    return Watched(float(seen), processor_share, stopped_s)


async def _viewers(address: str) -> subprocess.Popen[str]:
    """Pages in another process, all of which see light."""
    command = [sys.executable, "-m", "simulator.bench.viewers", address, str(VIEWERS)]
    viewers = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert viewers.stdout is not None
    await asyncio.to_thread(viewers.stdout.readline)
    return viewers
