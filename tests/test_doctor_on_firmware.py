"""The doctor and the real scanner program on MicroPython: faults in the model of its pins are found by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.calibrate.guide import Guide
from firmware.config import SensorSettings, Settings
from firmware.doctor.finding import Finding, Grade, Part
from firmware.doctor.lights import Card
from firmware.doctor.visit import Visit
from firmware.real_board import RealBoard
from hardware.interface import Button, Panel
from hardware.layout import Layout
from hardware.panel import PanelSettings
from hardware.pixels import PixelSettings
from tests.rigs.pico import Pico

SLOTS = range(8)
MAGNET_LEVELS = 13000


class Walker:
    """Leads a magnet over the sensors of the model; `wires` and `strengths` say which differ from the plan."""

    def __init__(self, pico: Pico, wires: dict[int, int], strengths: dict[int, float]) -> None:
        self._pico = pico
        self._wires = wires
        self._strengths = strengths
        self._at: int | None = None

    def follow(self, guide: Guide, layout: Layout) -> bool:
        if guide.target is not None and guide.target != self._at:
            slot = self._at = guide.target
            by = round(MAGNET_LEVELS * self._strengths.get(slot, 1.0))
            self._pico.set_world(f"magnet {self._wires.get(slot, slot)} {by}")
        return True

    def see(self, card: Card) -> str:
        raise AssertionError("there are no lights")

    def press(self, button: Button, panel: Panel) -> Button | None:
        raise AssertionError("there is no panel")

    def hears(self, panel: Panel) -> bool:
        raise AssertionError("there is no panel")


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[Pico]:
    pico = Pico(tmp_path)
    yield pico
    pico.unplug()


def found(pico: Pico, tmp_path: Path, walker: Walker | None = None) -> list[tuple[str, str | None]]:
    settings = Settings(
        sensors=SensorSettings(port=str(pico.port)), pixels=PixelSettings(kind="none"), panel=PanelSettings(kind="none")
    )
    visit = Visit(RealBoard(settings, tmp_path, walker), SLOTS if walker else None, watch_s=1.5)
    findings: list[Finding] = [each for each in visit.findings() if each.part in (Part.LINK, Part.SENSORS)]
    return [(each.name, each.slot) for each in findings if each.grade is Grade.FAULT]


def test_a_sound_scanner_gives_no_fault(pico: Pico, tmp_path: Path) -> None:
    pico.plug_in()
    assert found(pico, tmp_path) == []


def test_sensors_that_ail_are_named(pico: Pico, tmp_path: Path) -> None:
    pico.set_world("broken 5", "magnet 20 32000", "frozen 33 32000", "noisy 50")
    pico.plug_in()
    assert found(pico, tmp_path) == [("dead", "0.5"), ("saturated", "1.2"), ("stuck", "3.3"), ("noisy", "6.2")]


def test_a_multiplexer_that_does_not_speak_is_named(pico: Pico, tmp_path: Path) -> None:
    pico.set_world("silent 3")
    pico.plug_in()
    assert found(pico, tmp_path) == [("multiplexer", None), ("multiplexer 3 dead", None)]


def test_a_converter_that_is_stuck_is_named(pico: Pico, tmp_path: Path) -> None:
    pico.set_world("stuck 30000")
    pico.plug_in()
    assert ("adc stuck", None) in found(pico, tmp_path)


def test_wrong_wires_sides_and_depths_are_named(pico: Pico, tmp_path: Path) -> None:
    pico.plug_in()
    walker = Walker(pico, wires={1: 2, 2: 1}, strengths={4: -1.0, 6: 0.5})
    assert found(pico, tmp_path, walker) == [("swapped", "0.1"), ("wrong polarity", "0.4"), ("weak", "0.6")]
