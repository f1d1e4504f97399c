"""A host for the page's tests: a simulated board and a real session, in time that passes only when something happens.

After everything that hands do, the board is left alone until it has settled. So a test never waits for a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from engine import Action, Color, Edition, Game, Position, State
from firmware.advice import Computer
from firmware.config import GameSettings
from firmware.events import Event
from firmware.guard.devices import Devices
from firmware.guard.guard import Guard
from firmware.illuminate import meanings
from firmware.paint import paint
from firmware.palette import Palette, PaletteSettings
from firmware.review import Looker, ReviewedTurn, reviewed
from firmware.session import Session
from firmware.settle import SettleSettings
from firmware.solutions import Searches
from firmware.tunes import tune_for
from firmware.view import View
from firmware.web.host import Hands
from hardware.calibration import Calibration
from hardware.errors import SensorLost
from hardware.interface import Frame, KeyEvent, Reading, Tune
from hardware.layout import BoardSettings, Layout
from simulator.arrangement import READINGS, arrange
from simulator.board import SCAN_S, SimulatedBoard, calibrated
from simulator.page_hands import SimulatedHands
from simulator.partner_steps import Think

LAYOUT = Layout.of(BoardSettings())
SETTLED_S = 0.1


@cache
def _calibration() -> Calibration:
    return calibrated(LAYOUT)


def make_guard() -> Guard:
    """A guard as it stands before a board that no device was ever paired with."""
    return Guard([], Devices(Path("nowhere", "devices.json")))


class StandIn:
    """`Host` over a simulated board; with `is_real`, one whose pawns a page cannot move."""

    layout = LAYOUT
    workshop = None

    def __init__(self, game: Game | None = None, *, is_real: bool = False) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.on_frame: Callable[[Frame], None] = lambda frame: None
        self.on_tune: Callable[[Tune], None] = lambda tune: None
        self.on_event: Callable[[Event], None] = lambda event: None
        self.on_review: Callable[[Game, Sequence[ReviewedTurn]], None] = lambda game, turns: None
        self.board = SimulatedBoard(LAYOUT, calibration=_calibration())
        self.hands: Hands | None = None if is_real else AttentiveHands(self)
        self.readings: Sequence[Reading] = (Reading.EMPTY,) * LAYOUT.slot_count
        self.review_depth = 1
        self.highest_mm = 0.0
        """How high a page has held a pawn."""
        self.now = 0.0
        self._session = Session(LAYOUT, GameSettings(), SettleSettings(), self.now, game)
        self._palette = Palette.of(PaletteSettings())
        self.arrange(self.game.state.position)

    @property
    def view(self) -> View:
        return self._session.view

    @property
    def game(self) -> Game:
        return self._session.game

    @property
    def frame(self) -> Frame:
        return paint(meanings(self.view, self.now), LAYOUT, self._palette, self.now)

    def touch(self, key: KeyEvent) -> None:
        self._tell(self._session.touch(key, self.now))

    def new_game(self, edition: Edition, first: Color, best_of: int, computer: Computer | None = None) -> None:
        self._tell(self._session.new_game(edition, first, best_of, self.now, computer))

    def play_from(self, start: State) -> None:
        self._tell(self._session.play_from(start, self.now))

    def look_back(self) -> None:
        turns: list[ReviewedTurn] = []
        for turn in reviewed(self.game, Looker(Searches(Path("nowhere")), self.review_depth)):
            turns.append(turn)
            self.on_review(self.game, turns)

    def think(self, *actions: str) -> None:
        """Let the computer come to this turn, or to these as a hint."""
        wish = self._session.wish
        assert wish
        self._tell(self._session.hear(Think(tuple(map(Action.parse, actions))).answer(wish, seed=0), self.now))

    # What a test does at the board

    def arrange(self, position: Position) -> None:
        """Put the pawns where a position says."""
        arrange(self.board.table, position)
        self.let_settle()

    def move(self, color: Color, origin: int, destination: int) -> None:
        """Take a pawn out of one row and put it down in another."""
        self.lift(color, origin)
        self.board.table.place(destination, color=READINGS[color])
        self.let_settle()

    def lift(self, color: Color, row: int) -> None:
        self.board.table.lift(READINGS[color], row)
        self.let_settle()

    def let_settle(self, seconds: float = SETTLED_S) -> None:
        """Scan the board until what is on it has settled."""
        happened: list[Event] = []
        for _ in range(round(seconds / SCAN_S)):
            self.now += SCAN_S
            happened += self._scan()
        self._tell(happened)

    def _scan(self) -> list[Event]:
        try:
            snapshot = self.board.sensors.sample(self.now)
        except SensorLost as loss:
            return self._session.lose(str(loss), self.now)
        if snapshot is None:
            return self._session.tick(self.now)
        self.readings = snapshot.readings
        return [*self._session.see(snapshot, self.now), *self._session.tick(self.now)]

    def _tell(self, happened: list[Event]) -> None:
        for event in happened:
            self.on_event(event)
        tune = tune_for(happened, self.game.state)
        if tune is not None:
            self.on_tune(tune)
        self.on_change()
        self.on_frame(self.frame)


class AttentiveHands(SimulatedHands):
    """Hands that the stand-in's session sees at once."""

    def __init__(self, host: StandIn) -> None:
        super().__init__(host.board)
        self._host = host

    def move(self, number: int, x_mm: float, y_mm: float, height_mm: float) -> None:
        super().move(number, x_mm, y_mm, height_mm)
        self._host.highest_mm = max(self._host.highest_mm, height_mm)
        self._host.let_settle()

    def fault(self, text: str) -> None:
        super().fault(text)
        self._host.let_settle()
