"""The scanner: how the Pico reads the multiplexers, and how a sensor is connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.drawings.multiplexers import colour_of
from hardware.drawings.parts import Chip, ground, pico, resistor
from hardware.drawings.svg import AMBER, INK, QUIET, RED, Sheet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.layout import Layout

PULL_DOWN = "100 kΩ"
SERIES_RESISTOR = "1 kΩ"
"""Spares the Pico what the sensors push into it while they have power and it has none."""
SENSE_COLOUR = RED
SENSE_BUS_X = 266.0
SELECT_COLOUR = INK
GROUND_COLOUR = "#555b62"
SUPPLY_COLOUR = AMBER


@dataclass(frozen=True, slots=True)
class ScannerPins:
    """The Pico's pins by GP number, as the scanner's `board` file has them."""

    select: tuple[int, ...]
    enable: tuple[int, ...]
    sense: int


def draw(layout: Layout, pins: ScannerPins) -> str:
    count = layout.channel_count // layout.multiplexer_channels
    height = max(306, 60 + 50 * count)
    sheet = Sheet(400, height, "The scanner: Pico and multiplexers")
    sheet.words((14, 14), "The scanner", size=9, bold=True)
    sheet.words(
        (14, 25), "One multiplexer speaks at a time: its enable line (EN) is low, all others are high.", colour=QUIET
    )
    board = pico(sheet, (62, 48), used_pins(pins))
    chips = [_multiplexer(sheet, layout, number, (278, 40 + 50.0 * number)) for number in range(count)]
    _select_bus(sheet, pins, board, chips)
    _enable_lines(sheet, pins, board, chips)
    _sense_line(sheet, pins, board, chips)
    _sensor(sheet, 40, board.bottom + 48)
    note = "Each EN also has 10 kΩ to the 3.3 V of the sensors: off until the Pico says so."
    sheet.words((388, height - 12), note, size=4.2, anchor="end", colour=QUIET)
    return sheet.text()


def used_pins(pins: ScannerPins) -> Mapping[str, str]:
    used = {f"GP{pin}": SELECT_COLOUR for pin in pins.select}
    used |= {f"GP{pin}": colour_of(number) for number, pin in enumerate(pins.enable)}
    return used | {f"GP{pins.sense}": SENSE_COLOUR, "AGND": GROUND_COLOUR}


def _multiplexer(sheet: Sheet, layout: Layout, number: int, corner: tuple[float, float]) -> Chip:
    names = [""] * layout.multiplexer_channels
    for slot, channel in enumerate(layout.channels):
        multiplexer, address = divmod(channel, layout.multiplexer_channels)
        if multiplexer == number:
            names[address] = layout.name(slot)
    colour = colour_of(number)
    chip = Chip(
        sheet,
        corner,
        110,
        f"multiplexer {number} · CD74HC4067",
        left=("EN", "S0-S3", "SIG", "VCC  GND"),
        used={"EN": colour, "S0-S3": SELECT_COLOUR, "SIG": SENSE_COLOUR, "VCC  GND": SUPPLY_COLOUR},
        head=9,
    )
    _inputs(sheet, names, (corner[0] + 31, corner[1] + 13), colour)
    return chip


def _inputs(sheet: Sheet, names: list[str], corner: tuple[float, float], colour: str) -> None:
    """The sixteen inputs as a little table: four columns of input and slot."""
    rows = (len(names) + 3) // 4
    for address, name in enumerate(names):
        column, row = divmod(address, rows)
        x, y = corner[0] + column * 20, corner[1] + row * 6.2
        sheet.words((x, y), f"C{address}", size=3.4, colour=QUIET)
        sheet.words((x + 7.6, y), name or "-", size=4.2, bold=bool(name), colour=colour if name else QUIET)


def _select_bus(sheet: Sheet, pins: ScannerPins, board: Chip, chips: list[Chip]) -> None:
    names = ", ".join(f"GP{pin}" for pin in pins.select)
    sheet.words(
        (218, min(chip.pin("S0-S3")[1] for chip in chips) - 5), f"S0-S3: {names}", size=3.8, anchor="end", bold=True
    )
    lowest = max(chip.pin("S0-S3")[1] for chip in chips)
    for bit, pin in enumerate(pins.select):
        start = board.pin(f"GP{pin}")
        x = 48 - 4 * bit  # left of the names of the lines
        bottom = board.bottom + 6 + 3.5 * bit
        bus = 196 + 4 * bit
        sheet.line(start, (x, start[1]), (x, bottom), (bus, bottom), colour=SELECT_COLOUR, width=0.5)
        sheet.words((start[0] - 1, start[1] - 2.4), f"S{bit}", size=3.6, anchor="end", bold=True)
        top = min(chip.pin("S0-S3")[1] for chip in chips)
        sheet.line((bus, min(top, bottom)), (bus, max(lowest, bottom)), colour=SELECT_COLOUR, width=0.5)
    for chip in chips:
        end = chip.pin("S0-S3")
        sheet.line((196 + 4 * (len(pins.select) - 1), end[1]), end, colour=SELECT_COLOUR, width=1.6)
        for bit in range(len(pins.select)):
            sheet.dot((196 + 4 * bit, end[1]))
        sheet.line((196, end[1]), (208, end[1]), colour=SELECT_COLOUR, width=1.6)


def _enable_lines(sheet: Sheet, pins: ScannerPins, board: Chip, chips: list[Chip]) -> None:
    for number, (pin, chip) in enumerate(zip(pins.enable, chips, strict=False)):
        start, end = board.pin(f"GP{pin}"), chip.pin("EN")
        x, bottom = 33 - 4 * number, board.bottom + 22 + 3.5 * number
        bus = 222 + 5 * number
        sheet.line(start, (x, start[1]), (x, bottom), (bus, bottom), (bus, end[1]), end, colour=colour_of(number))
        sheet.words(
            (SENSE_BUS_X - 2, end[1] - 2.8), f"GP{pin}", size=3.8, anchor="end", bold=True, colour=colour_of(number)
        )


def _sense_line(sheet: Sheet, pins: ScannerPins, board: Chip, chips: list[Chip]) -> None:
    start = board.pin(f"GP{pins.sense}")
    ends = [chip.pin("SIG") for chip in chips]
    tap = start[0] + 44
    resistor(sheet, start, (tap, start[1]), SERIES_RESISTOR, SENSE_COLOUR)
    sheet.line((tap, start[1]), (SENSE_BUS_X, start[1]), colour=SENSE_COLOUR, width=0.9)
    sheet.line((SENSE_BUS_X, min(start[1], ends[0][1])), (SENSE_BUS_X, ends[-1][1]), colour=SENSE_COLOUR, width=0.9)
    sheet.dot((SENSE_BUS_X, start[1]), SENSE_COLOUR)
    for end in ends:
        sheet.line((SENSE_BUS_X, end[1]), end, colour=SENSE_COLOUR, width=0.9)
        sheet.dot((SENSE_BUS_X, end[1]), SENSE_COLOUR)
    sheet.dot((tap, start[1]), SENSE_COLOUR)
    resistor(sheet, (tap, start[1]), (tap, start[1] + 24), PULL_DOWN)
    ground(sheet, (tap, start[1] + 24))
    sheet.words((tap + 3, start[1] - 3), "common line", size=4, colour=SENSE_COLOUR)


def _sensor(sheet: Sheet, x: float, y: float) -> None:
    chip = Chip(
        sheet,
        (x, y),
        44,
        "Hall sensor",
        right=("VCC", "OUT", "GND"),
        used={"VCC": SUPPLY_COLOUR, "OUT": SENSE_COLOUR, "GND": GROUND_COLOUR},
        head=9,
    )
    for name, text in (
        ("VCC", "3.3 V of the sensors, 100 nF to GND close by"),
        ("OUT", "an input C0 … C15"),
        ("GND", "GND"),
    ):
        at = chip.pin(name)
        sheet.line(at, (at[0] + 8, at[1]), colour=QUIET)
        sheet.words((at[0] + 10, at[1]), text, size=4.2)
