"""From bytes back to entries."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from engine import Color, Edition, LinjaError, State
from firmware import advice
from firmware.advice import Computer
from firmware.blackbox import varint
from firmware.blackbox.entry import Circumstances, Content, Entry, Happened, Tick
from firmware.blackbox.format import (
    BUTTONS,
    EXACT,
    FAULTS_ANEW,
    HAS_LEVELS,
    MOST_BEATS,
    MOST_SECONDS,
    MOST_SLOTS,
    NO_UNIT,
    NOTHING_SEEN,
    READINGS,
    SURENESS_ANEW,
    TOUCHES,
    US,
    Kind,
)
from firmware.inputs import Loss, NewGame, PlayFrom
from hardware.calibration import TOP_LEVEL
from hardware.interface import KeyEvent, Reading, SensorFault, Snapshot

_T = TypeVar("_T")


class Decoder:
    """Turns the bytes of records back into entries. `ValueError` for bytes that no encoder writes."""

    def __init__(self) -> None:
        self._us = 0
        self._repeatable: Snapshot | Loss | None = None
        self._sureness: tuple[int, ...] = ()
        self._slots: list[tuple[Reading, int]] | None = None
        self._levels: list[int] = []

    def decode(self, record: bytes) -> Iterator[Entry]:
        reader = varint.Reader(record)
        tag = reader.byte()
        now = self._time(reader, exact=bool(tag & EXACT))
        kind = Kind(tag & ~EXACT)
        if kind is Kind.START:
            yield Entry(now, self._start(reader.rest()))
        elif self._slots is None:
            raise ValueError("it does not begin with the circumstances")
        elif kind is Kind.BEATS:
            yield from self._beats(now, reader)
        else:
            yield Entry(now, self._content(kind, reader))

    def _time(self, reader: varint.Reader, *, exact: bool) -> float:
        return self._exact_time(reader) if exact else self._later(reader.signed())

    def _exact_time(self, reader: varint.Reader) -> float:
        (now,) = struct.unpack("<d", reader.take(8))
        if not abs(now) < MOST_SECONDS:
            raise ValueError(f"{now} is no time")
        self._us = round(now * US)
        return float(now)

    def _later(self, us: int) -> float:
        self._us += us
        if abs(self._us) > MOST_SECONDS * US:
            raise ValueError(f"{self._us} us is no time")
        return self._us / US

    def _start(self, body: bytes) -> Circumstances:
        start = msgspec.json.decode(body, type=Circumstances)
        slots = start.layout.slot_count
        if slots > MOST_SLOTS:
            raise ValueError(f"a board of {slots} slots")
        self._repeatable = None
        self._slots = [NOTHING_SEEN] * slots
        self._levels = []
        return start

    def _beats(self, now: float, reader: varint.Reader) -> Iterator[Entry]:
        if self._repeatable is None:
            raise ValueError("a beat of nothing")
        unit, count = reader.number(), reader.number()
        if count > MOST_BEATS:
            raise ValueError(f"{count} beats in one record")
        yield Entry(now, self._repeatable)
        interval = 0
        for _ in range(count):
            if unit == NO_UNIT:
                yield Entry(self._exact_time(reader), self._repeatable)
            else:
                interval += unit * reader.signed()
                yield Entry(self._later(interval), self._repeatable)

    def _content(self, kind: Kind, reader: varint.Reader) -> Content:
        if kind is Kind.SNAPSHOT:
            self._repeatable = self._snapshot(reader)
            return self._repeatable
        if kind is Kind.LOSS:
            self._repeatable = Loss(reader.rest().decode())
            return self._repeatable
        if kind is Kind.KEY:
            return KeyEvent(_chosen(BUTTONS, reader.byte()), _chosen(TOUCHES, reader.byte()))
        if kind is Kind.NEW_GAME:
            return _new_game(reader.rest().decode())
        if kind is Kind.PLAY_FROM:
            return _play_from(reader.rest().decode())
        if kind is Kind.ADVICE:
            return advice.decode(reader.rest())
        if kind is Kind.EVENT:
            return Happened(reader.rest().decode())
        return Tick()

    def _snapshot(self, reader: varint.Reader) -> Snapshot:
        assert self._slots is not None
        flags = reader.byte()
        slots = self._slots
        changed = reader.number()
        for slot in _slots_by_gaps(reader, changed, len(slots)):
            slots[slot] = (_chosen(READINGS, reader.byte()), reader.number())
        levels = self._moved_levels(reader, len(slots)) if flags & HAS_LEVELS else []
        faults = self._repeatable.faults if isinstance(self._repeatable, Snapshot) else ()
        if flags & FAULTS_ANEW:
            pairs = msgspec.json.decode(reader.rest(), type=list[tuple[str, int | None]])
            faults = tuple(SensorFault(kind, slot) for kind, slot in pairs)
        readings, sureness = tuple(reading for reading, _ in slots), tuple(sureness for _, sureness in slots)
        # Where it was one object then it is one now: a session may tell by that what has not changed.
        if flags & SURENESS_ANEW or sureness != self._sureness:
            self._sureness = sureness
        self._levels = levels
        return Snapshot(readings, self._sureness, tuple(levels), faults)

    def _moved_levels(self, reader: varint.Reader, slots: int) -> list[int]:
        levels = self._levels or [0] * slots
        moved = reader.number()
        for slot in _slots_by_gaps(reader, moved, slots):
            levels[slot] += reader.signed()
            if not 0 <= levels[slot] <= TOP_LEVEL:
                raise ValueError(f"a level of {levels[slot]}")
        return levels


def _slots_by_gaps(reader: varint.Reader, count: int, slots: int) -> Iterator[int]:
    slot = -1
    for _ in range(count):
        slot += reader.number() + 1
        if slot >= slots:
            raise ValueError(f"slot {slot} of {slots}")
        yield slot


def _chosen(values: tuple[_T, ...], index: int) -> _T:
    if index >= len(values):
        raise ValueError(f"choice {index} of {len(values)}")
    return values[index]


def _new_game(text: str) -> NewGame:
    edition, first, best_of, *computer = text.split(" ")
    try:
        opponent = Computer.parse(" ".join(computer)) if computer else None
        return NewGame(Edition.parse(edition), Color.parse(first), int(best_of), opponent)
    except LinjaError as error:
        raise ValueError(str(error)) from error


def _play_from(text: str) -> PlayFrom:
    try:
        return PlayFrom(State.parse(text))
    except LinjaError as error:
        raise ValueError(str(error)) from error
