"""One board, one game after another: receives inputs with their time, gives events.

The session owns all that is known, never reads a clock and never waits. What is seen goes to the `Watch`, and what that
means for the game is decided by the `Referee`.
"""

from __future__ import annotations

from engine import Color, Edition, Game, Kind, Match, Phase, State
from firmware.advice import Advice, Computer, Wish
from firmware.config import GameSettings
from firmware.course import Course, stage_of
from firmware.events import Event
from firmware.in_hand import hands_over
from firmware.partner import Partner
from firmware.question import question
from firmware.referee import Referee
from firmware.settle import SettleSettings
from firmware.sheet import Sheet
from firmware.view import Stage, View
from firmware.watch import Watch
from hardware.interface import Button, KeyEvent, Snapshot, Touch
from hardware.layout import Layout


class Session:
    """The board and all who sit at it. Begins with a set-up, or with a game that was interrupted."""

    def __init__(
        self,
        layout: Layout,
        settings: GameSettings,
        settle: SettleSettings,
        now: float,
        game: Game | None = None,
        match: Match | None = None,
        implied_declines: frozenset[int] = frozenset(),
    ) -> None:
        if game is None and match is None and settings.best_of:
            match = Match(settings.best_of, settings.starter)
        self._watch = Watch(layout, settle)
        self._sheet = Sheet(game or Game.new(settings.rules, settings.starter), match, implied_declines)
        self._partner = Partner(settings.opponent)
        self._course = Course(self._sheet, Stage.SETTING_UP if game is None else stage_of(game), now)
        self._referee = Referee(self._watch, self._sheet, self._partner, self._course)

    @property
    def game(self) -> Game:
        return self._sheet.game

    @property
    def match(self) -> Match | None:
        """The match with all finished games, this one included."""
        return self._sheet.match

    @property
    def implied_declines(self) -> frozenset[int]:
        """The numbers of the declines that only the opponent's move had said: they are taken back with it."""
        return self._sheet.implied_declines

    @property
    def computer(self) -> Computer | None:
        """Who the computer is, where it plays."""
        return self._partner.computer

    @property
    def wish(self) -> Wish | None:
        """What is to be thought about now; the answer to it goes to `hear`."""
        return None if self._referee.is_setting_up else self._partner.wish(self.game.state)

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest."""
        return self._watch.deadline

    # What comes in

    def see(self, snapshot: Snapshot, now: float) -> list[Event]:
        """A snapshot of the board."""
        changed, events = self._watch.see(snapshot, now)
        return [*events, *self._referee.look(now)] if changed else events

    def tick(self, now: float) -> list[Event]:
        """Time has passed."""
        return self._referee.look(now) if self._watch.tick(now) else []

    def lose(self, why: str, now: float) -> list[Event]:
        """The sensors cannot be read; the next snapshot ends it."""
        self._course.touch(now)
        return self._watch.lose(why)

    def touch(self, key: KeyEvent, now: float) -> list[Event]:
        """A finger on a key of the panel. The key for a new game must be held: nobody loses a game by a slip."""
        self._course.touch(now)
        if key.button is Button.NEW:
            return self._referee.next_game(now) if key.touch is Touch.HELD else []
        if key.touch is not Touch.PRESSED:
            return []
        if key.button is Button.DONE:
            return self._referee.done(now)
        if key.button is Button.BACK:
            return self._referee.back(now)
        return self._partner.hint(self.game.state, self._referee.hands_in_play, now)

    def hear(self, advice: Advice, now: float) -> list[Event]:
        """What thinking came to. Nothing is made of it when the game has moved on meanwhile."""
        return self._partner.hear(advice, self.wish, self._referee.hands_in_play, now)

    def new_game(
        self, edition: Edition, first: Color, best_of: int, now: float, computer: Computer | None = None
    ) -> list[Event]:
        """A new game, or a new match where `best_of` is not 0, by these rules."""
        self._sheet.new_game(edition, first, best_of)
        self._partner.sit_down(computer)
        return self._referee.set_up(now)

    def play_from(self, start: State, now: float) -> list[Event]:
        """A game by itself that begins in this state, against whoever plays now."""
        self._sheet.play_from(start)
        return self._referee.set_up(now)

    # The view

    @property
    def view(self) -> View:
        state, course, referee = self.game.state, self._course, self._referee
        opened = next((action for action in reversed(self.game.actions) if action.kind is Kind.OPENING), None)
        return View(
            stage=course.stage,
            since=course.since,
            state=state,
            match=self.match,
            sensors_lost=self._watch.lost,
            in_hand=hands_over(state, referee.hands_in_play or ()),
            misplaced=referee.misplaced,
            differences=referee.differences,
            question=question(referee.asked) if referee.asked else None,
            entered_row=opened.destination if opened and state.phase is Phase.FOLLOW_UP else None,
            accepted_row=course.accepted_row,
            accepted_at=course.accepted_at,
            again_at=course.again_at,
            ready_at=course.ready_at,
            computer=self.computer,
            thinking=self.wish is not None,
            advised=self._partner.advised(state, referee.hands_in_play),
            touched_at=course.touched_at,
            doubted_slots=self._watch.doubted_slots,
        )
