"""A first taste: six sensors, one multiplexer and a Pico on a breadboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drawings.multiplexers import colour_of
from hardware.drawings.parts import Chip, ground, pico, resistor
from hardware.drawings.scanner import GROUND_COLOUR, PULL_DOWN, SELECT_COLOUR, SENSE_COLOUR, SUPPLY_COLOUR
from hardware.drawings.svg import QUIET, Sheet

if TYPE_CHECKING:
    from hardware.drawings.scanner import ScannerPins
    from hardware.layout import Layout

SENSORS = 6


def draw(layout: Layout, pins: ScannerPins) -> str:
    sheet = Sheet(400, 268, "A first taste: one row on a breadboard")
    sheet.words((14, 14), "A first taste", size=9, bold=True)
    sheet.words(
        (14, 25), "Six sensors on the first multiplexer; the Pico feeds them itself, for they are few.", colour=QUIET
    )
    used = {f"GP{pin}": SELECT_COLOUR for pin in pins.select}
    used |= {
        f"GP{pins.enable[0]}": colour_of(0),
        f"GP{pins.sense}": SENSE_COLOUR,
        "3V3": SUPPLY_COLOUR,
        "AGND": GROUND_COLOUR,
    }
    board = pico(sheet, (62, 48), used)
    chip = Chip(
        sheet,
        (222, 84),
        54,
        "CD74HC4067",
        left=("VCC", "SIG", "EN", *(f"S{bit}" for bit in range(len(pins.select))), "GND"),
        right=tuple(f"C{channel}" for channel in range(SENSORS)),
        used={"VCC": SUPPLY_COLOUR, "SIG": SENSE_COLOUR, "EN": colour_of(0), "GND": GROUND_COLOUR}
        | {f"S{bit}": SELECT_COLOUR for bit in range(len(pins.select))}
        | {f"C{channel}": SENSE_COLOUR for channel in range(SENSORS)},
        note="multiplexer 0",
    )
    _sense_and_supply(sheet, pins, board, chip)
    _lines_around(sheet, pins, board, chip)
    _sensors(sheet, layout, chip)
    return sheet.text()


def _sense_and_supply(sheet: Sheet, pins: ScannerPins, board: Chip, chip: Chip) -> None:
    start, end = board.pin("3V3"), chip.pin("VCC")
    sheet.line(start, (190, start[1]), (190, end[1]), end, colour=SUPPLY_COLOUR, width=0.9)
    sheet.words((start[0] + 3, start[1] - 3), "3.3 V, also to the sensors", size=4.2, colour=SUPPLY_COLOUR)
    start, end = board.pin(f"GP{pins.sense}"), chip.pin("SIG")
    sheet.line(start, (184, start[1]), (184, end[1]), end, colour=SENSE_COLOUR, width=0.9)
    tap = 150.0
    sheet.dot((tap, start[1]), SENSE_COLOUR)
    resistor(sheet, (tap, start[1]), (tap, start[1] + 24), PULL_DOWN)
    ground(sheet, (tap, start[1] + 24))
    low = chip.pin("GND")
    sheet.line(low, (low[0], low[1] + 4))
    ground(sheet, (low[0], low[1] + 4))


def _lines_around(sheet: Sheet, pins: ScannerPins, board: Chip, chip: Chip) -> None:
    """Select lines and enable line leave the Pico at its left and go round below it."""
    lines = [(f"S{bit}", pin, SELECT_COLOUR) for bit, pin in enumerate(pins.select)]
    lines.append(("EN", pins.enable[0], colour_of(0)))
    for place, (name, pin, colour) in enumerate(lines):
        start, end = board.pin(f"GP{pin}"), chip.pin(name)
        left, below, right = 50 - 5.0 * place, board.bottom + 8 + 5.0 * place, 190 + 5.0 * place
        way = (start, (left, start[1]), (left, below), (right, below), (right, end[1]), end)
        sheet.line(*way, colour=colour, width=0.7)
        sheet.words((start[0] - 1, start[1] - 2.4), name, size=3.6, anchor="end", bold=True)


def _sensors(sheet: Sheet, layout: Layout, chip: Chip) -> None:
    slots = {channel: slot for slot, channel in enumerate(layout.channels)}
    for channel in range(SENSORS):
        start = chip.pin(f"C{channel}")
        y = 62 + 32.0 * channel
        bend = 292 + 4.0 * (channel if y < start[1] else SENSORS - channel)
        sheet.line(start, (bend, start[1]), (bend, y), (326, y), colour=SENSE_COLOUR, width=0.7)
        sheet.box((326, y - 10), (56, 20), fill="#ffffff", width=0.8, round_=2)
        name = layout.name(slots[channel]) if channel in slots else "spare"
        sheet.words((332, y - 4), f"Hall sensor {name}", size=4.6, bold=True)
        sheet.words((332, y + 4), "VCC 3.3 V, GND", size=4.2, colour=QUIET)
