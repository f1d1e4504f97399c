"""What is connected to the Raspberry Pi: the data line of the pixels, the panel, and the scanner by USB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drawings.parts import Chip, ground, pi_header, resistor
from hardware.drawings.svg import AMBER, BLUE, GREEN, INK, QUIET, VIOLET, Sheet
from hardware.interface import Button
from hardware.pixels import SPI_PINS

if TYPE_CHECKING:
    from hardware.panel import PanelSettings
    from hardware.pixels import PixelSettings

SPI_DATA = SPI_PINS["MOSI"]
DATA_RESISTOR = "330 Ω"
BUZZER_RESISTOR = "220 Ω"
KEY_COLOUR = GREEN
DATA_COLOUR = BLUE
BUZZER_COLOUR = VIOLET
FIRST_KEY_Y, KEY_PITCH = 130.5, 22.0


def draw(pixels: PixelSettings, panel: PanelSettings) -> str:
    sheet = Sheet(400, 262, "The Raspberry Pi: pixels and panel")
    sheet.words((14, 14), "The Raspberry Pi", size=9, bold=True)
    sheet.words(
        (14, 25), "Seen from above, the header's first pins at the top. The Pi has a supply of its own.", colour=QUIET
    )
    header = pi_header(sheet, (156, 44), used_pins(pixels, panel) | {"GND": INK})
    if pixels.kind != "none":
        _draw_pixels(sheet, header, pixels)
    if panel.kind != "none":
        _draw_panel(sheet, header, panel)
    sheet.paragraph(
        (270, 214),
        [
            "USB: the Pico of the scanner.",
            "GND of the Pi, of the 5 V supply and",
            "of the sensors are joined at one point.",
        ],
        size=4.6,
    )
    return sheet.text()


def used_pins(pixels: PixelSettings, panel: PanelSettings) -> dict[str, str]:
    """The pins of pixels and panel as the header names them, with their colours."""
    used = {f"GPIO {data_pin}": DATA_COLOUR for data_pin in _data_pins(pixels)}
    if panel.kind != "none":
        used |= {f"GPIO {getattr(panel, key.value)}": KEY_COLOUR for key in Button}
        used[f"GPIO {panel.buzzer}"] = BUZZER_COLOUR
    return used


def _data_pins(pixels: PixelSettings) -> tuple[int, ...]:
    """The pin of the data line, then the one that could take its place."""
    return {"neopixel": (pixels.pin, SPI_DATA), "spi": (SPI_DATA,), "none": ()}[pixels.kind]


def _draw_pixels(sheet: Sheet, header: Chip, pixels: PixelSettings) -> None:
    """The level shifter between a pin and the first pixel; dashed, the SPI bus in its place."""
    shifter = Chip(
        sheet,
        (284, 76),
        48,
        "74AHCT125",
        left=("1A", "1OE", "GND"),
        right=("VCC", "1Y"),
        used={"1A": DATA_COLOUR, "1Y": DATA_COLOUR, "VCC": AMBER, "1OE": INK, "GND": INK},
        note="at 5 V",
    )
    _draw_data_line(sheet, header, shifter, pixels)
    _draw_power(sheet, shifter)
    out = shifter.pin("1Y")
    resistor(sheet, out, (out[0] + 22, out[1]), DATA_RESISTOR, DATA_COLOUR)
    sheet.line((out[0] + 22, out[1]), (out[0] + 30, out[1]), colour=DATA_COLOUR, width=0.9, arrow=True)
    sheet.words((out[0] + 22, out[1] + 7), "DIN of the first pixel", size=4.2, anchor="middle")
    if pixels.kind == "neopixel" and pixels.pin != SPI_DATA:
        _draw_spi_instead(sheet, header)


def _draw_data_line(sheet: Sheet, header: Chip, shifter: Chip, pixels: PixelSettings) -> None:
    start, end = header.pin(f"GPIO {_data_pins(pixels)[0]}"), shifter.pin("1A")
    if start[0] > 182:
        way = [start, (264, start[1]), (264, end[1])]
    else:  # from the left side of the header, over its top
        way = [start, (144, start[1]), (144, 36), (264, 36), (264, end[1])]
    sheet.line(*way, end, colour=DATA_COLOUR, width=0.9)
    sheet.words((262, end[1] - 4), "data", size=4.2, colour=DATA_COLOUR, anchor="end")


def _draw_power(sheet: Sheet, shifter: Chip) -> None:
    for name in ("1OE", "GND"):
        at = shifter.pin(name)
        sheet.line(at, (at[0] - 4, at[1]))
    at = shifter.pin("GND")
    sheet.line((at[0] - 4, shifter.pin("1OE")[1]), (at[0] - 4, at[1] + 2))
    ground(sheet, (at[0] - 4, at[1] + 2))
    supply = shifter.pin("VCC")
    sheet.line(supply, (supply[0] + 3, supply[1]), (supply[0] + 3, supply[1] - 24), colour=AMBER)
    sheet.words((supply[0] + 3, supply[1] - 28), "5 V of the pixels", size=4.2, anchor="middle")


def _draw_spi_instead(sheet: Sheet, header: Chip) -> None:
    spi = header.pin(f"GPIO {SPI_DATA}")
    sheet.line(spi, (spi[0] - 16, spi[1]), colour=DATA_COLOUR, dash="2 1.6", width=0.7)
    sheet.words((spi[0] - 18, spi[1] - 5.4), "instead of the data line,", size=4.2, anchor="end", colour=DATA_COLOUR)
    sheet.words((spi[0] - 18, spi[1]), "with the SPI driver", size=4.2, anchor="end", colour=DATA_COLOUR)


def _draw_panel(sheet: Sheet, header: Chip, panel: PanelSettings) -> None:
    """The keys, each from its pin to ground, and the buzzer behind a resistor."""
    keys = sorted(Button, key=lambda key: header.pin(f"GPIO {getattr(panel, key.value)}")[1])
    for place, key in enumerate(keys):
        start = header.pin(f"GPIO {getattr(panel, key.value)}")
        y = FIRST_KEY_Y + KEY_PITCH * place
        bend = (146 - 4.0 * place) if start[0] < 200 else 222.0 + 4 * place
        sheet.line(start, (bend, start[1]), (bend, y), (76, y), colour=KEY_COLOUR, width=0.8)
        _key(sheet, (60, y), key.value)
    x = 42.0
    bottom = FIRST_KEY_Y + KEY_PITCH * len(keys) - 10
    for place in range(len(keys)):
        sheet.line((60, FIRST_KEY_Y + KEY_PITCH * place), (x, FIRST_KEY_Y + KEY_PITCH * place), colour=INK)
        sheet.dot((x, FIRST_KEY_Y + KEY_PITCH * place))
    sheet.line((x, FIRST_KEY_Y), (x, bottom))
    ground(sheet, (x, bottom))
    start = header.pin(f"GPIO {panel.buzzer}")
    sheet.line(start, (250, start[1]), colour=BUZZER_COLOUR, width=0.8)
    resistor(sheet, (250, start[1]), (278, start[1]), BUZZER_RESISTOR, BUZZER_COLOUR)
    sheet.disc((286, start[1]), 8, fill="#ffffff", width=0.8)
    sheet.words((286, start[1]), "piezo", size=4.2, anchor="middle")
    sheet.line((294, start[1]), (304, start[1]))
    ground(sheet, (304, start[1]))


def _key(sheet: Sheet, at: tuple[float, float], name: str) -> None:
    x, y = at
    sheet.line((x, y), (x + 14, y - 5), width=0.9)
    sheet.disc((x, y), 1.2, fill="#ffffff")
    sheet.disc((x + 16, y), 1.2, fill="#ffffff")
    sheet.words((x + 8, y - 9), name, size=5, anchor="middle", bold=True)
