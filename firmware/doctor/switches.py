"""Digital sensors: what they tell at rest, and what a pawn that was led over all slots has told of each.

A switch knows a pawn or none. So one that is dead looks like an empty slot and one that is stuck like a pawn, until
somebody puts a pawn down or takes it away; alone, the doctor sees only what no board of pawns can be.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from firmware.doctor.finding import Finding, Grade, Part, whereabouts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hardware.layout import Layout

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


def check_stuck(stuck: Iterable[int], layout: Layout) -> Iterator[Finding]:
    """Slots that see a pawn though somebody says that the board is empty."""
    for slot in stuck:
        text = f"{whereabouts(layout, slot)} is stuck: it sees a pawn where there is none"
        yield Finding(Part.SENSORS, "stuck", Grade.FAULT, text, REMEDY_STUCK, layout.name(slot))


def check_dead(silent: Iterable[int], layout: Layout) -> Iterator[Finding]:
    """Slots at which a pawn was put down and not seen."""
    for slot in silent:
        text = f"{whereabouts(layout, slot)} is dead: it does not see a pawn"
        yield Finding(Part.SENSORS, "dead", Grade.FAULT, text, REMEDY_DEAD, layout.name(slot))
