"""Each sensor: what it tells at rest, and what a pawn that was led over all slots has told of its wire and its side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.calibrate.walk import Answer, reversed_slots
from firmware.doctor.finding import Finding, Grade, Part, whereabouts, wire_end
from hardware.calibration_run import MOST_NOISE_LEVELS
from hardware.rest import Ailment, Rest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from hardware.layout import Layout

REMEDIES = {
    Ailment.DEAD: ("gives no voltage", "Check its supply and the wire of its output"),
    Ailment.SATURATED: (
        "lies at the end of its range whatever stands on it",
        "Look for a short, or a magnet too strong or too near",
    ),
    Ailment.STUCK: ("never changes by a single level", "Check its output and the multiplexer's input"),
    Ailment.NOISY: ("trembles too much", "Put 100 nF beside it and check its ground"),
}


def check_rest(rest: Sequence[Rest], layout: Layout, slots: Sequence[int]) -> Iterator[Finding]:
    """The sensors of these slots, from every channel at rest. What a whole multiplexer or board has is said once."""
    ailing = {slot: ailment for slot in slots if (ailment := rest[layout.channels[slot]].ailment)}
    common = _common(ailing, layout, slots)
    yield from common
    told = {finding.name for finding in common}
    for slot, ailment in ailing.items():
        multiplexer = layout.channels[slot] // layout.multiplexer_channels
        if not told & {"noise", "all dead", f"multiplexer {multiplexer} dead"}:
            what, remedy = REMEDIES[ailment]
            text = f"{whereabouts(layout, slot)} is {ailment.value}: it {what}"
            yield Finding(Part.SENSORS, ailment.value, Grade.FAULT, text, remedy, layout.name(slot))
    if not ailing:
        yield _all_well([rest[layout.channels[slot]] for slot in slots])


def _common(ailing: Mapping[int, Ailment], layout: Layout, slots: Sequence[int]) -> list[Finding]:
    if len(ailing) == len(slots) and set(ailing.values()) == {Ailment.NOISY}:
        text = f"every sensor trembles by more than {MOST_NOISE_LEVELS:.0f} levels"
        return [Finding(Part.SENSORS, "noise", Grade.FAULT, text, "Check the 3.3 V of the sensors and their ground")]
    if len(ailing) == len(slots) and set(ailing.values()) == {Ailment.DEAD}:
        text = "no sensor gives any voltage"
        return [
            Finding(Part.SENSORS, "all dead", Grade.FAULT, text, "Check the 3.3 V of the sensors and the common line")
        ]
    found = []
    for multiplexer in range(layout.channel_count // layout.multiplexer_channels):
        own = [slot for slot in slots if layout.channels[slot] // layout.multiplexer_channels == multiplexer]
        if len(own) > 1 and all(ailing.get(slot) is Ailment.DEAD for slot in own):
            text = f"no sensor of multiplexer {multiplexer} gives any voltage"
            remedy = "Check its supply, its enable line and its output"
            found.append(Finding(Part.SENSORS, f"multiplexer {multiplexer} dead", Grade.FAULT, text, remedy))
    return found


def _all_well(rests: Sequence[Rest]) -> Finding:
    low, high = min(rest.level for rest in rests), max(rest.level for rest in rests)
    quiet, loud = min(rest.noise for rest in rests), max(rest.noise for rest in rests)
    text = (
        f"{len(rests)} sensors are alive: levels {low:.0f} to {high:.0f}, noise {quiet:.0f} to {loud:.0f} "
        f"of at most {MOST_NOISE_LEVELS:.0f}"
    )
    return Finding(Part.SENSORS, "rest", Grade.OK, text)


def check_walk(
    answers: Mapping[int, Answer], layout: Layout, face_down: Set[int], troubles: Iterable[tuple[int, str]]
) -> Iterator[Finding]:
    """What answered under a pawn, against the wiring of the layout and the sensors known to be face down.

    `troubles` are slots at which the pawn was not felt (`silent`) or hardly felt (`weak`).
    """
    findings = [
        *check_wires(answers, layout, "run linja calibrate, which learns the wiring as it is"),
        *_sides(answers, layout, face_down),
        *_unfelt(troubles, layout),
    ]
    yield from findings
    if not findings:
        text = f"a pawn was felt at all {len(answers)} slots, each by its own sensor and with the right polarity"
        yield Finding(Part.SENSORS, "walk", Grade.OK, text)


def check_wires(answers: Mapping[int, Answer], layout: Layout, otherwise: str) -> Iterator[Finding]:
    """What answered at another slot than its own; `otherwise` is what can be done besides moving wires."""
    owners = {channel: slot for slot, channel in enumerate(layout.channels)}
    told: set[int] = set()
    for slot, answer in sorted(answers.items()):
        owner = owners.get(answer.channel)
        if owner == slot or slot in told:
            continue
        crossed = owner is not None and owner in answers and answers[owner].channel == layout.channels[slot]
        if owner is not None and crossed:
            told.add(owner)
            text = f"{whereabouts(layout, slot)} is swapped with {whereabouts(layout, owner)}"
            remedy = f"Exchange their wires, or {otherwise}"
            yield Finding(Part.SENSORS, "swapped", Grade.FAULT, text, remedy, layout.name(slot))
        else:
            text = f"{whereabouts(layout, slot)} is really wired to {wire_end(layout, answer.channel)}"
            remedy = f"Move the wire, or {otherwise}"
            yield Finding(Part.SENSORS, "miswired", Grade.FAULT, text, remedy, layout.name(slot))


def _sides(answers: Mapping[int, Answer], layout: Layout, face_down: Set[int]) -> Iterator[Finding]:
    straightened = {
        slot: Answer(answer.channel, -answer.levels if slot in face_down else answer.levels)
        for slot, answer in answers.items()
    }
    for slot in sorted(reversed_slots(straightened)):
        text = f"{whereabouts(layout, slot)} has the wrong polarity: its sensor is mounted face down"
        remedy = "Turn it over, or run linja calibrate, which learns it as it is"
        yield Finding(Part.SENSORS, "wrong polarity", Grade.FAULT, text, remedy, layout.name(slot))


def _unfelt(troubles: Iterable[tuple[int, str]], layout: Layout) -> Iterator[Finding]:
    words = {
        "silent": ("does not feel a pawn at all", "Check that the sensor is there and right under the slot"),
        "weak": ("feels a pawn too weakly", "Check that the sensor is right under the slot and not too deep"),
    }
    for slot, name in troubles:
        if name in words:
            what, remedy = words[name]
            yield Finding(
                Part.SENSORS, name, Grade.FAULT, f"{whereabouts(layout, slot)} {what}", remedy, layout.name(slot)
            )
