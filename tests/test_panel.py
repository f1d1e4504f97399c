"""Keys and buzzer on gpiozero's mock pins: fingers push the pins, and the buzzer's pin is listened to."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from logging.handlers import QueueHandler
from queue import Queue
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from hardware.errors import GpioError, HardwareError, PanelUnavailable
from hardware.interface import Button, KeyEvent, Touch, Tune
from hardware.panel import GpioPanel, PanelSettings
from hardware.tunes import REST, TUNES, Note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

KEYS = {Button.NEW: 5, Button.BACK: 6, Button.DONE: 13, Button.HINT: 19}
BUZZER = 16
PATIENCE_S = 10.0
FOREVER_S = 1e6

PRESSED, HELD, RELEASED = Touch.PRESSED, Touch.HELD, Touch.RELEASED


@dataclass
class Table:
    """The panel in front of a person: fingers, ears, and a clock that stands still until it is moved."""

    pins: MockFactory = field(default_factory=lambda: MockFactory(pin_class=MockPWMPin))
    now: float = 1000.0
    heard: Queue[Note] = field(default_factory=Queue)
    notes_last: bool = False

    def panel(self, **settings: Any) -> GpioPanel:
        return GpioPanel(PanelSettings(**settings), self.pins, clock=lambda: self.now, pause=self.listen)

    def press(self, button: Button) -> None:
        self.pins.pin(KEYS[button]).drive_low()

    def release(self, button: Button) -> None:
        self.pins.pin(KEYS[button]).drive_high()

    def tone_hz(self) -> int:
        buzzer = self.pins.pin(BUZZER)
        return int(buzzer.frequency) if buzzer.state == 0.5 else REST

    def listen(self, give_way: Event, length_s: float) -> None:
        """Takes the place of waiting out a note: a note is over at once, or lasts until it must give way."""
        self.heard.put(Note(self.tone_hz(), round(length_s * 1000)))
        if self.notes_last:
            give_way.wait(PATIENCE_S)

    def hear(self, count: int) -> tuple[Note, ...]:
        return tuple(self.heard.get(timeout=PATIENCE_S) for _ in range(count))


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def panel(table: Table) -> Iterator[GpioPanel]:
    panel = table.panel()
    yield panel
    panel.close()


def everything(panel: GpioPanel) -> list[tuple[Button, Touch]]:
    return [(event.button, event.touch) for event in iter(lambda: panel.read(0), None)]


@pytest.mark.parametrize("button", Button)
def test_a_short_press_is_pressed_and_released(table: Table, panel: GpioPanel, button: Button) -> None:
    table.press(button)
    assert panel.read(0) == KeyEvent(button, PRESSED)
    table.release(button)
    assert panel.read(0) == KeyEvent(button, RELEASED)


def test_nothing_is_reported_when_nothing_happened(panel: GpioPanel) -> None:
    assert panel.read(0) is None


def test_a_read_ends_by_its_time_out() -> None:
    panel = GpioPanel(PanelSettings(), MockFactory(pin_class=MockPWMPin))
    assert panel.read(0.01) is None
    panel.close()


def test_a_key_held_long_enough_is_reported_while_it_is_down(table: Table, panel: GpioPanel) -> None:
    table.press(Button.NEW)
    table.now += 0.999
    assert everything(panel) == [(Button.NEW, PRESSED)]
    table.now += 0.001
    assert everything(panel) == [(Button.NEW, HELD)]
    table.now += 5
    table.release(Button.NEW)
    assert everything(panel) == [(Button.NEW, RELEASED)]


def test_a_reader_that_waits_is_told_of_a_hold_without_another_touch() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    panel = GpioPanel(PanelSettings(hold_ms=1), pins)
    pins.pin(KEYS[Button.NEW]).drive_low()
    assert panel.read(FOREVER_S) == KeyEvent(Button.NEW, PRESSED)
    assert panel.read(FOREVER_S) == KeyEvent(Button.NEW, HELD)
    panel.close()


def test_a_hold_that_nobody_was_reading_comes_in_its_place(table: Table, panel: GpioPanel) -> None:
    table.press(Button.NEW)
    table.now += 0.5
    table.press(Button.HINT)
    table.now += 0.6
    table.release(Button.HINT)
    table.now += 9
    table.release(Button.NEW)
    assert everything(panel) == [
        (Button.NEW, PRESSED),
        (Button.HINT, PRESSED),
        (Button.NEW, HELD),
        (Button.HINT, RELEASED),
        (Button.NEW, RELEASED),
    ]


def test_two_keys_are_held_in_the_order_in_which_they_went_down(table: Table, panel: GpioPanel) -> None:
    table.press(Button.HINT)
    table.now += 0.1
    table.press(Button.BACK)
    table.now += 2
    assert everything(panel)[2:] == [(Button.HINT, HELD), (Button.BACK, HELD)]


def test_each_press_is_held_anew(table: Table, panel: GpioPanel) -> None:
    table.press(Button.NEW)
    table.now += 0.9
    table.release(Button.NEW)
    table.press(Button.NEW)
    table.now += 0.9
    assert everything(panel) == [(Button.NEW, PRESSED), (Button.NEW, RELEASED), (Button.NEW, PRESSED)]
    table.now += 0.1
    assert everything(panel) == [(Button.NEW, HELD)]


def test_a_key_that_was_down_from_the_start_is_not_released(table: Table) -> None:
    table.pins.pin(KEYS[Button.DONE], pin_class=StuckPin)
    panel = table.panel()
    table.release(Button.DONE)
    assert panel.read(0) is None
    table.press(Button.DONE)
    assert panel.read(0) == KeyEvent(Button.DONE, PRESSED)
    panel.close()


class StuckPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """Somebody leans on the key: the pull-up does not lift it."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


