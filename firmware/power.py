"""Switching the machine off at the panel: `new` and `done` held together.

The service may not switch anything off. It leaves a file in its runtime folder, which systemd waits for: see `unit`.
"""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware.chord import Chord
from firmware.unit import POWER_OFF_REQUEST
from hardware.interface import Button, KeyEvent, Panel, Tune

logger = logging.getLogger(__name__)

HOLD_S = 3.0
"""How long the keys are held: longer than anybody holds them by mistake."""


def request_power_off(environment: Mapping[str, str] = os.environ) -> None:
    """Ask for the machine to be switched off."""
    folder = environment.get("RUNTIME_DIRECTORY")
    if not folder:
        logger.warning("new and done were held: a board that is installed as a service would switch off now")
        return
    logger.warning("new and done were held: switching off")
    try:
        Path(folder, POWER_OFF_REQUEST).touch()
    except OSError as error:
        logger.error("the machine cannot be switched off: %s", error)


class PanelWithPower:
    """A panel whose keys `new` and `done`, held together, call `switch_off`, once, and do nothing else then."""

    def __init__(
        self,
        panel: Panel,
        switch_off: Callable[[], None] = request_power_off,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._panel = panel
        self._switch_off = switch_off
        self._clock = clock
        self._chord = Chord((Button.NEW, Button.DONE), HOLD_S)
        self._was_held = False
        self._passed: deque[KeyEvent] = deque()

    def read(self, timeout: float) -> KeyEvent | None:
        """The next thing a finger did that is not part of the chord. Blocks."""
        until = self._clock() + timeout
        while not self._passed:
            deadline = self._chord.deadline
            wake_at = until if deadline is None else min(until, deadline)
            key = self._panel.read(max(0.0, wake_at - self._clock()))
            now = self._clock()
            self._passed.extend(self._chord.tick(now) if key is None else self._chord.feel(key, now))
            if self._chord.is_held and not self._was_held:
                self._switch_off()
            self._was_held = self._chord.is_held
            if key is None and now >= until:
                break
        return self._passed.popleft() if self._passed else None

    def play(self, tune: Tune) -> None:
        self._panel.play(tune)

    def close(self) -> None:
        self._panel.close()
