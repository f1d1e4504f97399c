"""The solved game: the exact margin of every position, read from the file that `linja solve` writes.

Nothing but Python is needed, and little memory: the file is mapped, and only the lines that were asked for last are
kept unpacked. What the margins mean and how they were found is told in docs/solved.md.
"""

from __future__ import annotations

import mmap
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from engine.board import Color, Position
from engine.edition import Edition
from engine.errors import BadInput, BadSolution
from engine.exact import final_margin, judge
from engine.placement import FULL_SIZE, Opponents
from engine.search.thought import Thought
from engine.solved_file import HEADER_BYTES, PLACE, Header
from engine.state import Phase, State

LINES_KEPT = 32


@dataclass(frozen=True, slots=True)
class _Line:
    """The margins for one mover."""

    opponents: Opponents
    margins: memoryview


class Solved:
    """Knows the exact margin of every position of one edition. Made by `open`; usable in a `with`."""

    def __init__(self, path: Path, data: mmap.mmap, header: Header) -> None:
        self._path = path
        self._data = data
        self._header = header
        self._lines: OrderedDict[int, _Line] = OrderedDict()

    @classmethod
    def open(cls, path: Path) -> Self:
        """The solved game in a file; `BadSolution` if it is none, or not whole."""
        try:
            with path.open("rb") as file:
                header = Header.unpack(file.read(HEADER_BYTES))
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except BadSolution as error:
            raise BadSolution(f"{path}: {error}") from None
        except OSError as error:
            raise BadSolution(f"{path} cannot be read: {error.strerror or error}") from None
        except ValueError:
            raise BadSolution(f"{path}: the file is empty") from None
        solved = cls(path, data, header)
        try:
            solved._check()
        except BadSolution:
            solved.close()
            raise
        return solved

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._lines.clear()
        self._data.close()

    @property
    def edition(self) -> Edition:
        return self._header.edition

    def margin(self, state: State) -> int:
        """The points of the player to move less the opponent's, if both play their best from this turn on."""
        self._require_own_edition(state)
        if state.outcome is not None:
            return final_margin(state)
        if state.phase is not Phase.OPENING or state.again:
            raise BadInput(f"the table is about the start of a turn, not {state}")
        return self.between(*_seen_by(state.to_move, state.position))

    def between(self, mover: tuple[int, ...], opponent: tuple[int, ...]) -> int:
        """The margin for the mover; the counts of each side are seen from behind its own start line."""
        line = self._line(mover)
        return int(line.margins[line.opponents.place(opponent)])

    def judge(self, state: State) -> Thought:
        """Every legal action in any phase of a turn, with its exact margin."""
        self._require_own_edition(state)
        return judge(state, self.margin)

    def verify(self) -> None:
        """Unpack every line once; `BadSolution` if one is damaged. This reads the whole file."""
        room = self._header.geometry.room
        for number, counts in enumerate(self._header.geometry.all_counts()):
            if max(counts[1:-1], default=0) <= room:
                self._unpacked(number, Opponents(self._header.geometry, counts))

    def _require_own_edition(self, state: State) -> None:
        if state.edition != self.edition:
            raise BadInput(f"{self._path} is about {self.edition}, not {state.edition}")
        if self._header.geometry != FULL_SIZE:
            raise BadInput(f"{self._path} is about a smaller board")

    def _check(self) -> None:
        header, path = self._header, self._path
        if len(self._data) != header.file_bytes:
            raise BadSolution(f"{path} has {len(self._data)} bytes instead of {header.file_bytes}: it is not whole")
        if zlib.crc32(self._data[HEADER_BYTES : header.lines_begin]) != header.places_checksum:
            raise BadSolution(f"{path} is damaged: where its lines are cannot be told")

    def _line(self, mover: tuple[int, ...]) -> _Line:
        number = self._header.geometry.number(mover)
        line = self._lines.pop(number, None)
        if line is None:
            opponents = Opponents(self._header.geometry, mover)
            line = _Line(opponents, memoryview(self._unpacked(number, opponents)).cast("b"))
        self._lines[number] = line
        if len(self._lines) > LINES_KEPT:
            self._lines.popitem(last=False)
        return line

    def _unpacked(self, number: int, opponents: Opponents) -> bytes:
        begin, size = PLACE.unpack_from(self._data, HEADER_BYTES + PLACE.size * number)
        try:
            margins = zlib.decompress(self._data[begin : begin + size])
        except zlib.error:
            raise BadSolution(f"{self._path} is damaged: line {number} cannot be unpacked") from None
        if len(margins) != opponents.count:
            raise BadSolution(f"{self._path} is damaged: line {number} has {len(margins)} margins")
        return margins


def _seen_by(player: Color, position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The pawns of the player and of the opponent, each from behind the own start line."""
    red, black = position.red, position.black[::-1]
    return (red, black) if player is Color.RED else (black, red)
