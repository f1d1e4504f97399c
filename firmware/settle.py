"""From noisy snapshots to still ones.

A slot has changed when it has read the same, equally surely, for a while: a short one for a lift, a longer one for a
placement. A pawn that slides over a slot is read more surely and then less surely again, so it never stands still
there; it settles where it stops. While a slot is unsure, what it held before stands, until the doubt has lasted.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from hardware.interface import Reading, Snapshot


class SettleSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a slot must read the same before it counts: section `[settle]` of the settings."""

    lift_ms: float = 20.0
    place_ms: float = 50.0
    doubt_ms: float = 1000.0

    def __post_init__(self) -> None:
        for key in ("lift_ms", "place_ms", "doubt_ms"):
            if not 0 <= getattr(self, key) <= 10_000:
                raise ValueError(f"{key} is {getattr(self, key)}: it must be from 0 to 10000")


@dataclass(frozen=True, slots=True)
class _Change:
    reading: Reading
    sureness: int
    due: float


class Settle:
    """The slots as they were when they last stood still, and what is about to change."""

    def __init__(self, slots: int, settings: SettleSettings) -> None:
        self._lift_s = settings.lift_ms / 1000
        self._place_s = settings.place_ms / 1000
        self._doubt_s = settings.doubt_ms / 1000
        self._still = [Reading.EMPTY] * slots
        self._changes: dict[int, _Change] = {}
        self._last: Snapshot | None = None

    @property
    def still(self) -> tuple[Reading, ...]:
        return tuple(self._still)

    @property
    def deadline(self) -> float | None:
        """When the next change will have settled if nothing else is seen."""
        return min((change.due for change in self._changes.values()), default=None)

    def begin_with(self, snapshot: Snapshot) -> None:
        """The first sight of the board: nothing is known that could have changed."""
        self._still = list(snapshot.readings)

    def feed(self, snapshot: Snapshot, now: float) -> bool:
        """Takes note of a snapshot; True when the still board has changed."""
        changed = self.due(now)
        last, self._last = self._last, snapshot
        if last is not None and snapshot.sureness is last.sureness and snapshot == last:
            return changed  # most snapshots say nothing new
        faulty = {fault.slot for fault in snapshot.faults}
        for slot, (reading, sureness) in enumerate(zip(snapshot.readings, snapshot.sureness, strict=True)):
            if reading is self._still[slot]:
                self._changes.pop(slot, None)
            elif slot in faulty and reading is Reading.UNSURE:
                self._still[slot] = reading
                changed = True
            else:
                self._note(slot, reading, sureness, now)
        return self.due(now) or changed

    def due(self, now: float) -> bool:
        """Lets the changes settle whose time has come; True when the still board has changed."""
        ripe = [slot for slot, change in self._changes.items() if change.due <= now]
        for slot in ripe:
            self._still[slot] = self._changes.pop(slot).reading
        return bool(ripe)

    def forget(self) -> None:
        """What was about to change is unknown from here on: the sensors were lost."""
        self._changes.clear()
        self._last = None

    def _note(self, slot: int, reading: Reading, sureness: int, now: float) -> None:
        pending = self._changes.get(slot)
        if pending is not None and (pending.reading, pending.sureness) == (reading, sureness):
            return
        if reading is Reading.EMPTY:
            # A lift is certain from its first moment; only its colour fading in steps would start it anew.
            if pending is None or pending.reading is not Reading.EMPTY:
                self._changes[slot] = _Change(reading, sureness, now + self._lift_s)
            return
        patience = self._doubt_s if reading is Reading.UNSURE else self._place_s
        self._changes[slot] = _Change(reading, sureness, now + patience)
