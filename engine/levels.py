"""Levels of play: from a child's to full strength.

A weaker player looks fewer turns ahead, and does not always take the best it sees: an action that gives away little is
likely, one that gives away more is not, and what gives away more than the level allows is never played. So its mistakes
are those of a person who overlooks something, not of one who does not care.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.errors import BadInput
from engine.search.thought import Judged, Thought


@dataclass(frozen=True, slots=True)
class Level:
    """How well the computer plays."""

    number: int
    name: str
    depth: int | None
    """How many whole turns it looks ahead; None: as many as it has time for."""
    most_loss: float
    """How many points, as it sees them, it gives away at most in one action."""
    usual_loss: float
    """How many points make an action less likely by a factor of e."""

    def __str__(self) -> str:
        return f"level {self.number}"

    @property
    def is_full_strength(self) -> bool:
        return self.depth is None


LEVELS = (
    Level(1, "first games", depth=1, most_loss=6, usual_loss=2),
    Level(2, "beginner", depth=1, most_loss=3, usual_loss=0.75),
    Level(3, "casual", depth=2, most_loss=2.5, usual_loss=0.75),
    Level(4, "experienced", depth=3, most_loss=1, usual_loss=0.2),
    Level(5, "full strength", depth=None, most_loss=0, usual_loss=0),
)


def level(number: int) -> Level:
    for each in LEVELS:
        if each.number == number:
            return each
    raise BadInput(f"the levels are 1 to {LEVELS[-1].number}; there is no level {number!r}")


def has_seen_enough(thought: Thought, level: Level) -> bool:
    """Whether a player of this level looks no further."""
    return thought.is_settled or (level.depth is not None and thought.depth >= level.depth)


def choose(thought: Thought, level: Level, random: Random) -> Judged:
    """What a player of this level does, having thought so far."""
    if level.most_loss == 0:
        return thought.best
    thinkable = [judged for judged in thought.judged if thought.loss(judged) <= level.most_loss]
    return random.choices(thinkable, _likelihoods(thought, thinkable, level.usual_loss))[0]


def _likelihoods(thought: Thought, judged: Sequence[Judged], usual_loss: float) -> list[float]:
    return [math.exp(-thought.loss(one) / usual_loss) for one in judged]
