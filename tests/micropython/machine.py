"""The Pico's `machine` module as a model: pins, multiplexers, Hall sensors, a converter and a watchdog.

What surrounds the pins is the world, a text file that the test writes and that is read anew at every scan:

    magnet CHANNEL LEVELS       a magnet over that sensor moves its level by so much
    broken CHANNEL              the wire from that sensor is broken
    frozen CHANNEL LEVEL        that sensor always gives exactly this
    noisy CHANNEL               that sensor trembles by thousands of levels
    silent MULTIPLEXER          that multiplexer gives no signal
    holds MULTIPLEXER           that multiplexer does not let go of the line
    stuck LEVEL                 the converter always gives this
    hang WORD                   the program hangs, once for each word
    flash                       the pin for flashing is tied to ground
"""

import os
from time import ticks_diff, ticks_ms

# The wiring of the real board, written down a second time so that a wrong pin in the firmware shows.
SELECT = (2, 3, 4, 5)
ENABLE = (6, 7, 8, 9, 10)
SENSE = 26
FLASH = 22
SENSORS = 72  # on the first channels; nothing is wired to the others
PULLED_LOW = 40

PWRON_RESET = 1
WDT_RESET = 3


class Restart(BaseException):
    """The chip restarts; what runs the firmware catches it."""


class World:
    """The pins, and what is connected to them."""

    def __init__(self):
        self.pins = {}
        self.reset_cause = PWRON_RESET
        self.watchdog_ms = self.fed_at = None
        self.hung = set()
        self.tremble = 1
        self.still = False
        self.read()

    def read(self):
        with open(os.getenv("SCANNER_WORLD")) as file:
            lines = [line.split() for line in file]
        self.lines = [tuple(line) for line in lines]
        self.levels = [32768 + 37 * channel % 400 for channel in range(SENSORS)] + [PULLED_LOW] * (80 - SENSORS)
        self.stuck = None
        self.frozen = set()
        self.noisy = set()
        for name, *values in self.lines:
            if name == "magnet":
                self.levels[int(values[0])] += int(values[1])
            elif name == "broken":
                self.levels[int(values[0])] = PULLED_LOW
            elif name == "frozen":
                self.frozen.add(int(values[0]))
                self.levels[int(values[0])] = int(values[1])
            elif name == "noisy":
                self.noisy.add(int(values[0]))
            elif name == "stuck":
                self.stuck = int(values[0])
            elif name == "hang" and values[0] not in self.hung:
                self.hung.add(values[0])
                self.hang()

    def hang(self):
        while ticks_diff(ticks_ms(), self.fed_at) <= self.watchdog_ms:
            pass
        self.reset_cause = WDT_RESET
        raise Restart

    def speaks(self, multiplexer):
        on = not self.pins.get(ENABLE[multiplexer], 1) or ("holds", str(multiplexer)) in self.lines
        return on and ("silent", str(multiplexer)) not in self.lines

    def line(self):
        """The level of the common line: of the sensor connected to it, of their mean, or what the resistor leaves."""
        at = sum(self.pins.get(pin, 0) << bit for bit, pin in enumerate(SELECT))
        channels = [16 * multiplexer + at for multiplexer in range(5) if self.speaks(multiplexer)]
        self.still = bool(self.frozen) and all(channel in self.frozen for channel in channels)
        connected = [self.levels[channel] + self.gust(channel) for channel in channels]
        return sum(connected) // len(connected) if connected else PULLED_LOW

    def gust(self, channel):
        return self.random() % 6001 - 3000 if channel in self.noisy else 0

    def random(self):
        self.tremble = (self.tremble * 1103515245 + 12345) & 0x3FFFFFFF
        return self.tremble >> 16


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self.number = number
        if mode == Pin.OUT:
            world.pins[number] = value

    def __call__(self, value):
        if self.number == ENABLE[0] and not value:
            world.read()
        world.pins[self.number] = value
        world.now = None

    def value(self):
        return 0 if self.number == FLASH and ("flash",) in world.lines else 1


class ADC:
    def __init__(self, pin):
        self._connected = pin.number == SENSE
        world.now = None

    def read_u16(self):
        if world.stuck is not None or not self._connected:
            return world.stuck or 0
        if world.now is None:
            world.now = world.line()
        tremble = 0 if world.still else world.random() % 65 - 32
        return min(max(0, world.now + tremble), 65535)


class WDT:
    def __init__(self, timeout):
        world.watchdog_ms = timeout
        self.feed()

    def feed(self):
        world.fed_at = ticks_ms()


def unique_id():
    return b"\xe6\x61\x4c\x31\x1b\x5a\x7e\x25"


def reset_cause():
    return world.reset_cause


def reset():
    world.reset_cause = WDT_RESET  # as on the Pico, whose every restart by software goes through its watchdog
    raise Restart


world = World()
