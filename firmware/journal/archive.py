"""Reading a journal: the list of games, one of them, the same game found again, and statistics by edition."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from engine import Game, LinjaError, State
from firmware.journal.errors import JournalError, NoJournal, NoSuchGame, NotSound
from firmware.journal.file import check, computer_of, has_no_tables
from firmware.journal.kept import HEADER, KeptGame, game_of_rows

HIGHEST_INTEGER = 2**63 - 1
"""That SQLite can be asked for."""
_TURNS = "(SELECT count(*) FROM actions WHERE game = games.number AND action GLOB '*:[0-7]-[0-7]')"
"""An opening is the one action that is written without a mark, and every turn has one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the list. Who won, the points and how it ended are None while it is not over."""

    number: int
    key: str
    edition: str
    first: str
    match: str | None
    began: float | None
    imported: bool
    turns: int
    winner: str | None
    red: int | None
    black: int | None
    ending: str | None
    computer: str | None = None
    """Who the computer is, where it plays: `black 4`."""


@dataclass(frozen=True, slots=True)
class EditionStatistics:
    """The finished games of one edition that began with the set-up."""

    edition: str
    games: int
    red_wins: int
    black_wins: int
    draws: int
    starter_wins: int
    mean_red: float
    mean_black: float
    mean_turns: float


class Archive:
    """The journal at `path` as it stands. It is only read, so the service may be writing it at the same time."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    @classmethod
    def open(cls, path: Path) -> Archive:
        """`NoJournal` when there is none, `JournalError` when it is damaged; nothing is changed then."""
        if not path.is_file():
            raise NoJournal(path)
        # With no log beside it nobody is writing, and it can be read without making files that would then be ours.
        nobody_writes = not path.with_name(f"{path.name}-wal").exists()
        address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if nobody_writes else ''}"
        try:
            connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            connection.text_factory = partial(str, encoding="utf-8", errors="replace")  # a bad row costs no other
            try:
                if has_no_tables(connection):
                    raise NoJournal(path)
                check(connection)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, NotSound) as error:
            raise JournalError(f"the journal {path} cannot be read: {error}") from error
        return cls(connection, path)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def games(self) -> Iterator[Entry]:
        """Every game, in the order of the numbers."""
        query = f"""
            SELECT number, key, edition, first, match, began, imported, {_TURNS}, winner, red, black, ending
            FROM games ORDER BY number
            """
        for number, key, edition, first, match, began, imported, *rest in self._rows(query):
            entry = Entry(number, key, edition, first, match, began, bool(imported), *rest)
            yield replace(entry, computer=computer_of(self._connection, key))

    def load(self, number: int) -> KeptGame:
        """One game; `NoSuchGame` if there is none with this number, `JournalError` if it makes no sense."""
        known = number <= HIGHEST_INTEGER
        header = next(self._rows(f"SELECT {HEADER} FROM games WHERE number = ?", number), None) if known else None
        if header is None:
            raise NoSuchGame(f"the journal {self._path} has no game {number}")
        try:
            computer = computer_of(self._connection, header[1])
            kept, flaw = game_of_rows(header, list(self._rows(_ACTIONS, number)), computer)
        except LinjaError as error:
            raise JournalError(f"the journal {self._path}: game {number} makes no sense: {error}") from error
        if flaw is not None:
            raise JournalError(f"the journal {self._path}: {flaw}")
        return kept

    def find(self, game: Game) -> int | None:
        """The number of the game that began and went the same way, if there is one."""
        return find(self._connection, game)

    def statistics(self) -> list[EditionStatistics]:
        query = f"""
            SELECT edition, count(*), sum(winner IS 'red'), sum(winner IS 'black'), sum(winner IS NULL),
                sum(winner IS first), avg(red), avg(black), avg({_TURNS})
            FROM games WHERE ending IS NOT NULL AND start IS NULL GROUP BY edition ORDER BY edition
            """
        return [EditionStatistics(*row) for row in self._rows(query)]

    def _rows(self, query: str, *values: object) -> Iterator[Sequence[Any]]:
        try:
            yield from self._connection.execute(query, values)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise JournalError(f"the journal {self._path} cannot be read: {error}") from error


_ACTIONS = "SELECT number, action, implied FROM actions WHERE game = ? ORDER BY number"


def last_played(connection: sqlite3.Connection) -> tuple[KeptGame, str | None] | None:
    """The newest game that was played here, as far as it makes sense, and what in it does not."""
    query = f"SELECT {HEADER} FROM games WHERE NOT imported ORDER BY number DESC LIMIT 1"
    header = connection.execute(query).fetchone()
    if header is None:
        return None
    actions = connection.execute(_ACTIONS, header[:1]).fetchall()
    return game_of_rows(header, actions, computer_of(connection, header[1]))


def find(connection: sqlite3.Connection, game: Game) -> int | None:
    edition, first, outcome = game.start.edition, game.start.to_move, game.state.outcome
    start = None if game.start == State.initial(edition, first) else str(game.start)
    points = (outcome.points.red, outcome.points.black) if outcome else (None, None)
    actions = [str(action) for action in game.actions]
    # The columns that cost little to compare come first: many games may have to be looked at.
    alike = connection.execute(
        "SELECT number FROM games WHERE edition = ? AND first = ? AND start IS ? AND red IS ? AND black IS ?"
        " AND (SELECT count(*) FROM actions WHERE game = games.number) = ?",
        (str(edition), str(first), start, *points, len(actions)),
    )
    for (number,) in alike.fetchall():
        if [text for _, text, _ in connection.execute(_ACTIONS, (number,))] == actions:
            return int(number)
    return None
