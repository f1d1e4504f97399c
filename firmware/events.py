"""What the session says has happened, in the past tense. Events go to the journal, the log, the buzzer and the page."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Action, Color, Edition, Match, Outcome, Reason
from hardware.interface import Button


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that happened at the board."""


@dataclass(frozen=True, slots=True)
class SetUpAsked(Event):
    """A new game waits for its pawns to be set up."""


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    edition: Edition
    first: Color


@dataclass(frozen=True, slots=True)
class PawnLifted(Event):
    """A pawn left the board; the colour is None where the board cannot tell."""

    row: int
    color: Color | None


@dataclass(frozen=True, slots=True)
class BoardQuiet(Event):
    """Every pawn stands where the game says, after it did not."""


@dataclass(frozen=True, slots=True)
class ActionAccepted(Event):
    """An action became part of the game; `by_implication` is a decline that the opponent's move said."""

    action: Action
    by_implication: bool = False


@dataclass(frozen=True, slots=True)
class AnotherTurn(Event):
    """The player earned another full turn."""

    player: Color


@dataclass(frozen=True, slots=True)
class ActionsTakenBack(Event):
    count: int


@dataclass(frozen=True, slots=True)
class MoveRefused(Event):
    """A pawn stands where the rules do not allow it, or something was asked for that they do not allow."""

    reason: Reason
    rows: tuple[int, ...]
    explanation: str


@dataclass(frozen=True, slots=True)
class KeyRefused(Event):
    """A key was pressed that has nothing to do now."""

    button: Button
    explanation: str


@dataclass(frozen=True, slots=True)
class BoardDisagreed(Event):
    """The pawns stand in no way that the game can explain; it waits for them to be put back."""


@dataclass(frozen=True, slots=True)
class QuestionAsked(Event):
    """What was seen can mean more than one thing; the players say which."""

    text: str


@dataclass(frozen=True, slots=True)
class NewGameOffered(Event):
    """The pawns were set up anew in the middle of a game."""


@dataclass(frozen=True, slots=True)
class TakeBackAsked(Event):
    """The key was pressed: so many actions are to be taken back, and the light shows which pawns to move."""

    count: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    match: Match


@dataclass(frozen=True, slots=True)
class SlotDoubted(Event):
    """A slot's sensor cannot be trusted: `kind` is dead, stuck, weak or what the scanner calls it."""

    slot: int
    kind: str


@dataclass(frozen=True, slots=True)
class SlotTrusted(Event):
    """A slot that was doubted works again."""

    slot: int


@dataclass(frozen=True, slots=True)
class SensorsLost(Event):
    why: str


@dataclass(frozen=True, slots=True)
class SensorsBack(Event):
    pass


@dataclass(frozen=True, slots=True)
class HintAsked(Event):
    """The hint key: the best action is to be shown, or the next best."""


@dataclass(frozen=True, slots=True)
class HintShown(Event):
    """The light shows what would be good: the best, or the action of that rank."""

    action: Action
    rank: int


@dataclass(frozen=True, slots=True)
class ComputerChose(Event):
    """The computer has made up its mind, and the light shows what to do for it."""

    action: Action
