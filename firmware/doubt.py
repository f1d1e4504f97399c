"""Which slots cannot be trusted, and why.

A slot is doubted when the scanner or its level says that the sensor is broken, when it stays unsure, when its pawn is
felt only weakly for a while, or when it must be stuck because more pawns of a colour are seen than there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware.events import Event, SlotDoubted, SlotTrusted
from hardware.interface import Reading, Snapshot

WEAK_SURENESS = 30
STUCK = "stuck"
WEAK = "weak"
UNSURE = "unsure"


class Doubts:
    """The doubted slots and the kind of fault of each."""

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._weak_since: dict[int, float] = {}
        self._last: tuple[Snapshot, Sequence[Reading]] | None = None
        self._stuck: dict[int, Reading] = {}
        self.kinds: dict[int, str] = {}

    @property
    def stuck(self) -> frozenset[int]:
        """The slots whose reading counts for nothing."""
        return frozenset(self._stuck)

    def judge(self, snapshot: Snapshot, still: Sequence[Reading], now: float) -> list[Event]:
        """Takes note of a snapshot and of the still board after it; says which doubts came and went."""
        last, self._last = self._last, (snapshot, still)
        if last is not None and _is_the_same(last[0], snapshot) and last[1] == still:
            if not self._weak_since:
                return []
        else:
            self._note_weak(snapshot, still, now)
        self._stuck = {slot: reading for slot, reading in self._stuck.items() if snapshot.readings[slot] is reading}
        kinds = {slot: UNSURE for slot, reading in enumerate(still) if reading is Reading.UNSURE}
        kinds |= {slot: WEAK for slot, since in self._weak_since.items() if now - since >= self._patience_s}
        kinds |= dict.fromkeys(self._stuck, STUCK)
        kinds |= {fault.slot: fault.kind for fault in snapshot.faults if fault.slot is not None}
        return self._replace(kinds)

    def stick(self, slot: int, reading: Reading) -> list[Event]:
        """The slot goes on showing a pawn that is elsewhere; it is trusted again when its reading changes."""
        self._stuck[slot] = reading
        return self._replace({**self.kinds, slot: STUCK})

    def _note_weak(self, snapshot: Snapshot, still: Sequence[Reading], now: float) -> None:
        pawns = (Reading.RED, Reading.BLACK)
        weak = {
            slot
            for slot, (reading, sureness) in enumerate(zip(snapshot.readings, snapshot.sureness, strict=True))
            if sureness <= WEAK_SURENESS and reading in pawns and still[slot] is reading
        }
        self._weak_since = {slot: self._weak_since.get(slot, now) for slot in weak}

    def _replace(self, kinds: dict[int, str]) -> list[Event]:
        events: list[Event] = [SlotDoubted(slot, kind) for slot, kind in kinds.items() if self.kinds.get(slot) != kind]
        events += [SlotTrusted(slot) for slot in self.kinds if slot not in kinds]
        self.kinds = kinds
        return events


def _is_the_same(last: Snapshot, snapshot: Snapshot) -> bool:
    return last.sureness is snapshot.sureness and last.faults == snapshot.faults
