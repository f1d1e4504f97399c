"""What can be broken on purpose: faults by name, from the page, from a script and from a test alike.

A fault lasts until `clear`, or with `once` for a single scan or message: `stuck 3.2`, `corrupt once`. Those that
bend levels do it here; the others are asked for by whoever stands where they happen, the simulated board or the
virtual scanner.
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from hardware.calibration import TOP_LEVEL
from hardware.errors import LayoutError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.layout import Layout

NOISE_FAULT_LEVELS = 500.0
WEAK_SHARE = 0.52
SATURATED_LEVEL = TOP_LEVEL - 600
SLOW_S = 0.3
CORRUPT_SHARE = 0.5


class FaultKind(Enum):
    """The faults there are, each with a line for the page and the documents."""

    UNPLUG = "unplug"
    SILENT = "silent"
    CORRUPT = "corrupt"
    NOISE = "noise"
    STUCK = "stuck"
    DEAD = "dead"
    WEAK = "weak"
    NOISY = "noisy"
    SATURATED = "saturated"
    REVERSED = "reversed"
    SWAPPED = "swapped"
    SLOW = "slow"
    RESET = "reset"

    @property
    def slots(self) -> int:
        """How many slots are named with it."""
        return _SLOTS.get(self, 0)

    @property
    def takes_slot(self) -> bool:
        return self.slots > 0

    @property
    def usage(self) -> str:
        return " ".join([self.value] + ["SLOT"] * self.slots)

    @property
    def summary(self) -> str:
        return _SUMMARIES[self]


_SLOTS = {
    FaultKind.STUCK: 1,
    FaultKind.DEAD: 1,
    FaultKind.WEAK: 1,
    FaultKind.NOISY: 1,
    FaultKind.SATURATED: 1,
    FaultKind.REVERSED: 1,
    FaultKind.SWAPPED: 2,
}
_SUMMARIES = {
    FaultKind.UNPLUG: "the cable is pulled; clear plugs it in again",
    FaultKind.SILENT: "the scanner is there but sends nothing",
    FaultKind.CORRUPT: "bytes flip on the way: about every second message is damaged",
    FaultKind.NOISE: "every level trembles twenty times as much as it should",
    FaultKind.STUCK: "the sensor goes on reading what it reads now",
    FaultKind.DEAD: "the sensor gives no voltage at all",
    FaultKind.WEAK: "the sensor feels about half of what it should",
    FaultKind.NOISY: "the sensor trembles twenty times as much as it should",
    FaultKind.SATURATED: "the sensor lies at the upper end of its range, whatever stands on it",
    FaultKind.REVERSED: "the sensor is mounted face down: red reads as black and black as red",
    FaultKind.SWAPPED: "the wires of two sensors are exchanged",
    FaultKind.SLOW: "messages arrive 300 ms late",
    FaultKind.RESET: "the scanner restarts, once",
}
CLEAR = "clear"
CLEAR_SUMMARY = "everything is repaired"


class FaultError(ValueError):
    """A fault was asked for that does not exist."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is broken; its text reads back to an equal value."""

    kind: FaultKind
    slot: int | None = None
    once: bool = False
    other: int | None = None
    """The second slot of a fault that has two."""

    def text(self, layout: Layout) -> str:
        slots = [layout.name(slot) for slot in (self.slot, self.other) if slot is not None]
        words = [self.kind.value, *slots]
        return " ".join([*words, "once"] if self.once else words)

    @classmethod
    def parse(cls, text: str, layout: Layout) -> Fault:
        words = text.split()
        names = ", ".join(kind.usage for kind in FaultKind)
        if not words:
            raise FaultError(f"a fault has a name: {names}")
        if words[0] not in [kind.value for kind in FaultKind]:
            raise FaultError(f"there is no fault {words[0]!r}: faults are {names}")
        kind = FaultKind(words.pop(0))
        slots = [_slot(kind, words.pop(0) if words else "", layout) for _ in range(kind.slots)]
        if len(set(slots)) < len(slots):
            raise FaultError(f"{kind.value} needs two different slots, not {layout.name(slots[0])} twice")
        if words not in ([], ["once"]):
            raise FaultError(f"after {kind.usage} comes nothing or 'once', not {' '.join(words)!r}")
        slot, other, *_ = [*slots, None, None]
        return cls(kind, slot, bool(words), other)


def _slot(kind: FaultKind, word: str, layout: Layout) -> int:
    row, dot, place = word.partition(".")
    if not (dot and row.isdecimal() and place.isdecimal()):
        raise FaultError(f"{kind.value} needs a slot such as 3.2, not {word!r}")
    try:
        return layout.slot(int(row), int(place))
    except LayoutError as error:
        raise FaultError(f"{kind.value} {word}: {error}") from None


