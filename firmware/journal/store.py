"""The journal: what is played is on disk before anybody is told that it counts.

One game is open at a time. Its whole history stays in memory too, so that a disk that is full, read-only or broken
costs nothing but its warning: what could not be written is written, in order, as soon as it can be. A game has a key
and an action a place in it, so writing anything a second time changes nothing. There is no clock and no thread in
here: the service calls every method from one thread that it owns, because a disk may take its time.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from engine import Action, Color, Edition, Game, LinjaError, Match, State
from firmware.advice import Computer
from firmware.journal.archive import last_played
from firmware.journal.errors import JournalError, NoSuchGame, NotSound
from firmware.journal.file import (
    Connect,
    connect,
    is_damage,
    open_alone,
    open_file,
    put,
    put_actions,
    remove_unplayed,
    transaction,
)
from firmware.journal.kept import KeptGame
from firmware.journal.page import Page
from firmware.journal.salvage import put_aside, salvage, unread_files

MOST_GAMES_IN_MEMORY = 500
"""While the disk stays broken; then the oldest is given up. Each takes some thirty kilobytes."""
GAMES_SALVAGED_FIRST = 20
"""Of a damaged file, before play begins..."""
GAMES_SALVAGED_AT_A_TIME = 4
"""... and then with every action: each takes a few milliseconds, and nobody is to wait."""


class Journal:
    """The journal of one board. `tell` is given a sentence whenever a person should know something about the file."""

    def __init__(self, path: Path, tell: Callable[[str], None], connect: Connect = connect) -> None:
        self.path = path
        self._tell = tell
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._pages: dict[str, Page] = {}
        self._unread: list[Path] = []
        self._trouble: str | None = None

    @classmethod
    def open(cls, path: Path, tell: Callable[[str], None], connect: Connect = connect) -> Journal:
        """The journal at `path`. Whatever is or is not there, the answer is a journal, and play can begin."""
        journal = cls(path, tell, connect)
        journal.catch_up()
        return journal

    def close(self) -> None:
        """Writes what can be written and lets go of the file. Closing twice is harmless."""
        self.catch_up()
        self._disconnect()

    @property
    def trouble(self) -> str | None:
        """Why the last attempt to write failed; None while all is well."""
        return self._trouble

    @property
    def has_work(self) -> bool:
        """Whether `catch_up` should be called now and then: something is to be written, or saved from damaged files."""
        return bool(self._trouble or self._unread) or any(not page.is_clean for page in self._pages.values())

    # What is played

    def current(self) -> KeptGame | None:
        """The game that was interrupted. One that is over counts only while its match goes on."""
        try:
            found = self._last_played()
        except (LinjaError, sqlite3.Error, UnicodeDecodeError) as error:
            self._tell(f"the last game in the journal {self.path} cannot be read: {error}")
            return None
        if found is None:
            return None
        kept, flaw = found
        if flaw is not None:
            self._tell(f"the journal {self.path}: {flaw}; the game goes on from before it")
        if kept.game.state.outcome is not None and not _match_goes_on(kept):
            return None
        self._pages = {kept.key: Page(kept, sound=len(kept.game.actions), is_clean=True, has_sound_row=flaw is None)}
        return kept

    def _last_played(self) -> tuple[KeptGame, str | None] | None:
        if self._connection is not None:
            return last_played(self._connection)
        if not self.path.exists():
            return None
        with closing(open_alone(self.path, self._connect)) as connection:
            return last_played(connection)

    def begin(
        self,
        edition: Edition,
        first: Color,
        match: Match | None = None,
        *,
        at: float,
        start: State | None = None,
        computer: Computer | None = None,
    ) -> str:
        """A new game, from the set-up unless told otherwise, and its key. One without a move is forgotten by it."""
        game = Game.from_state(start or State.initial(edition, first))
        kept = KeptGame(secrets.token_hex(8), game, match, began=at, computer=computer)
        unwritten = {key: page for key, page in self._pages.items() if not page.is_clean}
        self._pages = unwritten | {kept.key: Page(kept)}
        self.catch_up()
        self._give_up_oldest()
        return kept.key

    def accept(self, key: str, number: int, action: Action, *, at: float, implied: bool = False) -> bool:
        """The action with this number, from 0, is on disk when this returns True; accepting it again is harmless."""
        page = self._page(key)
        actions = page.kept.game.actions
        if number >= len(actions) or actions[number] != action:
            if number != len(actions):
                raise JournalError(f"action {number} of a game that has {len(actions)} actions: {action}")
            page.becomes(page.kept.played(action, at, implied=implied))
        return self.catch_up()

    def seat(self, key: str, computer: Computer) -> bool:
        """From now on the computer plays in this game, on disk too when this returns True."""
        page = self._page(key)
        page.becomes(replace(page.kept, computer=computer))
        page.has_sound_row = False
        return self.catch_up()

    def take_back(self, key: str, count: int) -> bool:
        """The last `count` actions of the game are gone, on disk too when this returns True."""
        page = self._page(key)
        page.becomes(page.kept.taken_back(count))
        return self.catch_up()

    # Writing

    def catch_up(self) -> bool:
        """Writes what is not on disk yet; True when nothing that was played is missing there."""
        if self._connection is not None and not self.has_work:
            return True
        try:
            self._write()
            if self._unread:
                self._salvage(self._connected(), GAMES_SALVAGED_AT_A_TIME)
        except (sqlite3.Error, NotSound, OSError) as error:
            self._disconnect()
            self._note(error)
            return False
        if self._trouble is not None:
            self._trouble = None
            self._tell(f"the journal {self.path} can be written again, and nothing is missing in it")
        return True

    def _write(self) -> None:
        try:
            self._write_pages()
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            self._disconnect()  # the file broke in our hands: on with a new one
            self._write_pages()

    def _write_pages(self) -> None:
        connection = self._connected()
        pages = [page for page in self._pages.values() if not page.is_clean]
        if not pages:
            return
        with transaction(connection):
            for page in pages:
                if page.has_sound_row:
                    put_actions(connection, page.kept, page.sound)
                else:
                    remove_unplayed(connection)
                    put(connection, page.kept, page.sound)
        for page in pages:
            page.is_written()
        current = next(reversed(self._pages))
        self._pages = {current: self._pages[current]}

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._opened()
            for page in self._pages.values():
                page.must_be_written_whole()  # what the file says of them may be another file's by now
        return self._connection

    def _opened(self) -> sqlite3.Connection:
        try:
            connection = open_file(self.path, self._connect)
        except NotSound as why:
            aside = put_aside(self.path)
            self._tell(f"the journal {self.path} is damaged ({why}): it was put aside as {aside.name}")
            connection = open_file(self.path, self._connect)
        try:
            self._unread = unread_files(self.path, connection)
            if self._unread:
                self._salvage(connection, GAMES_SALVAGED_FIRST)
        except BaseException:
            connection.close()
            raise
        return connection

    def _salvage(self, connection: sqlite3.Connection, most: int) -> None:
        """Reads on in the newest of the damaged files that were not read to their end."""
        damaged = self._unread[0]
        with transaction(connection):
            salvaged = salvage(damaged, connection, most)
        if not salvaged.left:
            self._unread.pop(0)
            self._tell(f"of the damaged journal {damaged}, {salvaged}")

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _note(self, error: Exception) -> None:
        told = self._trouble is not None
        self._trouble = f"the journal {self.path} cannot be written ({error})"
        if not told:
            self._tell(f"{self._trouble}: the game goes on, and is kept in memory until it can be")

    def _give_up_oldest(self) -> None:
        while len(self._pages) > MOST_GAMES_IN_MEMORY:
            lost = self._pages.pop(next(iter(self._pages))).kept.game
            self._tell(f"the journal {self.path} was out of reach for too long: a game is lost\n{lost}")

    def _page(self, key: str) -> Page:
        try:
            return self._pages[key]
        except KeyError:
            raise NoSuchGame(f"no game with the key {key!r} is being played") from None


def _match_goes_on(kept: KeptGame) -> bool:
    outcome = kept.game.state.outcome
    if kept.match is None or outcome is None or kept.match.is_over:
        return False
    return not kept.match.with_result(outcome.winner).is_over
