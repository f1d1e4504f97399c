"""A match: several games, and who starts each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.board import Color
from engine.errors import BadMatch, BadText


@dataclass(frozen=True, slots=True)
class Match:
    """Best of `best_of` games; `first` starts the first, drawn by lot beforehand.

    The loser of a game starts the next; after a draw the player who did not start it does. A drawn game counts as
    played: the match is over when the lead cannot be caught up in the games that are left, or when none is left.
    As text: `best of 3, red first: black, draw`.
    """

    best_of: int
    first: Color
    results: tuple[Color | None, ...] = ()
    """The winner of each finished game, None for a draw."""

    def __post_init__(self) -> None:
        if type(self.best_of) is not int or self.best_of < 1 or self.best_of % 2 == 0:
            raise BadMatch(f"a match is the best of an odd number of games, 1, 3, 5 and so on, not {self.best_of!r}")
        for played in range(len(self.results)):
            if Match._is_over(self.best_of, self.results[:played]):
                raise BadMatch(f"the match was over after {played} games; there cannot be {len(self.results)}")

    @classmethod
    def parse(cls, text: str) -> Match:
        match = re.fullmatch(r"best of (\d{1,3}), (red|black) first(?:: (\w+(?:, \w+)*))?", text)
        if match is None:
            raise BadText(f"a match is written like 'best of 3, red first: black, draw', not {text!r}")
        words = match[3].split(", ") if match[3] else []
        results = tuple(None if word == "draw" else Color.parse(word) for word in words)
        return cls(int(match[1]), Color(match[2]), results)

    def __str__(self) -> str:
        results = ", ".join(str(winner) if winner else "draw" for winner in self.results)
        return f"best of {self.best_of}, {self.first} first" + (f": {results}" if results else "")

    def won_by(self, color: Color) -> int:
        """How many games the colour has won."""
        return self.results.count(color)

    @property
    def is_over(self) -> bool:
        return Match._is_over(self.best_of, self.results)

    @property
    def winner(self) -> Color | None:
        """Who has won the match; None while it goes on, and when it is over and drawn."""
        red, black = self.won_by(Color.RED), self.won_by(Color.BLACK)
        if not self.is_over or red == black:
            return None
        return Color.RED if red > black else Color.BLACK

    @property
    def starter(self) -> Color:
        """Who starts the next game."""
        starter = self.first
        for winner in self.results:
            starter = winner.opponent if winner else starter.opponent
        return starter

    def with_result(self, winner: Color | None) -> Match:
        """The match after one more game, won by `winner` or drawn."""
        return Match(self.best_of, self.first, (*self.results, winner))

    @staticmethod
    def _is_over(best_of: int, results: tuple[Color | None, ...]) -> bool:
        lead = abs(results.count(Color.RED) - results.count(Color.BLACK))
        return lead > best_of - len(results) or len(results) == best_of
