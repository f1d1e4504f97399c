"""Where the current flows: supply, fuse, wires and their gauges, from the budget of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.budget import Budget
from hardware.drawings.parts import ground
from hardware.drawings.svg import AMBER, BLUE, GREEN, INK, QUIET, RED, Sheet, number

if TYPE_CHECKING:
    from hardware.drawings.svg import Point
    from hardware.layout import Layout
    from hardware.light import LightSettings


def draw(layout: Layout, light: LightSettings) -> str:
    budget = Budget.of(layout, light)
    sheet = Sheet(400, 212, "Power: supply, fuse and wires")
    sheet.words((14, 14), "Power", size=9, bold=True)
    sheet.words(
        (14, 25),
        "Every wire after the fuse carries what the fuse lets through, or ends in a thinner one on a strip.",
        colour=QUIET,
    )
    _block(sheet, (14, 44), (64, 34), "5 V supply", f"{number(budget.supply_a)} A or more")
    _fuse(sheet, (78, 61), (132, 61), f"{budget.fuse_a:g} A slow")
    bus = 142.0
    sheet.line((132, 61), (bus, 61), colour=RED, width=1.4)
    sheet.line((bus, 61), (bus, 172), colour=RED, width=1.4)
    sheet.words((bus - 5, 134), f"{budget.main_mm2:g} mm², and as much back", size=4.6, anchor="middle", turned=-90)
    rows = sum(len(strip) for strip in layout.row_pixels)
    scores = sum(len(strip) for strip in layout.score_pixels)
    _branch(sheet, (bus, 61), "row strips", f"{rows} pixels; fed at both ends of the board", BLUE)
    _branch(sheet, (bus, 98), "score strips", f"{scores} pixels; fed at both ends", BLUE)
    _branch(sheet, (bus, 135), "74AHCT125", "the level shifter, 100 nF beside it", BLUE)
    _branch(
        sheet,
        (bus, 172),
        "3.3 V regulator",
        f"{layout.slot_count} sensors and the multiplexers: {budget.sensors_ma:.0f} mA",
        GREEN,
    )
    _capacitor(sheet, (bus, 82))
    _facts(sheet, budget)
    return sheet.text()


def _block(sheet: Sheet, corner: Point, size: Point, title: str, note: str, colour: str = INK) -> None:
    sheet.box(corner, size, fill="#ffffff", colour=colour, width=0.9, round_=2)
    middle = (corner[0] + size[0] / 2, corner[1] + size[1] / 2)
    sheet.words((middle[0], middle[1] - 4), title, size=6, anchor="middle", bold=True)
    sheet.words((middle[0], middle[1] + 5), note, size=4.6, anchor="middle", colour=QUIET)


def _fuse(sheet: Sheet, start: Point, end: Point, text: str) -> None:
    middle = ((start[0] + end[0]) / 2, start[1])
    sheet.line(start, end, colour=RED, width=1.4)
    sheet.box((middle[0] - 10, middle[1] - 4), (20, 8), fill="#ffffff", colour=RED, width=0.9, round_=1)
    sheet.line((middle[0] - 10, middle[1]), (middle[0] + 10, middle[1]), colour=RED, width=0.7)
    sheet.words((middle[0], middle[1] - 9), text, size=5, anchor="middle", bold=True)


def _branch(sheet: Sheet, at: Point, title: str, note: str, colour: str) -> None:
    sheet.dot(at, RED)
    sheet.line(at, (at[0] + 30, at[1]), colour=RED, width=0.9, arrow=True)
    sheet.box((at[0] + 30, at[1] - 12), (196, 24), fill="#ffffff", colour=colour, width=0.9, round_=2)
    sheet.words((at[0] + 36, at[1] - 4), title, size=5.6, bold=True)
    sheet.words((at[0] + 36, at[1] + 5), note, size=4.6, colour=QUIET)


def _capacitor(sheet: Sheet, at: Point) -> None:
    x, y = at
    sheet.dot(at, RED)
    sheet.line((x, y), (x - 16, y), colour=RED)
    sheet.line((x - 16, y - 4), (x - 16, y + 4), width=1.2)
    sheet.line((x - 19, y - 4), (x - 19, y + 4), width=1.2)
    sheet.line((x - 19, y), (x - 24, y))
    ground(sheet, (x - 24, y))
    sheet.words((x - 30, y), "1000 µF, 10 V", size=4.6, anchor="end")


def _facts(sheet: Sheet, budget: Budget) -> None:
    facts = [
        f"pixels, as limited: {budget.pixels_ma:.0f} mA",
        f"dark: {budget.idle_ma:.0f} mA",
        f"all white, unlimited: {budget.unlimited_ma / 1000:.1f} A",
        f"sensors: {budget.sensors_ma:.0f} mA",
        "lost on 1 m of wire,",
        f"there and back: {budget.drop_v * 1000:.0f} mV",
    ]
    sheet.paragraph((14, 122), facts, size=4.8)
    sheet.words((14, 112), "The budget", size=5.6, bold=True, colour=AMBER)
