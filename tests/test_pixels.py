"""What leaves for the pixels, byte by byte, through the real libraries on Blinka's board that runs anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import board
import busio
import neopixel
import pytest

from hardware.errors import HardwareError, LightError, LightsUnavailable
from hardware.interface import Frame
from hardware.layout import STRIPS, BoardSettings, Layout
from hardware.light import Light, LightSettings
from hardware.pixels import ChainLights, NeoPixelLights, PixelSettings, SpiLights

SMALL = BoardSettings(row_pixels=1, score_pixels=1, chain_pixels=11, chain=tuple(reversed(STRIPS)))
TEN_REDS = Frame(b"".join(bytes([step, 0, 0]) for step in range(1, 11)))
NO_FILE = Path("/nowhere/bufsiz")


def light(settings: BoardSettings = SMALL, *, gamma: float = 1.0) -> Light:
    return Light(LightSettings(brightness=1.0, gamma=gamma), Layout.of(settings))


@dataclass
class Wire:
    """A place where bytes leave: it keeps them, or fails when told to."""

    sent: list[bytes] = field(default_factory=list)
    buffers: list[object] = field(default_factory=list)
    failure: Exception | None = None
    released: int = 0
    spi: busio.SPI = None

    def take(self, data: bytes) -> None:
        self.buffers.append(data)
        self.sent.append(bytes(data))
        if self.failure:
            raise self.failure

    def release(self, *_: object) -> None:
        self.released += 1


@pytest.fixture
def pin(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """The data pin, at the function that sends bytes with their timing."""
    wire = Wire()
    monkeypatch.setattr(board, "D18", board.NEOPIXEL, raising=False)
    monkeypatch.setattr(neopixel, "neopixel_write", lambda _, data: wire.take(data))
    monkeypatch.setattr(neopixel.digitalio.DigitalInOut, "deinit", wire.release)
    return wire


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """Blinka's own SPI bus, at the method that sends bytes."""
    wire = Wire()

    def open_bus() -> busio.SPI:
        spi = busio.SPI(board.SCK, board.MOSI, board.MISO)
        spi.write, spi.deinit = wire.take, wire.release
        wire.spi = spi
        return spi

    monkeypatch.setattr(board, "SPI", open_bus)
    return wire


@pytest.fixture(params=["neopixel", "spi"])
def wire(request: pytest.FixtureRequest) -> Wire:
    """Either of the two, where what must hold is the same."""
    found: Wire = request.getfixturevalue({"neopixel": "pin", "spi": "bus"}[request.param])
    return found


@pytest.fixture
def driver(request: pytest.FixtureRequest, wire: Wire) -> type[Any]:
    return {"neopixel": NeoPixelLights, "spi": SpiLights}[request.node.callspec.params["wire"]]


def on_pin(chain: Light | None = None, **settings: Any) -> NeoPixelLights:
    return NeoPixelLights(chain or light(), PixelSettings(**settings))


def on_bus(chain: Light | None = None, **settings: Any) -> SpiLights:
    return SpiLights(chain or light(), PixelSettings(**settings), spidev_buffer=NO_FILE)


def refusal(make: Any) -> str:
    with pytest.raises(LightsUnavailable) as refused:
        make()
    return str(refused.value)


def test_a_pin_gets_green_red_and_blue_in_the_order_of_the_wires_and_dark_where_the_chain_goes_on(pin: Wire) -> None:
    on_pin().show(Frame(bytes(range(30))))
    along_the_chain = [(28, 27, 29), (25, 24, 26), (22, 21, 23), (19, 18, 20), (16, 15, 17)]
    along_the_chain += [(13, 12, 14), (10, 9, 11), (7, 6, 8), (4, 3, 5), (1, 0, 2), (0, 0, 0)]
    assert pin.sent[-1] == bytes(value for pixel in along_the_chain for value in pixel)


@pytest.mark.parametrize(("order", "first"), [("GRB", [20, 10, 30]), ("RGB", [10, 20, 30]), ("BRG", [30, 10, 20])])
def test_the_order_of_colours_is_the_pixels_own(order: str, first: list[int], pin: Wire) -> None:
    on_pin(light(BoardSettings()), order=order).show(Frame(bytes([10, 20, 30]) + bytes(645)))
    assert list(pin.sent[-1][:3]) == first
    assert len(pin.sent[-1]) == 648


def test_a_pin_is_always_handed_the_same_buffer(pin: Wire) -> None:
    lights = on_pin()
    lights.show(TEN_REDS)
    lights.show(Frame.dark(10))
    lights.close()
    assert len(pin.buffers) == 4
    assert all(buffer is pin.buffers[0] for buffer in pin.buffers)


WS2812_NS = {"0": (350, 800), "1": (700, 600)}
"""How long a bit is high and then low."""
WS2812_TOLERANCE_NS = 150
WS2812_RESET_US = 280


