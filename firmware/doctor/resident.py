"""The doctor's visit to a board in play: what can be told while the service has the devices, from what it has seen.

All of it is facts that can go to another process, so that no light waits for the doctor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware.config import Settings
from firmware.diagnosis import Scan
from firmware.doctor.finding import Finding, Grade, Part
from firmware.doctor.lights import check_budget
from firmware.doctor.link import LinkFacts, check_link, unplugged
from firmware.doctor.machine import check_machine
from firmware.doctor.probe import look_at_machine, look_at_storage
from firmware.doctor.sensors import check_rest
from firmware.doctor.storage import check_storage
from firmware.doctor.switches import check_switches
from firmware.doctor.visit import LEAST_SCANS
from firmware.scanner.board import FIRMWARE
from hardware import scanner_protocol as link
from hardware.calibration import Calibration
from hardware.interface import SensorFault
from hardware.layout import Layout
from hardware.link_report import LinkReport
from hardware.rest import at_rest

LEAST_AT_REST_PER_S = 3.0
"""Frames: a scanner whose board is at rest sends five a second."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What the service has seen of its board while the doctor was there."""

    scans: tuple[Scan, ...]
    before: LinkReport | None
    after: LinkReport | None


@dataclass(frozen=True, slots=True)
class Chart:
    """What is known of the board besides."""

    settings: Settings
    calibration: Calibration | None
    calibration_file: Path
    journal: Path


def examine(chart: Chart, observed: Observed) -> list[Finding]:
    """All findings, in order."""
    settings = chart.settings
    layout = chart.calibration.wired(settings.layout) if chart.calibration else settings.layout
    is_serial = settings.sensors.kind == "serial"
    found = [*check_machine(look_at_machine(), settings)]
    found += _scanner(observed, layout) if is_serial else _switches(observed, layout)
    if settings.pixels.kind != "none":
        found += check_budget(settings)
    text = "lights and panel were not looked at: the board plays"
    found.append(Finding(Part.LIGHTS, "in use", Grade.NOTE, text, "linja doctor --hands looks, once it has stopped"))
    board = observed.after.board if observed.after else None
    storage = look_at_storage(chart.calibration_file, settings.layout, board or None, chart.journal)
    return [*found, *check_storage(storage, calibrates=is_serial)]


def _scanner(observed: Observed, layout: Layout) -> Iterator[Finding]:
    facts = _facts(observed, layout)
    if facts is None:
        yield unplugged("nothing came from the scanner while the doctor looked")
        return
    slots = range(layout.slot_count)
    yield from check_link(facts, layout, FIRMWARE, slots)
    if len(observed.scans) >= LEAST_SCANS:
        yield from check_rest(at_rest([_by_channel(scan, layout) for scan in observed.scans]), layout, slots)


def _switches(observed: Observed, layout: Layout) -> Iterator[Finding]:
    if not observed.scans:
        # Nothing is sent while nothing changes.
        yield Finding(Part.SENSORS, "switches", Grade.OK, "no sensor has changed while the doctor looked")
        return
    scans = [[bool(level) for level in _by_channel(scan, layout)] for scan in observed.scans]
    yield from check_switches(scans, layout, range(layout.slot_count))


def _by_channel(scan: Scan, layout: Layout) -> list[int]:
    levels = [0] * layout.channel_count
    for channel, level in zip(layout.channels, scan.levels, strict=True):
        levels[channel] = level
    return levels


def _facts(observed: Observed, layout: Layout) -> LinkFacts | None:
    """What a watch of the link would have found; None where nothing was heard."""
    before, after, scans = observed.before, observed.after, observed.scans
    if before is None or after is None or not after.firmware or len(scans) < 2:
        return None
    major, minor, patch = map(int, after.firmware.split("."))
    return LinkFacts(
        port=after.port,
        watched_s=scans[-1].at - scans[0].at,
        firmware=(major, minor, patch),
        board=after.board,
        channels=layout.channel_count,  # with any other number there would be no scans
        other_protocol=None,
        frames=len(scans),
        lost=after.lost - before.lost,
        damaged=after.damaged - before.damaged,
        late_ms=None,
        restarts=after.restarts - before.restarts,
        faults=frozenset(_own_fault(fault, layout) for scan in scans for fault in scan.faults),
        least_per_s=LEAST_AT_REST_PER_S,
    )


def _own_fault(fault: SensorFault, layout: Layout) -> link.Fault:
    channel = None if fault.slot is None else layout.channels[fault.slot]
    return link.Fault(link.FaultKind[fault.kind.upper().replace(" ", "_")], channel)
