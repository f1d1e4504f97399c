"""Sensors that step aside for whoever measures, and come back."""

from __future__ import annotations

import threading

import pytest

from firmware.yielding import YieldingSensors
from hardware.errors import SensorLost
from hardware.interface import Reading, Snapshot
from hardware.layout import BoardSettings, Layout
from hardware.link_report import LinkReport
from simulator.board import SimulatedBoard

WHY = "somebody measures"


class Device:
    """Sensors that can be opened by one at a time."""

    in_use = False

    def __init__(self) -> None:
        assert not Device.in_use
        Device.in_use = True

    def read(self, timeout: float) -> Snapshot:
        assert Device.in_use
        return Snapshot((Reading.EMPTY,), (100,))

    def close(self) -> None:
        Device.in_use = False


@pytest.fixture
def sensors() -> YieldingSensors:
    Device.in_use = False
    return YieldingSensors(Device, WHY)


def reading(sensors: YieldingSensors, stopping: threading.Event, lost: threading.Event) -> threading.Thread:
    """The thread that reads, as a service has one."""

    def read() -> None:
        while not stopping.is_set():
            try:
                sensors.read(0.01)
            except SensorLost:
                lost.set()
        sensors.close()

    thread = threading.Thread(target=read)
    thread.start()
    return thread


def test_the_device_is_free_for_whoever_they_step_aside_for(sensors: YieldingSensors) -> None:
    stopping, lost = threading.Event(), threading.Event()
    thread = reading(sensors, stopping, lost)
    with sensors.aside():
        assert not Device.in_use
        Device().close()
        lost.wait()
    stopping.set()
    thread.join()
    assert not Device.in_use


def test_they_come_back_made_anew() -> None:
    Device.in_use = False
    made: list[Device] = []

    def make() -> Device:
        made.append(Device())
        return made[-1]

    sensors = YieldingSensors(make, WHY)
    stopping, lost = threading.Event(), threading.Event()
    thread = reading(sensors, stopping, lost)
    with sensors.aside():
        assert len(made) == 1
    while len(made) < 2:
        pass
    stopping.set()
    thread.join()
    assert len(made) == 2


def test_closed_ones_stay_closed_and_keep_nobody_waiting(sensors: YieldingSensors) -> None:
    sensors.close()
    sensors.close()
    with sensors.aside():
        pass
    with pytest.raises(SensorLost, match=WHY):
        sensors.read(0)
    assert not Device.in_use


def test_how_the_link_does_is_told_while_there_is_one() -> None:
    board = SimulatedBoard(Layout.of(BoardSettings()))
    sensors = YieldingSensors(lambda: board.sensors, WHY)
    sensors.read(1.0)
    report = sensors.report()
    assert isinstance(report, LinkReport)
    assert (report.frames, report.connections, report.lost) == (1, 1, 0)
    sensors.close()
    assert sensors.report() is None


def test_sensors_without_a_link_tell_nothing_of_it(sensors: YieldingSensors) -> None:
    assert sensors.report() is None
    sensors.close()
