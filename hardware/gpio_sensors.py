"""Digital sensors behind multiplexers, straight on GPIO pins with gpiozero: a board without a microcontroller.

All multiplexers share their select lines and each has an input of its own, low while a magnet is over the selected
sensor. Such a sensor knows no polarity, so a slot is occupied or empty. A scan steps through the addresses in Gray
code, which switches one select line at a time; what it finds changed is believed when a second scan agrees.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from hardware.errors import GpioError, SensorLost
from hardware.interface import Reading, Snapshot
from hardware.pins import check_pins

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpiozero import Factory

    from hardware.layout import Layout

RETRY_S = 0.5
"""How long a lost board is left alone before it is tried again."""


class GpioSensorSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the multiplexers are connected, by GPIO numbers: section `[gpio_sensors]` of the settings."""

    select: tuple[int, ...] = (17, 27, 22, 23)
    """The select lines, the lowest bit of the address first."""
    inputs: tuple[int, ...] = (24, 25, 4, 20, 21)
    """The output of each multiplexer, that of channel 0 first."""
    settle_us: int = 50
    """How long an output needs after its address has changed."""
    poll_ms: int = 20
    """How long to rest between scans."""

    def __post_init__(self) -> None:
        check_pins(self.pins)
        for key in ("settle_us", "poll_ms"):
            if getattr(self, key) < 1:
                raise GpioError(f"{key} is {getattr(self, key)}: it must be at least 1")

    @property
    def pins(self) -> dict[str, int]:
        lines = {f"select line {bit}": pin for bit, pin in enumerate(self.select)}
        return lines | {f"multiplexer {number}": pin for number, pin in enumerate(self.inputs)}


class GpioSensors:
    """The sensors of a real board; the pins are claimed by the first read."""

    def __init__(
        self,
        layout: Layout,
        settings: GpioSensorSettings,
        pin_factory: Factory,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._circuit = _Circuit(layout, settings, pin_factory, sleep)
        self._poll_s = settings.poll_ms / 1000
        self._clock = clock
        self._sleep = sleep
        self._last: Snapshot | None = None
        self._lost: Exception | None = None
        self._closed = False

    def read(self, timeout: float) -> Snapshot | None:
        """A snapshot when the board has changed since the last one; None when it has not by `timeout`. Blocks.

        Raises `SensorLost` at once when the board is lost, and then at the time-out for as long as it stays so.
        """
        if self._closed:
            raise SensorLost("the sensors are closed")
        deadline = self._clock() + timeout
        while True:
            was_lost = self._lost
            changed = self._look()
            remaining_s = max(0.0, deadline - self._clock())
            if self._lost and not (was_lost and remaining_s):
                raise SensorLost(f"the sensors on GPIO cannot be read: {self._lost}") from self._lost
            if changed or not remaining_s:
                return changed
            self._sleep(min(RETRY_S if self._lost else self._poll_s, remaining_s))

    def close(self) -> None:
        """Let go of the pins. Closing twice is harmless."""
        self._closed = True
        self._circuit.release()

    def _look(self) -> Snapshot | None:
        """The board as it stands, if it has changed; when it cannot be read, `_lost` says why."""
        try:
            snapshot = self._circuit.scan()
            believed = snapshot != self._last and snapshot == self._circuit.scan()
        except Exception as error:  # each pin factory has errors of its own
            self._circuit.release()
            self._last, self._lost = None, error
            return None
        self._lost = None
        if not believed:
            return None
        self._last = snapshot
        return snapshot


class _Circuit:
    """Select lines, multiplexers, and the sensors behind them."""

    def __init__(
        self, layout: Layout, settings: GpioSensorSettings, pin_factory: Factory, sleep: Callable[[float], None]
    ) -> None:
        check_reach(layout, settings)
        self._settings = settings
        self._pin_factory = pin_factory
        self._sleep = sleep
        self._route = _route(layout, len(settings.select))
        self._sure = (100,) * layout.slot_count
        self._claimed = ExitStack()
        self._lines: list[Any] = []
        self._inputs: list[Any] = []
        self._address = 0

    def scan(self) -> Snapshot:
        if not self._inputs:
            self._claim()
        readings = [Reading.EMPTY] * len(self._sure)
        for address, sensors in self._route:
            self._select(address)
            for slot, multiplexer in sensors:
                if self._inputs[multiplexer].is_active:
                    readings[slot] = Reading.OCCUPIED
        return Snapshot(tuple(readings), self._sure)

    def release(self) -> None:
        with suppress(Exception):  # pins that are lost cannot be given back either
            self._claimed.close()
        self._lines, self._inputs = [], []

    def _claim(self) -> None:
        from gpiozero import InputDevice, OutputDevice

        for pin in self._settings.inputs:
            device = InputDevice(pin, pull_up=True, pin_factory=self._pin_factory)
            self._inputs.append(self._claimed.enter_context(device))
        for pin in self._settings.select:
            device = OutputDevice(pin, initial_value=False, pin_factory=self._pin_factory)
            self._lines.append(self._claimed.enter_context(device))
        self._address = 0

    def _select(self, address: int) -> None:
        for bit, line in enumerate(self._lines):
            if (address ^ self._address) >> bit & 1:
                line.value = address >> bit & 1
        self._address = address
        self._sleep(self._settings.settle_us / 1_000_000)


def check_reach(layout: Layout, settings: GpioSensorSettings) -> None:
    """Refuse a wiring by which some slot of the board could never be read."""
    multiplexers = layout.channel_count // layout.multiplexer_channels
    if len(settings.inputs) != multiplexers:
        raise GpioError(f"inputs names {len(settings.inputs)} pins, but the board has {multiplexers} multiplexers")
    reach = 2 ** len(settings.select)
    if reach < layout.multiplexer_channels:
        raise GpioError(
            f"{len(settings.select)} select lines reach {reach} channels, but a multiplexer has "
            f"{layout.multiplexer_channels}"
        )


def _route(layout: Layout, lines: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """The addresses to visit, in Gray code, with the slot and the multiplexer of each sensor to be read there."""
    sensors: dict[int, list[tuple[int, int]]] = {}
    for slot, channel in enumerate(layout.channels):
        multiplexer, address = divmod(channel, layout.multiplexer_channels)
        sensors.setdefault(address, []).append((slot, multiplexer))
    gray_code = (step ^ step >> 1 for step in range(2**lines))
    return [(address, sensors[address]) for address in gray_code if address in sensors]
