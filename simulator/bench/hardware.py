"""From bytes to snapshots, from frames to bytes, and the scanner's firmware on a real MicroPython.

What is computed is measured in time of the processor, so a busy machine does not change it much.
"""

from __future__ import annotations

import importlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.config import Settings
from firmware.illuminate import meanings
from firmware.paint import paint
from firmware.palette import Palette
from hardware import scanner_protocol as link
from hardware.calibration import Classifier
from hardware.interface import Frame, Reading
from hardware.layout import Layout
from hardware.light import Light
from hardware.scanner_conversation import Conversation
from hardware.serial_scanner import FULL_RATE, SerialScanner
from simulator.bench import desk
from simulator.bench.figures import line, plain, timed
from simulator.board import calibrated
from simulator.faults import Faults
from simulator.magnets import HallSensors
from simulator.situations import situations
from simulator.table import Table
from simulator.virtual_scanner import BOARD, FIRMWARE, Scanner

SCANS = 2000
FRAMES_A_SITUATION = 25
RANDOM_FRAMES = 300
FIRMWARE_S = 3.0
PERCENTS = (50, 99)
MICROPYTHON_TESTS = "tests.rigs.pico"


def report() -> Iterator[str]:
    settings = Settings()
    yield from _snapshots(settings.layout)
    yield from _frames(settings)
    yield from _firmware(settings.layout)


# Bytes to snapshots


def _snapshots(layout: Layout) -> Iterator[str]:
    talk = Conversation(layout, Classifier(calibrated(layout)), FULL_RATE)
    talk.begin(0.0)
    talk.receive(link.encode(link.Hello(FIRMWARE, BOARD, layout.channel_count)) + link.encode(link.Pong(1)), 0.0)
    times_s = [timed(talk.receive, data, 0.0) for data in _scans(layout)]
    yield line(f"bytes to a snapshot of {layout.slot_count} slots", times_s, PERCENTS, "0.3 ms")


def _scans(layout: Layout) -> Iterator[bytes]:
    """A board on which a pawn leaves or comes at every tenth scan."""
    table = Table(layout)
    table.set_up()
    scanner = Scanner(HallSensors(table), table, Faults(layout), 0.0)
    for number in range(SCANS):
        if number % 20 == 10:
            table.lift(Reading.RED, 0)
        elif number % 20 == 0 and number:
            table.place(0)
        # A second later, so that the levels are told although nothing moved.
        yield b"".join(link.encode(message) for message in scanner.scan(float(number)))


# Frames to bytes


def _frames(settings: Settings) -> Iterator[str]:
    played, colourful = _played_frames(settings), _colourful_frames(settings.layout)
    light = Light(settings.light, settings.layout)
    pixels = settings.layout.pixel_count
    for name, frames in (("frames of play", played), ("every pixel another colour", colourful)):
        times_s = [timed(light.render, frame) for frame in frames]
        yield line(f"{pixels} pixels to light, {name}", times_s, PERCENTS)
        for driver, open_lights in (("neopixel", desk.pin_lights), ("SPI", desk.spi_lights)):
            try:
                lights = open_lights(settings)
            except ImportError as error:
                yield plain(f"and on to the bytes of {driver}", f"not measured: {error}")
                continue
            times_s = [timed(lights.show, frame) for frame in frames]
            yield line(f"and on to the bytes of {driver}", times_s, PERCENTS, "1 ms")


def _played_frames(settings: Settings) -> list[Frame]:
    """A second of every situation, each frame once, in any order: one that did not change would cost nothing."""
    palette = Palette.of(settings.palette)
    moments = (
        (moment.view, moment.now + number / FRAMES_A_SITUATION)
        for moments in situations().values()
        for moment in moments
        for number in range(FRAMES_A_SITUATION)
    )
    return list({paint(meanings(view, now), settings.layout, palette, now) for view, now in moments})


def _colourful_frames(layout: Layout) -> list[Frame]:
    """Frames that take most work: no two pixels alike, and more current than the limit allows."""
    rng = random.Random(0)
    return [Frame(rng.randbytes(3 * layout.pixel_count)) for _ in range(RANDOM_FRAMES)]


# The scanner's firmware


def _firmware(layout: Layout) -> Iterator[str]:
    beside_python = str(Path(sys.executable).parent)
    command = shutil.which("micropython", path=beside_python) or shutil.which("micropython")
    try:
        pico = importlib.import_module(MICROPYTHON_TESTS)
    except ImportError:
        yield "The firmware is run by the tests: start this from a checkout to measure it."
        return
    if os.name != "posix" or command is None:
        yield "The firmware was not measured: there is no micropython command here."
        return
    with tempfile.TemporaryDirectory() as directory:
        yield plain("frames from the firmware", f"{_frame_rate(pico, layout, Path(directory)):.1f} a second")
        used, available = _heap(pico, command, Path(directory))
        yield plain("heap of the firmware, the model of its pins included", f"{used:,} of {available:,} bytes")


def _frame_rate(pico: Any, layout: Layout, directory: Path) -> float:
    scanner = pico.Pico(directory)
    scanner.plug_in()
    sensors = SerialScanner(layout, Classifier(calibrated(layout)), str(scanner.port))
    try:
        sensors.set_raw(True)
        while sensors.read(1.0) is None:
            pass
        start, frames = time.monotonic(), 0
        while time.monotonic() < start + FIRMWARE_S:
            frames += sensors.read(1.0) is not None
        return frames / (time.monotonic() - start)
    finally:
        sensors.close()
        scanner.unplug()


def _heap(pico: Any, command: str, directory: Path) -> tuple[int, int]:
    """Bytes in use, and bytes there are."""
    tests: Path = pico.ROOT / "tests" / "micropython"
    world = directory / "world.txt"
    world.write_text("")
    far_end, near_end = os.openpty()
    try:
        firmware = subprocess.run(
            [command, "-X", f"heapsize={pico.HEAP}", str(tests / "heap.py")],
            stdin=near_end,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=directory,
            env={
                **os.environ,
                "MICROPYPATH": f"{tests}:{pico.ROOT / 'firmware' / 'scanner'}:.frozen",
                "SCANNER_WORLD": str(world),
            },
            check=True,
            text=True,
        )
    finally:
        os.close(far_end)
        os.close(near_end)
    used, available = map(int, firmware.stderr.split())
    return used, available
