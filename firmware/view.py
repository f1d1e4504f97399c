"""What the session knows at one moment: all that the lights, the page and the log need to show it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine import Action, Color, Match, Reason, State
from firmware.advice import Computer


class Stage(Enum):
    """What the board is busy with."""

    SETTING_UP = "setting-up"  # pawns are still missing from the position that is to be played
    PLAYING = "playing"
    DISAGREES = "disagrees"  # the pawns stand in no way that the game can explain
    TAKING_BACK = "taking-back"  # the key was pressed, and pawns are to be moved back
    ASKING = "asking"  # what was seen can mean more than one thing
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Hand:
    """A pawn that is in somebody's hand: where it came from, its colour where it is known, where it may be put."""

    row: int
    color: Color | None
    landings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A pawn that stands where the rules do not allow it."""

    color: Color | None
    origin: int
    row: int
    reason: Reason
    explanation: str


@dataclass(frozen=True, slots=True)
class RowDifference:
    """How a row differs from what it should hold: positive counts are pawns too many, negative ones are missing."""

    row: int
    red: int
    black: int


@dataclass(frozen=True, slots=True)
class Question:
    """What was seen can mean more than one thing. This is one of them: `done` says yes, `back` goes on to the next.

    `kind` names it for the page: `bonus`, `opened` (the opponent has begun, so the rest was declined), `turn` (these
    actions, where others end alike on the board), `taken-back`, `instead` (the last action was changed to this one),
    or `new-game` (the pawns were set up in mid-game: `done` begins a new one, `back` takes this one back to its
    start). `text` says it in English, for the log.
    """

    kind: str
    text: str
    rows: tuple[int, ...]
    played: str
    """The actions that are meant, as text; empty where none are."""


@dataclass(frozen=True, slots=True)
class Advised:
    """An action that the board shows: the computer's, for a person to carry out, or a hint.

    Of a hint, `margin` is by how many points the player is expected to end ahead after it, and `behind` how many that
    are less than after the best.
    """

    action: Action
    at: float
    rank: int = 1
    margin: float = 0.0
    behind: float = 0.0
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Times are those of the clock that the session is given; None: never."""

    stage: Stage
    since: float
    """When the stage began."""
    state: State
    match: Match | None
    sensors_lost: bool
    in_hand: tuple[Hand, ...] = ()
    misplaced: Misplaced | None = None
    differences: tuple[RowDifference, ...] = ()
    """While setting up, disagreeing or taking back: the rows that are not as they should be."""
    question: Question | None = None
    entered_row: int | None = None
    """In a follow-up: the row that the opening entered."""
    accepted_row: int | None = None
    """The landing row of the last accepted action."""
    accepted_at: float | None = None
    again_at: float | None = None
    """When another full turn was earned."""
    ready_at: float | None = None
    """When the set-up was complete."""
    computer: Computer | None = None
    """Who the computer is, where it plays."""
    thinking: bool = False
    """Whether the computer thinks, about its turn or about a hint."""
    advised: Advised | None = None
    touched_at: float = 0.0
    """When anything last happened at the board."""
    doubted_slots: tuple[tuple[int, str], ...] = ()
    """Slots whose sensors cannot be trusted, with the kind of fault."""

    @property
    def is_computers_turn(self) -> bool:
        return self.computer is not None and self.state.to_move is self.computer.color
