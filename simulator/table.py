"""The physical world: a board on a table, twenty-four pawns with magnets in them, and hands.

A pawn is anywhere in space, so it may stand badly, between two slots, be held just above one, or lie on its side.
Nothing here knows the rules, and nothing takes real time: what is instant is a plain call, and what lasts is an
iterator of seconds that the caller lets pass, in virtual time or in real time, before going on:

    for seconds in table.slide(Reading.RED, row=1, to_row=3):
        pass_time(seconds)
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from hardware.interface import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hardware.layout import Layout

COLORS = (Reading.RED, Reading.BLACK)
"""A pawn's colour is what a good sensor reads beneath it."""
PAWNS_OF_A_COLOR = 12
FOOT_MM = 12.0
"""How far from a slot's centre a pawn may stand and still be on that slot."""
EDGE_MM = 30.0
"""How far the board goes on beyond its outermost slots."""
HELD_HEIGHT_MM = 80.0
STEP_S = 0.01
HAND_MM_PER_S = 300.0
BUMP_S = 0.15


class TableError(ValueError):
    """Hands were asked to do what cannot be done."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the foot of a pawn is. `bearing` is None while it is upright, else where its top points, in radians."""

    x_mm: float
    y_mm: float
    height_mm: float = 0.0
    bearing: float | None = None


@dataclass(slots=True, eq=False)
class Pawn:
    """One pawn. `row` and `slot` say where it is put down; both are None while it is held or off the board."""

    number: int
    color: Reading
    strength: float
    """Of its magnet; 1 is as the data sheet says."""
    place: Place
    row: int | None = field(default=None, init=False)
    slot: int | None = field(default=None, init=False)

    @property
    def held(self) -> bool:
        return self.place.height_mm > 0


