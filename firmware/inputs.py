"""All that can come in at the board, as values: what a session is given, and in this order, is the whole of a game."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Color, Edition
from firmware.events import Event
from firmware.session import Session
from hardware.interface import KeyEvent, Snapshot


@dataclass(frozen=True, slots=True)
class Loss:
    """The sensors cannot be read."""

    why: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """Somebody asks for a new game, or for a match where `best_of` is not 0."""

    edition: Edition
    first: Color
    best_of: int


Input = Snapshot | Loss | KeyEvent | NewGame


def give(session: Session, what: Input, now: float) -> list[Event]:
    """What the session makes of it."""
    match what:
        case Snapshot():
            return session.see(what, now)
        case Loss(why):
            return session.lose(why, now)
        case KeyEvent():
            return session.touch(what, now)
        case NewGame(edition, first, best_of):
            return session.new_game(edition, first, best_of, now)
