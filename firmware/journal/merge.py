"""Games from elsewhere, added to a journal: all of them or none, and none twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from firmware.journal.archive import find
from firmware.journal.errors import JournalError, NotSound
from firmware.journal.file import connect, open_file, put, transaction
from firmware.journal.kept import KeptGame


@dataclass(frozen=True, slots=True)
class Merged:
    """The number in the journal of every game that was added, and of every one that was there already."""

    added: tuple[int, ...]
    known: tuple[int, ...]


def merge(path: Path, games: Iterable[KeptGame]) -> Merged:
    """Adds games to the journal at `path`, which the service may be using. An error of `games` undoes everything."""
    added: list[int] = []
    known: list[int] = []
    try:
        with closing(open_file(path, connect)) as connection, transaction(connection):
            for kept in games:
                number = find(connection, kept.game)
                if number is None:
                    added.append(put(connection, kept))
                else:
                    known.append(number)
    except NotSound as error:
        raise JournalError(f"the journal {path} is damaged ({error}): nothing was changed") from error
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"the journal {path} cannot be written ({error}): nothing was changed") from error
    return Merged(tuple(added), tuple(known))
