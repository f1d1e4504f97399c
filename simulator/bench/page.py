"""What the service takes while pages watch light that moves, and how long it takes to stop with pages open.

The board has lost its sensors, so all rows breathe. The viewers are a process of their own.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from firmware.config import Settings
from firmware.service import Service
from firmware.web.onscreen import page
from hardware.absent import NoLights, NoPanel
from hardware.errors import SensorLost
from hardware.interface import Snapshot
from simulator.bench.figures import plain

VIEWERS = 4
MEASURED_S = 8.0


class LostSensors:
    """`Sensors` that cannot be read."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def read(self, timeout: float) -> Snapshot | None:
        self._closed.wait(timeout)
        raise SensorLost("there is no board")

    def close(self) -> None:
        self._closed.set()


def report() -> Iterator[str]:
    frames_a_second, processor_share, stopped_s = asyncio.run(_watched())
    yield plain(f"light that moves, to the slowest of {VIEWERS} viewers", f"{frames_a_second:.1f} frames a second")
    yield plain("processor meanwhile, the whole service", f"{100 * processor_share:.2f} % of a core", "5 %")
    yield plain("stopping with these pages open", f"{stopped_s:.3f} s", "1 s")


async def _watched() -> tuple[float, float, float]:
    settings = Settings()
    service = Service(settings, LostSensors(), NoLights(), NoPanel())
    addresses: list[str] = []
    async with page(service, settings.web, addresses.append, any_port=True):
        running = asyncio.create_task(service.run())
        viewers = await _viewers(addresses[0])
        began, spent = time.monotonic(), time.process_time()
        await asyncio.sleep(MEASURED_S)
        processor_share = (time.process_time() - spent) / (time.monotonic() - began)
        stopping = time.monotonic()
        service.stop()
        await running
    stopped_s = time.monotonic() - stopping
    seen, _ = await asyncio.to_thread(viewers.communicate)
    return float(seen), processor_share, stopped_s


async def _viewers(address: str) -> subprocess.Popen[str]:
    """Pages in another process, all of which see light."""
    command = [sys.executable, "-m", "simulator.bench.viewers", address, str(VIEWERS)]
    viewers = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert viewers.stdout is not None
    await asyncio.to_thread(viewers.stdout.readline)
    return viewers
