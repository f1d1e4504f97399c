"""The scanner: reads the sensors, tells the Pi when something moved, and that it is alive when nothing did."""

import os
import struct
from array import array
from time import ticks_add, ticks_diff, ticks_ms

import board
import machine
import uctypes
from faults import Faults
from link import PROTOCOL, Link
from machine import WDT, Pin
from scan import Multiplexers, differ

LOOK_MS = 100  # between two looks for faults
FAULTS_MS = 1000  # between two reports of them, changed or not
NOTE = "restart.txt"  # a file from before a restart that the Pi asked for: what to do next, "scan" or "wait"


class Scanner:
    """Everything the scanner knows; `run` never returns."""

    def __init__(self, after_watchdog):
        Pin(board.SUPPLY_MODE_PIN, Pin.OUT, value=1)
        self._link = Link()
        self._multiplexers = Multiplexers()
        self._levels = array("H", bytes(2 * board.CHANNELS))
        self._sent = array("H", bytes(2 * board.CHANNELS))
        # The memory of the levels as bytes, to copy them into a frame in one go.
        self._level_bytes = uctypes.bytearray_at(uctypes.addressof(self._levels), 2 * board.CHANNELS)
        self._sequence = 0
        self._uptime_ms = 0
        self._now = self._scan_due = self._sent_at = self._looked_at = self._reported_at = ticks_ms()
        self._raw = False
        self._set_rate(board.MOST_PER_S, board.LEAST_PER_S)
        lets_go = self._multiplexers.lets_go()
        self._multiplexers.read(self._levels)
        self._faults = Faults(self._levels, lets_go, after_watchdog)

    def run(self):
        watchdog = WDT(timeout=board.WATCHDOG_MS)
        self._say_hello()
        self._send_levels()
        while True:
            watchdog.feed()
            self._listen()
            self._tick()
            if ticks_diff(self._now, self._scan_due) >= 0:
                self._scan()
                self._look_for_faults()

    def _tick(self):
        now = ticks_ms()
        self._uptime_ms = (self._uptime_ms + ticks_diff(now, self._now)) & 0xFFFFFFFF
        self._now = now

    def _scan(self):
        self._multiplexers.read(self._levels)
        # On time again at once after a delay, instead of catching up with a burst.
        late = ticks_diff(self._now, self._scan_due) > self._shortest_ms
        self._scan_due = ticks_add(self._now if late else self._scan_due, self._shortest_ms)
        # Sent a scan early rather than a scan late.
        silent = ticks_diff(self._now, self._sent_at) > self._longest_ms - self._shortest_ms
        if self._raw or silent or differ(self._levels, self._sent, board.DEADBAND):
            self._send_levels()

    def _send_levels(self):
        fields = self._link.fields
        struct.pack_into("<HI", fields, 0, self._sequence, self._uptime_ms)
        fields[6 : 6 + len(self._level_bytes)] = self._level_bytes
        self._link.send(ord("L"), 6 + len(self._level_bytes))
        self._sequence = (self._sequence + 1) & 0xFFFF
        self._sent[:] = self._levels
        self._sent_at = self._now

    def _look_for_faults(self):
        if ticks_diff(self._now, self._looked_at) < LOOK_MS:
            return
        self._looked_at = self._now
        changed = self._faults.look(self._levels, self._uptime_ms)
        if changed or ticks_diff(self._now, self._reported_at) >= FAULTS_MS:
            pairs = self._faults.pairs
            self._link.fields[: len(pairs)] = pairs
            self._link.send(ord("F"), len(pairs))
            self._reported_at = self._now

    def _listen(self):
        """Wait for the next scan, and answer what comes in the meantime."""
        wait_ms = max(0, ticks_diff(self._scan_due, ticks_ms()))
        message = self._link.receive(wait_ms)
        if message:
            self._answer(*message)

    def _answer(self, protocol, kind, fields):
        if protocol != PROTOCOL or kind == ord("h"):
            self._say_hello()
        elif kind == ord("p") and len(fields) == 4:
            self._link.fields[:4] = fields
            self._link.send(ord("P"), 4)
        elif kind == ord("r") and len(fields) == 2:
            self._set_rate(fields[0], fields[1])
        elif kind == ord("w") and len(fields) == 1:
            self._raw = bool(fields[0])
        elif kind == ord("x") and len(fields) == 1:
            restart(bool(fields[0]))

    def _say_hello(self):
        fields = self._link.fields
        struct.pack_into("<3B8sB", fields, 0, *board.FIRMWARE, machine.unique_id(), board.CHANNELS)
        self._link.send(ord("H"), 12)

    def _set_rate(self, most, least):
        most = min(max(most, 1), board.MOST_PER_S)
        least = min(max(least, 1), most)
        self._shortest_ms = (1000 + most - 1) // most
        self._longest_ms = 1000 // least


def restart(to_repl):
    with open(NOTE, "w") as note:
        note.write("wait" if to_repl else "scan")
    machine.reset()


def start():
    """Scan, unless this start is for whoever wants to flash the Pico: told so by the Pi, or by the pin."""
    note = ""
    if NOTE in os.listdir():
        with open(NOTE) as file:
            note = file.read()
        os.remove(NOTE)
    if note == "wait" or not Pin(board.FLASH_PIN, Pin.IN, Pin.PULL_UP).value():
        return
    # The Pico takes a restart that was asked for, too, for one by the watchdog; the note tells them apart.
    Scanner(after_watchdog=not note and machine.reset_cause() == machine.WDT_RESET).run()


start()