def read_as_a_pixel_would(sent: bytes, frequency_hz: int) -> tuple[bytes, list[float]]:
    """The bytes on the line and the microseconds of silence before and after, as the datasheet has them understood."""
    line = "".join(f"{byte:08b}" for byte in sent)
    runs = [(level, len(list(run)) * 1e9 / frequency_hz) for level, run in groupby(line)]
    (before, before_ns), *pulses = runs
    assert before == "0"
    bits, after_ns = "", 0.0
    for (_, high_ns), (_, low_ns) in zip(pulses[0::2], pulses[1::2], strict=True):
        bit = min(WS2812_NS, key=lambda bit: abs(WS2812_NS[bit][0] - high_ns))
        expected_high_ns, expected_low_ns = WS2812_NS[bit]
        assert abs(high_ns - expected_high_ns) <= WS2812_TOLERANCE_NS
        bits += bit
        after_ns = low_ns - expected_low_ns
        is_last = len(bits) * 2 == len(pulses)
        assert is_last or abs(after_ns) <= WS2812_TOLERANCE_NS
    return int(bits, 2).to_bytes(len(bits) // 8, "big"), [before_ns / 1000, after_ns / 1000]


def test_the_bus_carries_pulses_that_a_pixel_reads_as_the_bytes_a_pin_would_send(bus: Wire, pin: Wire) -> None:
    frame = Frame(bytes(range(200, 230)))
    on_pin().show(frame)
    on_bus().show(frame)
    received, (before_us, after_us) = read_as_a_pixel_would(bus.sent[-1], bus.spi.frequency)
    assert received == pin.sent[-1]
    assert before_us >= WS2812_RESET_US
    assert after_us >= WS2812_RESET_US


def test_each_bit_is_a_byte_on_the_bus_with_silence_around(bus: Wire) -> None:
    on_bus(light(BoardSettings()), order="RGB").show(Frame(bytes([0b10100101]) + bytes(647)))
    silence = bytes(240)
    one, zero = b"\xf0", b"\xc0"
    assert bus.sent[-1] == silence + one + zero + one + zero * 2 + one + zero + one + zero * 8 * 647 + silence


def test_pixels_are_dark_before_the_first_frame(wire: Wire, driver: type[ChainLights]) -> None:
    start(driver)
    (first,) = wire.sent
    assert set(first) <= {0, 0xC0}


def start(driver: type[Any], gamma: float = 1.0) -> ChainLights:
    lights: ChainLights = driver(light(gamma=gamma), PixelSettings())
    return lights


def test_a_frame_that_did_not_change_is_not_sent(wire: Wire, driver: type[ChainLights]) -> None:
    lights = start(driver)
    lights.show(TEN_REDS)
    before = len(wire.sent)
    lights.show(Frame(bytes(TEN_REDS.pixels)))
    assert len(wire.sent) == before


def test_a_frame_that_looks_the_same_is_not_sent(wire: Wire, driver: type[ChainLights]) -> None:
    lights = start(driver, gamma=2.2)
    lights.show(Frame(bytes([3, 0, 0] * 10)))
    before = len(wire.sent)
    lights.show(Frame(bytes([4, 0, 0] * 10)))
    assert len(wire.sent) == before


def test_a_frame_that_changed_is_sent_once(wire: Wire, driver: type[ChainLights]) -> None:
    lights = start(driver)
    lights.show(TEN_REDS)
    lights.show(Frame.dark(10))
    lights.show(TEN_REDS)
    assert len(wire.sent) == 4
    assert wire.sent[3] == wire.sent[1] != wire.sent[2]


def test_closing_darkens_and_closing_twice_is_harmless(wire: Wire, driver: type[ChainLights]) -> None:
    lights = start(driver)
    lights.show(TEN_REDS)
    lights.close()
    lights.close()
    assert len(wire.sent) == 3
    assert wire.sent[2] == wire.sent[0]
    assert wire.released == 1


def test_closed_lights_show_nothing(wire: Wire, driver: type[ChainLights]) -> None:
    lights = start(driver)
    lights.close()
    before = len(wire.sent)
    assert refusal(lambda: lights.show(TEN_REDS)) == "the lights are closed"
    assert len(wire.sent) == before


def test_what_is_drawn_is_told_for_the_last_frame(pin: Wire) -> None:
    lights = on_pin()
    assert lights.emission is None
    lights.show(TEN_REDS)
    assert lights.emission is not None
    assert lights.emission.current_ma == pytest.approx(11 + 55 * 20 / 255)


def test_a_frame_of_another_board_is_refused_and_the_pixels_stay(pin: Wire) -> None:
    lights = on_pin()
    lights.show(TEN_REDS)
    with pytest.raises(LightError, match="12 pixels"):
        lights.show(Frame.dark(12))
    assert len(pin.sent) == 2


def test_a_frame_that_did_not_get_through_is_sent_again(wire: Wire, driver: type[ChainLights]) -> None:
    lights = start(driver)
    lights.show(TEN_REDS)
    wire.failure = OSError("wire cut")
    assert refusal(lambda: lights.show(Frame.dark(10))).startswith("the pixels do not answer (wire cut): ")
    wire.failure = None
    before = len(wire.sent)
    lights.show(TEN_REDS)
    assert len(wire.sent) == before + 1


def test_lights_out_of_reach_close_in_peace(wire: Wire, driver: type[ChainLights]) -> None:
    lights = start(driver)
    wire.failure = OSError("wire cut")
    lights.close()
    assert wire.released == 1


def test_a_back_end_that_needs_root_says_so_at_once_and_is_not_asked_again(pin: Wire) -> None:
    pin.failure = RuntimeError("NeoPixel support requires running with sudo, please try again!")
    assert refusal(on_pin) == (
        "the pixels do not answer (NeoPixel support requires running with sudo, please try again!): "
        "run the service as root, or use the SPI driver"
    )
    assert len(pin.sent) == 1


def test_lights_that_do_not_start_let_go_of_the_device(wire: Wire, driver: type[ChainLights]) -> None:
    wire.failure = OSError("wire cut")
    refusal(lambda: start(driver))
    assert wire.released == 1


def test_a_bus_that_is_not_enabled_says_what_to_do() -> None:
    message = refusal(on_bus)  # Blinka's board that runs anywhere names no port for its own bus
    assert message.startswith("pixels on the SPI bus cannot be driven (No Hardware SPI on ")
    assert message.endswith("enable SPI with raspi-config and put the user of the service into the group spi")
    assert "\n" not in message


def test_a_pin_the_machine_does_not_have_is_refused_by_number() -> None:
    assert refusal(lambda: on_pin(pin=99)) == (
        "pixels on GPIO 99 cannot be driven here (OS_AGNOSTIC_BOARD has no D99): they need a Raspberry Pi"
    )


@pytest.mark.parametrize(
    ("library", "make", "what", "package"),
    [
        ("board", on_pin, "pixels on GPIO 18", "adafruit-blinka"),
        ("neopixel", on_pin, "pixels on GPIO 18", "adafruit-circuitpython-neopixel"),
        ("neopixel_spi", on_bus, "pixels on the SPI bus", "adafruit-circuitpython-neopixel-spi"),
    ],
)
def test_a_missing_library_is_named_as_it_is_installed(
    library: str, make: Any, what: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert refusal(make) == f"{what} cannot be driven, a library is missing: pip install {package}"


ON_A_DESKTOP = """
import sys
from hardware.errors import LightsUnavailable
from hardware.layout import BoardSettings, Layout
from hardware.light import Light, LightSettings
from hardware.pixels import NeoPixelLights, PixelSettings, SpiLights
assert not {"board", "neopixel", "neopixel_spi"} & set(sys.modules), "the libraries are for later"
for driver in (NeoPixelLights, SpiLights):
    try:
        driver(Light(LightSettings(), Layout.of(BoardSettings())), PixelSettings())
    except LightsUnavailable as error:
        print(error)
"""


@pytest.mark.skipif(Path("/proc/device-tree/model").exists(), reason="this machine may have pixels")
def test_a_machine_without_pixels_says_so_in_a_sentence_each() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "BLINKA_OS_AGNOSTIC"}
    run = subprocess.run(
        [sys.executable, "-c", ON_A_DESKTOP], env=environment, capture_output=True, text=True, check=True
    )
    on_a_pin, on_the_bus = run.stdout.splitlines()
    assert on_a_pin.startswith("pixels on GPIO 18 cannot be driven")
    assert on_the_bus.startswith("pixels on the SPI bus cannot be driven")


def test_a_kernel_that_would_pause_within_a_frame_is_refused(bus: Wire, tmp_path: Path) -> None:
    bufsiz = tmp_path / "bufsiz"
    bufsiz.write_text("4096\n")
    whole_board = light(BoardSettings())
    assert refusal(lambda: SpiLights(whole_board, PixelSettings(), spidev_buffer=bufsiz)) == (
        "the SPI driver of the kernel sends 4096 bytes at a time, but the chain needs 5664: "
        "add spidev.bufsiz=32768 to the kernel's command line and restart"
    )
    assert bus.sent == []


def test_a_kernel_with_room_for_a_frame_is_used_to_its_full(
    bus: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPI_BUFSIZE", "4096")
    bufsiz = tmp_path / "bufsiz"
    bufsiz.write_text("5664\n")
    SpiLights(light(BoardSettings()), PixelSettings(), spidev_buffer=bufsiz)
    assert os.environ["SPI_BUFSIZE"] == "5664"
    assert [len(sent) for sent in bus.sent] == [5664]


@pytest.mark.parametrize("order", ["", "RGBW", "RRB", "RGGB", "rgb"])
def test_an_order_that_does_not_name_each_colour_once_is_refused(order: str) -> None:
    with pytest.raises(LightError, match=f"^order is '{order}': it must name R, G and B once each$"):
        PixelSettings(order=order)


def test_unavailable_lights_are_caught_as_a_hardware_error_and_as_an_os_error() -> None:
    assert issubclass(LightsUnavailable, HardwareError)
    assert issubclass(LightsUnavailable, OSError)
