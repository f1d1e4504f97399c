"""The chain of pixels, driven by Adafruit's libraries: `neopixel` from a pin, `neopixel_spi` from the SPI bus.

Both give the whole chain one buffer that lives as long as the driver, because the back end on a Raspberry Pi sets up
its hardware anew whenever it is handed another. Brightness is `hardware.light`'s, so the libraries' own stays at full.
The libraries are imported when a driver is made, since they look at the machine as they load.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from hardware.errors import LightError, LightsUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.interface import Frame
    from hardware.light import Emission, Light

SPI_FREQUENCY_HZ = 6_400_000
"""Eight bits on the bus make one of 1.25 us for a pixel."""
BIT_PATTERNS = (0b11000000, 0b11110000)
"""Those eight bits for a 0 and for a 1."""
BYTE_PATTERNS = [bytes(BIT_PATTERNS[byte >> bit & 1] for bit in range(7, -1, -1)) for byte in range(256)]
RESET_US = 300
"""How long the line must be low before a pixel takes what it was sent as its own; older ones need less."""
PACKAGES = {
    "board": "adafruit-blinka",
    "neopixel": "adafruit-circuitpython-neopixel",
    "neopixel_spi": "adafruit-circuitpython-neopixel-spi",
}
SPI_PINS = {"chip select 1": 7, "chip select 0": 8, "MISO": 9, "MOSI": 10, "SCLK": 11}
"""What the bus takes of the header, used or not; the pixels hang on MOSI."""
SPIDEV_BUFFER = Path("/sys/module/spidev/parameters/bufsiz")
"""Where the kernel says how many bytes leave without a pause."""


class PixelSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the chain is connected: section `[pixels]` of the settings."""

    kind: Literal["neopixel", "spi", "none"] = "neopixel"
    """A pin, the SPI bus, or a board without pixels."""
    pin: int = 18
    """The GPIO of the data line; the SPI bus has its own."""
    order: str = "GRB"
    """The order in which a pixel expects red, green and blue."""

    def __post_init__(self) -> None:
        if sorted(self.order) != sorted("RGB"):
            raise LightError(f"order is {self.order!r}: it must name R, G and B once each")

    @property
    def pins(self) -> dict[str, int]:
        by_kind = {
            "neopixel": {"the chain of pixels": self.pin},
            "spi": {f"{name} of the SPI bus": pin for name, pin in SPI_PINS.items()},
            "none": {},
        }
        return by_kind[self.kind]


class Strip(Protocol):
    """What the drivers use of a strip of either library."""

    def __setitem__(self, places: slice, colours: list[tuple[int, int, int]]) -> None: ...

    def show(self) -> None: ...


