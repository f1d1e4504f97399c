"""One side of a position in one number, and what can be read off it at once.

A **side** is how many pawns a player has in each row, rows counted from the player's own start line, four bits for
each row: bit 4 * row and up. A movement then is a number to add, the same for every position. A set of rows is a
number with bit 4 * row for each, so that sets and sides shift alike.

Both sides of a position look alike, each from its own end of the board; `facing` turns one around.
"""

from __future__ import annotations

from engine.board import LAST_ROW, PAWNS, ROOM, ROWS, Color, Position

BITS = 4
INNER = 0x0FFF_FFF0
"""The bits of the inner rows of a side."""
INNER_ROWS = 0x0111_1110
GOAL_ROW = 1 << BITS * LAST_ROW
BEFORE_GOAL = GOAL_ROW >> BITS
FIRST_INNER_ROW = 1 << BITS
_ROOM_LEFT = 0x0666_6660 // 6 * (7 - ROOM + 1)
"""Added to how many pawns stand in each row, this sets the top bit of those that are full."""
_TOP = INNER_ROWS << BITS - 1
_ANY = 0x0777_7770
"""Added likewise, this sets the top bit of those that are not empty."""

Step = int
"""What to add to a side for one pawn's movement."""


def row_bit(row: int) -> int:
    return 1 << BITS * row


def step(origin: int, destination: int) -> Step:
    return row_bit(destination) - row_bit(origin)


def side_of(position: Position, color: Color) -> int:
    """The pawns of a colour as its player sees them."""
    counts = position.of(color)
    return pack(counts if color is Color.RED else counts[::-1])


def pack(counts: tuple[int, ...]) -> int:
    return sum(count << BITS * row for row, count in enumerate(counts))


def unpack(side: int) -> tuple[int, ...]:
    return tuple(side >> BITS * row & 15 for row in range(ROWS))


def rows_in(rows: int) -> list[int]:
    """The rows of a set."""
    return [row for row in range(ROWS) if rows & row_bit(row)]


def full(totals: int) -> int:
    """The inner rows without room, where `totals` are the pawns of both players in the inner rows."""
    return (totals + _ROOM_LEFT & _TOP) >> BITS - 1


def taken(totals: int) -> int:
    """The inner rows that are not empty."""
    return (totals + _ANY & _TOP) >> BITS - 1


class Occupied(dict[int, int]):
    """Of each side: the rows where it has pawns."""

    def __missing__(self, side: int) -> int:
        rows = self[side] = sum(row_bit(row) for row, count in enumerate(unpack(side)) if count)
        return rows


class Facing(dict[int, int]):
    """Of each side: its pawns in the inner rows as the opponent sees them."""

    def __missing__(self, side: int) -> int:
        turned = self[side] = pack(unpack(side)[::-1]) & INNER
        return turned


class Rear(dict[int, int]):
    """Of each side: the row of its rearmost pawn."""

    def __missing__(self, side: int) -> int:
        row = self[side] = ((side & -side).bit_length() - 1) // BITS
        return row


class Progress(dict[int, int]):
    """Of each side: how many rows its pawns have gone, in all."""

    def __missing__(self, side: int) -> int:
        rows = self[side] = sum(row * count for row, count in enumerate(unpack(side)))
        return rows


class RearWithout(dict[int, int]):
    """Of each side: where its rearmost pawn would be if as many of the last as a turn can move were gone."""

    def __init__(self, pawns: int) -> None:
        super().__init__()
        self._pawns = pawns

    def __missing__(self, side: int) -> int:
        one_by_one = [row for row, count in enumerate(unpack(side)) for _ in range(count)]
        row = self[side] = one_by_one[self._pawns]
        return row


class Points(dict[int, int]):
    """Of each side: its points as they stand."""

    def __init__(self, row_points: tuple[int, ...]) -> None:
        super().__init__()
        self._row_points = row_points

    def __missing__(self, side: int) -> int:
        points = self[side] = sum(
            count * worth for count, worth in zip(unpack(side), reversed(self._row_points), strict=True)
        )
        return points


assert PAWNS < 1 << BITS
