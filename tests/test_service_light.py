"""The service and its lights: when a frame is painted, and what becomes of one that comes too late."""

from __future__ import annotations

import asyncio
import threading

import pytest

from firmware.driver_threads import LatestFrame
from firmware.events import Event, SensorsLost
from firmware.inputs import Input, give
from firmware.looks import BoardLight
from firmware.paint import paint
from firmware.palette import Palette
from firmware.service import FRAME_S, Service
from firmware.session import Session
from hardware.absent import NoLights, NoPanel
from hardware.errors import SensorLost
from hardware.interface import Frame
from hardware.layout import Layout
from simulator.board import SimulatedLights
from tests.witnessed import LAYOUT, SET_UP, SETTINGS, Clock, FedSensors, Witness, serving, started


async def shown_after(seconds: float, clock: Clock, witness: Witness) -> None:
    """Let time pass, and wait for a frame that shows it."""
    seen = len(witness.frames)
    clock.now += seconds
    await witness.until(lambda: len(witness.frames) > seen)


def test_light_that_moves_is_no_slower_where_the_loop_wakes_late() -> None:
    sensors, clock = FedSensors(), Clock()
    late_s = 0.001

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            sensors.feed(SensorLost("the cable was pulled"))
            await witness.heard(SensorsLost)
            await shown_after(1, clock, witness)  # in the middle of a breath no two frames are alike
            for _ in range(5):
                await shown_after(FRAME_S + late_s, clock, witness)
            await shown_after(FRAME_S - 4 * late_s, clock, witness)

    asyncio.run(play())


def test_nothing_is_painted_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    sensors, clock = FedSensors(), Clock()
    painted_at: list[float] = []

    def count(light: BoardLight, layout: Layout, palette: Palette, now: float) -> Frame:
        painted_at.append(now)
        return paint(light, layout, palette, now)

    monkeypatch.setattr("firmware.service.paint", count)

    async def play() -> None:
        given = asyncio.Event()

        def note(session: Session, what: Input, now: float) -> list[Event]:
            given.set()
            return give(session, what, now)

        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            await started(sensors, witness)
            await shown_after(0.5, clock, witness)
            await shown_after(10, clock, witness)  # what shone at the start is over
            painted_at.clear()
            monkeypatch.setattr("firmware.service.give", note)
            for _ in range(20):
                given.clear()
                sensors.feed(SET_UP)
                await given.wait()
            assert painted_at == []

    asyncio.run(play())


def test_what_moves_is_painted_again_and_again() -> None:
    sensors, clock = FedSensors(), Clock()

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            await started(sensors, witness)
            sensors.feed(SensorLost("gone"))
            await witness.heard(SensorsLost)
            for _ in range(5):
                await shown_after(0.2, clock, witness)

    asyncio.run(play())


def test_light_that_shows_what_has_happened_is_counted_and_light_that_only_moves_is_not() -> None:
    sensors, clock = FedSensors(), Clock()

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            sensors.feed(SensorLost("gone"))
            await witness.heard(SensorsLost)
            latency = witness.service.latency
            await witness.until(lambda: witness.frames)
            while not sum(latency.counts):
                await asyncio.sleep(0)
            before = latency.counts
            for _ in range(10):
                sensors.feed(SensorLost("gone"))  # which is no news
                await shown_after(0.2, clock, witness)
            assert latency.counts == before

    asyncio.run(play())


def test_a_newer_frame_takes_the_place_of_one_that_was_not_taken() -> None:
    latest = LatestFrame()
    frames = [Frame(bytes([red, 0, 0])) for red in range(3)]
    for frame in frames:
        latest.put(frame)
    assert latest.take(0) == (frames[-1], None)
    assert latest.take(0) is None


def test_whoever_waits_for_a_frame_that_was_replaced_waits_since_then() -> None:
    latest = LatestFrame()
    frames = [Frame(bytes([red, 0, 0])) for red in range(3)]
    for frame, since in zip(frames, (None, 1.0, 2.0), strict=True):
        latest.put(frame, since)
    assert latest.take(0) == (frames[-1], 1.0)
    latest.put(frames[0])
    assert latest.take(0) == (frames[0], None)


class SlowLights(SimulatedLights):
    """Lights whose bytes leave when a test says so."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        self.asked = threading.Event()
        self.go = threading.Event()

    def show(self, frame: Frame) -> None:
        self.asked.set()
        self.go.wait()
        super().show(frame)


def test_slow_lights_hold_up_nobody_and_show_the_newest_frame_next() -> None:
    sensors, clock, lights = FedSensors(), Clock(), SlowLights()
    painted: list[Frame] = []

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, lights, NoPanel(), clock)) as witness:
            sensors.feed(SensorLost("gone"))
            await asyncio.to_thread(lights.asked.wait)
            lights.asked.clear()
            try:
                for _ in range(5):
                    await shown_after(0.2, clock, witness)
            finally:
                lights.go.set()
            await asyncio.to_thread(lights.asked.wait)
            painted.extend(witness.frames)

    asyncio.run(play())
    before, first, next_one, after = lights.frames
    assert before == after == Frame.dark(LAYOUT.pixel_count)
    assert painted.index(first) < len(painted) - 4
    assert next_one == painted[-1]
