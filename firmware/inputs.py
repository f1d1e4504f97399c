"""All that can come in at the board, as values: what a session is given, and in this order, is the whole of a game."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Color, Edition, Match, State
from firmware.advice import Advice, Computer
from firmware.events import Event
from firmware.session import Session
from hardware.interface import KeyEvent, Snapshot


@dataclass(frozen=True, slots=True)
class Loss:
    """The sensors cannot be read."""

    why: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """Somebody asks for a new game, or for a match where `best_of` is not 0, which must be one that there is; without a
    computer, two people play."""

    edition: Edition
    first: Color
    best_of: int
    computer: Computer | None = None

    def __post_init__(self) -> None:
        if self.best_of:
            Match(self.best_of, self.first)


@dataclass(frozen=True, slots=True)
class PlayFrom:
    """Somebody asks to play on from a state of a game, by itself, against whoever plays now."""

    start: State


Input = Snapshot | Loss | KeyEvent | NewGame | PlayFrom | Advice


def give(session: Session, what: Input, now: float) -> list[Event]:
    """What the session makes of it."""
    match what:
        case Snapshot():
            return session.see(what, now)
        case Loss(why):
            return session.lose(why, now)
        case KeyEvent():
            return session.touch(what, now)
        case NewGame(edition, first, best_of, computer):
            return session.new_game(edition, first, best_of, now, computer)
        case PlayFrom(start):
            return session.play_from(start, now)
        case Advice():
            return session.hear(what, now)