class ChainLights(ABC):
    """Frames on a strip; how the strip is reached is the driver's."""

    _remedy: str
    """What to do when bytes do not leave."""

    def __init__(self, light: Light, strip: Strip) -> None:
        self._light = light
        self._strip = strip
        self._frame: Frame | None = None
        self._emission: Emission | None = None
        self._closed = False
        try:
            # Pixels keep their last colours while they have power; and a back end that cannot work says so now.
            self._send(bytes(3 * light.chain_pixels))
        except LightsUnavailable:
            # Nothing more is sent: a back end that could not set itself up must not be asked to show again.
            self._release()
            raise

    @property
    def emission(self) -> Emission | None:
        """What left last, with the current it is estimated to draw; None before the first frame."""
        return self._emission

    def show(self, frame: Frame) -> None:
        """Make the pixels look like `frame`; a frame that did not change costs nothing. Blocks while bytes leave."""
        if self._closed:
            raise LightsUnavailable("the lights are closed")
        if frame == self._frame:
            return
        emission = self._light.render(frame)
        if self._emission is None or emission.rgb != self._emission.rgb:
            # What a failed write leaves on the pixels is unknown, so nothing counts as shown until it has succeeded.
            self._frame = self._emission = None
            self._send(emission.rgb)
        self._frame, self._emission = frame, emission

    def close(self) -> None:
        """Darken the pixels and let go of the device. Closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        with suppress(LightsUnavailable):  # pixels out of reach cannot be darkened either
            self._send(bytes(3 * self._light.chain_pixels))
        self._release()

    def _send(self, rgb: bytes) -> None:
        values = iter(rgb)
        self._strip[:] = list(zip(values, values, values, strict=True))
        with _or_unavailable("the pixels do not answer", self._remedy):
            self._strip.show()

    @abstractmethod
    def _release(self) -> None:
        """Give the pin or the bus back."""


class NeoPixelLights(ChainLights):
    """Pixels on a pin of a Raspberry Pi."""

    _remedy = "run the service as root, or use the SPI driver"

    def __init__(self, light: Light, settings: PixelSettings) -> None:
        with _or_unavailable(f"pixels on GPIO {settings.pin} cannot be driven", self._remedy):
            neopixel = _library("neopixel")
            pin = _part_of_board(f"D{settings.pin}")
            strip = neopixel.NeoPixel(pin, light.chain_pixels, auto_write=False, pixel_order=settings.order)
        self._pin = strip.pin
        super().__init__(light, strip)

    def _release(self) -> None:
        self._pin.deinit()


class SpiLights(ChainLights):
    """Pixels on the data line of the SPI bus, which needs no root."""

    _remedy = "enable SPI with raspi-config and put the user of the service into the group spi"

    def __init__(self, light: Light, settings: PixelSettings, *, spidev_buffer: Path = SPIDEV_BUFFER) -> None:
        _allow_one_transfer_of(spi_bytes(light.chain_pixels), spidev_buffer)
        with _or_unavailable("pixels on the SPI bus cannot be driven", self._remedy):
            _library("neopixel_spi")  # if it is missing, before there is a bus to be given back
            self._bus = _part_of_board("SPI")()
            strip = spi_strip(self._bus, light.chain_pixels, settings.order)
        super().__init__(light, strip)

    def _release(self) -> None:
        self._bus.deinit()


def spi_strip(bus: Any, pixels: int, order: str) -> Strip:
    """A strip of the library on a bus, with the bits of a byte looked up: one by one they take longer than all else."""
    neopixel_spi = _library("neopixel_spi")

    class QuickStrip(neopixel_spi.NeoPixel_SPI):  # type: ignore[misc,name-defined]  # the library has no types
        def _transmogrify(self, buffer: bytearray) -> None:
            self._spibuf[:] = b"".join([BYTE_PATTERNS[byte] for byte in buffer])

    strip: Strip = QuickStrip(
        bus,
        pixels,
        auto_write=False,
        pixel_order=order,
        frequency=SPI_FREQUENCY_HZ,
        reset_time=RESET_US / 1_000_000,
        bit0=BIT_PATTERNS[0],
        bit1=BIT_PATTERNS[1],
    )
    return strip


def spi_bytes(chain_pixels: int) -> int:
    """How many bytes a frame is on the bus: eight for one of a pixel, and the low level before and after it."""
    reset_bytes = round(SPI_FREQUENCY_HZ * RESET_US / 1_000_000 / 8)
    return 8 * 3 * chain_pixels + 2 * reset_bytes


def _allow_one_transfer_of(length: int, spidev_buffer: Path) -> None:
    """See that `length` bytes leave without a pause: the pixels would take it for the end of the frame."""
    if not spidev_buffer.exists():
        return
    available = int(spidev_buffer.read_text())
    if available < length:
        raise LightsUnavailable(
            f"the SPI driver of the kernel sends {available} bytes at a time, but the chain needs {length}: "
            f"add spidev.bufsiz=32768 to the kernel's command line and restart"
        )
    os.environ["SPI_BUFSIZE"] = str(available)  # Blinka would cut at 4096


def _library(name: str) -> Any:
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")  # it would ask a question on the terminal, and wait
    return import_module(name)


def _part_of_board(name: str) -> Any:
    """A pin or a bus by its name in Blinka, which has only those that the machine has."""
    board = _library("board")
    if not hasattr(board, name):
        raise NotImplementedError(f"{board.board_id} has no {name}")
    return getattr(board, name)


@contextmanager
def _or_unavailable(what: str, remedy: str) -> Iterator[None]:
    """Turn whatever the back ends raise into one sentence that says what to do."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = PACKAGES.get(str(error.name), error.name)
        raise LightsUnavailable(f"{what}, a library is missing: pip install {package}") from error
    except NotImplementedError as error:
        raise LightsUnavailable(f"{what} here ({_one_line(error)}): they need a Raspberry Pi") from error
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        raise LightsUnavailable(f"{what} ({_one_line(error)}): {remedy}") from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
