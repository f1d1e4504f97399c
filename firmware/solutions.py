"""The solved games at hand: files of `linja solve` in the folder where the board keeps its things, named by edition."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from engine import BadSolution, Edition, LinjaError, State
from engine.search import Search
from engine.solved import Solved

_T = TypeVar("_T")


def solution_file(edition: Edition, folder: Path) -> Path:
    return folder / f"{edition}.solved"


def to_log(text: str) -> None:
    """For processes that speak with the service by their standard output."""
    print(text, file=sys.stderr, flush=True)


class Searches:
    """A search for each edition as it is asked for, the last one kept: by the solved game where there is one.

    A file that cannot be used, or turns out to be damaged somewhere, is told of once and done without.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None] = to_log) -> None:
        self._folder, self._tell = folder, tell
        self._edition: Edition | None = None
        self._search = Search()
        self._solved: Solved | None = None

    def use(self, edition: Edition, work: Callable[[Search], _T]) -> _T:
        """What comes of work with the search for this edition."""
        if edition != self._edition:
            self.close()
            self._edition, self._solved = edition, self._opened(edition)
            self._search = Search(solved=self._solved)
        try:
            return work(self._search)
        except BadSolution as error:
            self._tell(f"{error}; it is done without")
            self.close()
            self._edition, self._search = edition, Search()
            return work(self._search)

    def close(self) -> None:
        if self._solved is not None:
            self._solved.close()
        self._solved = self._edition = None

    def _opened(self, edition: Edition) -> Solved | None:
        path = solution_file(edition, self._folder)
        if not path.exists():
            return None
        try:
            solved = Solved.open(path)
        except BadSolution as error:
            self._tell(f"{error}; it is done without")
            return None
        try:
            solved.margin(State.initial(edition))
        except LinjaError as error:
            solved.close()
            self._tell(f"{error}; it is done without")
            return None
        return solved
