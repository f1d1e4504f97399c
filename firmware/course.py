"""The course of the game on the board: what is played and taken back, the stage it is at, and when it came to that."""

from __future__ import annotations

from engine import Action, Game
from firmware.events import AnotherTurn, Event
from firmware.meaning import Option, Played, Replayed, TakenBack
from firmware.sheet import Sheet
from firmware.view import Stage


class Course:
    """Times are those of the clock that the session is given; None: never. What is open here is shown by the view."""

    def __init__(self, sheet: Sheet, stage: Stage, now: float) -> None:
        self._sheet = sheet
        self.stage = stage
        self.since = self.touched_at = now
        self.accepted_row: int | None = None
        self.accepted_at: float | None = None
        self.again_at: float | None = None
        self.ready_at: float | None = None

    def touch(self, now: float) -> None:
        """Something has happened at the board."""
        self.touched_at = now

    def enter(self, stage: Stage, now: float) -> None:
        """At this stage, since now unless it was before."""
        if stage is not self.stage:
            self.stage, self.since = stage, now

    def begin(self, now: float) -> None:
        """All pawns are set up."""
        self.ready_at = now
        self.enter(Stage.PLAYING, now)

    def go_on(self, now: float) -> None:
        """The pawns are as they should be, or on their way."""
        self.enter(stage_of(self._sheet.game), now)

    def take(self, option: Option, now: float) -> list[Event]:
        """What has happened to the game is written down."""
        match option:
            case Played(actions):
                return self._accept(self._sheet.play(actions), actions, now)
            case Replayed(count, actions):
                return self._accept(self._sheet.replay(count, actions), actions, now)
            case TakenBack(count):
                self.accepted_row = self.accepted_at = None
                events = self._sheet.take_back(count)
                self.go_on(now)
                return events

    def _accept(self, events: list[Event], actions: tuple[Action, ...], now: float) -> list[Event]:
        self.accepted_row, self.accepted_at = actions[-1].destination, now
        if any(isinstance(event, AnotherTurn) for event in events):
            self.again_at = now
        self.go_on(now)
        return events


def stage_of(game: Game) -> Stage:
    """The stage of a game while nothing is to be put right."""
    return Stage.PLAYING if game.state.outcome is None else Stage.OVER
