"""A damaged journal: put aside under a name of its own, and read as far as it can be.

Each row is asked for by its own number when a whole table cannot be read, so a broken page costs only what stood on
it. What was read is played through the engine, and of each game the longest legal beginning is kept.
"""

from __future__ import annotations

import glob
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from engine import LinjaError
from firmware.journal.file import computer_of, put
from firmware.journal.kept import HEADER, KeptGame, game_of_rows

PARTS = ("-wal", "-shm", "")
"""What SQLite adds to a file's name. The log goes first: a new file must never meet the log of an old one."""
HIGHEST_NUMBER = 1_000_000
"""A game with a higher number is not believed: looking for all those below it would take for ever."""


def put_aside(path: Path) -> Path:
    """Renames the file and its log, and overwrites nothing; the new name of the file."""
    parts = [part for part in PARTS if _part(path, part).exists()]
    number = 1
    while any(_part(_damaged(path, number), part).exists() for part in parts):
        number += 1
    aside = _damaged(path, number)
    for part in parts:
        _part(path, part).rename(_part(aside, part))
    return aside


def damaged_files(path: Path) -> list[Path]:
    """All that were put aside of this journal, the newest first: it has the most of a game that others have too."""
    prefix = f"{path.name}.damaged-"
    files = (file for file in path.parent.glob(f"{glob.escape(prefix)}*") if file.name.removeprefix(prefix).isdecimal())
    return sorted(files, key=lambda file: int(file.name.removeprefix(prefix)), reverse=True)


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How far a damaged file was read, from its newest game back, and what it held so far."""

    left: int
    """The number of the next game to look at; 0: all were looked at."""
    games: int = 0
    actions: int = 0
    flaws: int = 0
    """Games of which a part, or all but the number, could not be read."""

    def __str__(self) -> str:
        kept = f"{_count(self.games, 'game')} with {_count(self.actions, 'action')} could be read and kept"
        return f"{kept}, {_count(self.flaws, 'game')} not or not whole" if self.flaws else kept


def unread_files(path: Path, connection: sqlite3.Connection) -> list[Path]:
    """The damaged files of a journal that were not read to the end: the plug may have been pulled, or a disk full."""
    done = {name for (name,) in connection.execute("SELECT name FROM salvaged WHERE left = 0")}
    return [file for file in damaged_files(path) if file.name not in done]


def salvage(damaged: Path, connection: sqlite3.Connection, most: int) -> Salvaged:
    """Copies some more games into a sound journal, which remembers how far this came; one transaction of the caller's.

    A large journal takes a while to read, and nobody should have to wait for it.
    """
    known = connection.execute("SELECT left, games, actions, flaws FROM salvaged WHERE name = ?", (damaged.name,))
    row = known.fetchone()
    with closing(_opened(damaged)) as old:
        result = Salvaged(*row) if row else Salvaged(left=_highest_number(old))
        for number in range(result.left, max(result.left - most, 0), -1):
            kept, is_flawed = _game(old, number)
            result = replace(result, left=number - 1, flaws=result.flaws + is_flawed)
            if kept is not None:
                kept = kept if kept.key else replace(kept, key=f"{damaged.name}:{number}")
                if connection.execute("SELECT 1 FROM games WHERE key = ?", (kept.key,)).fetchone() is None:
                    put(connection, kept, number=number)
                    actions = result.actions + len(kept.game.actions)
                    result = replace(result, games=result.games + 1, actions=actions)
    connection.execute("INSERT OR REPLACE INTO salvaged VALUES (?, ?, ?, ?, ?)", (damaged.name, *astuple(result)))
    return result


def _opened(damaged: Path) -> sqlite3.Connection:
    try:
        # Nothing is written to it: it stays as it was found.
        return sqlite3.connect(f"{damaged.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return sqlite3.connect(":memory:")  # what cannot be opened holds nothing


def _game(old: sqlite3.Connection, number: int) -> tuple[KeptGame | None, bool]:
    """The game, if any of it can be read, and whether something of it cannot."""
    headers, _ = _rows(old, f"SELECT {HEADER} FROM games WHERE number = ?", number)
    actions, broken = _actions(old, number)
    if not headers:
        return None, broken or bool(actions)
    try:
        kept, flaw = game_of_rows(headers[0], actions, computer_of(old, headers[0][1]))
    except LinjaError:
        return None, True
    return kept, broken or flaw is not None


def _highest_number(old: sqlite3.Connection) -> int:
    """The highest number that a game may have, as far as either end of a table can still be reached."""
    highest = 0
    for column, table in (("number", "games"), ("game", "actions")):
        for order in ("ASC", "DESC"):
            rows, _ = _rows(old, f"SELECT DISTINCT {column} FROM {table} ORDER BY {column} {order}")
            numbers = [number for (number,) in rows if isinstance(number, int) and number <= HIGHEST_NUMBER]
            highest = max([highest, *numbers])
    return highest


def _actions(connection: sqlite3.Connection, game: int) -> tuple[list[Sequence[Any]], bool]:
    query = "SELECT number, action, implied FROM actions WHERE game = ?"
    rows, broken = _rows(connection, f"{query} ORDER BY number", game)
    while broken:
        # On from the first that could not be read: the next may stand on another page.
        more, _ = _rows(connection, f"{query} AND number = ?", game, len(rows))
        if not more:
            break
        rows += more
    return rows, broken


def _rows(connection: sqlite3.Connection, query: str, *values: object) -> tuple[list[Sequence[Any]], bool]:
    """The rows up to the first that cannot be read, and whether there was one."""
    rows: list[Sequence[Any]] = []
    try:
        for row in connection.execute(query, values):
            rows.append(row)  # noqa: PERF402 - a row that fails must not cost those before it
    except (sqlite3.Error, UnicodeDecodeError):  # the latter of the words in which SQLite says what is wrong
        return rows, True
    return rows, False


def _damaged(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.damaged-{number}")


def _part(path: Path, part: str) -> Path:
    return path.with_name(path.name + part)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
