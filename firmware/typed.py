"""Lines that a person types while a command goes on with its work."""

from __future__ import annotations

import sys
import threading
from queue import Empty, SimpleQueue


class TypedLines:
    """Reads standard input in a thread of its own, which ends with the program."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def poll(self) -> str | None:
        """The next line, if one was typed."""
        try:
            return self._lines.get_nowait()
        except Empty:
            return None

    def wait(self) -> str:
        """The next line. An empty one when there will be no more."""
        while True:
            try:
                return self._lines.get(timeout=0.2)  # in slices, so that Ctrl-C is heard
            except Empty:
                continue

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line.strip())
        self._lines.put("")
