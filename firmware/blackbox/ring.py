"""The black box on disk: a ring of files of equal size, of which the oldest makes way for the newest.

Whatever happens is appended at once, so that a killed program loses nothing but beats. The operating system decides
when the bytes reach the card: a pulled plug may cost the last seconds, and the card is not worn out. No file depends on
another: each begins with the circumstances as they were then. A disk that fails costs the recording, never the game.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path

import msgspec

from firmware.blackbox.encode import Encoder
from firmware.blackbox.entry import Circumstances, Happened, Tick
from firmware.blackbox.frames import MAGIC, Torn, framed, records
from firmware.events import Event
from firmware.inputs import Input

FILES = 16
DEFAULT_BYTES = 64 * 1024 * 1024
LEAST_BYTES = 1024 * 1024
SPARE_BYTES = 16 * 1024
"""What is left of a file for one more input and its events."""
SUFFIX = ".box"
RETRY_S = 60.0
"""How long a disk that failed is left alone."""


class BlackBox:
    """The recorder of one session: it is told of an input before the session is, and of the events after it.

    `describe` says how things stand: what a session would have to begin with now. `tell` is given a sentence when a
    person should know something. No clock is read: every entry brings its time.
    """

    def __init__(
        self,
        folder: Path,
        describe: Callable[[], Circumstances],
        tell: Callable[[str], None],
        total_bytes: int = DEFAULT_BYTES,
    ) -> None:
        if total_bytes < LEAST_BYTES:
            raise ValueError(f"a black box of {total_bytes} bytes: it needs {LEAST_BYTES} at least")
        self._folder = folder
        self._describe = describe
        self._tell = tell
        self._file_bytes = total_bytes // FILES
        self._encoder = Encoder()
        self._file: FileIO | None = None
        self._length = 0
        self._entries = 0
        self._retry_at: float | None = None

    def record(self, now: float, what: Input | Tick | Event) -> None:
        """Takes note of an input, of a tick by which a slot settled, or of an event. A disk that fails is no error."""
        try:
            if isinstance(what, Event):
                self._write(self._encoder.encode(now, Happened.of(what)))
            elif self._has_room(now, what):
                self._write(self._encoder.encode(now, what))
        except OSError as error:
            self._fail(now, error)
        self._entries += 1

    def close(self) -> None:
        """Writes what is waiting and lets go of the file. Closing twice is harmless."""
        with contextlib.suppress(OSError):
            self._write(self._encoder.flush())
        self._let_go()

    def _has_room(self, now: float, what: Input | Tick) -> bool:
        """Whether there is a file to go on with."""
        if self._retry_at is not None and now < self._retry_at:
            return False
        if self._file is not None and self._is_full(what):
            self._let_go()  # no beat is waiting: the first of them would have come here
        if self._file is None:
            self._open(now)
        return True

    def _is_full(self, what: Input | Tick) -> bool:
        """Whether this begins the next file: a board at rest does when three quarters are full.

        A session that has to begin there, because what came before is gone, then finds no hand on the board.
        """
        at_rest = self._encoder.is_beat(what)
        return self._length > (0.75 * self._file_bytes if at_rest else self._file_bytes - SPARE_BYTES)

    def _open(self, now: float) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        files = ring_files(self._folder)
        newest = files[-1] if files else None
        self._length = good_bytes(newest) if newest else 0
        if newest is None or not 0 < self._length <= self._file_bytes - SPARE_BYTES:
            newest = self._folder / f"{_number(newest) + 1 if newest else 1:08}{SUFFIX}"
            self._make_room(files)
            self._length = 0
        # Without a buffer: what was written is with the system, whatever becomes of this program.
        self._file = FileIO(newest, "r+" if self._length else "x+")
        self._file.truncate(self._length)  # half a record may stand at its end
        self._file.seek(self._length)
        if not self._length:
            self._write_bytes(MAGIC)
        start = msgspec.structs.replace(self._describe(), entries_before=self._entries)
        self._write(self._encoder.encode(now, start))
        if self._retry_at is not None:
            self._retry_at = None
            self._tell(f"the black box in {self._folder} records again")

    def _make_room(self, files: list[Path]) -> None:
        taken = sum(file.stat().st_size for file in files)
        for oldest in files:
            if taken <= (FILES - 1) * self._file_bytes:
                return
            taken -= oldest.stat().st_size
            oldest.unlink()

    def _write(self, made: list[bytes]) -> None:
        for record in made if self._file is not None else ():
            self._write_bytes(framed(record))

    def _write_bytes(self, content: bytes) -> None:
        assert self._file is not None
        if self._file.write(content) != len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._length += len(content)

    def _fail(self, now: float, error: OSError) -> None:
        if self._retry_at is None:
            self._tell(f"the black box in {self._folder} cannot record ({error.strerror or error}); play goes on")
        self._retry_at = now + RETRY_S
        self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None


def ring_files(folder: Path) -> list[Path]:
    """The files of a black box, the oldest first."""
    files = (file for file in folder.glob(f"*{SUFFIX}") if file.stem.isdecimal())
    return sorted(files, key=_number)


def good_bytes(file: Path) -> int:
    """How far the file can be read; 0 when it is no recording at all."""
    end = 0
    with contextlib.suppress(Torn), file.open("rb") as content:
        for end, _ in records(content):  # noqa: B007 - the last one counts
            pass
    return end


def _number(file: Path) -> int:
    return int(file.stem)
