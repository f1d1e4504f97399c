"""Which sensor goes to which input of which multiplexer: the board seen from below, as whoever solders sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drawings.svg import PAPER, QUIET, SERIES, WIDEST_WORDS, WOOD, Sheet
from hardware.plan import PAWN_RADIUS_MM, Plan

if TYPE_CHECKING:
    from hardware.drawings.svg import Point
    from hardware.layout import Layout

LEFT, TOP, RIGHT, BOTTOM = 14.0, 46.0, 14.0, 34.0


def colour_of(multiplexer: int) -> str:
    """The colour in which all drawings show what belongs to a multiplexer."""
    return SERIES[multiplexer % len(SERIES)]


def draw(layout: Layout) -> str:
    plan = Plan(layout)
    sheet = Sheet(
        max(plan.width_mm + LEFT + RIGHT, WIDEST_WORDS),
        plan.height_mm + TOP + BOTTOM,
        "Sensors and multiplexers, from below",
    )
    sheet.words((LEFT, 14), "Sensors and multiplexers, from below", size=9, bold=True)
    sheet.words((LEFT, 26), "As you see it when you solder: left and right are exchanged.", colour=QUIET)
    sheet.words((LEFT, 34), "1·C3 is input C3 of multiplexer 1; under it the slot.", colour=QUIET)
    sheet.box((LEFT, TOP), (plan.width_mm, plan.height_mm), fill=WOOD, width=0.8, round_=6)
    for slot, channel in enumerate(layout.channels):
        multiplexer, address = divmod(channel, layout.multiplexer_channels)
        x, y = _at(plan, *layout.centres_mm[slot])
        sheet.disc((x, y), PAWN_RADIUS_MM + 1.5, fill=PAPER, colour=colour_of(multiplexer), width=1.6)
        mark = f"{multiplexer}·C{address}"
        sheet.words((x, y - 2.6), mark, size=5.8, anchor="middle", bold=True, colour=colour_of(multiplexer))
        sheet.words((x, y + 5), layout.name(slot), size=4.6, anchor="middle", colour=QUIET)
    _legend(sheet, layout, plan)
    return sheet.text()


def _at(plan: Plan, x_mm: float, y_mm: float) -> Point:
    return (
        LEFT + plan.width_mm / 2 - x_mm,
        TOP + (plan.height_mm + plan.lowest_mm + plan.highest_mm) / 2 - y_mm,
    )


def _legend(sheet: Sheet, layout: Layout, plan: Plan) -> None:
    count = layout.channel_count // layout.multiplexer_channels
    y = TOP + plan.height_mm + 12
    for multiplexer in range(count):
        used = sum(channel // layout.multiplexer_channels == multiplexer for channel in layout.channels)
        x = LEFT + 8 + multiplexer * (plan.width_mm - 8) / count
        sheet.disc((x, y), 4, fill=PAPER, colour=colour_of(multiplexer), width=1.6)
        sheet.words((x + 7, y - 2.4), f"multiplexer {multiplexer}", size=4.6, bold=True)
        sheet.words((x + 7, y + 4), f"{used} of {layout.multiplexer_channels} inputs", size=4.6, colour=QUIET)