def test_hold_time_is_a_setting(table: Table) -> None:
    panel = table.panel(hold_ms=300)
    table.press(Button.NEW)
    table.now += 0.3
    assert everything(panel) == [(Button.NEW, PRESSED), (Button.NEW, HELD)]
    panel.close()


@pytest.mark.parametrize("tune", Tune)
def test_a_tune_sounds_note_by_note(table: Table, panel: GpioPanel, tune: Tune) -> None:
    panel.play(tune)
    assert table.hear(len(TUNES[tune])) == TUNES[tune]


def test_the_buzzer_is_silent_between_tunes(table: Table, panel: GpioPanel) -> None:
    panel.play(Tune.READY)
    table.hear(len(TUNES[Tune.READY]))
    panel.play(Tune.ACCEPTED)
    table.hear(1)
    assert [change.state for change in table.pins.pin(BUZZER).states][:4] == [0, 0.5, 0, 0.5]


def test_a_sounding_tune_gives_way(table: Table, panel: GpioPanel) -> None:
    table.notes_last = True
    panel.play(Tune.OVER)
    assert table.hear(1) == TUNES[Tune.OVER][:1]
    panel.play(Tune.REFUSED)
    assert table.hear(1) == TUNES[Tune.REFUSED][:1]


def test_closing_ends_the_tune_and_lets_go_of_the_pins(table: Table) -> None:
    table.notes_last = True
    panel = table.panel()
    panel.play(Tune.OVER)
    table.hear(1)
    panel.close()
    assert table.tone_hz() == REST
    assert table.heard.empty()
    assert "buzzer" not in [thread.name for thread in threading.enumerate()]
    table.panel().close()


def test_closing_twice_is_harmless(table: Table) -> None:
    panel = table.panel()
    panel.close()
    panel.close()


def test_a_buzzer_that_fails_is_logged_and_the_next_tune_plays(
    table: Table, panel: GpioPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("no such line")

    log: Queue[logging.LogRecord] = Queue()
    monkeypatch.setattr(logging.getLogger("hardware.tunes"), "handlers", [QueueHandler(log)])
    with monkeypatch.context() as patch:
        patch.setattr(table.pins.pin(BUZZER), "_set_frequency", broken)
        panel.play(Tune.ACCEPTED)
        assert log.get(timeout=PATIENCE_S).getMessage() == "the buzzer failed: no such line"
    panel.play(Tune.READY)
    assert table.hear(len(TUNES[Tune.READY])) == TUNES[Tune.READY]


def test_a_pin_factory_without_pwm_is_refused_and_no_pin_is_kept() -> None:
    pins = MockFactory(pin_class=MockPin)
    with pytest.raises(
        PanelUnavailable, match=r"^the panel cannot be used \(.*\): check its pins and who may use GPIO$"
    ):
        GpioPanel(PanelSettings(), pins)
    pins.pin_class = MockPWMPin
    pins.pins.clear()
    GpioPanel(PanelSettings(), pins).close()


def test_a_pin_that_something_else_uses_is_refused(table: Table, panel: GpioPanel) -> None:
    with pytest.raises(PanelUnavailable, match="GPIO5 is already in use"):
        table.panel()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hint": 5}, "GPIO 5 is used twice: by key new and by key hint"),
        ({"buzzer": 13}, "GPIO 13 is used twice: by key done and by the buzzer"),
        ({"back": 28}, "key back is on GPIO 28, but the pins are GPIO 0 to 27"),
        ({"new": -1}, "key new is on GPIO -1, but the pins are GPIO 0 to 27"),
        ({"hold_ms": 0}, "hold_ms is 0: it must be at least 1"),
        ({"bounce_ms": -1}, "bounce_ms is -1: it must not be negative"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(GpioError) as refused:
        PanelSettings(**settings)
    assert str(refused.value) == message


def test_settings_from_a_file_are_checked_alike() -> None:
    with pytest.raises(msgspec.ValidationError, match="GPIO 5 is used twice"):
        msgspec.convert({"hint": 5}, PanelSettings)


def test_every_tune_can_be_told_from_the_others_and_is_over_soon() -> None:
    assert set(TUNES) == set(Tune)
    assert len(set(TUNES.values())) == len(TUNES)
    assert all(sum(note.length_ms for note in notes) <= 1000 for notes in TUNES.values())


def test_panel_errors_are_caught_as_hardware_errors_and_as_built_in_ones() -> None:
    assert issubclass(PanelUnavailable, HardwareError)
    assert issubclass(PanelUnavailable, OSError)
    assert issubclass(GpioError, HardwareError)
    assert issubclass(GpioError, ValueError)