class Faults:
    """The faults that a board has now. Safe to use from several threads."""

    def __init__(self, layout: Layout, seed: int = 0) -> None:
        self.on_change: list[Callable[[], object]] = []
        """Called when something was broken or repaired."""
        self._layout = layout
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._active: list[Fault] = []
        self._stuck_at: dict[int, int] = {}
        self._last_levels: list[int] = []

    def command(self, text: str) -> None:
        """Do what a line of a script or of the page says: the name of a fault, or `clear`."""
        if text.split() == [CLEAR]:
            self.clear()
        else:
            self.add(Fault.parse(text, self._layout))

    def add(self, fault: Fault) -> None:
        with self._lock:
            if fault.once or fault not in self._active:
                self._active.append(fault)
            if fault.kind is FaultKind.STUCK and fault.slot is not None and self._last_levels:
                self._stuck_at.setdefault(fault.slot, self._last_levels[fault.slot])
        self._changed()

    def clear(self) -> None:
        with self._lock:
            self._active.clear()
            self._stuck_at.clear()
        self._changed()

    def _changed(self) -> None:
        """Not while the lock is held: whoever is told may want to know what is broken."""
        for notice in self.on_change:
            notice()

    @property
    def active(self) -> tuple[Fault, ...]:
        return tuple(self._active)

    def strikes(self, kind: FaultKind) -> bool:
        """Whether this fault acts on the scan or message at hand; if it was to act only once, that was it."""
        with self._lock:
            return any(self._use(fault) for fault in tuple(self._active) if fault.kind is kind)

    def strikes_message(self) -> bool:
        """Whether this message is to be damaged: surely by a fault that acts once, else about every second time."""
        with self._lock:
            corrupt = [fault for fault in self._active if fault.kind is FaultKind.CORRUPT]
            once = any(self._use(fault) for fault in corrupt if fault.once)
            return once or (bool(corrupt) and self._random.random() < CORRUPT_SHARE)

    def damage(self, message: bytes) -> bytes:
        """The message with one to three of its bytes changed."""
        damaged = bytearray(message)
        for _ in range(self._random.randint(1, 3)):
            damaged[self._random.randrange(len(damaged))] ^= self._random.randrange(1, 256)
        return bytes(damaged)

    def bend(self, levels: list[int], baselines: Sequence[int]) -> list[int]:
        """The levels as broken sensors give them."""
        with self._lock:
            bent = list(levels) if self._active else levels
            # Wires last: what is wrong with a sensor itself goes with it to the other end of its wire.
            for fault in sorted(self._active, key=lambda fault: fault.kind is FaultKind.SWAPPED):
                self._bend(fault, bent, baselines)
            self._last_levels = bent
            return bent

    def _bend(self, fault: Fault, levels: list[int], baselines: Sequence[int]) -> None:
        match fault:
            case Fault(FaultKind.NOISE):
                levels[:] = [_clipped(self._random.gauss(level, NOISE_FAULT_LEVELS)) for level in levels]
            case Fault(FaultKind.STUCK, int(slot)):
                levels[slot] = self._stuck_at.setdefault(slot, levels[slot])
            case Fault(FaultKind.DEAD, int(slot)):
                levels[slot] = 0
            case Fault(FaultKind.WEAK, int(slot)):
                levels[slot] = _clipped(baselines[slot] + WEAK_SHARE * (levels[slot] - baselines[slot]))
            case Fault(FaultKind.NOISY, int(slot)):
                levels[slot] = _clipped(self._random.gauss(levels[slot], NOISE_FAULT_LEVELS))
            case Fault(FaultKind.SATURATED, int(slot)):
                levels[slot] = SATURATED_LEVEL
            case Fault(FaultKind.REVERSED, int(slot)):
                levels[slot] = _clipped(2 * baselines[slot] - levels[slot])
            case Fault(FaultKind.SWAPPED, int(slot), other=int(other)):
                levels[slot], levels[other] = levels[other], levels[slot]
            case _:
                return
        self._use(fault)

    def _use(self, fault: Fault) -> bool:
        if fault.once or fault.kind is FaultKind.RESET:
            self._active.remove(fault)
            if fault.kind is FaultKind.STUCK and fault.slot is not None:
                self._stuck_at.pop(fault.slot, None)
        return True


def _clipped(level: float) -> int:
    return min(max(round(level), 0), TOP_LEVEL)
