"""From what the session says has happened to what the journal writes down."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Game, Match
from firmware.advice import Computer
from firmware.events import ActionAccepted, ActionsTakenBack, Event, GameStarted, SetUpAsked
from firmware.journal.kept import KeptGame
from firmware.journal.store import Journal


class Keeper:
    """Follows a session from game to game; `kept` is the game that it went on with, if there was one."""

    def __init__(self, journal: Journal, kept: KeptGame | None) -> None:
        self._journal = journal
        self._key = kept.key if kept else None
        self._length = len(kept.game.actions) if kept else 0

    def keep(
        self,
        events: Sequence[Event],
        game: Game,
        match: Match | None,
        computer: Computer | None = None,
        *,
        at: float,
    ) -> bool:
        """Writes down what happened, before anybody shows it; True when all of it is on disk.

        `game`, `match` and `computer` are the session's after these events, `at` is the time of the wall clock.
        """
        for event in events:
            match event:
                case SetUpAsked():
                    self._begin(game, match, computer, at)
                case GameStarted() if self._key is None or self._length:
                    self._begin(game, match, computer, at)
                case ActionAccepted(action, implied) if self._key is not None:
                    self._journal.accept(self._key, self._length, action, at=at, implied=implied)
                    self._length += 1
                case ActionsTakenBack(count) if self._key is not None:
                    self._journal.take_back(self._key, count)
                    self._length -= count
        return self._journal.catch_up()

    def _begin(self, game: Game, match: Match | None, computer: Computer | None, at: float) -> None:
        """A game is begun when it is asked for, so that the one that was given up does not come back."""
        if match is not None and game.state.outcome is not None:
            match = Match(match.best_of, match.first, match.results[:-1])
        start = game.start
        self._key = self._journal.begin(start.edition, start.to_move, match, at=at, start=start, computer=computer)
        self._length = 0
