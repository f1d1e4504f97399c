"""What the tests of the journal share: random games, and connections that do not wait for the disk."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import Action, Color, Edition, Game
from firmware.journal import Archive, Journal

AT = 1_700_000_000.0


class HastyConnection(sqlite3.Connection):
    """Leaves it to the system when bytes reach the disk: nobody pulls the plug here, and some tests write a lot."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        return super().execute(sql.replace("synchronous = FULL", "synchronous = OFF"), *values)


def hasty(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, factory=HastyConnection)


def some_actions(game: Game, count: int, rng: random.Random) -> Iterator[Action]:
    """So many legal actions in a row, or fewer when the game is over before."""
    state = game.state
    for _ in range(count):
        if state.outcome is not None:
            return
        action = rng.choice(state.legal_actions())
        state = state.apply(action)
        yield action


def finished_game(edition: Edition, rng: random.Random, first: Color = Color.RED, winner: Color | None = None) -> Game:
    """A whole game, won by `winner` if that matters."""
    while True:
        game = Game.new(edition, first)
        for action in some_actions(game, 1000, rng):
            game = game.play(action)
        assert game.state.outcome is not None
        if winner in (None, game.state.outcome.winner):
            return game


def play(journal: Journal, key: str, actions: tuple[Action, ...], after: int = 0) -> list[bool]:
    """Whether each of the actions was on disk when it was accepted."""
    return [journal.accept(key, number, action, at=AT) for number, action in enumerate(actions, start=after)]


def games_at(path: Path) -> list[Game]:
    with Archive.open(path) as archive:
        return [archive.load(entry.number).game for entry in archive.games()]
