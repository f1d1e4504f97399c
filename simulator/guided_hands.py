"""Hands that do what the guided calibration asks for, on a simulated table, a little clumsily."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from firmware.calibrate.guide import Guide, Mark, Phase
from firmware.calibrate.walk import Doubt
from hardware.interface import Reading

if TYPE_CHECKING:
    from simulator.table import Pawn, Table

CLUMSY_MM = 2.0
"""How far off the middle of a slot a pawn is put, at most, to either side."""
PATIENCE = 50
"""How many looks at the board they take before they put a pawn that stands badly anew."""


class GuidedHands:
    """They put pawns where the light is. `walker` is the pawn that follows it."""

    def __init__(self, table: Table, seed: int = 0, clumsy_mm: float = CLUMSY_MM) -> None:
        self._table = table
        self._random = random.Random(seed)
        self._clumsy_mm = clumsy_mm
        self._pawns = {
            color: [pawn for pawn in table.pawns if pawn.color is color] for color in (Reading.RED, Reading.BLACK)
        }
        self._followed: Guide | None = None
        self._at: int | None = None
        self._looks_since = 0

    @property
    def walker(self) -> Pawn:
        return self._pawns[Reading.RED][0]

    def obey(self, guide: Guide) -> None:
        """Do what is asked for now, if it is not done yet."""
        self._looks_since += 1
        marks = guide.marks()
        match guide.phase:
            case Phase.EMPTY if self._followed is not guide:
                self._followed, self._at = guide, None
                self._looks_since = 0
                self._table.clear()
            case Phase.EMPTY if marks and self._looks_since > PATIENCE:
                guide.skip()  # there is no pawn any more
            case Phase.WALK if guide.doubt is Doubt.NOTHING:
                guide.skip()
            case Phase.WALK if guide.target is not None:
                badly = marks[guide.target] is Mark.WEAK and self._looks_since > PATIENCE
                if guide.target != self._at or badly:
                    self._at = guide.target
                    self._put(self.walker, guide.target)
            case Phase.RED | Phase.BLACK:
                self._line_up(guide.phase, marks)

    def _line_up(self, phase: Phase, marks: dict[int, Mark]) -> None:
        color = Reading.RED if phase is Phase.RED else Reading.BLACK
        for pawn, (slot, mark) in zip(self._pawns[color], marks.items(), strict=False):
            badly = mark is Mark.WEAK and self._looks_since > PATIENCE
            if pawn.slot != slot or badly:
                self._put(pawn, slot)

    def _put(self, pawn: Pawn, slot: int) -> None:
        x_mm, y_mm = self._table.layout.centres_mm[slot]
        off = self._clumsy_mm
        self._looks_since = 0
        self._table.move(pawn, x_mm + self._random.uniform(-off, off), y_mm + self._random.uniform(-off, off))
