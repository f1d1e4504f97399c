"""The two programs around the service: on a real board, as far as a desk has one, and on the simulated one."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gpiozero import GPIOPinInUse, InputDevice
from gpiozero.pins.mock import MockFactory, MockPWMPin

from engine import Action, Color, Edition, Kind, Reason
from firmware import log
from firmware.config import SensorSettings, Settings
from firmware.drivers import open_drivers, raspberry_pins
from firmware.events import ActionAccepted, BoardQuiet, Event, GameStarted, MoveRefused, PawnLifted, SlotDoubted
from hardware.absent import NoLights, NoPanel
from hardware.calibration_file import save
from hardware.errors import GpioUnavailable, HardwareError, SensorLost
from hardware.interface import Button, Frame, KeyEvent, Reading, Touch, Tune
from hardware.panel import PanelSettings
from hardware.pixels import PixelSettings
from simulator.__main__ import main
from simulator.board import calibrated
from simulator.faults import Faults
from simulator.table import Table
from simulator.virtual_scanner import VirtualScanner

ROOT = Path(__file__).parent.parent
WITHOUT_PINS = Settings(pixels=PixelSettings(kind="none"), panel=PanelSettings(kind="none"))
LAYOUT = WITHOUT_PINS.layout
BARE_BOARD = """\
[sensors]
port = "{port}"

[pixels]
kind = "none"

[panel]
kind = "none"

[web]
port = {web_port}
"""


def bare_board(port: Path, web_port: int | None = None) -> str:
    """Settings of a board without pixels and panel; its page is where nobody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return BARE_BOARD.format(port=port, web_port=web_port or free.getsockname()[1])


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program, with all that it prints on one pipe; killed if the test leaves it running."""
    program = subprocess.Popen(
        [sys.executable, "-u", "-m", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def read_until(line: str, program: subprocess.Popen[str]) -> list[str]:
    """What the program prints up to the first line that begins so."""
    assert program.stdout
    printed = []
    for text in program.stdout:
        printed.append(text.rstrip("\n"))
        if text.startswith(line):
            return printed
    raise AssertionError(f"it ended without {line!r}: {printed}")


# On a real board


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_play_waits_for_its_scanner_finds_it_and_stops_when_told(number: signal.Signals, tmp_path: Path) -> None:
    pytest.importorskip("tty", reason="this system has no pseudo-terminals")
    port, settings = tmp_path / "scanner", tmp_path / "linja.toml"
    settings.write_text(bare_board(port))
    save(calibrated(LAYOUT), tmp_path / "calibration.toml", LAYOUT)
    table = Table(LAYOUT)
    table.set_up()
    with running("firmware", "play", "--config", str(settings)) as program:
        assert str(port) in read_until("sensors lost: ", program)[-1]
        scanner = VirtualScanner(table, Faults(LAYOUT), port)
        try:
            assert "sensors back" in read_until("game started: zen, red", program)
            program.send_signal(number)
            assert read_until("stopped", program) == ["stopped"]
            assert program.wait() == 0
        finally:
            scanner.close()


def test_play_without_a_calibration_says_so_and_goes_on(tmp_path: Path) -> None:
    settings = tmp_path / "linja.toml"
    settings.write_text(bare_board(tmp_path / "scanner"))
    with running("firmware", "play", "--config", str(settings)) as program:
        printed = read_until("sensors lost: ", program)
        assert printed[0] == (
            f"there is no calibration at {tmp_path / 'calibration.toml'}; typical levels are used instead"
        )


def test_play_without_the_hardware_it_is_set_to_is_a_sentence_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setattr("sys.argv", ["linja", "play", "--config", str(tmp_path / "linja.toml")])
    (tmp_path / "linja.toml").write_text("")
    assert main() == 2
    assert capsys.readouterr().err == (
        "linja play: the pins cannot be used, lgpio is missing: on a Raspberry Pi pip install '.[pi]' brings it, and on"
        " any other computer linja simulate needs no pins\n"
    )


def test_play_with_its_address_taken_is_a_sentence_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "linja.toml"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        web_port = taken.getsockname()[1]
        settings.write_text(bare_board(tmp_path / "scanner", web_port))
        monkeypatch.setattr("sys.argv", ["linja", "play", "--config", str(settings)])
        assert main() == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"linja play: the page cannot be served on 127.0.0.1:{web_port}: ")


class MissingChip:
    """A library that finds no pins to drive."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        raise RuntimeError("cannot open gpiochip")


