"""The drivers of a real board, as its settings ask for them."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.config import Settings
from firmware.yielding import YieldingSensors
from hardware.calibration import Calibration, Classifier
from hardware.calibration_file import load_or_default
from hardware.errors import GpioUnavailable
from hardware.interface import Lights, Panel, Sensors

if TYPE_CHECKING:
    from gpiozero import Factory

logger = logging.getLogger(__name__)

BEING_CALIBRATED = "the board is being calibrated"


class Eyes:
    """Makes the sensors of these settings, by the calibration as it is on disk then."""

    def __init__(self, settings: Settings, folder: Path, pins: Factory | None) -> None:
        self._settings = settings
        self._folder = folder
        self._pins = pins
        self.calibration: Calibration | None = None
        """By which the levels of the sensors are read; None where they have no levels."""

    def open(self) -> Sensors:
        self.calibration = _calibration(self._settings, self._folder)
        return _sensors(self._settings, self.calibration, self._pins)


@dataclass(frozen=True, slots=True)
class Drivers:
    sensors: YieldingSensors
    lights: Lights
    panel: Panel
    eyes: Eyes


def raspberry_pins() -> Factory:
    """The pins of the Raspberry Pi that this runs on."""
    # Where lgpio puts a named pipe; else that would be wherever the service was started, writable or not.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ModuleNotFoundError as error:
        raise GpioUnavailable(
            f"the pins cannot be used, {error.name} is missing: on a Raspberry Pi pip install '.[pi]' brings it, and on"
            " any other computer linja simulate needs no pins"
        ) from error
    except Exception as error:  # lgpio has errors of its own, and so has gpiozero
        raise GpioUnavailable(f"the pins cannot be used here ({error}): they need a Raspberry Pi") from error


@contextmanager
def open_drivers(
    settings: Settings, folder: Path, make_pins: Callable[[], Factory] = raspberry_pins
) -> Iterator[Drivers]:
    """All drivers, or none and a `HardwareError`; closed at the end. `folder` is where the settings came from."""
    with ExitStack() as opened:
        pins = None
        if "gpio" in (settings.sensors.kind, settings.panel.kind):
            pins = make_pins()
            opened.callback(pins.close)
        panel = make_panel(settings, pins)
        opened.callback(panel.close)
        eyes = Eyes(settings, folder, pins)
        sensors = YieldingSensors(eyes.open, BEING_CALIBRATED)
        opened.callback(sensors.close)
        lights = make_lights(settings)
        opened.callback(lights.close)
        yield Drivers(sensors, lights, panel, eyes)


def _calibration(settings: Settings, folder: Path) -> Calibration | None:
    if settings.sensors.kind == "gpio":
        return None
    calibration, why = load_or_default(calibration_file(settings, folder), settings.layout)
    if why:
        logger.warning("%s; typical levels are used instead", why)
    return calibration


def _sensors(settings: Settings, calibration: Calibration | None, pins: Factory | None) -> Sensors:
    if calibration is None:
        from hardware.gpio_sensors import GpioSensors

        return GpioSensors(settings.layout, settings.gpio_sensors, pins)
    from hardware.serial_scanner import SerialScanner

    layout = calibration.wired(settings.layout)
    return SerialScanner(layout, Classifier(calibration), settings.sensors.port or None)


def calibration_file(settings: Settings, folder: Path) -> Path:
    """Where the calibration is kept. `folder` is where the settings came from."""
    return folder / Path(settings.sensors.calibration).expanduser()


def make_lights(settings: Settings) -> Lights:
    from hardware.light import Light
    from hardware.pixels import NeoPixelLights, SpiLights

    if settings.pixels.kind == "none":
        from hardware.absent import NoLights

        return NoLights()
    light = Light(settings.light, settings.layout)
    return (SpiLights if settings.pixels.kind == "spi" else NeoPixelLights)(light, settings.pixels)


def make_panel(settings: Settings, pins: Factory | None) -> Panel:
    if settings.panel.kind == "none":
        from hardware.absent import NoPanel

        return NoPanel()
    from hardware.panel import GpioPanel

    return GpioPanel(settings.panel, pins)
