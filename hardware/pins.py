"""The GPIO pins of a Raspberry Pi, and that each belongs to one part only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.errors import GpioError

if TYPE_CHECKING:
    from collections.abc import Mapping

GPIO_PINS = range(28)
"""The pins on the header, by the number after GPIO."""


def check_pins(pins: Mapping[str, int]) -> None:
    """Refuse pins, each under the name of what is connected to it, that do not exist or are used twice."""
    used: dict[int, str] = {}
    for name, pin in pins.items():
        if pin not in GPIO_PINS:
            raise GpioError(f"{name} is on GPIO {pin}, but the pins are GPIO {GPIO_PINS[0]} to {GPIO_PINS[-1]}")
        if pin in used:
            raise GpioError(f"GPIO {pin} is used twice: by {used[pin]} and by {name}")
        used[pin] = name
