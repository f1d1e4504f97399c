"""What the guided calibration asks of a person, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.calibrate.guide import PAWNS_OF_A_COLOR, Guide, Mark, Phase
from firmware.calibrate.muster import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hardware.calibration import Calibration
    from hardware.layout import Layout

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
FEW = 3
"""So many pawns that are missing are named one by one."""


def request(guide: Guide, layout: Layout) -> str:
    """What is to be done now."""
    match guide.phase:
        case Phase.EMPTY:
            occupied = [slot for slot, mark in guide.marks().items() if mark is Mark.TAKE_OFF]
            if occupied:
                return f"Take every pawn off the board. There is one on {_names(layout, occupied)}."
            return "Take every pawn off the board and keep your hands off it for a moment."
        case Phase.WALK:
            return _walk(guide, layout)
        case Phase.RED:
            return _muster(guide, layout, "red")
        case Phase.BLACK:
            return _muster(guide, layout, "black")
        case Phase.FLAWED:
            named = "; ".join(f"slot {layout.name(each.slot)} is {each.name}" for each in guide.troubles)
            return f"Mend this and start again: {named}."
        case Phase.DONE:
            return "The calibration is complete."


def discoveries(calibration: Calibration, layout: Layout) -> Iterator[str]:
    """What a complete calibration has found out, in lines."""
    yield f"The calibration is complete: {layout.slot_count} sensors."
    if rewired := calibration.rewired(layout):
        yield f"Wired otherwise than planned, and known now: {_names(layout, rewired)}."
    if calibration.face_down:
        yield f"Mounted face down, and known now: {_names(layout, calibration.face_down)}."


def place_in_words(layout: Layout, slot: int) -> str:
    """Where a slot is, for somebody who sits at red's side: `row 3, third from the left`."""
    row, height = layout.row_of[slot], layout.centres_mm[slot][1]
    ranks = sorted({layout.centres_mm[other][1] for other in layout.rows[row]})
    beside = [other for other in layout.rows[row] if layout.centres_mm[other][1] == height]
    place = sorted(beside, key=lambda other: layout.centres_mm[other][0]).index(slot)
    ordinal = ORDINALS[place] if place < len(ORDINALS) else f"number {place + 1}"
    rank = f", rank {ranks.index(height) + 1} of {len(ranks)} from below" if len(ranks) > 1 else ""
    return f"row {row}{rank}, {ordinal} from the left"


def _walk(guide: Guide, layout: Layout) -> str:
    if guide.target is None:
        return ""
    asked = f"Put the red pawn on slot {layout.name(guide.target)}: {place_in_words(layout, guide.target)}."
    return f"{asked} Now {guide.doubt.value}." if guide.doubt else asked


def _muster(guide: Guide, layout: Layout, color: str) -> str:
    asked = f"Put the {PAWNS_OF_A_COLOR} {color} pawns on the lit slots."
    bad = {slot: standing for slot, standing in guide.standing.items() if standing is not Standing.GOOD}
    told = [
        f"Slot {layout.name(slot)}: {standing.value}."
        for slot, standing in bad.items()
        if standing is not Standing.MISSING or len(bad) <= FEW
    ]
    return " ".join([asked, *told])


def _names(layout: Layout, slots: Iterable[int]) -> str:
    return ", ".join(layout.name(slot) for slot in slots)
