"""The count at the end of a game, spread over time so that people can follow it: row by row, pawn by pawn, point by
point; red's rows from its goal back, then black's. Seconds are counted from the end of the game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine import Color, Edition, Points, Position, RowCount, count

FIRST_PAUSE_S = 1.0
"""The last move is looked at before the count begins."""
ROW_PAUSE_S = 0.6
POINT_S = 0.08
PAWN_LEAST_S = 0.3
"""A pawn that is worth nothing is counted too."""


@dataclass(frozen=True, slots=True)
class RowCounted:
    """A row as far as it has been counted for one colour."""

    color: Color
    row: int
    pawns: int
    done_at: float


@dataclass(frozen=True, slots=True)
class Tally:
    """How far the count has come."""

    rows: tuple[RowCounted, ...]
    points: Points
    done_at: float
    """When all is counted."""


@dataclass(frozen=True, slots=True)
class _Span:
    """When one row is counted."""

    line: RowCount
    start: float
    pawn_s: float
    end: float


def tally(position: Position, edition: Edition, elapsed: float) -> Tally:
    """The count after so many seconds."""
    spans = _spans(position, edition)
    begun = [span for span in spans if span.start <= elapsed]
    rows = tuple(_row_counted(span, elapsed) for span in begun)
    points = {color: sum(_points(span, elapsed) for span in begun if span.line.color is color) for color in Color}
    return Tally(rows, Points(points[Color.RED], points[Color.BLACK]), spans[-1].end)


@lru_cache(maxsize=4)
def _spans(position: Position, edition: Edition) -> tuple[_Span, ...]:
    spans: list[_Span] = []
    start = FIRST_PAUSE_S
    for line in count(position, edition):
        if line.pawns:
            pawn_s = max(PAWN_LEAST_S, abs(line.worth) * POINT_S)
            end = start + line.pawns * pawn_s
            spans.append(_Span(line, start, pawn_s, end))
            start = end + ROW_PAUSE_S
    return tuple(spans)


def _row_counted(span: _Span, elapsed: float) -> RowCounted:
    pawns = min(span.line.pawns, int((elapsed - span.start) / span.pawn_s) + 1)
    return RowCounted(span.line.color, span.line.row, pawns, span.end)


def _points(span: _Span, elapsed: float) -> int:
    share = min(1.0, (elapsed - span.start) / (span.end - span.start))
    return int(span.line.points * share)
