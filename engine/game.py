"""A game: the actions played so far, and those taken back that can be played again."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action, Kind
from engine.board import Color
from engine.edition import DEFAULT_EDITION, Edition
from engine.errors import NothingToUndo
from engine.state import State


@dataclass(frozen=True, slots=True)
class Turn:
    """The actions of one player from an opening to the next, and its number in the game."""

    number: int
    player: Color
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """The history of one game. Immutable: playing and taking back give a new `Game`. Its text is the record."""

    states: tuple[State, ...]
    """The state before the first action, and after each."""
    actions: tuple[Action, ...] = ()
    undone: tuple[Action, ...] = ()
    """What was taken back, the next to be played again first."""

    @classmethod
    def new(cls, edition: Edition = DEFAULT_EDITION, first: Color = Color.RED) -> Game:
        return cls.from_state(State.initial(edition, first))

    @classmethod
    def from_state(cls, start: State) -> Game:
        return cls((start,))

    @classmethod
    def parse(cls, text: str) -> Game:
        from engine.record import parse_record  # it plays games, so it imports this module

        return parse_record(text)

    def __str__(self) -> str:
        from engine.record import record_text

        return record_text(self)

    @property
    def start(self) -> State:
        return self.states[0]

    @property
    def state(self) -> State:
        return self.states[-1]

    def play(self, action: Action) -> Game:
        """The game with one more action. What was taken back can still be played again as long as it is the same."""
        state = self.state.apply(action)
        undone = self.undone[1:] if self.undone[:1] == (action,) else ()
        return Game((*self.states, state), (*self.actions, action), undone)

    def undo(self, count: int = 1) -> Game:
        """The game with the last `count` actions taken back."""
        if not 0 <= count <= len(self.actions):
            raise NothingToUndo(f"{count} actions cannot be taken back: the game has {len(self.actions)}")
        kept = len(self.actions) - count
        return Game(self.states[: kept + 1], self.actions[:kept], self.actions[kept:] + self.undone)

    def redo(self, count: int = 1) -> Game:
        """The game with `count` of the actions that were taken back played again."""
        if not 0 <= count <= len(self.undone):
            raise NothingToUndo(f"{count} actions cannot be played again: {len(self.undone)} were taken back")
        game = self
        for action in self.undone[:count]:
            game = game.play(action)
        return game

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The actions by turn. A turn passed for want of an opening has none and is left out."""
        turns: list[Turn] = []
        for state, action in zip(self.states, self.actions, strict=False):
            if action.kind is Kind.OPENING or not turns:
                turns.append(Turn(len(turns) + 1, state.to_move, (action,)))
            else:
                turns[-1] = Turn(len(turns), state.to_move, (*turns[-1].actions, action))
        return tuple(turns)