def test_pins_that_this_machine_does_not_have_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", MissingChip())
    with pytest.raises(GpioUnavailable, match=r"cannot open gpiochip\): they need a Raspberry Pi"):
        raspberry_pins()


def test_a_board_without_pixels_and_panel_asks_for_no_pins(tmp_path: Path) -> None:
    with open_drivers(WITHOUT_PINS, tmp_path, make_pins=pytest.fail) as board:
        board.lights.show(Frame.dark(LAYOUT.pixel_count))
        board.panel.play(Tune.ACCEPTED)
        assert board.panel.read(0) is None
        with pytest.raises(SensorLost):
            board.sensors.read(0)
        assert (type(board.lights), type(board.panel)) == (NoLights, NoPanel)


def test_sensors_and_panel_on_pins_share_the_pins_of_the_machine_and_give_them_back(tmp_path: Path) -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    settings = Settings(pixels=PixelSettings(kind="none"), sensors=SensorSettings(kind="gpio"))
    with open_drivers(settings, tmp_path, make_pins=lambda: pins) as board:
        snapshot = board.sensors.read(1)
        assert snapshot is not None
        assert set(snapshot.readings) == {Reading.EMPTY}
        assert board.eyes.calibration is None
        pins.pin(settings.panel.hint).drive_low()
        assert board.panel.read(1) == KeyEvent(Button.HINT, Touch.PRESSED)
        with pytest.raises(GPIOPinInUse):
            InputDevice(settings.panel.new, pin_factory=pins)
    InputDevice(settings.panel.new, pin_factory=pins).close()


def test_when_one_driver_cannot_be_opened_those_before_it_are_closed(tmp_path: Path) -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    settings = Settings(pixels=PixelSettings(kind="neopixel"))
    with pytest.raises(HardwareError, match="GPIO 18"), open_drivers(settings, tmp_path, make_pins=lambda: pins):
        pass
    InputDevice(settings.panel.new, pin_factory=pins).close()


# On the simulated one


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_simulated_board_runs_in_real_time_until_it_is_told_to_stop(number: signal.Signals) -> None:
    with running("simulator", "simulate", "--headless") as program:
        assert read_until("game started: ", program) == ["game started: zen, red"]
        program.send_signal(number)
        assert program.wait() == 0


def test_the_simulated_board_obeys_the_settings(tmp_path: Path) -> None:
    settings = tmp_path / "mine.toml"
    settings.write_text('[game]\nedition = "classic"\nfirst = "black"\n')
    with running("simulator", "simulate", "--headless", "--config", str(settings)) as program:
        assert read_until("game started: ", program) == ["game started: classic, black"]


# The log


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (BoardQuiet(), "board quiet"),
        (GameStarted(Edition.parse("bonus+aggressive"), Color.BLACK), "game started: bonus+aggressive, black"),
        (PawnLifted(0, Color.RED), "pawn lifted: row 0, red"),
        (PawnLifted(3, None), "pawn lifted: row 3"),
        (ActionAccepted(Action(Kind.OPENING, Color.RED, 0, 1)), "action accepted: red:0-1"),
        (ActionAccepted(Action(Kind.DECLINE, Color.RED), True), "action accepted: red:done, by implication"),
        (MoveRefused(Reason.ROW_FULL, (0, 1), "no room"), "move refused: row-full, rows 0 1, no room"),
        (SlotDoubted(LAYOUT.slot(3, 5), "dead"), "slot doubted: slot 3.5, dead"),
    ],
)
def test_an_event_is_a_line_in_the_log(event: Event, line: str) -> None:
    assert log.line(event, LAYOUT) == line
