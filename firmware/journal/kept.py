"""A game as the journal keeps it, and how the rows of its file become that game again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import Action, Color, Edition, Game, LinjaError, Match, State
from firmware.advice import Computer


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game with what the record does not say. Times are seconds of the wall clock (UNIX time)."""

    key: str
    """Never changes and is never given twice; the number of a game may, when a damaged file is put aside."""
    game: Game
    match: Match | None = None
    """The match as it stood before this game."""
    began: float | None = None
    ended: float | None = None
    implied: frozenset[int] = frozenset()
    """The numbers of those declines that only the opponent's move had said."""
    imported: bool = False
    computer: Computer | None = None
    """Who the computer is, where it plays."""

    def played(self, action: Action, at: float, *, implied: bool) -> KeptGame:
        game = self.game.play(action)
        declines = self.implied | {len(self.game.actions)} if implied else self.implied
        return replace(self, game=game, implied=declines, ended=at if game.state.outcome else None)

    def taken_back(self, count: int) -> KeptGame:
        game = self.game.undo(count)
        declines = frozenset(number for number in self.implied if number < len(game.actions))
        return replace(self, game=game, implied=declines, ended=None if count else self.ended)


END_OF_TIME = 253_402_300_800
"""The first second of the year 10000."""

HEADER = "number, key, edition, first, start, match, began, ended, imported"
"""The columns of `games` that cannot be worked out from the actions, in the order that `game_of_rows` takes them."""


def game_of_rows(
    header: Sequence[Any], actions: Iterable[Sequence[Any]], computer: Any = None
) -> tuple[KeptGame, str | None]:
    """The game as far as its actions follow from one another, and what is wrong with the first that does not.

    A header that makes no sense is a `LinjaError`: without it the actions mean nothing.
    """
    number, key, edition, first, start, match, began, ended, imported = header
    game = _started(edition, first, start)
    implied: set[int] = set()
    flaw = None
    for expected, (index, text, is_implied) in enumerate(actions):
        try:
            if index != expected:
                raise LinjaError(f"it is followed by action {index}")
            game = game.play(Action.parse(str(text)))
        except LinjaError as error:
            flaw = f"action {expected + 1} of game {number} makes no sense: {error}"
            break
        if is_implied:
            implied.add(index)
    over = game.state.outcome is not None
    kept = KeptGame(
        key=key if isinstance(key, str) else "",
        game=game,
        match=_match(match),
        began=_seconds(began),
        ended=_seconds(ended) if over else None,
        implied=frozenset(implied),
        imported=bool(imported),
        computer=_computer(computer),
    )
    return kept, flaw


def _started(edition: Any, first: Any, start: Any) -> Game:
    if start is not None:
        return Game.from_state(State.parse(str(start)))
    return Game.new(Edition.parse(str(edition)), Color.parse(str(first)))


def _match(text: Any) -> Match | None:
    """The match, if it can be read; a game is worth keeping without it."""
    try:
        return None if text is None else Match.parse(str(text))
    except LinjaError:
        return None


def _computer(text: Any) -> Computer | None:
    """Who the computer is, if that can be read; a game goes on without it."""
    try:
        return None if text is None else Computer.parse(str(text))
    except LinjaError:
        return None


def _seconds(value: Any) -> float | None:
    """The time, unless it is none that a calendar has."""
    return float(value) if isinstance(value, int | float) and 0 <= value < END_OF_TIME else None
