"""Actions: the smallest steps of a game. A turn is an opening and what it earns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from engine.board import Color, require_color, require_row
from engine.errors import BadInput, BadText


class Kind(Enum):
    """What an action is."""

    OPENING = "opening"
    FOLLOW_UP = "follow-up"
    BONUS = "bonus"
    DECLINE = "decline"


_MARKS = {Kind.OPENING: "", Kind.FOLLOW_UP: "+", Kind.BONUS: "*"}
_KINDS = {mark: kind for kind, mark in _MARKS.items()}
_DECLINED = "done"
_TEXT = re.compile(r"(?:(?P<color>red|black):)?(?:done|(?P<mark>[+*]?)(?P<origin>[0-7])-(?P<destination>[0-7]))")


@dataclass(frozen=True, slots=True)
class Action:
    """One pawn from one row to another, or declining to move one.

    `color` is the colour of the pawn, which in an aggressive bonus may be the opponent's; for a decline it is the
    player's. As text: `red:0-1` is an opening, `red:+0-4` a follow-up, `red:*7-6` a bonus, `red:done` a decline.
    """

    kind: Kind
    color: Color
    origin: int | None = None
    destination: int | None = None

    def __post_init__(self) -> None:
        require_color(self.color)
        if self.kind is Kind.DECLINE:
            if self.origin is not None or self.destination is not None:
                raise BadInput("a decline moves no pawn, so it has no rows")
        else:
            require_row(self.origin)
            require_row(self.destination)

    @classmethod
    def parse(cls, text: str, player: Color | None = None) -> Action:
        """The action of a text; one that names no colour is the `player`'s."""
        match = _TEXT.fullmatch(text)
        if match is None:
            raise BadText(f"an action is written like red:0-1, red:+0-4, red:*7-6 or red:done, not {text!r}")
        color = Color(match["color"]) if match["color"] else player
        if color is None:
            raise BadText(f"the action {text!r} does not say whose it is")
        if match["origin"] is None:
            return cls(Kind.DECLINE, color)
        return cls(_KINDS[match["mark"]], color, int(match["origin"]), int(match["destination"]))

    def __str__(self) -> str:
        return f"{self.color}:{self.short(self.color)}"

    def short(self, player: Color) -> str:
        """The text without the colour where the pawn is the player's own."""
        movement = _DECLINED if self.kind is Kind.DECLINE else f"{_MARKS[self.kind]}{self.origin}-{self.destination}"
        return movement if self.color is player else f"{self.color}:{movement}"
