"""What a search has to say about a state: a judgement of every legal action, the best first."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action


@dataclass(frozen=True, slots=True)
class Judged:
    """An action, and what it is worth."""

    action: Action
    margin: float
    """The expected points of the player to move, less the opponent's, when both play their best after the action."""
    line: tuple[Action, ...]
    """The best that is known to follow, from the action itself to the end of its turn or further."""


@dataclass(frozen=True, slots=True)
class Thought:
    """Every legal action of a state, judged, the best first."""

    judged: tuple[Judged, ...]
    depth: int
    """How many whole turns ahead the best action was searched, this one included."""
    nodes: int
    """How many positions were valued for it."""
    is_exact: bool
    """Whether every margin is proven."""
    is_settled: bool = False
    """Whether the margin of the best action is proven, and that no other is better."""

    @property
    def best(self) -> Judged:
        return self.judged[0]

    def loss(self, judged: Judged) -> float:
        """How many points an action gives away, as far as is known."""
        return self.best.margin - judged.margin
