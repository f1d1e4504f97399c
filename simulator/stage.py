"""Scenarios performed: a simulated board and a session, in virtual time.

The board is scanned a hundred times a second while anything moves, and five times a second at rest, which is how often
the scanner itself has something to tell; the session is called at its deadlines. Nothing waits for a real clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine import Color
from firmware.advice import Wish
from firmware.config import GameSettings
from firmware.events import Event
from firmware.session import Session
from firmware.settle import SettleSettings
from hardware.calibration import Calibration
from hardware.errors import SensorLost
from hardware.interface import Reading, Snapshot
from simulator.board import REST_S, SCAN_S, SimulatedBoard, calibrated
from simulator.expectations import Expectation
from simulator.partner_steps import Follow, Think
from simulator.scenario import LAYOUT, Beginning, Line, Movement, Scenario
from simulator.steps import READINGS, Step, Wait

SETTLE = SettleSettings()
SETTLED_S = SETTLE.place_ms / 1000 + 5 * SCAN_S
"""How long the board is left alone after a movement: one settle time, and a few scans for a level at an edge."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A line that could not be done, or whose expectation did not hold, and what was there."""

    line: Line
    there: str

    def __str__(self) -> str:
        return f"line {self.line.number}: {self.line.text}\n    there was: {self.there}"


@lru_cache(maxsize=8)
def _calibration(seed: int, noise_levels: float) -> Calibration:
    return calibrated(LAYOUT, seed, noise_levels)


class Performance:
    """One board, one session, and the time that they live in."""

    def __init__(self, beginning: Beginning) -> None:
        self.now = 0.0
        self.events: list[tuple[float, Event]] = []
        self.board = SimulatedBoard(
            LAYOUT,
            beginning.seed,
            beginning.noise_levels,
            _calibration(beginning.seed, beginning.noise_levels),
        )
        settings = GameSettings.of(beginning.edition, beginning.first, beginning.best_of)
        self.session = Session(
            LAYOUT, settings.against(beginning.computer), SETTLE, self.now, beginning.game, beginning.match
        )
        self._digital = beginning.digital
        self._seed = beginning.seed
        self._wishes: list[Wish] = []
        self._next_scan = 0.0
        self._seen: Snapshot | None = None
        self._latest = 0
        self._marks: dict[str, int] = {}
        if not beginning.empty:
            self._put_pawns(beginning)
        self.let_pass(SETTLED_S)

    @property
    def latest(self) -> list[Event]:
        """What the session has said since the last movement began."""
        return [event for _, event in self.events[self._latest :]]

    def events_since_mark(self, name: str) -> list[Event]:
        """What the session has said since this was last asked under this name."""
        start = self._marks.get(name, 0)
        self._marks[name] = len(self.events)
        return [event for _, event in self.events[start:]]

    def do(self, movement: Movement) -> None:
        """All hands begin together; afterwards the board is left alone until it has settled."""
        self._latest = len(self.events)
        hands = {number: self._steps(steps) for number, steps in enumerate(movement.hands)}
        due = dict.fromkeys(hands, self.now)
        while due:
            hand = min(due, key=lambda number: due[number])
            self.let_pass(due[hand] - self.now)
            seconds = next(hands[hand], None)
            self._stir()
            if seconds is None:
                del due[hand]
            else:
                due[hand] += seconds
        if not all(isinstance(step, Wait) for steps in movement.hands for step in steps):
            self.let_pass(SETTLED_S)

    def let_pass(self, seconds: float) -> None:
        """Scans and deadlines in their order, until so much time has passed."""
        end = self.now + max(0.0, seconds)
        while True:
            deadline = self.session.deadline
            due = self._next_scan if deadline is None else min(self._next_scan, deadline)
            if due > end:
                break
            self.now = max(self.now, due)
            if due < self._next_scan:
                self._note(self.session.tick(self.now))
            else:
                self._scan()
        self.now = end

    def _steps(self, steps: tuple[Step, ...]) -> Iterator[float]:
        for step in steps:
            match step:
                case Think():
                    self._think(step)
                case Follow():
                    for part in step.steps(self):
                        yield from part.perform(self.board) if isinstance(part, Step) else (part,)
                case _:
                    yield from step.perform(self.board)

    def _think(self, step: Think) -> None:
        """Answers all that was to be thought about since the last time, the oldest first."""
        wishes, self._wishes = self._wishes, []
        for wish in wishes:
            self._note(self.session.hear(step.answer(wish, self._seed), self.now))

    def _stir(self) -> None:
        """Something was done: the keys are heard at once, and the board is scanned at its next turn."""
        while key := self.board.panel.read(0):
            self._note(self.session.touch(key, self.now))
        self._next_scan = min(self._next_scan, (math.floor(self.now / SCAN_S + 1e-6) + 1) * SCAN_S)

    def _scan(self) -> None:
        before, self._seen = self._seen, self._sampled()
        unchanged = self._seen is not None and before is not None and self._seen.sureness is before.sureness
        if self._seen is not None:
            self._note(self.session.see(self._seen, self.now))
        at_rest = unchanged and not self.board.faults.active
        self._next_scan = self.now + (REST_S if at_rest else SCAN_S)

    def _sampled(self) -> Snapshot | None:
        try:
            snapshot = self.board.sensors.sample(self.now)
        except SensorLost as loss:
            self._note(self.session.lose(str(loss), self.now))
            return None
        return _without_color(snapshot) if snapshot and self._digital else snapshot

    def _note(self, events: list[Event]) -> None:
        self.events += [(self.now, event) for event in events]
        wish = self.session.wish
        if wish is not None and wish not in self._wishes:
            self._wishes.append(wish)

    def _put_pawns(self, beginning: Beginning) -> None:
        table = self.board.table
        if beginning.position is None:
            table.set_up()
            return
        for color in Color:
            for row, count in enumerate(beginning.position.of(color)):
                for _ in range(count):
                    table.take(READINGS[color])
                    table.place(row)


def _without_color(snapshot: Snapshot) -> Snapshot:
    pawns = (Reading.RED, Reading.BLACK)
    readings = tuple(Reading.OCCUPIED if reading in pawns else reading for reading in snapshot.readings)
    return Snapshot(readings, snapshot.sureness, snapshot.levels, snapshot.faults)


def perform(scenario: Scenario, begin: Callable[[Beginning], Performance] = Performance) -> Failure | None:
    """Performs a scenario; the first line that fails ends it."""
    performance = begin(scenario.beginning)
    for line in scenario.lines:
        if isinstance(line.content, Expectation):
            there = line.content.unmet(performance)
            if there is not None:
                return Failure(line, there)
            continue
        try:
            performance.do(line.content)
        except ValueError as error:  # hands were asked to do what cannot be done
            return Failure(line, str(error))
    return None
