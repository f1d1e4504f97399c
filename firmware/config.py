"""The settings: one TOML file, a section for each part, checked as a whole before anything starts."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine import EDITIONS, Color, Edition


class GameSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which game is played: section `[game]`."""

    edition: Literal["classic", "bonus", "zen"] = "zen"
    aggressive: bool = False
    first: Literal["red", "black"] = "red"
    best_of: int = 0
    """Games in a match; 0: no match."""

    def __post_init__(self) -> None:
        if self.aggressive and not EDITIONS[self.edition].bonus:
            raise ValueError(f"the edition {self.edition} has no bonus, so it has no aggressive option")
        if self.best_of and (self.best_of < 0 or self.best_of % 2 == 0):
            raise ValueError(f"best_of is {self.best_of}: a match is the best of 1, 3, 5 and so on; 0 is no match")

    @property
    def rules(self) -> Edition:
        return EDITIONS[self.edition].with_option(aggressive=self.aggressive)

    @property
    def starter(self) -> Color:
        return Color(self.first)
