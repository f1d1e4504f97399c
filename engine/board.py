"""The board: two colours, eight rows, and where the pawns stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine.errors import BadColor, BadPosition, BadRow, BadText

ROWS = 8
LAST_ROW = ROWS - 1
PAWNS = 12
ROOM = 6
"""How many pawns an inner row holds, both colours together. Start lines hold any number."""


class Color(Enum):
    """A player and the player's pawns."""

    start: int
    goal: int
    forward: int
    opponent: Color

    RED = "red"
    BLACK = "black"

    def __str__(self) -> str:
        return str(self.value)

    @classmethod
    def parse(cls, text: str) -> Color:
        try:
            return cls(text)
        except ValueError:
            raise BadText(f"a colour is red or black, not {text!r}") from None


# Plain attributes rather than properties: the rules ask for them at every step.
Color.RED.start, Color.RED.goal, Color.RED.forward, Color.RED.opponent = 0, LAST_ROW, 1, Color.BLACK
Color.BLACK.start, Color.BLACK.goal, Color.BLACK.forward, Color.BLACK.opponent = LAST_ROW, 0, -1, Color.RED


def require_color(color: object) -> None:
    if not isinstance(color, Color):
        raise BadColor(f"a colour is Color.RED or Color.BLACK, not {color!r}")


def require_row(row: object) -> None:
    if type(row) is not int or not 0 <= row < ROWS:
        raise BadRow(f"rows are numbered 0 to {LAST_ROW}; there is no row {row!r}")


def is_inner(row: int) -> bool:
    """Whether the row lies between two sticks."""
    return 0 < row < LAST_ROW


@dataclass(frozen=True, slots=True)
class Position:
    """How many pawns of each colour stand in each row; pawns of one colour in one row are interchangeable.

    As text, the rows from 0 to 7 with their pawns: `rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb` is the set-up, and `-` an
    empty row.
    """

    red: tuple[int, ...]
    black: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "red", _checked_counts(Color.RED, self.red))
        object.__setattr__(self, "black", _checked_counts(Color.BLACK, self.black))
        for row in range(1, LAST_ROW):
            if self.total(row) > ROOM:
                raise BadPosition(f"row {row} holds {self.total(row)} pawns; an inner row has room for {ROOM}")

    @classmethod
    def setup(cls) -> Position:
        """Six pawns on the own start line, one in each inner row."""
        return cls((6, 1, 1, 1, 1, 1, 1, 0), (0, 1, 1, 1, 1, 1, 1, 6))

    @classmethod
    def parse(cls, text: str) -> Position:
        rows = text.split("/")
        if len(rows) != ROWS:
            raise BadText(f"a position has {ROWS} rows with a stroke between; {text!r} has {len(rows)}")
        for row, pawns in enumerate(rows):
            if pawns != "-" and (not pawns or pawns.strip("rb")):
                raise BadText(f"row {row} of a position is written in the letters r and b, or as -, not as {pawns!r}")
        return cls(tuple(row.count("r") for row in rows), tuple(row.count("b") for row in rows))

    def __str__(self) -> str:
        return "/".join("r" * red + "b" * black or "-" for red, black in zip(self.red, self.black, strict=True))

    def of(self, color: Color) -> tuple[int, ...]:
        """The counts of one colour, row 0 to 7."""
        return self.red if color is Color.RED else self.black

    def total(self, row: int) -> int:
        """How many pawns stand in a row, both colours."""
        return self.red[row] + self.black[row]

    def has_room(self, row: int) -> bool:
        """Whether one more pawn may stop in the row."""
        return row in (0, LAST_ROW) or self.red[row] + self.black[row] < ROOM

    def moved(self, color: Color, origin: int, destination: int) -> Position:
        """The position with one pawn elsewhere. The caller has made sure that it is there and that there is room."""
        counts = list(self.red if color is Color.RED else self.black)
        counts[origin] -= 1
        counts[destination] += 1
        # The checks of the constructor would be paid for at every step of every game.
        position = object.__new__(Position)
        object.__setattr__(position, "red", tuple(counts) if color is Color.RED else self.red)
        object.__setattr__(position, "black", tuple(counts) if color is Color.BLACK else self.black)
        return position

    def rearmost(self, color: Color) -> int:
        """The row of the colour's pawn that is furthest from its goal."""
        counts = self.of(color)
        rows = range(ROWS) if color is Color.RED else range(LAST_ROW, -1, -1)
        return next(row for row in rows if counts[row])

    @property
    def rows_to_pass(self) -> int:
        """How many rows the rearmost pawns still have to gain until the colours have passed; 0: they have."""
        return max(0, self.rearmost(Color.BLACK) - self.rearmost(Color.RED) + 1)

    @property
    def passed(self) -> bool:
        """Whether the rearmost red pawn is in a higher row than the rearmost black one."""
        return self.rearmost(Color.RED) > self.rearmost(Color.BLACK)


def _checked_counts(color: Color, counts: Sequence[int]) -> tuple[int, ...]:
    counts = tuple(counts)
    if len(counts) != ROWS:
        raise BadPosition(f"{color} has counts for {len(counts)} rows; the board has {ROWS}")
    for row, count in enumerate(counts):
        if type(count) is not int or count < 0:
            raise BadPosition(f"{color} cannot have {count!r} pawns in row {row}")
    if sum(counts) != PAWNS:
        raise BadPosition(f"{color} has {sum(counts)} pawns on the board; it must be {PAWNS}")
    return counts
