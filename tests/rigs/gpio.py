"""A small multiplexer circuit on gpiozero's mock pins, and the rig around it: no microcontroller, no polarity."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from gpiozero.pins.mock import MockFactory, MockPin

from hardware.gpio_sensors import GpioSensors, GpioSensorSettings
from hardware.interface import Reading
from hardware.layout import BoardSettings, Layout

if TYPE_CHECKING:
    from pathlib import Path


class Circuit:
    """Select lines into multiplexers, a sensor on every channel, magnets over some; and the time that passes there.

    An output takes `settle_us` after a change of the select lines, and shows the former address until then.
    """

    def __init__(self, settings: GpioSensorSettings, multiplexer_channels: int) -> None:
        self.pins = MockFactory()
        self.magnets: set[int] = set()
        self.plugged = True
        self.now = 0.0
        self.reads = 0
        self.inverted: range = range(0)
        """Which of the coming reads are disturbed, counted by `reads`."""
        self.cut_at: int | None = None
        """At which of them the plug is pulled."""
        self._settle_s = settings.settle_us / 1_000_000
        self._channels = multiplexer_channels
        self._address = 0
        self.lines = [self.pins.pin(pin, pin_class=SelectPin) for pin in settings.select]
        for number, pin in enumerate(settings.inputs):
            self.pins.pin(pin, pin_class=MultiplexerPin, circuit=self, number=number)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if seconds >= self._settle_s:
            self._address = sum(int(line.state) << bit for bit, line in enumerate(self.lines))

    def output(self, number: int) -> bool:
        """The level of a multiplexer's output: low while a magnet is over the selected sensor."""
        self.reads += 1
        self.plugged = self.plugged and self.reads != self.cut_at
        if not self.plugged:
            raise OSError("no such device")
        magnet = number * self._channels + self._address in self.magnets
        return magnet == (self.reads in self.inverted)


class SelectPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that a select line is connected to; it counts how often it is written."""

    writes = 0

    def _set_state(self, value: float) -> None:
        self.writes += 1
        super()._set_state(value)


class MultiplexerPin(MockPin):  # type: ignore[misc]
    """A pin that a multiplexer's output is connected to."""

    def __init__(self, factory: MockFactory, info: Any, *, circuit: Circuit, number: int) -> None:
        super().__init__(factory, info)
        self._circuit = circuit
        self._number = number

    def _get_state(self) -> bool:
        return self._circuit.output(self._number)


class GpioRig:
    """The default board with its sensors straight on GPIO. Time there passes only while the driver sleeps."""

    def __init__(self, _directory: Path) -> None:
        self._layout = Layout.of(BoardSettings())
        settings = GpioSensorSettings()
        self._circuit = Circuit(settings, self._layout.multiplexer_channels)
        self.sensors = GpioSensors(
            self._layout, settings, self._circuit.pins, clock=lambda: self._circuit.now, sleep=self._circuit.sleep
        )

    def reads(self, color: Reading) -> Reading:
        assert color in (Reading.RED, Reading.BLACK)
        return Reading.OCCUPIED

    def place(self, slot: int, color: Reading) -> None:
        assert color in (Reading.RED, Reading.BLACK)
        self._circuit.magnets.add(self._layout.channels[slot])

    def lift(self, slot: int) -> None:
        self._circuit.magnets.remove(self._layout.channels[slot])

    def unplug(self) -> None:
        self._circuit.plugged = False

    def replug(self) -> None:
        self._circuit.plugged = True

    def silence(self) -> None:
        """Pins never fall silent: nothing is heard of them while nothing changes, and nothing does."""

    def noise(self) -> None:
        """A disturbance that outlasts several reads, somewhere in the next scan or the one after it."""
        start = self._circuit.reads + random.randrange(2 * self._layout.slot_count)
        self._circuit.inverted = range(start, start + 20)

    def close(self) -> None:
        self.sensors.close()
