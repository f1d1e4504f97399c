"""Looks at the computer that this runs on, and at the disk."""

from __future__ import annotations

import os
import shutil
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.doctor.machine import PIO_DEVICE, SPI_DEVICE, Machine
from firmware.doctor.storage import Storage
from hardware.pixels import SPIDEV_BUFFER

if TYPE_CHECKING:
    from hardware.layout import Layout

OPTIONAL_PACKAGES = (
    "adafruit-circuitpython-neopixel-spi",
    "Adafruit-Blinka-Raspberry-Pi5-Neopixel",
    "adafruit-lgpio",
    "lgpio",
    "rpi-ws281x",
)


def look_at_machine() -> Machine:
    """This computer."""
    devices = [SPI_DEVICE, PIO_DEVICE, *map(str, Path("/dev").glob("gpiochip*"))]
    return Machine(
        python=sys.version_info[:3],
        model=_text(Path("/proc/device-tree/model")) if _is_pi() else "",
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        groups=_groups(),
        devices={path: os.access(path, os.R_OK | os.W_OK) for path in devices if Path(path).exists()},
        spi_buffer=int(_text(SPIDEV_BUFFER)) if SPIDEV_BUFFER.exists() else None,
        sound="snd_bcm2835" in _text(Path("/proc/modules")),
        packages=frozenset(name for name in OPTIONAL_PACKAGES if _installed(name)),
    )


def look_at_storage(calibration: Path, layout: Layout, board: str | None, journal: Path) -> Storage:
    """The files that the board keeps. `board` is the scanner's id, if it is known."""
    from firmware.journal import Archive, JournalError
    from hardware.calibration_file import load
    from hardware.errors import CalibrationError

    problem, games = "", 0
    if journal.exists():
        try:
            with Archive.open(journal) as archive:
                games = sum(1 for _ in archive.games())
        except JournalError as error:
            problem = str(error)
    try:
        load(calibration, layout, board)
        uncalibrated = ""
    except CalibrationError as error:
        uncalibrated = str(error)
    home = next(folder for folder in journal.parents if folder.exists())
    return Storage(
        journal=str(journal),
        games=games,
        journal_problem=problem,
        writable=os.access(home, os.W_OK | os.X_OK),
        free_mb=shutil.disk_usage(home).free // 1_000_000,
        calibration=str(calibration),
        calibration_problem=uncalibrated,
    )


def _is_pi() -> bool:
    return _text(Path("/proc/device-tree/model")).startswith("Raspberry Pi")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def _groups() -> frozenset[str]:
    try:
        import grp
    except ImportError:  # Windows has no such groups
        return frozenset()
    names = set()
    for number in os.getgroups():
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            continue
    return frozenset(names)


def _installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True
