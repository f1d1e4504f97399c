"""From entries to bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from firmware import advice
from firmware.advice import Advice
from firmware.blackbox import varint
from firmware.blackbox.entry import Content, Happened, Tick
from firmware.blackbox.format import (
    BUTTONS,
    DEADBAND_LEVELS,
    EXACT,
    FAULTS_ANEW,
    HAS_LEVELS,
    MOST_BEATS,
    NO_UNIT,
    NOTHING_SEEN,
    READINGS,
    SURENESS_ANEW,
    TOUCHES,
    US,
    Kind,
)
from firmware.inputs import Loss, NewGame, PlayFrom
from hardware.interface import KeyEvent, Reading, Snapshot


class Encoder:
    """Turns entries into the bytes of records, in order. It starts with `Circumstances`."""

    def __init__(self) -> None:
        self._us = 0
        self._repeatable: Snapshot | Loss | None = None
        self._beats: list[float] = []
        self._sureness: tuple[int, ...] | None = None
        self._slots: list[tuple[Reading, int]] = []
        self._levels: list[int] = []

    def encode(self, now: float, what: Content) -> list[bytes]:
        """The records that are to be written now: none for a beat, two when beats were waiting."""
        if self.is_beat(what):
            self._beats.append(now)
            return self.flush() if len(self._beats) == MOST_BEATS else []
        return [*self.flush(), self._record(now, *self._body(what))]

    def flush(self) -> list[bytes]:
        """The beats that are waiting."""
        if not self._beats:
            return []
        beats, self._beats = self._beats, []
        record = self._record(beats[0], Kind.BEATS, _intervals(beats))
        self._us = round(beats[-1] * US)
        return [record]

    def is_beat(self, what: Content) -> bool:
        """Whether this brings nothing new."""
        last = self._repeatable
        if not isinstance(what, Snapshot) or not isinstance(last, Snapshot):
            return isinstance(what, Loss) and what == last
        return (
            what.sureness is last.sureness
            and what == last
            and len(what.levels) == len(self._levels)
            and not any(abs(now - was) > DEADBAND_LEVELS for now, was in zip(what.levels, self._levels, strict=True))
        )

    def _record(self, now: float, kind: Kind, body: bytes) -> bytes:
        us = round(now * US)
        since, self._us = us - self._us, us
        if kind is Kind.START or us / US != now:
            return bytes([kind | EXACT]) + struct.pack("<d", now) + body
        return bytes([kind]) + varint.write_signed(since) + body

    def _body(self, what: Content) -> tuple[Kind, bytes]:
        match what:
            case Snapshot():
                return Kind.SNAPSHOT, self._snapshot(what)
            case Loss(why):
                self._repeatable = what
                return Kind.LOSS, why.encode()
            case KeyEvent(button, touch):
                return Kind.KEY, bytes([BUTTONS.index(button), TOUCHES.index(touch)])
            case NewGame(edition, first, best_of, computer):
                return Kind.NEW_GAME, f"{edition} {first} {best_of} {computer or ''}".rstrip().encode()
            case PlayFrom(start):
                return Kind.PLAY_FROM, str(start).encode()
            case Advice():
                return Kind.ADVICE, advice.encode(what)
            case Happened(event):
                return Kind.EVENT, event.encode()
            case Tick():
                return Kind.TICK, b""
        self._begin(what.layout.slot_count)
        return Kind.START, msgspec.json.encode(what)

    def _begin(self, slots: int) -> None:
        self._repeatable = None
        self._slots = [NOTHING_SEEN] * slots
        self._levels = []

    def _snapshot(self, snapshot: Snapshot) -> bytes:
        flags = SURENESS_ANEW if snapshot.sureness is not self._sureness else 0
        before = self._repeatable.faults if isinstance(self._repeatable, Snapshot) else None
        flags |= FAULTS_ANEW if snapshot.faults != before else 0
        flags |= HAS_LEVELS if snapshot.levels else 0
        slots = list(zip(snapshot.readings, snapshot.sureness, strict=True))
        changed = [slot for slot, (now, was) in enumerate(zip(slots, self._slots, strict=True)) if now != was]
        body = bytes([flags]) + varint.write(len(changed))
        for gap, slot in _gaps(changed):
            reading, sureness = slots[slot]
            body += varint.write(gap) + bytes([READINGS.index(reading)]) + varint.write(sureness)
        body += self._moved_levels(snapshot.levels, set(changed)) if snapshot.levels else b""
        if flags & FAULTS_ANEW:
            body += msgspec.json.encode([(fault.kind, fault.slot) for fault in snapshot.faults])
        self._slots, self._sureness, self._repeatable = slots, snapshot.sureness, snapshot
        self._levels = self._levels if snapshot.levels else []
        return body

    def _moved_levels(self, levels: tuple[int, ...], changed: set[int]) -> bytes:
        known = self._levels = self._levels or [0] * len(levels)
        moved = [
            slot
            for slot, (now, was) in enumerate(zip(levels, known, strict=True))
            if now != was and (slot in changed or abs(now - was) > DEADBAND_LEVELS)
        ]
        body = varint.write(len(moved))
        for gap, slot in _gaps(moved):
            body += varint.write(gap) + varint.write_signed(levels[slot] - known[slot])
            known[slot] = levels[slot]
        return body


def _intervals(beats: list[float]) -> bytes:
    """The unit, how many beats follow the first, and when: in whole units, or as doubles where there is no unit."""
    times = [round(now * US) for now in beats]
    if any(us / US != now for us, now in zip(times, beats, strict=True)):
        return varint.write(NO_UNIT) + varint.write(len(beats) - 1) + struct.pack(f"<{len(beats) - 1}d", *beats[1:])
    intervals = [later - earlier for earlier, later in pairwise(times)]
    unit = 1000 if all(interval % 1000 == 0 for interval in intervals) else 1
    body = varint.write(unit) + varint.write(len(intervals))
    for before, interval in pairwise([0, *intervals]):
        body += varint.write_signed((interval - before) // unit)
    return body


def _gaps(slots: list[int]) -> Iterator[tuple[int, int]]:
    """How many slots lie between each and the one before."""
    before = -1
    for slot in slots:
        yield slot - before - 1, slot
        before = slot
