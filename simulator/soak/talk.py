"""What a tried service says, and what it is told, as values that go through pipes."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Game
from firmware.events import Event
from firmware.inputs import NewGame
from firmware.view import View
from hardware.interface import KeyEvent, Reading


@dataclass(frozen=True, slots=True)
class Announced:
    """These events will be told as soon as they are on disk; `start` is the game that they belong to, unplayed."""

    events: tuple[Event, ...]
    start: Game


@dataclass(frozen=True, slots=True)
class Told:
    """Lights, buzzer and pages show it from now on."""

    event: Event


@dataclass(frozen=True, slots=True)
class Lit:
    """The light of an action that was accepted is on its way to the pixels."""

    at: float
    """By the clock that all processes share."""


@dataclass(frozen=True, slots=True)
class Warned:
    """A sentence for the log."""

    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """How things stand; the answer to `Ask`."""

    game: Game
    view: View
    readings: tuple[Reading, ...]
    is_settled: bool
    address: str
    """Of the page, if it has one."""
    number: int
    """That of the question."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Go round once, and say how things stand."""

    number: int


@dataclass(frozen=True, slots=True)
class FailWrites:
    """From now on the journal's statements that begin so fail, `late` after they were carried out; empty: none do."""

    beginning: str
    late: bool = False


Word = Announced | Told | Lit | Warned | Shown
Order = Ask | FailWrites | KeyEvent | NewGame