class Table:
    """All pawns and where they are. They start beside the board; `set_up` puts them on it."""

    def __init__(self, layout: Layout, seed: int = 0, magnet_spread: float = 0.1) -> None:
        self.layout = layout
        self.on_move: list[Callable[[], object]] = []
        """Called when a pawn is somewhere else."""
        self._random = random.Random(seed)
        self._hand: list[Pawn] = []
        ys = [[layout.centres_mm[slot][1] for slot in row] for row in layout.rows]
        sticks = [(max(below) + min(above)) / 2 for below, above in pairwise(ys)]
        self._row_ends_mm = [min(ys[0]) - EDGE_MM, *sticks, max(ys[-1]) + EDGE_MM]
        self._side_mm = max(abs(x) for x, _ in layout.centres_mm) + EDGE_MM
        self.pawns = tuple(
            Pawn(number, color, self._random.uniform(1 - magnet_spread, 1 + magnet_spread), self._beside(number))
            for number, color in enumerate(color for color in COLORS for _ in range(PAWNS_OF_A_COLOR))
        )

    # Looking

    @property
    def in_hand(self) -> tuple[Pawn, ...]:
        """The pawns that hands hold, in the order in which they were lifted."""
        return tuple(self._hand)

    def standing(self) -> dict[int, Pawn]:
        """The pawn on each slot that has one."""
        return {pawn.slot: pawn for pawn in self.pawns if pawn.slot is not None}

    def readings(self) -> tuple[Reading, ...]:
        """What perfect sensors would read."""
        standing = self.standing()
        return tuple(
            standing[slot].color if slot in standing else Reading.EMPTY for slot in range(self.layout.slot_count)
        )

    # The one movement that all others are made of

    def move(self, pawn: Pawn, x_mm: float, y_mm: float, height_mm: float = 0.0) -> None:
        """Bring a pawn, upright, to a point at once. Nothing keeps two pawns from the same point: hands have to."""
        if not (math.isfinite(x_mm) and math.isfinite(y_mm) and 0 <= height_mm < math.inf):
            raise TableError(f"a pawn cannot be at x {x_mm}, y {y_mm}, height {height_mm} mm")
        self._put(pawn, Place(x_mm, y_mm, height_mm))

    def carry(
        self, pawn: Pawn, x_mm: float, y_mm: float, height_mm: float = 0.0, mm_per_s: float = HAND_MM_PER_S
    ) -> Iterator[float]:
        """Bring a pawn to a point in a straight line, at the speed of a hand."""
        start = pawn.place
        way_mm = math.dist((start.x_mm, start.y_mm, start.height_mm), (x_mm, y_mm, height_mm))
        steps = max(1, math.ceil(way_mm / (mm_per_s * STEP_S)))
        for step in range(1, steps + 1):
            done = step / steps
            self.move(
                pawn,
                start.x_mm + done * (x_mm - start.x_mm),
                start.y_mm + done * (y_mm - start.y_mm),
                start.height_mm + done * (height_mm - start.height_mm),
            )
            yield STEP_S

    # What hands do in one go. A `slot` is a place in its row, and None leaves it open.

    def set_up(self) -> None:
        """Six pawns of each colour on its own start line, and one in each row between."""
        last_row = len(self.layout.rows) - 1
        for color, start, side in ((Reading.RED, 0, 0), (Reading.BLACK, last_row, -1)):
            inner = [self.layout.rows[row][side] for row in range(1, last_row)]
            line = self._middle_of(start, PAWNS_OF_A_COLOR - len(inner))
            if len(line) + len(inner) < PAWNS_OF_A_COLOR or len(self.layout.rows[1]) < len(COLORS):
                raise TableError("the board has too few slots for the set-up")
            for pawn, slot in zip(self._of(color), (*line, *inner), strict=True):
                self._put_on(pawn, slot)

    def clear(self) -> None:
        """Every pawn beside the board."""
        for pawn in self.pawns:
            self._put(pawn, self._beside(pawn.number))

    def lift(self, color: Reading, row: int, slot: int | None = None) -> Pawn:
        """Take a pawn of that colour out of a row, or off one slot, into the hand."""
        pawn = self._find(row, slot, color)
        self.move(pawn, pawn.place.x_mm, pawn.place.y_mm, HELD_HEIGHT_MM)
        return pawn

    def take(self, color: Reading) -> Pawn:
        """Take a pawn of that colour from beside the board into the hand."""
        for pawn in self._of(color):
            if pawn.row is None and not pawn.held:
                self.move(pawn, pawn.place.x_mm, pawn.place.y_mm, HELD_HEIGHT_MM)
                return pawn
        raise TableError(f"no {color.value} pawn is beside the board")

    def place(
        self,
        row: int,
        slot: int | None = None,
        *,
        color: Reading | None = None,
        off_mm: tuple[float, float] = (0.0, 0.0),
    ) -> Pawn:
        """Put the pawn in hand on a slot, or on the first free one of a row; `off_mm` is how far off its centre."""
        pawn = self._from_hand(color)
        self._put_on(pawn, self._free_slot(row, slot), off_mm)
        return pawn

    def put_aside(self, color: Reading | None = None) -> Pawn:
        """Put the pawn in hand beside the board."""
        pawn = self._from_hand(color)
        self._put(pawn, self._beside(pawn.number))
        return pawn

    def knock(self, row: int, slot: int | None = None, *, color: Reading | None = None, rolls_mm: float = 15.0) -> Pawn:
        """Knock a pawn over; it lies that far from where it stood, in any direction."""
        pawn = self._find(row, slot, color)
        self._fall(pawn, rolls_mm)
        return pawn

    # What takes hands a while

    def slide(
        self, color: Reading, row: int, to_row: int, slot: int | None = None, to_slot: int | None = None
    ) -> Iterator[float]:
        """Drag a pawn without lifting it, over free slots of the rows between where there are any."""
        pawn = self._find(row, slot, color)
        target = self._free_slot(to_row, to_slot)
        between = range(row + 1, to_row) if to_row > row else range(row - 1, to_row, -1)
        return self._drag(pawn, between, target)

    def bump(
        self, row: int, slot: int | None = None, *, color: Reading | None = None, to_slot: int | None = None
    ) -> Iterator[float]:
        """Lift a pawn and put it back into its row: where it stood, unless another slot is named."""
        pawn = self._find(row, slot, color)
        target = pawn.slot if to_slot is None else self._free_slot(row, to_slot)
        return self._put_back(pawn, self._free_slot(row, None) if target is None else target)

    def sweep(self, rows: Iterable[int]) -> Iterator[float]:
        """A sleeve goes over these rows: their pawns are pushed away, and about half of them fall."""
        for row in rows:
            for pawn in [pawn for pawn in self.pawns if pawn.row == row]:
                if self._random.random() < 0.5:
                    self._fall(pawn, self._random.uniform(10, 40))
                else:
                    self.move(
                        pawn,
                        pawn.place.x_mm + self._random.uniform(15, 60),
                        pawn.place.y_mm + self._random.uniform(-15, 15),
                    )
                yield STEP_S

    # How it is done

    def _middle_of(self, row: int, pawns: int) -> list[int]:
        """So many slots of a row, evenly around its middle, the rank at the edge of the board first."""
        edge_y_mm = self.layout.centres_mm[self.layout.rows[row][0]][1]

        def from_the_middle(slot: int) -> tuple[bool, bool, float]:
            x_mm, y_mm = self.layout.centres_mm[slot]
            return y_mm != edge_y_mm, x_mm == 0 and pawns % 2 == 0, abs(x_mm)

        return sorted(sorted(self.layout.rows[row], key=from_the_middle)[:pawns])

    def _of(self, color: Reading) -> Iterator[Pawn]:
        return (pawn for pawn in self.pawns if pawn.color is color)

    def _beside(self, number: int) -> Place:
        """Far enough from the board that no sensor feels it, and from the other pawns that each can be seen."""
        return Place(self._side_mm + 100.0 + 25.0 * (number // PAWNS_OF_A_COLOR), 25.0 * (number % PAWNS_OF_A_COLOR))

    def _put(self, pawn: Pawn, place: Place) -> None:
        if place.height_mm > 0:
            row = slot = None
            if pawn not in self._hand:
                self._hand.append(pawn)
        else:
            row = self._row_at(place)
            slot = self._slot_at(place, row) if row is not None and place.bearing is None else None
            if pawn in self._hand:
                self._hand.remove(pawn)
        pawn.place, pawn.row, pawn.slot = place, row, slot
        for notice in self.on_move:
            notice()

    def _put_on(self, pawn: Pawn, slot: int, off_mm: tuple[float, float] = (0.0, 0.0)) -> None:
        x_mm, y_mm = self.layout.centres_mm[slot]
        self.move(pawn, x_mm + off_mm[0], y_mm + off_mm[1])

    def _row_at(self, place: Place) -> int | None:
        if abs(place.x_mm) > self._side_mm or not self._row_ends_mm[0] <= place.y_mm <= self._row_ends_mm[-1]:
            return None
        return next(row for row, end in enumerate(self._row_ends_mm[1:]) if place.y_mm <= end)

    def _slot_at(self, place: Place, row: int) -> int | None:
        point = (place.x_mm, place.y_mm)
        distance_mm, slot = min(
            (math.dist(point, self.layout.centres_mm[slot]), slot) for slot in self.layout.rows[row]
        )
        return slot if distance_mm <= FOOT_MM else None

    def _find(self, row: int, slot: int | None, color: Reading | None) -> Pawn:
        """The pawn on that slot, or the first of that row: upright ones before those that stand badly or lie."""
        wanted = f"{color.value} pawn" if color else "pawn"
        if slot is not None:
            number = self.layout.slot(row, slot)
            pawn = self.standing().get(number)
            if pawn is None:
                raise TableError(f"no {wanted} is on slot {row}.{slot}: it is empty")
            if color not in (None, pawn.color):
                raise TableError(f"no {wanted} is on slot {row}.{slot}: a {pawn.color.value} one is")
            return pawn
        self.layout.slot(row, 0)
        there = [pawn for pawn in self.pawns if pawn.row == row and color in (None, pawn.color)]
        if not there:
            raise TableError(f"no {wanted} is in row {row}")
        return min(there, key=lambda pawn: (pawn.slot is None, pawn.slot or 0))

    def _from_hand(self, color: Reading | None) -> Pawn:
        fitting = [pawn for pawn in self._hand if color in (None, pawn.color)]
        if not fitting:
            raise TableError(f"no {color.value} pawn is in hand" if color else "no pawn is in hand")
        if len({pawn.color for pawn in fitting}) > 1:
            raise TableError("pawns of both colours are in hand: say which")
        return fitting[0]

    def _free_slot(self, row: int, slot: int | None) -> int:
        standing = self.standing()
        if slot is not None:
            number = self.layout.slot(row, slot)
            if number in standing:
                raise TableError(f"slot {row}.{slot} is taken by a {standing[number].color.value} pawn")
            return number
        self.layout.slot(row, 0)
        for number in self.layout.rows[row]:
            if number not in standing:
                return number
        raise TableError(f"row {row} has no free slot")

    def _fall(self, pawn: Pawn, rolls_mm: float) -> None:
        bearing = self._random.uniform(-math.pi, math.pi)
        x_mm = pawn.place.x_mm + rolls_mm * math.cos(bearing)
        y_mm = pawn.place.y_mm + rolls_mm * math.sin(bearing)
        self._put(pawn, Place(x_mm, y_mm, bearing=bearing))

    def _drag(self, pawn: Pawn, between: Iterable[int], target: int) -> Iterator[float]:
        for row in between:
            standing = self.standing()
            free = [self.layout.centres_mm[slot] for slot in self.layout.rows[row] if slot not in standing]
            if free:
                here = (pawn.place.x_mm, pawn.place.y_mm)
                yield from self.carry(pawn, *min(free, key=lambda centre: math.dist(here, centre)))
        yield from self.carry(pawn, *self.layout.centres_mm[target])

    def _put_back(self, pawn: Pawn, target: int) -> Iterator[float]:
        self.move(pawn, pawn.place.x_mm, pawn.place.y_mm, HELD_HEIGHT_MM)
        yield BUMP_S
        self._put_on(pawn, target)
