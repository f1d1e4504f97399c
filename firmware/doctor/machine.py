"""The computer: whether it is one on which the board of these settings can run, and what is missing if not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.doctor.finding import Finding, Grade, Part
from hardware.pixels import spi_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set

    from firmware.config import Settings

NEEDED_PYTHON = (3, 11)
AUDIO_PINS = (12, 13, 18, 19)
"""The pins whose PWM also makes the sound of the headphone socket."""
SPI_DEVICE = "/dev/spidev0.0"
PIO_DEVICE = "/dev/pio0"


@dataclass(frozen=True, slots=True)
class Machine:
    """What the doctor has to know about a computer."""

    python: tuple[int, int, int]
    model: str
    """Of a Raspberry Pi; empty on anything else."""
    root: bool
    groups: Set[str]
    devices: Mapping[str, bool]
    """The devices that are there, and whether this user may use them."""
    spi_buffer: int | None
    """How many bytes the SPI driver sends in one piece; None where it is not loaded."""
    sound: bool
    """Whether the driver of the headphone socket is loaded."""
    packages: Set[str]
    """Those of the optional packages that are installed."""

    @property
    def is_pi_5(self) -> bool:
        return self.model.startswith("Raspberry Pi 5")


def check_machine(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Everything about the computer."""
    yield _python(machine)
    if not machine.model:
        text = "this is no Raspberry Pi: pins and pixels cannot be used, a scanner on USB can"
        yield Finding(Part.MACHINE, "no pi", Grade.NOTE, text)
    else:
        yield Finding(Part.MACHINE, "model", Grade.OK, machine.model)
    if settings.sensors.kind == "serial":
        yield from _group(machine, "dialout", "the scanner")
    if "gpio" in (settings.sensors.kind, settings.panel.kind):
        yield from _pins(machine)
    if settings.pixels.kind == "spi":
        yield from _spi(machine, settings)
    if settings.pixels.kind == "neopixel":
        yield from _pixels_on_a_pin(machine, settings)


def _python(machine: Machine) -> Finding:
    version = ".".join(map(str, machine.python))
    if machine.python < NEEDED_PYTHON:
        text = f"Python {version} is too old: {'.'.join(map(str, NEEDED_PYTHON))} is needed"
        return Finding(Part.MACHINE, "python", Grade.FAULT, text, "Install a newer Raspberry Pi OS")
    return Finding(Part.MACHINE, "python", Grade.OK, f"Python {version}")


def _group(machine: Machine, group: str, what: str) -> Iterator[Finding]:
    """Without the group it works only as root, or where the system gives everybody the right."""
    if machine.root or group in machine.groups:
        yield Finding(Part.MACHINE, "group", Grade.OK, f"this user may use {what} (group {group})")
    elif machine.model:
        text = f"this user is not in the group {group}, which {what} needs"
        remedy = f"sudo usermod -aG {group} $USER, and log in again"
        yield Finding(Part.MACHINE, "group", Grade.FAULT, text, remedy)


def _package(machine: Machine, names: tuple[str, ...], what: str) -> Iterator[Finding]:
    """One of these packages must be there."""
    if not machine.packages & set(names):
        text = f"{what} needs the package {names[0]}"
        yield Finding(Part.MACHINE, "package", Grade.FAULT, text, "Install it with the others: pip install '.[pi]'")


def _pins(machine: Machine) -> Iterator[Finding]:
    if not machine.model:
        return
    yield from _group(machine, "gpio", "the pins")
    yield from _package(machine, ("lgpio", "adafruit-lgpio"), "the panel")
    usable = [device for device, allowed in machine.devices.items() if device.startswith("/dev/gpiochip") and allowed]
    if not usable:
        text = "no GPIO device can be used"
        yield Finding(Part.MACHINE, "gpio", Grade.FAULT, text, "Check with: ls -l /dev/gpiochip*")


def _spi(machine: Machine, settings: Settings) -> Iterator[Finding]:
    if not machine.model:
        return
    yield from _package(machine, ("adafruit-circuitpython-neopixel-spi",), "the SPI driver of the pixels")
    if not machine.devices.get(SPI_DEVICE):
        text = f"{SPI_DEVICE} cannot be used"
        remedy = "Switch SPI on with raspi-config, and put this user into the group spi"
        yield Finding(Part.MACHINE, "spi", Grade.FAULT, text, remedy)
        return
    needed = spi_bytes(settings.board.chain_pixels)
    if machine.spi_buffer is not None and machine.spi_buffer < needed:
        text = f"the SPI driver sends {machine.spi_buffer} bytes in one piece, the chain needs {needed}"
        remedy = "Add spidev.bufsiz=32768 to /boot/firmware/cmdline.txt and restart"
        yield Finding(Part.MACHINE, "spi buffer", Grade.FAULT, text, remedy)
    else:
        yield Finding(Part.MACHINE, "spi", Grade.OK, "the SPI bus can be used, and takes a whole frame at once")


def _pixels_on_a_pin(machine: Machine, settings: Settings) -> Iterator[Finding]:
    if not machine.model:
        return
    if machine.is_pi_5:
        yield from _package(machine, ("Adafruit-Blinka-Raspberry-Pi5-Neopixel",), "a pin of the Pi 5")
        if not machine.devices.get(PIO_DEVICE):
            text = f"{PIO_DEVICE}, by which a Pi 5 drives pixels, cannot be used"
            remedy = 'Update the system and its firmware, and put this user into the group gpio, or set kind = "spi"'
            yield Finding(Part.MACHINE, "pio", Grade.FAULT, text, remedy)
        return
    yield from _package(machine, ("rpi-ws281x",), "a pin of this Pi")
    if not machine.root:
        text = f"pixels on GPIO {settings.pixels.pin} need root on this Pi"
        yield Finding(
            Part.MACHINE, "root", Grade.FAULT, text, 'Run the service as root, or set kind = "spi" in [pixels]'
        )
    if machine.sound and settings.pixels.pin in AUDIO_PINS:
        text = f"the sound driver uses the PWM that pixels on GPIO {settings.pixels.pin} need: they will flicker"
        remedy = "Set dtparam=audio=off in /boot/firmware/config.txt and restart"
        yield Finding(Part.MACHINE, "audio", Grade.FAULT, text, remedy)
