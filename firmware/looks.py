"""The words of the language of light: what a row can say, in which hue, and what the whole board says at one moment.

A look has one meaning and one pattern, the same everywhere; `firmware.illuminate` says which looks apply and
`firmware.paint` turns them into pixels. docs/lights.md shows them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine import Color


class Look(Enum):
    """What a row says."""

    TURN = "turn"  # this player is to move
    MOVABLE = "movable"  # a pawn in this row may move
    ORIGIN = "origin"  # the pawn in hand came from here
    LEGAL = "legal"  # the pawn may be put down here
    PATH = "path"  # the pawn in hand passes here on its way
    DISTANCE = "distance"  # the follow-up goes so many rows
    BONUS = "bonus"  # within reach of the bonus
    THINKING = "thinking"  # the computer thinks, for this player or about a hint
    LIFT_HERE = "lift-here"  # the computer's action or a hint: take a pawn from here
    PUT_HERE = "put-here"  # and put it down here
    LEAVE = "leave"  # the computer's action or a hint: nothing, press done
    AGAIN = "again"  # another full turn
    ACCEPTED = "accepted"  # the action is part of the game
    ERROR = "error"  # a pawn stands here against the rules
    CAME_FROM = "came-from"  # and this is where it belongs
    TOO_MANY = "too-many"  # pawns stand here that belong elsewhere
    TOO_FEW = "too-few"  # so many pawns belong here that stand elsewhere
    MISSING = "missing"  # so many pawns are still to be set up here
    READY = "ready"  # the set-up is complete
    QUESTION = "question"  # what was seen here can mean more than one thing
    COUNTED = "counted"  # these pawns have been counted
    ATTENTION = "attention"  # the board cannot see


STEADY = frozenset(
    {Look.TURN, Look.MOVABLE, Look.ORIGIN, Look.LEGAL, Look.DISTANCE, Look.BONUS, Look.MISSING, Look.COUNTED}
)
"""The looks that stand still; all others move as long as they are there."""


class Hue(Enum):
    """What a colour stands for; which colour that is, the palette says. The values are its keys."""

    RED = "red"
    BLACK = "black"
    LEGAL = "legal"
    BONUS = "bonus"
    ERROR = "error"
    ATTENTION = "attention"
    ACCEPTED = "accepted"
    DISTANCE = "distance"
    CALM = "calm"  # taking back: something is to be put right, but nothing is wrong

    @classmethod
    def of(cls, color: Color) -> Hue:
        return cls.RED if color is Color.RED else cls.BLACK


@dataclass(frozen=True, slots=True)
class Glow:
    """A look as one row wears it."""

    look: Look
    hue: Hue
    since: float = 0.0
    """When it begins: a sweep or a run reaches the rows one after the other. For a count: when it is finished."""
    pawns: Color | None = None
    """Whose pawns it speaks of: red's are shown from the left, black's from the right."""
    count: int = 0
    """How many pixels a person counts; for a question, 1 is the answer yes and 2 the answer no."""


class Mood(Enum):
    """How a score strip shows its points."""

    STANDING = "standing"  # dim: as they stand
    COUNTED = "counted"  # bright: they are final
    WINNING = "winning"  # breathing


@dataclass(frozen=True, slots=True)
class ScoreLight:
    """A score strip: a pixel a point from the player's own edge; below zero, a pixel a point from the far edge."""

    points: int
    hue: Hue
    mood: Mood = Mood.STANDING
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardLight:
    """What the board says at one moment."""

    rows: tuple[tuple[Glow, ...], ...]
    """The glows of each row. Where two meet on a pixel, the brighter is seen."""
    scores: tuple[ScoreLight, ScoreLight]
    """Red's strip and black's."""
    doubted_slots: tuple[int, ...] = ()
    """Slots that are marked because their sensors cannot be trusted."""
    dim: float = 1.0
    """The share of its light that the whole board is left with."""

    def looks(self, row: int) -> frozenset[Look]:
        return frozenset(glow.look for glow in self.rows[row])
