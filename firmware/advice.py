"""What is thought about at the board, and what came of it: values, and their form as text.

A wish names the state that it is about, to the last detail, and an answer carries its wish. Whoever hears an answer
can tell whether the game has moved on meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from engine import Action, BadInput, BadText, Color, LinjaError, State
from engine.levels import LEVELS, level

LEVEL_NUMBERS = tuple(each.number for each in LEVELS)


@dataclass(frozen=True, slots=True)
class Computer:
    """The computer as a player. As text: `black 4`."""

    color: Color
    level: int

    def __post_init__(self) -> None:
        level(self.level)

    @classmethod
    def parse(cls, text: str) -> Computer:
        match = re.fullmatch(r"(\w+) (\d{1,2})", text)
        if match is None:
            raise BadText(f"a computer is written as colour and level, like 'black 4', not as {text!r}")
        return cls(Color.parse(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.color} {self.level}"


@dataclass(frozen=True, slots=True)
class Wish:
    """Something to think about: what the computer does in this state; without a level, what would be best in it."""

    state: State
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """An action, and the points by which the player to move is expected to end ahead after it."""

    action: Action
    margin: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What came of a wish."""

    wish: Wish
    ranked: tuple[Ranked, ...] = ()
    """For a hint: every legal action, the best first."""
    line: tuple[Action, ...] = ()
    """For the computer: what it does, to the end of its turn."""
    is_exact: bool = False
    """Whether the margins are proven."""


def planned(state: State, line: Sequence[Action]) -> dict[State, Action]:
    """What to do in each state of one player's turn; `IllegalAction` where the line is against the rules."""
    plan: dict[State, Action] = {}
    player = state.to_move
    for action in line:
        if state.outcome is not None or state.to_move is not player:
            break
        plan[state] = action
        state = state.apply(action)
    return plan


def check(advice: Advice) -> None:
    """`LinjaError` unless it can be followed: a legal turn, or every legal action."""
    state = advice.wish.state
    if advice.wish.level is None:
        if {ranked.action for ranked in advice.ranked} != set(state.legal_actions()):
            raise BadInput("a hint must know every legal action and no other")
    elif not planned(state, advice.line):
        raise BadInput("the computer must choose an action")


class AdviceText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An advice without its wish, in JSON: actions as text."""

    ranked: tuple[tuple[str, float], ...] = ()
    line: tuple[str, ...] = ()
    is_exact: bool = False

    @classmethod
    def of(cls, advice: Advice) -> AdviceText:
        ranked = tuple((str(each.action), each.margin) for each in advice.ranked)
        return cls(ranked, tuple(map(str, advice.line)), advice.is_exact)

    def about(self, wish: Wish) -> Advice:
        """`LinjaError` where a text is no action."""
        ranked = tuple(Ranked(Action.parse(text), margin) for text, margin in self.ranked)
        return Advice(wish, ranked, tuple(map(Action.parse, self.line)), self.is_exact)


class _Whole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    state: str
    level: int | None
    text: AdviceText


def encode(advice: Advice) -> bytes:
    """The advice and its wish, so that they read back."""
    wish = advice.wish
    return msgspec.json.encode(_Whole(str(wish.state), wish.level, AdviceText.of(advice)))


def decode(content: bytes) -> Advice:
    """`ValueError` for what is no advice."""
    try:
        whole = msgspec.json.decode(content, type=_Whole)
        return whole.text.about(Wish(State.parse(whole.state), whole.level))
    except LinjaError as error:
        raise ValueError(str(error)) from error
