"""The smaller build: digital sensors behind multiplexers straight on the Raspberry Pi's pins, no Pico."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drawings.multiplexers import colour_of
from hardware.drawings.parts import Chip, pi_header
from hardware.drawings.pi import used_pins
from hardware.drawings.svg import AMBER, INK, QUIET, Sheet

if TYPE_CHECKING:
    from hardware.gpio_sensors import GpioSensorSettings
    from hardware.panel import PanelSettings
    from hardware.pixels import PixelSettings


def draw(sensors: GpioSensorSettings, panel: PanelSettings, pixels: PixelSettings) -> str:
    sheet = Sheet(400, max(258, 50 + 44 * len(sensors.inputs)), "The smaller build: sensors on GPIO")
    sheet.words((14, 14), "The smaller build", size=9, bold=True)
    sheet.words(
        (14, 25), "All multiplexers are always on (EN to GND); each has a pin of its own for its output.", colour=QUIET
    )
    used = {f"GPIO {pin}": INK for pin in sensors.select}
    used |= {f"GPIO {pin}": colour_of(number) for number, pin in enumerate(sensors.inputs)}
    header = pi_header(sheet, (76, 44), {"3V3": AMBER, **used_pins(pixels, panel), **used})
    chips = [_multiplexer(sheet, number, (270, 40 + 44.0 * number)) for number in range(len(sensors.inputs))]
    _outputs(sheet, sensors, header, chips)
    _select_bus(sheet, sensors, header, chips)
    sheet.paragraph(
        (14, 228), ["The coloured pins without", "a line are those of pixels", "and panel: see pi.svg."], size=4.6
    )
    return sheet.text()


def _multiplexer(sheet: Sheet, number: int, corner: tuple[float, float]) -> Chip:
    colour = colour_of(number)
    return Chip(
        sheet,
        corner,
        96,
        f"multiplexer {number} · CD74HC4067",
        left=("SIG", "S0-S3", "VCC 3.3 V"),
        right=("EN to GND", "C0-C15: sensors"),
        used={"SIG": colour, "S0-S3": INK, "VCC 3.3 V": AMBER},
        head=9,
    )


def _outputs(sheet: Sheet, sensors: GpioSensorSettings, header: Chip, chips: list[Chip]) -> None:
    middle = 100.0
    for number, (pin, chip) in enumerate(zip(sensors.inputs, chips, strict=True)):
        start, end = header.pin(f"GPIO {pin}"), chip.pin("SIG")
        bus = 186 + 6.0 * number
        if start[0] > middle:
            way = [start, (bus, start[1])]
        else:
            around = header.bottom + 6 + 4.0 * number
            left = 62 - 4.0 * number
            way = [start, (left, start[1]), (left, around), (bus, around)]
        sheet.line(*way, (bus, end[1]), end, colour=colour_of(number), width=0.9)


def _select_bus(sheet: Sheet, sensors: GpioSensorSettings, header: Chip, chips: list[Chip]) -> None:
    ends = [chip.pin("S0-S3")[1] for chip in chips]
    for bit, pin in enumerate(sensors.select):
        start = header.pin(f"GPIO {pin}")
        bus = 228 + 5.0 * bit
        above = 32.0 + 2.6 * bit
        if start[0] > 100:
            sheet.words((start[0] + 2, start[1] - 2.6), f"S{bit}", size=3.6, bold=True)
            way = [start, (bus, start[1])]
        else:
            sheet.words((start[0] - 1, start[1] - 2.6), f"S{bit}", size=3.6, bold=True, anchor="end")
            left = 58 - 5.0 * bit
            way = [start, (left, start[1]), (left, above), (bus, above)]
        sheet.line(*way, (bus, ends[-1]), colour=INK, width=0.6)
        sheet.line((bus, min(way[-1][1], ends[0])), (bus, ends[-1]), colour=INK, width=0.6)
        for y in ends:
            sheet.dot((bus, y))
    for chip, y in zip(chips, ends, strict=True):
        sheet.line((228, y), chip.pin("S0-S3"), colour=INK, width=1.6)
