"""What the computer does in a scenario, and hands that do what the light says for it.

Thinking takes no time of its own there: the computer answers when the scenario says `think`, so that a scenario decides
what happens meanwhile. What was asked before and is asked no more is answered too: the session must not heed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from engine import Action, Color, LinjaError
from engine.search import Search
from firmware.advice import Advice, Ranked, Wish, check
from firmware.illuminate import meanings
from firmware.looks import Look
from firmware.thought import consider
from hardware.interface import Button
from simulator.steps import Lift, Press, Put, Step
from simulator.words import ScenarioError, Spot, Words

if TYPE_CHECKING:
    from simulator.stage import Performance

PATIENCE = 20
"""How often the search may ask whether to go on: the same everywhere, other than a time."""
HAND_S = 0.3
"""How long a hand that follows the light holds the pawn."""


@dataclass(frozen=True, slots=True)
class Think(Step):
    """The computer has thought. With actions it comes to these: its turn, or for a hint the best, a point apart."""

    actions: tuple[Action, ...] = ()

    def answer(self, wish: Wish, seed: int) -> Advice:
        try:
            advice = self._thought(wish, seed)
            check(advice)
        except LinjaError as error:
            raise ValueError(str(error)) from error
        return advice

    def _thought(self, wish: Wish, seed: int) -> Advice:
        if not self.actions:
            return consider(wish, Search(seed=seed), Random(seed), _patience())
        if wish.level is not None:
            return Advice(wish, line=self.actions)
        rest = [action for action in wish.state.legal_actions() if action not in self.actions]
        return Advice(wish, tuple(Ranked(action, -place) for place, action in enumerate([*self.actions, *rest])))

    def __str__(self) -> str:
        return " ".join(["think", *map(str, self.actions)])

    @classmethod
    def read(cls, words: Words) -> Think:
        try:
            return cls(tuple(Action.parse(text) for text in words.rest().split()))
        except LinjaError as error:
            raise ScenarioError(str(error)) from None


def _patience() -> Callable[[], bool]:
    asked = count(1)
    return lambda: next(asked) > PATIENCE


@dataclass(frozen=True, slots=True)
class Follow(Step):
    """A hand does what the light says for the computer, or as a hint."""

    def steps(self, performance: Performance) -> Iterator[Step | float]:
        """What that is, and the seconds in between."""
        rows = meanings(performance.session.view, performance.now).rows
        lit = {glow.look: (row, glow.pawns) for row, glows in enumerate(rows) for glow in glows}
        if Look.LEAVE in lit:
            yield Press(Button.DONE)
        elif Look.LIFT_HERE in lit and Look.PUT_HERE in lit:
            origin, color = lit[Look.LIFT_HERE]
            yield Lift(color or Color.RED, Spot(origin))
            yield HAND_S
            yield Put(color, Spot(lit[Look.PUT_HERE][0]))
        else:
            raise ValueError("the light does not say what to do")

    def __str__(self) -> str:
        return "follow"

    @classmethod
    def read(cls, words: Words) -> Follow:
        return cls()
