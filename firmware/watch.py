"""The eyes of the session: snapshots come in, the still board row by row comes out, without the slots in doubt."""

from __future__ import annotations

from collections.abc import Callable

from engine import Color, Position
from firmware.doubt import Doubts
from firmware.events import Event, SensorsBack, SensorsLost
from firmware.settle import Settle, SettleSettings
from firmware.sight import Sighting
from hardware.interface import Reading, Snapshot
from hardware.layout import Layout

PAWNS_SEEN = (Reading.RED, Reading.BLACK, Reading.OCCUPIED)


class Watch:
    """What the board shows, once it has stood still."""

    def __init__(self, layout: Layout, settle: SettleSettings) -> None:
        self._layout = layout
        self._settle = Settle(layout.slot_count, settle)
        self._doubts = Doubts(settle.doubt_ms / 1000)
        self._looked = False
        self._quiet_readings: tuple[Reading, ...] = ()
        self._lying_rows: set[int] = set()
        self._last_still = self._settle.still
        self.left_rows: list[int] | None = None
        """The rows that pawns left since the board was quiet, in order; None before it ever was."""
        self.lost = False
        self.sighting = Sighting.of(self._settle.still, layout)

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest."""
        return self._settle.deadline

    @property
    def doubted_slots(self) -> tuple[tuple[int, str], ...]:
        return tuple(sorted(self._doubts.kinds.items()))

    def see(self, snapshot: Snapshot, now: float) -> tuple[bool, list[Event]]:
        """Takes a snapshot; whether the still board has to be looked at anew, and what happened to the sensors."""
        events: list[Event] = [SensorsBack()] if self.lost else []
        if not self._looked:
            self._settle.begin_with(snapshot)
        changed = self._settle.feed(snapshot, now) or self.lost or not self._looked
        events += self._doubts.judge(snapshot, self._settle.still, now)
        self.lost, self._looked = False, True
        return changed and self._look(), events

    def tick(self, now: float) -> bool:
        """Time has passed; whether the still board has changed by it."""
        return self._settle.due(now) and self._look()

    def lose(self, why: str) -> list[Event]:
        """The sensors cannot be read; the next snapshot ends it."""
        if self.lost:
            return []
        self.lost = True
        self._settle.forget()
        return [SensorsLost(why)]

    def remember_as_quiet(self) -> None:
        """The board is as it should be: a slot that is found stuck later is one that has not changed since."""
        self._quiet_readings = self._settle.still
        self.left_rows = []

    def find_false_pawn(self, position: Position) -> list[Event]:
        """When all pawns stand as they should and one more is seen, doubts a slot of that row: the rest is certain."""
        surplus = self.sighting.differences(position)
        if not self.sees_too_many() or self.sighting.missing(position) or self.sighting.surplus(position) != 1:
            return []
        (row,) = [difference.row for difference in surplus]
        kinds = (Reading.RED, Reading.OCCUPIED) if surplus[0].red > 0 else (Reading.BLACK, Reading.OCCUPIED)
        return self.distrust(next(slot for slot in self._layout.rows[row] if self._settle.still[slot] in kinds))

    def sees_too_many(self) -> bool:
        """Whether more pawns are seen than there are."""
        return any(self.sighting.too_many(color) for color in (Color.RED, Color.BLACK, None))

    def stuck_slots(self, actions_shown_by: Callable[[Sighting], int | None]) -> list[int]:
        """When more pawns are seen than there are, the slots that may go on showing one that has left them.

        They have not changed since the board was quiet, and without one of them the board shows actions again, the
        fewest.
        """
        if not self.sees_too_many() or not self._quiet_readings:
            return []
        still = self._settle.still
        suspects: dict[int, tuple[int, int]] = {}
        for slot, reading in enumerate(still):
            row = self._layout.row_of[slot]
            if row in suspects or reading not in PAWNS_SEEN or self._quiet_readings[slot] is not reading:
                continue  # slots of one row are interchangeable: the first stands for all
            actions = actions_shown_by(self.without(slot))
            if actions is not None:
                suspects[row] = (actions, slot)
        fewest = min((actions for actions, _ in suspects.values()), default=0)
        return [slot for actions, slot in suspects.values() if actions == fewest]

    def false_slot(self, is_quiet: Callable[[Sighting], bool]) -> int | None:
        """A slot that has begun to show a pawn, and without which the board is as it was."""
        if not self._quiet_readings:
            return None
        for slot, (before, reading) in enumerate(zip(self._quiet_readings, self._settle.still, strict=True)):
            if reading in PAWNS_SEEN and reading is not before and is_quiet(self.without(slot)):
                return slot
        return None

    def shows_pawns_on(self, *slots: int) -> bool:
        return all(self._settle.still[slot] in PAWNS_SEEN for slot in slots)

    def without(self, slot: int) -> Sighting:
        """What is seen if this slot may hold anything."""
        return Sighting.of(self._settle.still, self._layout, {*self._doubts.stuck, slot})

    def distrust(self, slot: int) -> list[Event]:
        """The slot shows a pawn that is not there; until its reading changes it counts for nothing."""
        self._lying_rows.add(self._layout.row_of[slot])
        events = self._doubts.stick(slot, self._settle.still[slot])
        self._look()
        return events

    def has_lied(self, slot: int) -> bool:
        """Whether this slot, or one of its row that it was taken for, has shown a pawn that was not there before."""
        return self._layout.row_of[slot] in self._lying_rows

    def _look(self) -> bool:
        before, self._last_still = self._last_still, self._settle.still
        if self.left_rows is not None:
            for slot, (reading, now) in enumerate(zip(before, self._last_still, strict=True)):
                row = self._layout.row_of[slot]
                if reading is not Reading.EMPTY and now is not reading and row not in self.left_rows:
                    self.left_rows.append(row)
        self.sighting = Sighting.of(self._settle.still, self._layout, self._doubts.stuck)
        return True
