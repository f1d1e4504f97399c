"""A bar that shows how far a long command is, where a person watches; elsewhere nothing."""

from __future__ import annotations

import shutil
import sys
from typing import Self, TextIO

WIDTH = 24
CLEAR_LINE = "\r\033[K"


class Bar:
    """One line on the terminal that is drawn over and over, and gone at the end."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._watched = self._stream.isatty()
        self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, share: float, words: str) -> None:
        """How far it is, 0 to 1, and what is going on."""
        if not self._watched:
            return
        done = round(WIDTH * min(max(share, 0.0), 1.0))
        room = shutil.get_terminal_size().columns - WIDTH - 9
        line = f"[{'#' * done}{'.' * (WIDTH - done)}] {100 * share:3.0f} % {words[: max(room, 0)]}"
        if line != self._shown:
            self._shown = line
            self._stream.write(f"{CLEAR_LINE}{line}")
            self._stream.flush()

    def clear(self) -> None:
        """Make room for other words."""
        if self._shown:
            self._stream.write(CLEAR_LINE)
            self._stream.flush()
            self._shown = ""
