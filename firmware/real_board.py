"""The real board as the doctor and the calibration meet it: each part opened when it is needed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.doctor.probe import look_at_machine, look_at_storage
from firmware.drivers import calibration_file, make_lights, make_panel, raspberry_pins
from firmware.places import journal_file
from hardware.calibration_file import load
from hardware.errors import CalibrationError

if TYPE_CHECKING:
    from gpiozero import Factory
    from serial import Serial

    from firmware.attended import Person
    from firmware.config import Settings
    from firmware.doctor.machine import Machine
    from firmware.doctor.storage import Storage
    from hardware.calibration import Calibration
    from hardware.interface import Lights, Panel, Sensors


class SerialLine:
    """The line of a scanner on a port."""

    def __init__(self, port: Serial, name: str) -> None:
        self._port = port
        self.name = name

    def read(self, timeout_s: float) -> bytes:
        data: bytes = self._port.read(self._port.in_waiting or 1)
        return data

    def write(self, data: bytes) -> None:
        self._port.write(data)


class RealBoard:
    """The board of these settings; `folder` is where they came from."""

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        person: Person | None = None,
        make_pins: Callable[[], Factory] = raspberry_pins,
    ) -> None:
        self.settings = settings
        self._make_pins = make_pins
        self.person = person
        self.calibration_file = calibration_file(settings, folder)
        self.calibration = self._calibration()

    def machine(self) -> Machine:
        return look_at_machine()

    def storage(self, board: str | None) -> Storage:
        return look_at_storage(self.calibration_file, self.settings.layout, board, journal_file())

    def clock(self) -> float:
        return time.monotonic()

    @contextmanager
    def line(self) -> Iterator[SerialLine]:
        from serial.tools.list_ports import comports

        from hardware.serial_scanner import PORT_ERRORS, find_scanner, open_port

        try:
            name = self.settings.sensors.port or find_scanner(comports())
            with open_port(name) as port:
                yield SerialLine(port, name)
        except PORT_ERRORS as error:
            if isinstance(error, OSError):
                raise
            raise OSError(str(error)) from error  # of the terminal, which is none

    @contextmanager
    def lights(self) -> Iterator[Lights]:
        lights = make_lights(self.settings)
        try:
            yield lights
        finally:
            lights.close()

    @contextmanager
    def panel(self) -> Iterator[Panel]:
        pins = self._make_pins()
        try:
            panel = make_panel(self.settings, pins)
            try:
                yield panel
            finally:
                panel.close()
        finally:
            pins.close()

    @contextmanager
    def switches(self) -> Iterator[Sensors]:
        from hardware.gpio_sensors import GpioSensors

        pins = self._make_pins()
        try:
            sensors = GpioSensors(self.settings.layout, self.settings.gpio_sensors, pins)
            try:
                yield sensors
            finally:
                sensors.close()
        finally:
            pins.close()

    def _calibration(self) -> Calibration | None:
        try:
            return load(self.calibration_file, self.settings.layout)
        except CalibrationError:
            return None
