"""What the black box holds: the circumstances under which it began, all that came in at the board, and what the session
said has happened."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum

import msgspec

from engine import Game, LinjaError, Match, State
from firmware.config import GameSettings
from firmware.events import Event
from firmware.inputs import Input
from firmware.session import Session
from firmware.settle import SettleSettings
from firmware.view import Stage
from hardware.calibration import Calibration, SensorLevels
from hardware.errors import HardwareError
from hardware.layout import BoardSettings, Layout


class BlackBoxError(ValueError):
    """A file that is no recording, or a damaged one; the message names it and says where."""


class Circumstances(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a session depends on besides its inputs. With it, a recording needs nothing else to be replayed."""

    at: float
    """When that was, in seconds of the wall clock (UNIX time)."""
    board: BoardSettings
    game: GameSettings
    settle: SettleSettings
    board_id: str = ""
    sensors: tuple[SensorLevels, ...] = ()
    """The calibration that the levels were read by; empty where the sensors have no levels."""
    record: str | None = None
    """The game that stood on the board, where one did."""
    start: str | None = None
    """The state that pawns were being set up for, where that is not the set-up of a game."""
    match: str | None = None
    """The match as it stood before that game."""
    implied: tuple[int, ...] = ()
    """The numbers of the declines in it that only the opponent's move had said."""
    entries_before: int = 0
    """How much was recorded since the session began; 0: it begins here."""

    def __post_init__(self) -> None:
        try:
            slots = Layout.of(self.board).slot_count
            self.resumed_game()
            self.resumed_match()
            self.set_up_for()
        except (LinjaError, HardwareError) as error:
            raise ValueError(str(error)) from error
        if self.sensors and len(self.sensors) != slots:
            raise ValueError(f"{len(self.sensors)} sensors for a board of {slots} slots")

    @classmethod
    def of(
        cls, session: Session, board: BoardSettings, settle: SettleSettings, calibration: Calibration | None, at: float
    ) -> Circumstances:
        """How things stand with a session on this board."""
        start, outcome, match = session.game.start, session.game.state.outcome, session.match
        is_setting_up = session.view.stage is Stage.SETTING_UP
        if match is not None and outcome is not None:
            match = Match(match.best_of, match.first, match.results[:-1])
        return cls(
            at=at,
            board=board,
            game=GameSettings.of(start.edition, start.to_move, match.best_of if match else 0).against(session.computer),
            settle=settle,
            board_id=calibration.board if calibration else "",
            sensors=calibration.sensors if calibration else (),
            record=None if is_setting_up else str(session.game),
            start=str(start) if is_setting_up and start != State.initial(start.edition, start.to_move) else None,
            match=str(match) if match else None,
            implied=tuple(sorted(session.implied_declines)),
        )

    @property
    def layout(self) -> Layout:
        return Layout.of(self.board)

    @property
    def calibration(self) -> Calibration | None:
        return Calibration(self.board_id, self.sensors) if self.sensors else None

    def resumed_game(self) -> Game | None:
        return None if self.record is None else Game.parse(self.record)

    def resumed_match(self) -> Match | None:
        return None if self.match is None else Match.parse(self.match)

    def set_up_for(self) -> State | None:
        return None if self.start is None else State.parse(self.start)

    def session(self, now: float) -> Session:
        """A session that begins as things stood."""
        implied, start = frozenset(self.implied), self.set_up_for()
        session = Session(self.layout, self.game, self.settle, now, self.resumed_game(), self.resumed_match(), implied)
        if start is not None:
            session.play_from(start, now)
        return session


@dataclass(frozen=True, slots=True)
class Tick:
    """Time had passed, and a slot had settled by it."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, as text."""

    event: str

    @classmethod
    def of(cls, event: Event) -> Happened:
        values = (f"{field.name}={_text(getattr(event, field.name))}" for field in fields(event))
        return cls(f"{type(event).__name__}({', '.join(values)})")


def _text(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return f"({' '.join(map(_text, value))})"
    return str(value)


Content = Circumstances | Input | Tick | Happened


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing, and when: in seconds of the clock that the session was given."""

    now: float
    what: Content
