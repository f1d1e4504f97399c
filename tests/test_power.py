"""Holding two keys together switches the machine off, and does nothing that the keys do alone."""

from __future__ import annotations

import logging
from collections import deque
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.chord import TOGETHER_S, Chord
from firmware.power import HOLD_S, PanelWithPower, request_power_off
from hardware.interface import Button, KeyEvent, Touch, Tune

WORDS = {"down": Touch.PRESSED, "held": Touch.HELD, "up": Touch.RELEASED}
KEYS = st.sampled_from([KeyEvent(button, touch) for button in Button for touch in Touch])


def touches(script: str) -> list[tuple[float, KeyEvent]]:
    """`0.0 new down, 1.5 new up`"""
    steps = [step.split() for step in script.split(", ")]
    return [(float(at), KeyEvent(Button(button), WORDS[what])) for at, button, what in steps]


def said(key: KeyEvent) -> str:
    return f"{key.button.value} {next(word for word, touch in WORDS.items() if touch is key.touch)}"


class Desk:
    """A panel on a desk with its own clock: time passes only while somebody waits for a key."""

    def __init__(self, script: str) -> None:
        self.now = 0.0
        self.offs: list[float] = []
        self.tunes: list[Tune] = []
        self.is_closed = False
        self._touches = deque(touches(script))
        self.panel = PanelWithPower(self, self.off, lambda: self.now)

    def off(self) -> None:
        self.offs.append(self.now)

    def read(self, timeout: float) -> KeyEvent | None:
        if self._touches and self._touches[0][0] <= self.now + timeout:
            at, key = self._touches.popleft()
            self.now = max(self.now, at)
            return key
        self.now += timeout
        return None

    def play(self, tune: Tune) -> None:
        self.tunes.append(tune)

    def close(self) -> None:
        self.is_closed = True

    def run(self, until: float = 10.0) -> str:
        """What comes through, with the time."""
        heard = []
        while self.now < until:
            if key := self.panel.read(0.2):
                heard.append(f"{self.now:.2f} {said(key)}")
        return ", ".join(heard)


# The chord


@pytest.mark.parametrize("script", ["0.0 new down, 0.05 done down", "0.0 done down, 0.05 new down"])
def test_both_keys_held_switch_off_once_and_are_nothing_else(script: str) -> None:
    desk = Desk(f"{script}, 1.0 new held, 1.05 done held, 5.0 new up, 5.3 done up")
    assert desk.run() == ""
    assert desk.offs == [pytest.approx(0.05 + HOLD_S)]


def test_keys_let_go_too_early_do_nothing_at_all() -> None:
    desk = Desk("0.0 new down, 0.01 done down, 1.0 new held, 2.9 new up, 4.0 done up")
    assert desk.run() == ""
    assert desk.offs == []


def test_a_key_that_comes_back_starts_the_time_anew() -> None:
    desk = Desk("0.0 new down, 0.0 done down, 2.0 new up, 2.5 new down, 7.0 new up, 7.0 done up")
    assert desk.run() == ""
    assert desk.offs == [pytest.approx(2.5 + HOLD_S)]


def test_the_chord_can_be_played_again() -> None:
    once = "{} new down, {} done down, {} new up, {} done up"
    desk = Desk(", ".join([once.format(0, 0, 4, 4), once.format(5, 5, 9, 9)]))
    desk.run()
    assert desk.offs == [pytest.approx(HOLD_S), pytest.approx(5 + HOLD_S)]


# The keys alone


def test_a_key_alone_is_itself_and_late_by_less_than_can_be_felt() -> None:
    assert Desk("1.0 done down, 1.5 done up").run() == "1.06 done down, 1.50 done up"
    assert TOGETHER_S < 0.1


def test_a_quick_tap_is_not_kept_back_any_longer() -> None:
    assert Desk("1.0 done down, 1.02 done up").run() == "1.02 done down, 1.02 done up"


def test_a_long_hold_of_new_asks_for_a_new_game_as_ever() -> None:
    desk = Desk("0.0 new down, 1.0 new held, 9.0 new up")
    assert desk.run() == "0.06 new down, 1.00 new held, 9.00 new up"
    assert desk.offs == []


def test_other_keys_are_not_kept_back_and_nothing_overtakes() -> None:
    assert (
        Desk("1.0 done down, 1.01 hint down, 1.02 hint up").run(1.05) == "1.01 done down, 1.01 hint down, 1.02 hint up"
    )


def test_a_second_finger_that_comes_late_takes_nothing_back_and_still_makes_the_chord() -> None:
    desk = Desk("0.0 done down, 0.5 new down, 1.5 new held, 5.0 done up, 5.0 new up")
    assert desk.run() == "0.06 done down"
    assert desk.offs == [pytest.approx(0.5 + HOLD_S)]


@given(st.lists(st.tuples(st.floats(0, 2), KEYS), max_size=30))
def test_whatever_fingers_do_nothing_is_invented_and_nothing_overtakes(script: list[tuple[float, KeyEvent]]) -> None:
    chord, now, passed = Chord((Button.NEW, Button.DONE), HOLD_S), 0.0, []
    for wait_s, key in script:
        now += wait_s
        passed += chord.feel(key, now)
    passed += chord.tick(now + TOGETHER_S)
    remaining = iter([key for _, key in script])
    assert all(key in remaining for key in passed)
    others = [key for _, key in script if key.button in (Button.BACK, Button.HINT)]
    assert [key for key in passed if key.button in (Button.BACK, Button.HINT)] == others


# The panel and the request


def test_a_panel_that_nobody_touches_answers_in_time() -> None:
    desk = Desk("9.0 new down")
    assert desk.panel.read(0.2) is None
    assert desk.now == pytest.approx(0.2)


def test_tunes_and_the_end_reach_the_panel_behind() -> None:
    desk = Desk("0.0 new down")
    desk.panel.play(Tune.OVER)
    desk.panel.close()
    assert (desk.tunes, desk.is_closed) == ([Tune.OVER], True)


def test_the_request_is_a_file_in_the_folder_that_systemd_gave(tmp_path: Path) -> None:
    request_power_off({"RUNTIME_DIRECTORY": str(tmp_path)})
    assert [path.name for path in tmp_path.iterdir()] == ["power-off"]


@pytest.mark.parametrize(
    ("environment", "logged"),
    [
        ({}, "a board that is installed as a service would switch off now"),
        ({"RUNTIME_DIRECTORY": "/nowhere/at/all"}, "the machine cannot be switched off"),
    ],
)
def test_a_machine_that_cannot_be_switched_off_is_told_in_the_log(
    environment: dict[str, str], logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        request_power_off(environment)
    assert logged in caplog.text
