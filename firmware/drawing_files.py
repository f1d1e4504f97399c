"""The drawings of a board as files, from its settings and the pins of the scanner's program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.scanner import board
from hardware.drawings import Build, drawings
from hardware.drawings.scanner import ScannerPins
from hardware.whole_file import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from firmware.config import Settings

SCANNER_PINS = ScannerPins(select=board.SELECT_PINS, enable=board.ENABLE_PINS, sense=board.SENSE_PIN)


def drawings_of(settings: Settings) -> dict[str, str]:
    """Every drawing of the board with these settings, by the name of its file."""
    return drawings(
        Build(
            scanner=SCANNER_PINS,
            board=settings.board,
            light=settings.light,
            pixels=settings.pixels,
            panel=settings.panel,
            gpio_sensors=settings.gpio_sensors,
        )
    )


def write_drawings(settings: Settings, folder: Path) -> list[Path]:
    """Put the drawings into a folder, which is made if need be; those of the same name are replaced, each at once."""
    drawn = drawings_of(settings)  # all of them before the first is written
    written = []
    for name, text in drawn.items():
        write_whole(folder / name, text)
        written.append(folder / name)
    return written
