"""The panel: whether each key does what it is meant for, and whether the buzzer can be heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.doctor.finding import Finding, Grade, Part
from hardware.interface import Button

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def check_keys(pressed: Mapping[Button, Button | None]) -> Iterator[Finding]:
    """For each key that a person was asked to press, the one that was felt."""
    findings = []
    for asked, felt in pressed.items():
        if felt is None:
            text = f"the key {asked.value} is not felt"
            remedy = f"Check its wire to the pin that [panel] {asked.value} names, and to ground"
            findings.append(Finding(Part.PANEL, "dead key", Grade.FAULT, text, remedy))
        elif felt is not asked:
            text = f"the key {asked.value} is felt as {felt.value}"
            findings.append(Finding(Part.PANEL, "swapped key", Grade.FAULT, text, "Exchange their pins in [panel]"))
    yield from findings
    if not findings:
        yield Finding(Part.PANEL, "keys", Grade.OK, f"{len(pressed)} keys are felt, each as itself")


def check_buzzer(heard: bool) -> Iterator[Finding]:
    """Whether a person heard the tune."""
    if heard:
        yield Finding(Part.PANEL, "buzzer", Grade.OK, "the buzzer can be heard")
    else:
        remedy = "Check its wire; a passive piezo is needed, not a buzzer that beeps by itself"
        yield Finding(Part.PANEL, "silent buzzer", Grade.FAULT, "the buzzer cannot be heard", remedy)
