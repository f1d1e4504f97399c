"""A recording as one file: exported from the ring, read again, and played through a fresh session."""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from firmware.blackbox.decode import Decoder
from firmware.blackbox.entry import BlackBoxError, Circumstances, Entry, Happened, Tick
from firmware.blackbox.frames import MAGIC, Torn, framed, records
from firmware.blackbox.ring import ring_files
from firmware.inputs import Input, give
from firmware.session import Session

GZIP = b"\x1f\x8b"


def export(folder: Path, target: BinaryIO) -> int:
    """Writes all that the ring in `folder` holds, the oldest first, as one compressed file; how many records.

    The service may be recording. A record that is torn ends its file, and the next file goes on.
    """
    count = 0
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0) as packed:
        packed.write(MAGIC)
        for file in ring_files(folder):
            with contextlib.suppress(Torn, FileNotFoundError), file.open("rb") as content:
                for _, record in records(content):
                    packed.write(framed(record))
                    count += 1
    return count


def entries(path: Path) -> Iterator[Entry]:
    """All that a recording holds, in order; `BlackBoxError` where it is damaged. The first are `Circumstances`."""
    decoder = Decoder()
    for end, record in _records(path):
        try:
            yield from decoder.decode(record)
        except (ValueError, RecursionError) as error:
            raise BlackBoxError(f"{path} makes no sense before byte {end}: {error}") from error


def _records(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP
            file.seek(0)
            yield from records(cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file)
    except Torn as error:
        raise BlackBoxError(f"{path} cannot be read on: {error}") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BlackBoxError(f"{path} cannot be read on: it is packed, and damaged ({error})") from error
    except OSError as error:
        raise BlackBoxError(f"{path} cannot be read: {error.strerror or error}") from error


@dataclass(frozen=True, slots=True)
class Step:
    """One input, what the session said to it when it was recorded, and what a session says to it now."""

    now: float
    what: Input | Tick
    recorded: tuple[str, ...]
    replayed: tuple[str, ...]
    in_step: bool
    """Whether both must say the same. A recording that begins in the middle of a session comes into step with the
    first thing that both say: nobody knows what hands had done before."""

    @property
    def differs(self) -> bool:
        return self.in_step and self.recorded != self.replayed


def replay(path: Path) -> Iterator[Step]:
    """Plays a recording through a session, and through a new one wherever the recorded one was a new one."""
    session: Session | None = None
    count, in_step = 0, False
    for entry, recorded in _with_events(path):
        now, what = entry.now, entry.what
        if isinstance(what, Circumstances):
            goes_on = session is not None and 0 < what.entries_before == count
            if not goes_on:
                session = what.session(now)
                count, in_step = what.entries_before, what.entries_before == 0
            continue
        assert session is not None
        assert not isinstance(what, Happened)
        events = session.tick(now) if isinstance(what, Tick) else give(session, what, now)
        replayed = tuple(Happened.of(event).event for event in events)
        in_step = in_step or recorded == replayed != ()
        count += 1 + len(recorded)
        yield Step(now, what, recorded, replayed, in_step)


def _with_events(path: Path) -> Iterator[tuple[Entry, tuple[str, ...]]]:
    """Every entry that is no event, with the events that it led to."""
    cause: Entry | None = None
    events: list[str] = []
    for entry in entries(path):
        if isinstance(entry.what, Happened):
            events.append(entry.what.event)
            continue
        if cause is not None:
            yield cause, tuple(events)
        cause, events = entry, []
    if cause is not None:
        yield cause, tuple(events)
