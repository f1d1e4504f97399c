"""What a still board can mean: values. Which of them it is, `observe` finds; where a pawn too many is seen,
`pawn_too_many` does."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Action
from firmware.sight import Missing
from firmware.view import Misplaced


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a still board means."""


@dataclass(frozen=True, slots=True)
class Quiet(Meaning):
    """The board shows the game's position but for the pawns in hand."""

    in_hand: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class Played(Meaning):
    """These actions were played, in this order; pawns may still be in hand after them."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class TakenBack(Meaning):
    """So many actions were taken back."""

    count: int


@dataclass(frozen=True, slots=True)
class Replayed(Meaning):
    """So many actions of the turn were taken back, and these were played instead."""

    count: int
    actions: tuple[Action, ...]


Option = Played | TakenBack | Replayed
"""What the board may mean for the game."""


@dataclass(frozen=True, slots=True)
class Ambiguous(Meaning):
    """Either of these was played; what follows differs."""

    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Unsettled(Meaning):
    """Pawns are in hand, and it cannot be said yet which went where."""

    in_hand: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class SetUpAgain(Meaning):
    """The pawns stand as at the start of a game, long after it."""


@dataclass(frozen=True, slots=True)
class PawnTooMany(Meaning):
    """One more pawn is seen than there are. Either it has left a slot that goes on showing it, and this was played; or
    a slot shows a pawn that is not there, and nothing has happened."""

    shown: Played | TakenBack
    left_slot: int
    false_slot: int


@dataclass(frozen=True, slots=True)
class WronglyPlaced(Meaning):
    """One pawn stands where the rules do not allow it."""

    misplaced: Misplaced


@dataclass(frozen=True, slots=True)
class Disagreement(Meaning):
    """The board shows nothing that the game can explain."""

    swept: bool = False
    """Whether so many pawns are gone that no hand can hold them: nothing counts until all stand again."""
