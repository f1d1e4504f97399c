"""A service to be measured, in a process of its own: a real board's drivers on a desk, its journal and black box,
which begin empty, its page, the process that thinks, and a witness.

`python -m simulator.bench.served SETTINGS`. For every frame that shows something new it prints when the frame was
handed to the driver and what had happened: `1234.567 PawnLifted`. Asked for `usage`, it prints the seconds of
processor time and the bytes of memory that it has taken. It stops when its standard input ends.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware import settings_file
from firmware.drivers import open_drivers
from firmware.events import Event
from firmware.keeping import Keeping, black_box
from firmware.service import Service
from firmware.thinking import thinking
from firmware.web.onscreen import page
from hardware.interface import Frame, Lights
from simulator.bench import desk


class Witness:
    """Tells when a frame that shows an event reaches the lights."""

    def __init__(self, service: Service) -> None:
        self._happened: list[str] = []
        self._painted: deque[tuple[Frame, list[str]]] = deque()
        service.on_event.append(self._hear)
        service.on_frame.append(self._see)

    def _hear(self, event: Event) -> None:
        self._happened.append(type(event).__name__)

    def _see(self, frame: Frame) -> None:
        self._painted.append((frame, self._happened))
        self._happened = []

    def shown(self, frame: Frame, at: float) -> None:
        """Frames that a newer one has replaced are shown with it."""
        names: list[str] = []
        while self._painted:
            painted, happened = self._painted.popleft()
            names += happened
            if painted is frame:
                break
        if names:
            print(f"{at:.6f} {' '.join(names)}", flush=True)


class WitnessedLights:
    """Lights that call out whenever they are handed a frame."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights
        self.handed: Callable[[Frame, float], object] = lambda frame, at: None

    def show(self, frame: Frame) -> None:
        self.handed(frame, time.monotonic())
        self._lights.show(frame)

    def close(self) -> None:
        self._lights.close()


def usage() -> str:
    memory = re.search(r"^VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert memory
    return f"usage {time.process_time():.6f} {1024 * int(memory[1])}"


def make_pins() -> Any:
    mock = import_module("gpiozero.pins.mock")
    return mock.MockFactory(pin_class=mock.MockPWMPin)


def complain(trouble: str) -> None:
    print(trouble, file=sys.stderr)


async def serve(path: Path) -> None:
    settings = settings_file.read(path)
    with (
        TemporaryDirectory() as kept,
        open_drivers(settings, path.parent, make_pins) as drivers,
        closing(Keeping(Path(kept, "linja.db"), complain)) as keeping,
    ):
        lights = WitnessedLights(desk.pin_lights(settings))
        service = Service(settings, drivers.sensors, lights, drivers.panel, interrupted=keeping.interrupted)
        keeping.begin(service)
        witness = Witness(service)
        loop = asyncio.get_running_loop()
        lights.handed = lambda frame, at: loop.call_soon_threadsafe(witness.shown, frame, at)

        def asked() -> None:
            if sys.stdin.readline():
                print(usage(), flush=True)
            else:
                loop.remove_reader(sys.stdin)
                service.stop()

        loop.add_reader(sys.stdin, asked)
        with closing(black_box(service, settings, lambda: drivers.eyes.calibration, Path(kept, "blackbox"), complain)):
            on_screen = page(service, settings.web, lambda address: None, any_port=True)
            async with on_screen, thinking(service, complain):
                await service.run()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
