"""The end of a service: every thread joined and every driver closed, whatever goes wrong."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.driver_threads import DriverFailed
from firmware.events import GameStarted
from firmware.service import Service
from hardware.absent import NoLights, NoPanel
from hardware.errors import LightsUnavailable, SensorLost
from hardware.interface import Frame, KeyEvent, Lights, Panel, Tune
from simulator.board import SimulatedLights, SimulatedPanel
from tests.witnessed import LAYOUT, SET_UP, SETTINGS, Board, FedSensors, service_on, serving, wired


@pytest.fixture(params=["simulated", "serial"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Board]:
    with wired(request.param, tmp_path) as board:
        yield board


def threads_of_drivers() -> set[str]:
    return {thread.name for thread in threading.enumerate()} & {"sensors", "lights", "panel"}


def test_stopping_joins_the_threads_darkens_the_lights_and_leaves_no_task(board: Board) -> None:
    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            await witness.until(lambda: any(any(frame.pixels) for frame in board.lights.frames))
            assert threads_of_drivers() == {"sensors", "lights", "panel"}
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())
    assert threads_of_drivers() == set()
    assert board.lights.frame == Frame.dark(LAYOUT.pixel_count)
    with pytest.raises(SensorLost):
        board.sensors.read(1)


class Jealous:
    """A driver that notes when it is closed while it is being used."""

    def __init__(self) -> None:
        self.using = threading.Event()
        self.closed = False
        self.disturbed = False

    def _use(self, timeout: float = 0.05) -> None:
        self.using.set()
        threading.Event().wait(timeout)
        self.disturbed = self.disturbed or self.closed

    def read(self, timeout: float) -> None:
        self._use(timeout)

    def show(self, frame: Frame) -> None:
        self._use()

    def play(self, tune: Tune) -> None:
        pass

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("cancelled", [False, True])
def test_no_driver_is_closed_while_its_thread_uses_it(cancelled: bool) -> None:
    sensors, lights, panel = Jealous(), Jealous(), Jealous()

    async def play() -> None:
        service = Service(SETTINGS, sensors, lights, panel)
        running = asyncio.create_task(service.run())
        await asyncio.to_thread(sensors.using.wait)
        await asyncio.to_thread(panel.using.wait)
        (running.cancel if cancelled else service.stop)()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(play())
    assert [driver.closed for driver in (sensors, lights, panel)] == [True, True, True]
    assert [driver.disturbed for driver in (sensors, lights, panel)] == [False, False, False]


class BrokenLights(SimulatedLights):
    def show(self, frame: Frame) -> None:
        raise LightsUnavailable("the pixels do not answer")

    def close(self) -> None:
        pass


class BrokenPanel(SimulatedPanel):
    def read(self, timeout: float) -> KeyEvent | None:
        raise KeyError


@pytest.mark.parametrize(
    ("lights", "panel", "message"),
    [
        (BrokenLights(LAYOUT), NoPanel(), "the lights failed: the pixels do not answer"),
        (NoLights(), BrokenPanel(), "the panel failed: KeyError"),
    ],
)
def test_a_driver_that_cannot_go_on_ends_the_service_with_its_name_and_closes_the_others(
    lights: Lights, panel: Panel, message: str
) -> None:
    sensors = FedSensors()
    sensors.feed(SET_UP)
    with pytest.raises(DriverFailed) as failure:
        asyncio.run(Service(SETTINGS, sensors, lights, panel).run())
    assert str(failure.value) == message
    assert sensors.closed
    assert threads_of_drivers() == set()


def test_sensors_that_fail_in_a_way_no_driver_should_end_the_service() -> None:
    sensors = FedSensors()
    sensors.feed(ZeroDivisionError("a bug"))
    with pytest.raises(DriverFailed, match="the sensors failed: a bug"):
        asyncio.run(Service(SETTINGS, sensors, NoLights(), NoPanel()).run())
    assert sensors.closed
