"""A real board's drivers on a desk: Adafruit's and gpiozero's libraries at work, with nothing connected to them."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from firmware.config import Settings
from hardware.light import Light
from hardware.panel import GpioPanel
from hardware.pixels import ChainLights, spi_strip


class DeskLights(ChainLights):
    """Pixels that are not there, on a strip that works out every byte for them."""

    _remedy = "there is nothing to fail"

    def _release(self) -> None:
        pass


class _Bus:
    """An SPI bus whose bytes go nowhere."""

    def try_lock(self) -> bool:
        return True

    def configure(self, **_: int) -> None:
        pass

    def write(self, data: bytes) -> None:
        pass

    def unlock(self) -> None:
        pass


def pin_lights(settings: Settings) -> DeskLights:
    """Lights as `neopixel` drives them; `ImportError` where it is not installed."""
    board, neopixel = _library("board"), _library("neopixel")

    class Strip(neopixel.NeoPixel):  # type: ignore[misc,name-defined]  # the library has no types
        def _transmit(self, buffer: bytearray) -> None:
            pass

    strip = Strip(board.NEOPIXEL, settings.board.chain_pixels, auto_write=False, pixel_order=settings.pixels.order)
    return DeskLights(Light(settings.light, settings.layout), strip)


def spi_lights(settings: Settings) -> DeskLights:
    """Lights as `neopixel_spi` drives them; `ImportError` where it is not installed."""
    strip = spi_strip(_Bus(), settings.board.chain_pixels, settings.pixels.order)
    return DeskLights(Light(settings.light, settings.layout), strip)


def panel(settings: Settings) -> GpioPanel:
    """Keys and buzzer on pins that gpiozero makes up."""
    mock = import_module("gpiozero.pins.mock")
    return GpioPanel(settings.panel, mock.MockFactory(pin_class=mock.MockPWMPin))


def _library(name: str) -> Any:
    os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")  # a board that is any machine
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    return import_module(name)
