"""Clumsy hands: the ways in which people bring a pawn from one row to another, straighten others, think again, put a
pawn down wrong and put that right. Everything they do is a movement of a scenario."""

from __future__ import annotations

import random
from collections.abc import Callable

from engine import LAST_ROW, Color
from hardware.interface import Button
from simulator.scenario import LAYOUT, Movement
from simulator.stage import Performance
from simulator.steps import READINGS, Bump, Hover, Lift, Press, Put, Slide, Step, Wait
from simulator.words import Spot

HESITATIONS_S = (0.1, 0.5, 2.0)

Move = tuple[Color, int, int]
"""A pawn's colour, the row it comes from and the row it goes to."""


class Hands:
    """The hands of two people over one board."""

    def __init__(self, performance: Performance, chance: random.Random, tell: Callable[[str], None]) -> None:
        self._performance = performance
        self._table = performance.board.table
        self._random = chance
        self._tell = tell

    def do(self, *steps: Step) -> None:
        """One movement of one hand."""
        movement = Movement.of(*steps)
        self._tell(str(movement))
        self._performance.do(movement)

    def press(self, button: Button) -> None:
        self.do(Press(button))

    # A pawn from row to row

    def move(self, move: Move) -> None:
        """Lifted and put down, or slid; what no sensor can see is confirmed by the key."""
        lift = self._lift(move)
        if not self._free(move[2]):
            self.do(lift)
            self.do(self._put(move))
            self.press(Button.DONE)
        elif lift.spot.slot is not None and self._perhaps(0.15):
            self.do(Slide(lift.color, lift.spot, self._put(move).spot))
        elif self._perhaps(0.3):
            self.do(lift, self._moment(300), self._put(move))
        else:
            self._move_with_care(lift, move)

    def _move_with_care(self, lift: Lift, move: Move) -> None:
        self.do(lift if self._perhaps(0.85) or lift.manner else Lift(lift.color, lift.spot, "slowly"))
        self._fidget(move)
        put = self._put(move)
        self.do(put if self._perhaps(0.85) or put.manner else Put(put.color, put.spot, "slowly"))

    def move_two(self, first: Move, second: Move) -> None:
        """Opening and follow-up together: in a hurry, with two hands, or with one pawn that goes all the way."""
        same_pawn = (first[0], first[2]) == (second[0], second[1])
        if same_pawn and self._perhaps(0.5):
            self.move((first[0], first[1], second[2]))
        elif same_pawn or self._perhaps(0.4):
            self._hurry(first, second)
        else:
            self._use_two_hands(first, second)

    def _hurry(self, first: Move, second: Move) -> None:
        """One after the other, without waiting for the board."""
        puts = self._puts(first, second)
        lift = self._lift(first)
        other = self._lift(second, unless=lift.spot)
        if other.manner:  # there is none yet: it is the pawn that has just arrived
            other = Lift(second[0], puts[0].spot)
        self.do(lift, self._moment(100), puts[0], self._moment(40), other, self._moment(100), puts[1])

    def _use_two_hands(self, first: Move, second: Move) -> None:
        """Both pawns are lifted before either is put down, in any order."""
        puts = self._puts(first, second)
        lift = self._lift(first)
        lifts = [lift, self._lift(second, unless=lift.spot)]
        self._random.shuffle(lifts)
        self._random.shuffle(puts)
        steps: list[Step] = [*lifts, *puts]
        if self._perhaps(0.5):
            for step in steps:
                self.do(step)
        else:
            self.do(*(part for step in steps for part in (step, self._moment(80))))

    def _puts(self, first: Move, second: Move) -> list[Put]:
        """Where both go: on slots that are free before either pawn is lifted, for nobody can be quicker than that."""
        one = self._put(first)
        return [one, self._put(second, taken=one.spot)]

    # What else hands do

    def dawdle(self) -> None:
        """Between two moves: nothing, a pause, a pawn straightened, a pawn lifted and put back."""
        what = self._random.random()
        if what < 0.15:
            self.do(Wait(self._random.choice([0.3, 1.0, 4.0])))
        elif what < 0.3:
            self.straighten()
        elif what < 0.4:
            self.think_again()

    def straighten(self) -> None:
        """A pawn that stands on a slot is lifted and put back into its row."""
        slot, pawn = self._random.choice(sorted(self._table.standing().items()))
        color = Color(pawn.color.value)
        put = self._put((color, LAYOUT.row_of[slot], LAYOUT.row_of[slot]))
        elsewhere = put.spot if put.spot.slot is not None and self._perhaps(0.5) else None
        self.do(Bump(color, _spot(slot), elsewhere))

    def think_again(self) -> None:
        """A pawn is lifted, held for a while and put back into its row."""
        lift = self._any_pawn()
        self.do(lift)
        self.do(Wait(self._random.choice(HESITATIONS_S)))
        self.do(self._back_into(lift))

    def put_down_wrong(self, move: Move) -> Put | None:
        """The pawn is put into a wrong row, for the board to see; None where there is no wrong row with room."""
        put = self._wrong_put(move)
        if put is not None:
            self.do(self._lift(move))
            self.do(put)
            self.do(Wait(self._random.choice(HESITATIONS_S)))
        return put

    def put_right(self, move: Move, wrong: Put) -> None:
        """The pawn that was put down wrong goes on to where it belongs."""
        self.do(Lift(move[0], wrong.spot))
        self.do(self._put(move))

    def blunder(self) -> bool:
        """Any pawn is put into any row, and back again; False where there was no room for it."""
        lift = self._any_pawn()
        move = (lift.color, lift.spot.row, lift.spot.row)
        put = self._wrong_put(move)
        if put is None:
            return False
        self.do(lift)
        self.do(put)
        self.do(Wait(self._random.choice(HESITATIONS_S)))
        self.do(Lift(lift.color, put.spot))
        self.do(self._put(move))
        return True

    def tidy(self) -> None:
        """A pawn that stands between slots is put on one as soon as there is one."""
        for pawn in self._table.pawns:
            if pawn.row is not None and pawn.slot is None:
                color = Color(pawn.color.value)
                put = self._put((color, pawn.row, pawn.row))
                if put.spot.slot is not None:
                    self.do(Lift(color, Spot(pawn.row), "astray"))
                    self.do(put)

    # Which pawn, which slot

    def _lift(self, move: Move, unless: Spot | None = None) -> Lift:
        """Any pawn of the row but that on one spot; one that stands between slots if there is no other."""
        color, row, _ = move
        spots = [spot for spot in self._standing(color, row) if spot != unless]
        return Lift(color, self._random.choice(spots)) if spots else Lift(color, Spot(row), "astray")

    def _standing(self, color: Color, row: int) -> list[Spot]:
        standing = self._table.standing()
        return [
            _spot(slot) for slot in LAYOUT.rows[row] if slot in standing and standing[slot].color is READINGS[color]
        ]

    def _any_pawn(self) -> Lift:
        slot, pawn = self._random.choice(sorted(self._table.standing().items()))
        return Lift(Color(pawn.color.value), _spot(slot))

    def _put(self, move: Move, taken: Spot | None = None) -> Put:
        """Any free slot of the row; with none free, between the slots."""
        color, _, row = move
        free = [spot for spot in self._free(row) if spot != taken]
        return Put(color, self._random.choice(free)) if free else Put(color, Spot(row), "between")

    def _back_into(self, lift: Lift) -> Put:
        """The slot it came from, or another of the row."""
        spots = [lift.spot, *self._free(lift.spot.row)]
        return Put(lift.color, self._random.choice(spots) if self._perhaps(0.5) else lift.spot)

    def _wrong_put(self, move: Move) -> Put | None:
        rows = [row for row in range(LAST_ROW + 1) if row not in move[1:] and len(self._free(row)) > 1]
        return self._put((move[0], move[1], self._random.choice(rows))) if rows else None

    def _free(self, row: int) -> list[Spot]:
        standing = self._table.standing()
        return [_spot(slot) for slot in LAYOUT.rows[row] if slot not in standing]

    def _fidget(self, move: Move) -> None:
        """While the pawn is in hand: held above some slot, or another pawn straightened."""
        what = self._random.random()
        free = self._free(self._random.randrange(LAST_ROW + 1))
        if what < 0.1 and free:
            self.do(Hover(move[0], self._random.choice(free)), self._moment(1500))
        elif what < 0.2:
            self.straighten()

    def _moment(self, most_ms: int) -> Wait:
        return Wait(self._random.randrange(0, most_ms, 10) / 1000)

    def _perhaps(self, share: float) -> bool:
        return self._random.random() < share


def _spot(slot: int) -> Spot:
    row = LAYOUT.row_of[slot]
    return Spot(row, slot - LAYOUT.rows[row].start)
