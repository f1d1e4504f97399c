"""The computer as one sits with it at the board: whose turn it takes, what it would like to think about, and what it
says: the action that is its turn's next, or a hint.

All of it is bound to a state of the game. An answer to another wish than the one of this moment is not heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import Action, Game, State
from firmware import tempo
from firmware.advice import Advice, Computer, Ranked, Wish, planned
from firmware.events import ComputerChose, Event, HintAsked, HintShown, KeyRefused
from firmware.sight import Missing
from firmware.view import Advised
from hardware.interface import Button

InHand = tuple[Missing, ...] | None
"""The pawns in hand while all others stand as the game says; None while they do not, and nothing can be advised."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A hint that was asked for."""

    state: State
    in_hand: tuple[Missing, ...]
    at: float
    rank: int = 0


class Partner:
    """The computer beside one game after the other; it may play one of the colours, and give hints to the other."""

    def __init__(self, computer: Computer | None) -> None:
        self.sit_down(computer)

    def sit_down(self, computer: Computer | None) -> None:
        """Another game: what was thought of the last is forgotten."""
        self.computer = computer
        self._plan: dict[State, Action] = {}
        self._chosen_at = 0.0
        self._judged: Advice | None = None
        self._asked: _Asked | None = None

    def plays(self, state: State) -> bool:
        """Whether the turn is the computer's."""
        return self.computer is not None and state.outcome is None and state.to_move is self.computer.color

    def wish(self, state: State) -> Wish | None:
        """What is to be thought about now."""
        if self.computer is not None and self.plays(state):
            return None if state in self._plan else Wish(state, self.computer.level)
        is_asked = self._asked is not None and self._asked.state == state
        return Wish(state) if is_asked and not self._knows(state) else None

    def hear(self, advice: Advice, wish: Wish | None, in_hand: InHand, now: float) -> list[Event]:
        """Takes an answer, unless the game has moved on and something else, or nothing, is wished for by now."""
        if advice.wish != wish:
            return []
        state = wish.state
        if wish.level is None:
            self._judged = advice
        else:
            self._plan = planned(state, advice.line)
            self._chosen_at = now
        return self._shown(state, in_hand)

    def hint(self, state: State, in_hand: InHand, now: float) -> list[Event]:
        """The key: the best action for the pawn in hand, or of all; and while a hint is shown, the next best."""
        if why_not := self._why_no_hint(state, in_hand):
            return [KeyRefused(Button.HINT, why_not)]
        assert in_hand is not None
        before = self._asked
        if before is None or (before.state, before.in_hand) != (state, in_hand) or now >= before.at + tempo.HINT_S:
            self._asked = _Asked(state, in_hand, now)
        elif self._knows(state):
            self._asked = _Asked(state, in_hand, now, (before.rank + 1) % len(self._choices(in_hand)))
        return [HintAsked(), *self._shown(state, in_hand)]

    def _why_no_hint(self, state: State, in_hand: InHand) -> str | None:
        if in_hand is None:
            return "nothing can be moved now"
        if self.plays(state):
            return "it is the computer's turn"
        can_move = any(_fits(action, in_hand) for action in state.legal_actions())
        return None if can_move else "the pawn in hand cannot move"

    def _shown(self, state: State, in_hand: InHand) -> list[Event]:
        advised = self.advised(state, in_hand)
        if advised is None:
            return []
        return [ComputerChose(advised.action) if self.plays(state) else HintShown(advised.action, advised.rank)]

    def advised(self, state: State, in_hand: InHand) -> Advised | None:
        """What is to be shown: the computer's next action, or the hint that was asked for in this state."""
        if in_hand is None:
            return None
        if self.plays(state):
            action = self.chosen(state)
            return None if action is None else Advised(action, self._chosen_at)
        asked = self._asked
        if asked is None or asked.state != state or self._judged is None or not self._knows(state):
            return None
        choices = self._choices(asked.in_hand)
        chosen = choices[asked.rank]
        if not _fits(chosen.action, in_hand):
            return None  # another pawn was lifted since
        behind = choices[0].margin - chosen.margin
        return Advised(chosen.action, asked.at, asked.rank + 1, chosen.margin, behind, self._judged.is_exact)

    def chosen(self, state: State) -> Action | None:
        """What the computer does in this state, if it has made up its mind."""
        return self._plan.get(state) if self.plays(state) else None

    def to_persons_turn(self, game: Game, count: int, with_implied: int) -> int:
        """How many actions to take back, at least so many, until it is the person's turn, if it ever was."""
        if self.computer is None or game.states[-1 - count].to_move is not self.computer.color:
            return with_implied
        for more in range(with_implied, len(game.actions) + 1):
            if game.states[-1 - more].to_move is not self.computer.color:
                return more
        return with_implied

    def _knows(self, state: State) -> bool:
        return self._judged is not None and self._judged.wish.state == state

    def _choices(self, in_hand: Sequence[Missing]) -> list[Ranked]:
        assert self._judged
        return [ranked for ranked in self._judged.ranked if _fits(ranked.action, in_hand)]


def _fits(action: Action, in_hand: Sequence[Missing]) -> bool:
    """Whether it is an action of a pawn that is in hand, or none is."""
    return not in_hand or any(pawn.row == action.origin and pawn.color in (None, action.color) for pawn in in_hand)
