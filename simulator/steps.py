"""What hands do in a scenario, one value each. As text it is a step of the language; performed, it moves the pawns of
a simulated board and yields the seconds that pass meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import Color
from hardware.interface import Button, Reading
from simulator.faults import CLEAR, Fault, FaultError
from simulator.table import HELD_HEIGHT_MM, TableError
from simulator.words import ScenarioError, Spot, Words

if TYPE_CHECKING:
    from hardware.layout import Layout
    from simulator.board import SimulatedBoard
    from simulator.table import Pawn

READINGS = {Color.RED: Reading.RED, Color.BLACK: Reading.BLACK}
SLOW_MM_PER_S = 100.0
SLOW_HEIGHT_MM = 25.0
"""Above this a sensor feels nothing of a pawn, and a hand may go as fast as it likes."""
HOVER_MM = 5.0
ASKEW_MM = 6.0
"""So far off its slot's centre that the sensor can no longer tell whether a pawn is there."""
HOLD_S = 2.0
PRESS_S = 0.1


class Step:
    """Something that is done at the board."""

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        """Does it, and yields the seconds to let pass on the way."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Lift(Step):
    """A pawn is taken into the hand: `slowly`, or one that lies or stands `astray`, on no slot of its row."""

    color: Color
    spot: Spot
    manner: str = ""

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        table, color = board.table, READINGS[self.color]
        if self.manner == "astray":
            pawn = _astray(board, color, self.spot.row)
            table.move(pawn, pawn.place.x_mm, pawn.place.y_mm, HELD_HEIGHT_MM)
            return
        pawn = table.lift(color, self.spot.row, self.spot.slot)
        if self.manner == "slowly":
            x_mm, y_mm = pawn.place.x_mm, pawn.place.y_mm
            table.move(pawn, x_mm, y_mm)
            yield from table.carry(pawn, x_mm, y_mm, SLOW_HEIGHT_MM, mm_per_s=SLOW_MM_PER_S)
            table.move(pawn, x_mm, y_mm, HELD_HEIGHT_MM)

    def __str__(self) -> str:
        return " ".join(["lift", str(self.color), str(self.spot), *self.manner.split()])

    @classmethod
    def read(cls, words: Words) -> Lift:
        color, spot, manner = words.color(), words.spot(), words.one_or_none("slowly", "astray")
        if manner == "astray" and spot.slot is not None:
            raise ScenarioError("a pawn that is astray has a row, not a slot")
        return cls(color, spot, manner)


@dataclass(frozen=True, slots=True)
class Put(Step):
    """The pawn in hand is put down: `slowly`, `askew` so that it is hardly felt, or `between` slots, felt by none."""

    color: Color | None
    spot: Spot
    manner: str = ""

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        table, row = board.table, self.spot.row
        color = READINGS[self.color] if self.color else None
        if self.manner == "between":
            table.move(table.put_aside(color), *_between(board, row))
        elif self.manner == "slowly":
            pawn = table.place(row, self.spot.slot, color=color)
            place = pawn.place
            table.move(pawn, place.x_mm, place.y_mm, SLOW_HEIGHT_MM)
            yield from table.carry(pawn, place.x_mm, place.y_mm, mm_per_s=SLOW_MM_PER_S)
        else:
            off_mm = (ASKEW_MM, 0.0) if self.manner == "askew" else (0.0, 0.0)
            table.place(row, self.spot.slot, color=color, off_mm=off_mm)

    def __str__(self) -> str:
        return " ".join(["place", *([str(self.color)] if self.color else []), str(self.spot), *self.manner.split()])

    @classmethod
    def read(cls, words: Words) -> Put:
        color, spot = words.color_if_any(), words.spot()
        manner = words.one_or_none("slowly", "askew", "between")
        if manner == "between" and spot.slot is not None:
            raise ScenarioError("a pawn that stands between slots has a row, not a slot")
        return cls(color, spot, manner)


@dataclass(frozen=True, slots=True)
class Hover(Step):
    """The pawn in hand is held so many millimetres above a slot."""

    color: Color | None
    spot: Spot
    height_mm: int | None = None

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        table = board.table
        pawn = table.place(self.spot.row, self.spot.slot, color=READINGS[self.color] if self.color else None)
        table.move(pawn, pawn.place.x_mm, pawn.place.y_mm, self.height_mm or HOVER_MM)
        yield from ()

    def __str__(self) -> str:
        color = f"{self.color} " if self.color else ""
        return f"hover {color}{self.spot}{f' {self.height_mm}mm' if self.height_mm else ''}"

    @classmethod
    def read(cls, words: Words) -> Hover:
        color, spot = words.color_if_any(), words.spot()
        height = words.rest()
        if height and not (height.endswith("mm") and height[:-2].isdecimal() and 0 < int(height[:-2]) <= 80):
            raise ScenarioError(f"a height is written like 4mm, from 1mm to 80mm; not {height!r}")
        return cls(color, spot, int(height[:-2]) if height else None)


@dataclass(frozen=True, slots=True)
class Slide(Step):
    color: Color
    spot: Spot
    to: Spot

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        return board.table.slide(READINGS[self.color], self.spot.row, self.to.row, self.spot.slot, self.to.slot)

    def __str__(self) -> str:
        return f"slide {self.color} {self.spot} {self.to}"

    @classmethod
    def read(cls, words: Words) -> Slide:
        return cls(words.color(), words.spot(), words.spot())


@dataclass(frozen=True, slots=True)
class Bump(Step):
    """A pawn is lifted and put back into its row at once, perhaps on another slot."""

    color: Color | None
    spot: Spot
    to: Spot | None = None

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        color = READINGS[self.color] if self.color else None
        to_slot = self.to.slot if self.to else None
        return board.table.bump(self.spot.row, self.spot.slot, color=color, to_slot=to_slot)

    def __str__(self) -> str:
        color = f"{self.color} " if self.color else ""
        return f"bump {color}{self.spot}{f' {self.to}' if self.to else ''}"

    @classmethod
    def read(cls, words: Words) -> Bump:
        color, spot = words.color_if_any(), words.spot()
        to = words.spot() if words.next else None
        if to is not None and (to.row != spot.row or to.slot is None):
            raise ScenarioError(f"a bump ends on a slot of its own row, like {spot.row}.0, not on {to}")
        return cls(color, spot, to)


@dataclass(frozen=True, slots=True)
class Knock(Step):
    """A pawn falls over and rolls a little."""

    color: Color | None
    spot: Spot

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        board.table.knock(self.spot.row, self.spot.slot, color=READINGS[self.color] if self.color else None)
        yield from ()

    def __str__(self) -> str:
        return f"knock {f'{self.color} ' if self.color else ''}{self.spot}"

    @classmethod
    def read(cls, words: Words) -> Knock:
        return cls(words.color_if_any(), words.spot())


@dataclass(frozen=True, slots=True)
class Sweep(Step):
    """A sleeve goes over rows."""

    rows: tuple[int, ...]

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        return board.table.sweep(self.rows)

    def __str__(self) -> str:
        return f"sweep {' '.join(map(str, self.rows))}"

    @classmethod
    def read(cls, words: Words) -> Sweep:
        return cls(words.rows())


@dataclass(frozen=True, slots=True)
class Clear(Step):
    """All pawns of these rows, however they stand or lie, are put beside the board; without rows, all pawns."""

    rows: tuple[int, ...] = ()

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        if not self.rows:
            board.table.clear()
        for pawn in [pawn for pawn in board.table.pawns if pawn.row in self.rows]:
            board.table.move(pawn, pawn.place.x_mm, pawn.place.y_mm, HELD_HEIGHT_MM)
            board.table.put_aside(pawn.color)
        yield from ()

    def __str__(self) -> str:
        return " ".join(["clear", *map(str, self.rows)])

    @classmethod
    def read(cls, words: Words) -> Clear:
        return cls(words.rows() if words.next else ())


@dataclass(frozen=True, slots=True)
class Take(Step):
    """A pawn is taken from beside the board into the hand."""

    color: Color

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        board.table.take(READINGS[self.color])
        yield from ()

    def __str__(self) -> str:
        return f"take {self.color}"

    @classmethod
    def read(cls, words: Words) -> Take:
        return cls(words.color())


@dataclass(frozen=True, slots=True)
class Aside(Step):
    """The pawn in hand is put beside the board."""

    color: Color | None = None

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        board.table.put_aside(READINGS[self.color] if self.color else None)
        yield from ()

    def __str__(self) -> str:
        return f"aside {self.color}" if self.color else "aside"

    @classmethod
    def read(cls, words: Words) -> Aside:
        return cls(words.color_if_any())


@dataclass(frozen=True, slots=True)
class SetUp(Step):
    """All pawns are set up for a game, at once."""

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        board.table.set_up()
        yield from ()

    def __str__(self) -> str:
        return "setup"

    @classmethod
    def read(cls, words: Words) -> SetUp:
        return cls()


@dataclass(frozen=True, slots=True)
class Wait(Step):
    seconds: float

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        yield self.seconds

    def __str__(self) -> str:
        return f"wait {round(self.seconds * 1000)}ms"

    @classmethod
    def read(cls, words: Words) -> Wait:
        return cls(words.seconds())


@dataclass(frozen=True, slots=True)
class Press(Step):
    """A finger on a key: for a moment, or until it counts as held."""

    button: Button
    held: bool = False

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        board.panel.press(self.button)
        yield PRESS_S
        if self.held:
            yield HOLD_S - PRESS_S
            board.panel.hold(self.button)
        board.panel.release(self.button)

    def __str__(self) -> str:
        return f"{'hold' if self.held else 'press'} {self.button.value}"

    @classmethod
    def read(cls, words: Words) -> Press:
        return cls(words.one_of(Button, "a key"))

    @classmethod
    def read_hold(cls, words: Words) -> Press:
        return cls(words.one_of(Button, "a key"), held=True)


@dataclass(frozen=True, slots=True)
class Break(Step):
    """A fault by its name, or `clear`."""

    command: str

    def perform(self, board: SimulatedBoard) -> Iterator[float]:
        board.faults.command(self.command)
        yield from ()

    def __str__(self) -> str:
        return f"fault {self.command}"

    @classmethod
    def read(cls, words: Words) -> Break:
        command = words.rest()
        if command != CLEAR:
            try:
                Fault.parse(command, words.layout)
            except FaultError as error:
                raise ScenarioError(str(error)) from None
        return cls(command)


Readers = dict[str, Callable[[Words], Step]]

HANDS: Readers = {
    "lift": Lift.read,
    "place": Put.read,
    "hover": Hover.read,
    "slide": Slide.read,
    "bump": Bump.read,
    "knock": Knock.read,
    "sweep": Sweep.read,
    "clear": Clear.read,
    "take": Take.read,
    "aside": Aside.read,
    "setup": SetUp.read,
    "wait": Wait.read,
    "press": Press.read,
    "hold": Press.read_hold,
    "fault": Break.read,
}


def parse_step(text: str, layout: Layout, readers: Readers) -> Step:
    words = Words(text, layout)
    verb = words.take("a step")
    if verb not in readers:
        raise ScenarioError(f"there is no step {verb!r}; steps are {', '.join(readers)} and expect")
    step = readers[verb](words)
    words.finish()
    return step


def _astray(board: SimulatedBoard, color: Reading, row: int) -> Pawn:
    for pawn in board.table.pawns:
        if pawn.color is color and pawn.row == row and pawn.slot is None:
            return pawn
    raise TableError(f"no {color.value} pawn is astray in row {row}")


def _between(board: SimulatedBoard, row: int) -> tuple[float, float]:
    """A point of the row that no sensor feels: amid four slots of a start line, or two of an inner row."""
    centres = [board.layout.centres_mm[slot] for slot in board.layout.rows[row]]
    columns = sorted({x for x, _ in centres})
    standing_so = sum(pawn.row == row and pawn.slot is None for pawn in board.table.pawns)
    left = standing_so % (len(columns) - 1)
    ranks = [y for _, y in centres]
    return (columns[left] + columns[left + 1]) / 2, (min(ranks) + max(ranks)) / 2
