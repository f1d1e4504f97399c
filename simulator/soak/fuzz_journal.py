"""Garbage for the journal's file: whatever stands there, a game can be played and kept at once, and what was there is
either still in use or put aside, byte by byte."""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine import EDITIONS, Action, Color, Game
from firmware.journal import Archive, Journal, JournalError
from simulator.soak.fuzz import Unclear, Victim

ZEN = EDITIONS["zen"]
OPENING = Action.parse("red:0-1")
GAMES = 3
ACTIONS = 25
LOG = "log: "
"""Begins garbage that is put in the place of the log of a valid journal, and not of the journal itself."""


class HastyConnection(sqlite3.Connection):
    """Leaves it to the system when bytes reach the disk: nobody pulls the plug here."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        return super().execute(sql.replace("synchronous = FULL", "synchronous = OFF"), *values)


def _hasty(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=HastyConnection)


def valid() -> list[bytes]:
    file, log, early = _files()
    return [file, file, early, LOG.encode() + log, LOG.encode() + log]


@lru_cache
def _files() -> tuple[bytes, bytes, bytes]:
    """A journal, the log of one that was killed, and that one's file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "linja.db"
        journal = Journal.open(path, lambda sentence: None, _hasty)
        _play(journal)
        early, log = path.read_bytes(), path.with_name("linja.db-wal").read_bytes()
        journal.close()
        return path.read_bytes(), log, early


def _play(journal: Journal) -> None:
    chance = random.Random(0)
    for _ in range(GAMES):
        game, key = Game.new(ZEN, Color.RED), journal.begin(ZEN, Color.RED, at=1_700_000_000.0)
        for number in range(ACTIONS):
            game = game.play(action := chance.choice(game.state.legal_actions()))
            journal.accept(key, number, action, at=1_700_000_000.0)


@contextmanager
def victim(folder: Path) -> Iterator[Victim]:
    def open_and_play(piece: bytes) -> str | None:
        place = folder / "state"
        place.mkdir()
        try:
            return _open_and_play(piece, place / "linja.db")
        finally:
            shutil.rmtree(place)

    yield open_and_play


def _open_and_play(piece: bytes, path: Path) -> str | None:
    _, _, early = _files()
    in_the_log = piece.startswith(LOG.encode())
    path.write_bytes(early if in_the_log else piece)
    if in_the_log:
        path.with_name("linja.db-wal").write_bytes(piece[len(LOG) :])
    answers = [*_listed(path)]
    with closing(Journal.open(path, answers.append, _hasty)) as journal:
        journal.current()
        key = journal.begin(ZEN, Color.RED, at=1_700_000_000.0)
        if not journal.accept(key, 0, OPENING, at=1_700_000_000.0):
            raise Unclear(f"an action is not kept: {answers}")
    aside = path.with_name("linja.db.damaged-1")
    if aside.exists() and aside.read_bytes() != (early if in_the_log else piece):
        raise Unclear("what was put aside is not what was there")
    with Archive.open(path) as archive:
        *_, last = archive.games()
        if archive.load(last.number).game.actions != (OPENING,):
            raise Unclear("the game is not what was played")
    return "\n".join(answers) or None


def _listed(path: Path) -> Iterator[str]:
    """As `linja games` and `linja show` read it, before anything is done about it."""
    try:
        with Archive.open(path) as archive:
            for entry in archive.games():
                archive.load(entry.number)
            archive.statistics()
    except JournalError as error:
        yield str(error)
