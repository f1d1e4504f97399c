"""The last lines of the log, kept in memory for whoever looks inside."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

LINES = 60
_FORMAT = logging.Formatter("%(asctime)s  %(message)s", "%H:%M:%S")
_PROGRAM = logging.getLogger("firmware")


class LogTail(logging.Handler):
    """Keeps what the program logs."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(_FORMAT)
        self._lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))

    @property
    def lines(self) -> tuple[str, ...]:
        """The oldest first."""
        return tuple(self._lines)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep lines within, calm ones too."""
        level = _PROGRAM.level
        _PROGRAM.setLevel(logging.INFO)
        _PROGRAM.addHandler(self)
        try:
            yield
        finally:
            _PROGRAM.removeHandler(self)
            _PROGRAM.setLevel(level)
