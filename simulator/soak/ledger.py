"""What a service has told, held against its journal: all of it must be there, and nothing but what it had announced
before its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine import Action, Game, State
from firmware.events import ActionAccepted, ActionsTakenBack, Event, GameStarted, SetUpAsked
from firmware.journal import Archive, NoJournal
from simulator.soak.talk import Announced, Told

NEWEST = 2
"""So many games are compared at every end; all of them are at the last."""


class Ledger:
    """The games of one board, as far as its service has spoken of them. It survives the service."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self.actions = 0
        """Told as accepted, all together."""
        self.ahead = 0
        """How often the journal had something that was announced and not told."""
        self._announced: list[Event] = []
        self._start: Game | None = None
        self._is_open = False

    def hear(self, word: Announced | Told) -> None:
        if isinstance(word, Announced):
            self._announced, self._start = list(word.events), word.start
            return
        assert word.event == self._announced.pop(0), "events are told in the order in which they were announced"
        self.games = self._after(word.event)
        self._is_open = self._is_open or isinstance(word.event, GameStarted | SetUpAsked)
        self.actions += isinstance(word.event, ActionAccepted)

    def differs(self, journal: Path, newest: int | None = NEWEST) -> str | None:
        """After the end of a service: what is wrong with the newest games, or all, of its journal. What it has is what
        counts from then on."""
        there = kept_games(journal, newest and newest + 1)  # one of them may not have been begun
        wrong: str | None = f"the journal has {_text(there)} and was to have {_text(self.games)}"
        for ahead, games in enumerate(self._possible()):
            if _played(_begun(there, newest)) == _played(_begun(games, newest)):
                self.ahead += ahead > 0
                wrong = None
                break
        self._go_on(there)
        return wrong

    def _possible(self) -> Iterator[list[Game]]:
        """What may stand in the journal: what was told, and after each of the things that were announced."""
        yield self.games
        while self._announced:
            self.games = self._after(event := self._announced.pop(0))
            self._is_open = self._is_open or isinstance(event, GameStarted | SetUpAsked)
            yield self.games

    def _after(self, event: Event) -> list[Game]:
        assert self._start is not None
        match event:
            case SetUpAsked():
                return [*self.games, self._start]
            case GameStarted() if not self._is_open or self.games[-1].actions:
                return [*self.games, self._start]
            case ActionAccepted(action):
                return [*self.games[:-1], self.games[-1].play(action)]
            case ActionsTakenBack(count):
                return [*self.games[:-1], self.games[-1].undo(count)]
        return self.games

    def adopt(self, there: list[Game]) -> None:
        """Whatever was told, this is what there is."""
        self.games = []
        self._go_on(there)

    def _go_on(self, there: list[Game]) -> None:
        """A service that starts goes on with the last game, unless it is over."""
        self._announced = []
        self._is_open = bool(there) and there[-1].state.outcome is None
        before = _begun(self.games, None)
        self.games = [*before[: max(0, len(before) - len(_begun(there, None)))], *there]


def kept_games(journal: Path, newest: int | None = None) -> list[Game]:
    """The games in a journal, or the newest of them, in their order."""
    try:
        with Archive.open(journal) as archive:
            numbers = [entry.number for entry in archive.games()]
            return [archive.load(number).game for number in numbers[-newest if newest else 0 :]]
    except NoJournal:
        return []


def _begun(games: list[Game], newest: int | None) -> list[Game]:
    """A game that nobody made a move in leaves no trace."""
    begun = [game for game in games if game.actions]
    return begun[-newest if newest else 0 :]


def _played(games: list[Game]) -> list[tuple[State, tuple[Action, ...]]]:
    """What was taken back can be played again, but it is not kept."""
    return [(game.start, game.actions) for game in games]


def _text(games: list[Game]) -> str:
    return "; ".join(" ".join(map(str, game.actions)) for game in games[-2:]) or "nothing"
