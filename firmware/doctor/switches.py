"""Digital sensors: what they tell at rest, and what a pawn that was led over all slots has told of each.

A switch knows a pawn or none. So one that is dead looks like an empty slot and one that is stuck like a pawn, until
somebody puts a pawn down or takes it away; alone, the doctor sees only what no board of pawns can be.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from firmware.doctor.finding import Finding, Grade, Part, whereabouts
from firmware.doctor.sensors import check_wires
from hardware.calibration import TYPICAL_BASELINE, TYPICAL_PAWN_LEVELS
from hardware.interface import Reading
from hardware.rest import Rest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from firmware.calibrate.walk import Answer
    from hardware.interface import Sensors
    from hardware.layout import Layout

LOOK_S = 0.05
MOST_CHANGES = 3
"""A pawn that is put down or taken away while the doctor looks changes its slot once or twice."""
PAWNS = 24
REMEDY_STUCK = "Look for a short to ground at its output, or something magnetic beside it"
REMEDY_DEAD = "Check its supply, the wire of its output, and that it is right under the slot"


def check_switches(scans: Sequence[Sequence[bool]], layout: Layout, slots: Sequence[int]) -> Iterator[Finding]:
    """The sensors of these slots, from what each channel said in every scan: whether there was a pawn."""
    findings = [*_whole_multiplexers(scans, layout, slots), *_flickering(scans, layout, slots)]
    yield from findings
    if findings:
        return
    pawns = sum(scans[-1][layout.channels[slot]] for slot in slots)
    if pawns > PAWNS:
        text = f"{pawns} sensors of {len(slots)} see a pawn, and there are only {PAWNS}"
        yield Finding(Part.SENSORS, "too many pawns", Grade.FAULT, text, "linja doctor --hands finds out which")
    else:
        text = f"{len(slots)} sensors are steady, and {pawns} see a pawn"
        yield Finding(Part.SENSORS, "switches", Grade.OK, text)


def _whole_multiplexers(scans: Sequence[Sequence[bool]], layout: Layout, slots: Sequence[int]) -> Iterator[Finding]:
    for multiplexer in range(layout.channel_count // layout.multiplexer_channels):
        own = [
            layout.channels[slot]
            for slot in slots
            if layout.channels[slot] // layout.multiplexer_channels == multiplexer
        ]
        if len(own) > 1 and all(scan[channel] for scan in scans for channel in own):
            text = f"every sensor of multiplexer {multiplexer} sees a pawn, all the while"
            remedy = "Check its supply, its EN line, and its output for a short to ground"
            yield Finding(Part.SENSORS, f"multiplexer {multiplexer} stuck", Grade.FAULT, text, remedy)


def _flickering(scans: Sequence[Sequence[bool]], layout: Layout, slots: Sequence[int]) -> Iterator[Finding]:
    for slot in slots:
        channel = layout.channels[slot]
        changes = sum(before[channel] is not after[channel] for before, after in pairwise(scans))
        if changes > MOST_CHANGES:
            text = f"{whereabouts(layout, slot)} flickers: it changed {changes} times while nobody touched the board"
            remedy = "Check its supply and ground, and put 100 nF beside it"
            yield Finding(Part.SENSORS, "noisy", Grade.FAULT, text, remedy, layout.name(slot))


def check_switch_walk(
    answers: Mapping[int, Answer], layout: Layout, troubles: Iterable[tuple[int, str]]
) -> Iterator[Finding]:
    """What a pawn that was led over the slots has told. `troubles` are slots that see a pawn though somebody says that
    there is none (`stuck`), or at which one was put down and not seen (`silent`)."""
    findings = [*check_wires(answers, layout, "set channels in [board]"), *_ailing(troubles, layout)]
    yield from findings
    if not findings:
        text = f"a pawn was seen at all {len(answers)} slots, each by its own sensor"
        yield Finding(Part.SENSORS, "walk", Grade.OK, text)


def _ailing(troubles: Iterable[tuple[int, str]], layout: Layout) -> Iterator[Finding]:
    words = {
        "stuck": ("stuck", "it sees a pawn where there is none", REMEDY_STUCK),
        "silent": ("dead", "it does not see a pawn", REMEDY_DEAD),
    }
    for slot, trouble in troubles:
        name, what, remedy = words[trouble]
        text = f"{whereabouts(layout, slot)} is {name}: {what}"
        yield Finding(Part.SENSORS, name, Grade.FAULT, text, remedy, layout.name(slot))


class SwitchWatch:
    """Sensors without levels, looked at again and again. Nothing new from them means that nothing has changed."""

    def __init__(self, sensors: Sensors, layout: Layout) -> None:
        self._sensors = sensors
        self._layout = layout
        self._seen = [False] * layout.channel_count

    def look(self) -> list[bool]:
        """Whether each channel sees a pawn. `SensorLost` when they cannot be read."""
        if snapshot := self._sensors.read(LOOK_S):
            self._seen = [False] * self._layout.channel_count
            for slot, reading in enumerate(snapshot.readings):
                self._seen[self._layout.channels[slot]] = reading is not Reading.EMPTY
        return self._seen

    def levels(self) -> list[list[int]]:
        """The same as a guide wants to see it: a scan of levels."""
        return [[TYPICAL_BASELINE + TYPICAL_PAWN_LEVELS * seen for seen in self.look()]]


def calm(scans: Sequence[Sequence[int]]) -> tuple[Rest, ...]:
    """What a guide is to think of an empty board of switches: whatever gives no level cannot tremble."""
    return tuple(Rest(level, 0.0, None) for level in scans[-1])
