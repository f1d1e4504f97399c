"""The words of one line of a scenario, taken one after the other; what does not fit is said with what would."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from engine import ROWS, Color
from hardware.layout import Layout

_E = TypeVar("_E", bound=Enum)


class ScenarioError(ValueError):
    """A line that means nothing."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A row, or one slot of it: `3` or `3.2`."""

    row: int
    slot: int | None = None

    def __str__(self) -> str:
        return f"{self.row}" if self.slot is None else f"{self.row}.{self.slot}"


class Words:
    """What is left to read of a line."""

    def __init__(self, text: str, layout: Layout) -> None:
        self._words = text.split()
        self.layout = layout

    @property
    def next(self) -> str | None:
        return self._words[0] if self._words else None

    def take(self, what: str) -> str:
        if not self._words:
            raise ScenarioError(f"{what} is missing at the end")
        return self._words.pop(0)

    def took(self, word: str) -> bool:
        """Takes this word if it comes next."""
        if self.next != word:
            return False
        self._words.pop(0)
        return True

    def one_or_none(self, *choices: str) -> str:
        """Takes the next word if it is one of these; otherwise there is none."""
        return self.take("a word") if self.next in choices else ""

    def rest(self) -> str:
        words, self._words = self._words, []
        return " ".join(words)

    def finish(self) -> None:
        if self._words:
            raise ScenarioError(f"{' '.join(self._words)!r} is too much at the end")

    def number(self, what: str) -> int:
        word = self.take(what)
        if not re.fullmatch(r"-?[0-9]{1,9}", word):
            raise ScenarioError(f"{what} is a whole number, not {word!r}")
        return int(word)

    def row(self) -> int:
        word = self.take("a row")
        if not re.fullmatch(f"[0-{ROWS - 1}]", word):
            raise ScenarioError(f"a row is a number from 0 to {ROWS - 1}, not {word!r}")
        return int(word)

    def rows(self) -> tuple[int, ...]:
        """All rows from here to the end of the line, at least one."""
        rows = [self.row()]
        while self._words:
            rows.append(self.row())
        return tuple(rows)

    def spot(self) -> Spot:
        word = self.take("a row or a slot")
        match = re.fullmatch(r"([0-9]+)(?:\.([0-9]{1,2}))?", word)
        if match is None or int(match[1]) >= ROWS:
            raise ScenarioError(f"a row is a number from 0 to {ROWS - 1}, a slot is written like 3.2; not {word!r}")
        row, slot = int(match[1]), int(match[2]) if match[2] else None
        if slot is not None and slot >= len(self.layout.rows[row]):
            last = len(self.layout.rows[row]) - 1
            raise ScenarioError(f"row {row} has the slots {row}.0 to {row}.{last}; there is no {word}")
        return Spot(row, slot)

    def color(self) -> Color:
        return self.one_of(Color, "a colour")

    def color_if_any(self) -> Color | None:
        return self.color() if self.next in [color.value for color in Color] else None

    def one_of(self, kind: type[_E], what: str) -> _E:
        word = self.take(what)
        for member in kind:
            if member.value == word:
                return member
        raise ScenarioError(f"{what} is one of {', '.join(str(member.value) for member in kind)}; not {word!r}")

    def seconds(self) -> float:
        word = self.take("a time")
        match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]+)?)(ms|s)", word)
        if match is None:
            raise ScenarioError(f"a time is written like 500ms or 2s, not {word!r}")
        return float(match[1]) / (1000 if match[2] == "ms" else 1)
