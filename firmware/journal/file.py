"""The journal's file: its tables, how a game is written into them, and whether a file can be relied on.

A row of `games` for each game and a row of `actions` for each action. What `games` says of the end is worked out from
the actions and stands there so that lists and statistics need not play every game again.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from engine import State
from firmware.journal.errors import NotSound
from firmware.journal.kept import HEADER, KeptGame
from hardware.whole_file import sync_folder

APPLICATION_ID = 0x4C696E6A
"""Marks a SQLite file as ours: the letters `Linj`."""
VERSION = 1
MAGIC = b"SQLite format 3\0"
NEWEST_FORMAT = 2
"""Of SQLite's files: the one with a write-ahead log."""
BUSY_S = 5.0
"""How long to wait for another program, `linja import` for example, that is writing."""
WAL_PAGES = 250
"""The log is brought into the file when it has grown to a megabyte."""

SCHEMA = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    edition TEXT NOT NULL,
    first TEXT NOT NULL,
    start TEXT,
    match TEXT,
    began REAL,
    ended REAL,
    imported INTEGER NOT NULL,
    winner TEXT,
    red INTEGER,
    black INTEGER,
    ending TEXT
);
CREATE TABLE actions (
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    implied INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE salvaged (
    name TEXT PRIMARY KEY,
    left INTEGER NOT NULL,
    games INTEGER NOT NULL,
    actions INTEGER NOT NULL,
    flaws INTEGER NOT NULL
);
"""
TABLES = tuple(filter(None, map(str.strip, SCHEMA.split(";"))))
"""How each table is described, in the file too."""
_NEXT_NUMBER = (
    "(SELECT 1 + max(coalesce((SELECT max(number) FROM games), 0), coalesce((SELECT max(left) FROM salvaged), 0)))"
)
"""Above all that are there, and above those that may still come out of a damaged file: the newest game is the last."""
COMPUTERS = "CREATE TABLE IF NOT EXISTS computers (game TEXT PRIMARY KEY, computer TEXT NOT NULL) WITHOUT ROWID;"
"""Who the computer is, by the key of the game. Journals from before the computer played have no such table."""

Connect = Callable[[Path], sqlite3.Connection]

_DAMAGE = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
}


def connect(path: Path) -> sqlite3.Connection:
    """A connection that may be used from any thread, by one at a time; transactions are begun and ended by name."""
    return sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)


def is_damage(error: Exception) -> bool:
    """Whether the error says that the file itself is broken, and not only out of reach for now."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code in _DAMAGE or code & 0xFF in _DAMAGE)


def _cannot_be_understood(error: sqlite3.Error) -> bool:
    """Of an error while opening, when nothing but the file can be wrong: an unknown format, or a missing table."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def open_file(path: Path, connect: Connect) -> sqlite3.Connection:
    """A connection to a sound journal at `path`, made if there is none; `NotSound` when that cannot be relied on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _check_magic(path)
    connection = connect(path)
    try:
        is_new = has_no_tables(connection)
        (_check_pages if is_new else check)(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
        if is_new:
            _create(connection)
            sync_folder(path.parent)
        else:
            connection.execute(COMPUTERS)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error) and (is_damage(error) or _cannot_be_understood(error)):
            raise NotSound(str(error)) from error
        raise
    return connection


def open_alone(path: Path, connect: Connect) -> sqlite3.Connection:
    """A connection for reading only, when there is no room for the file by which SQLite shares a journal."""
    connection = connect(path)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA query_only = ON")
    return connection


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written within, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # some errors have rolled it back already
            connection.execute("ROLLBACK")
        raise


def has_no_tables(connection: sqlite3.Connection) -> bool:
    """Of a file that is new, or whose writer was killed while it made the first ones."""
    return not _value(connection, "SELECT count(*) FROM sqlite_master")


def check(connection: sqlite3.Connection) -> None:
    """`NotSound` unless every page of the file is in order and holds the tables of this version."""
    if _value(connection, "PRAGMA application_id") != APPLICATION_ID:
        raise NotSound("it is not a journal of this program")
    version = _value(connection, "PRAGMA user_version")
    if version != VERSION:
        raise NotSound(f"it has version {version}, and this program reads version {VERSION}")
    _check_pages(connection)
    for table in TABLES:
        if not connection.execute("SELECT count(*) FROM sqlite_master WHERE sql = ?", (table,)).fetchone()[0]:
            raise NotSound(f"its table {table.split()[2]} is not as it should be")


def _check_pages(connection: sqlite3.Connection) -> None:
    verdict = _value(connection, "PRAGMA integrity_check(1)")
    if verdict != "ok":
        raise NotSound(" ".join(str(verdict).split()))


def put(connection: sqlite3.Connection, kept: KeptGame, sound: int = 0, number: int | None = None) -> int:
    """Brings the game's rows up to date, whatever they were, and says its number; the caller holds the transaction.

    The first `sound` actions are known to stand there. A new game takes the `number` that is asked for, if it is free.
    """
    outcome, start = kept.game.state.outcome, kept.game.start
    is_set_up = start == State.initial(start.edition, start.to_move)
    connection.execute(
        f"INSERT INTO games ({HEADER}, winner, red, black, ending) VALUES"
        f" (CASE WHEN ?1 IS NULL OR EXISTS (SELECT 1 FROM games WHERE number = ?1) THEN {_NEXT_NUMBER} ELSE ?1 END,"
        " ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
        " ON CONFLICT (key) DO UPDATE SET match = excluded.match, ended = excluded.ended, winner = excluded.winner,"
        " red = excluded.red, black = excluded.black, ending = excluded.ending",
        (
            number,
            kept.key,
            str(start.edition),
            str(start.to_move),
            None if is_set_up else str(start),
            None if kept.match is None else str(kept.match),
            kept.began,
            kept.ended,
            int(kept.imported),
            str(outcome.winner) if outcome and outcome.winner else None,
            outcome.points.red if outcome else None,
            outcome.points.black if outcome else None,
            outcome.reason.value if outcome else None,
        ),
    )
    if kept.computer is not None:
        connection.execute("INSERT OR REPLACE INTO computers VALUES (?, ?)", (kept.key, str(kept.computer)))
    return put_actions(connection, kept, sound)


def computer_of(connection: sqlite3.Connection, key: object) -> str | None:
    """Who the computer is in a game, as text; None where two people play, and where that cannot be read."""
    try:
        row = connection.execute("SELECT computer FROM computers WHERE game = ?", (key,)).fetchone()
    except sqlite3.Error:
        return None
    return str(row[0]) if row else None


def put_actions(connection: sqlite3.Connection, kept: KeptGame, sound: int) -> int:
    """The same for a game whose row in `games` is as it should be."""
    (number,) = connection.execute("SELECT number FROM games WHERE key = ?", (kept.key,)).fetchone()
    connection.execute("DELETE FROM actions WHERE game = ? AND number >= ?", (number, sound))
    for index in range(sound, len(kept.game.actions)):
        connection.execute(
            "INSERT INTO actions (game, number, action, implied) VALUES (?, ?, ?, ?)",
            (number, index, str(kept.game.actions[index]), int(index in kept.implied)),
        )
    return int(number)


def remove_unplayed(connection: sqlite3.Connection) -> None:
    """Forgets games that were set up and given up before their first action."""
    connection.execute(
        "DELETE FROM games WHERE NOT imported AND NOT EXISTS (SELECT 1 FROM actions WHERE game = games.number)"
    )
    connection.execute("DELETE FROM computers WHERE game NOT IN (SELECT key FROM games)")


def _check_magic(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one and would write over it, and it calls a file read-only that
    says that it was written by a version to come."""
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            magic, _, versions = file.read(len(MAGIC)), file.read(2), file.read(2)
        if magic != MAGIC:
            raise NotSound("file is not a database")
        if not versions or max(versions) > NEWEST_FORMAT:
            raise NotSound("unsupported file format")


def _create(connection: sqlite3.Connection) -> None:
    connection.executescript(
        f"BEGIN; {SCHEMA} {COMPUTERS}"
        f" PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def _value(connection: sqlite3.Connection, query: str) -> object:
    try:
        return connection.execute(query).fetchone()[0]
    except UnicodeDecodeError as error:  # of the words in which SQLite says what is wrong
        raise NotSound("it describes itself in words that are no text") from error
