"""The doctor's visit: gathers the facts of one board part by part, and tells the findings as they come.

Whether the board is real or simulated, the visit is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from firmware.attended import AttendedBoard, Line, exchange, hear_scans, lead, listening
from firmware.calibrate.guide import Guide, Phase
from firmware.doctor.finding import Finding, Grade, Part
from firmware.doctor.lights import cards, check_budget, check_cards
from firmware.doctor.link import Watch, check_link, unplugged
from firmware.doctor.machine import check_machine
from firmware.doctor.panel import check_buzzer, check_keys
from firmware.doctor.sensors import check_rest, check_walk
from firmware.doctor.storage import check_storage
from firmware.doctor.switches import SwitchWatch, calm, check_switch_walk, check_switches
from firmware.scanner.board import FIRMWARE
from hardware.errors import HardwareError
from hardware.interface import Button
from hardware.rest import at_rest

if TYPE_CHECKING:
    from hardware.layout import Layout

WATCH_S = 3.0
LEAST_SCANS = 20
HELP = "With linja doctor --hands you can help with that"
NOT_WHILE_AILING = "a pawn is not led over the board while sensors ail"
WALKING = (Phase.EMPTY, Phase.WALK)


class Visit:
    """One visit. `slots` are those to be looked at; `progress` is told how far a longer step is; `watch_s` is how
    long the link is watched."""

    def __init__(
        self,
        patient: AttendedBoard,
        slots: Sequence[int] | None = None,
        progress: Callable[[float, str], None] = lambda share, words: None,
        watch_s: float = WATCH_S,
    ) -> None:
        self._watch_s = watch_s
        self._patient = patient
        self._settings = patient.settings
        self._layout: Layout = patient.settings.layout
        if patient.calibration:
            self._layout = patient.calibration.wired(self._layout)
        self._slots = tuple(range(self._layout.slot_count)) if slots is None else tuple(slots)
        self._progress = progress
        self._board: str | None = None

    def findings(self) -> Iterator[Finding]:
        """All of them, in order."""
        yield from check_machine(self._patient.machine(), self._settings)
        if self._settings.sensors.kind == "serial":
            yield from self._scanner()
        else:
            yield from self._switches()
        yield from self._lights()
        yield from self._panel()
        yield from check_storage(self._patient.storage(self._board), calibrates=self._settings.sensors.kind == "serial")

    def _scanner(self) -> Iterator[Finding]:
        """Link and sensors. The port is held as briefly as can be."""
        watch = Watch()
        try:
            with listening(self._patient, watch) as line:
                self._listen(line, watch)
                facts = watch.facts()
                self._board = facts.board or None
                yield from check_link(facts, self._layout, FIRMWARE, self._slots)
                if facts.channels == self._layout.channel_count and len(watch.scans) >= LEAST_SCANS:
                    yield from self._sensors(line, watch)
        except OSError as error:
            yield unplugged(str(error) or "the scanner is gone")

    def _listen(self, line: Line, watch: Watch) -> None:
        start = self._patient.clock()
        while (elapsed := self._patient.clock() - start) < self._watch_s:
            self._progress(elapsed / self._watch_s, "listening to the scanner; keep your hands off the board")
            exchange(self._patient, line, watch)

    def _sensors(self, line: Line, watch: Watch) -> Iterator[Finding]:
        rest = list(check_rest(at_rest(watch.scans), self._layout, self._slots))
        yield from rest
        if not self._patient.person:
            text = "whether each sensor is at its own slot and the right way up was not looked at"
            yield Finding(
                Part.SENSORS, "not walked", Grade.NOTE, text, "linja doctor --hands asks you to help with that"
            )
        elif any(finding.grade is Grade.FAULT for finding in rest):
            yield Finding(Part.SENSORS, "not walked", Grade.NOTE, NOT_WHILE_AILING)
        else:
            yield from self._walk(line, watch)

    def _walk(self, line: Line, watch: Watch) -> Iterator[Finding]:
        guide = Guide(self._layout, self._board or "", slots=self._slots)
        if not lead(self._patient, lambda: hear_scans(self._patient, line, watch), guide, WALKING):
            yield _stopped(guide)
            return
        face_down = frozenset(self._patient.calibration.face_down if self._patient.calibration else ())
        troubles = [(trouble.slot, trouble.name) for trouble in guide.troubles]
        yield from check_walk(guide.answers, self._layout, face_down, troubles)

    def _switches(self) -> Iterator[Finding]:
        """Sensors straight on the pins."""
        try:
            with self._patient.switches() as sensors:
                watch = SwitchWatch(sensors, self._layout)
                start, scans = self._patient.clock(), []
                while (elapsed := self._patient.clock() - start) < self._watch_s:
                    self._progress(elapsed / self._watch_s, "looking at the sensors; keep your hands off the board")
                    scans.append(watch.look())
                rest = list(check_switches(scans, self._layout, self._slots))
                yield from rest
                if not self._patient.person:
                    text = "whether each sensor sees a pawn, and at its own slot, was not looked at"
                    yield Finding(Part.SENSORS, "not walked", Grade.NOTE, text, HELP)
                elif any(finding.grade is Grade.FAULT for finding in rest):
                    yield Finding(Part.SENSORS, "not walked", Grade.NOTE, NOT_WHILE_AILING)
                else:
                    yield from self._walk_over_switches(watch)
        except (HardwareError, OSError) as error:
            text, remedy = str(error), "Check the pins in [gpio_sensors], and stop linja play"
            yield Finding(Part.SENSORS, "unreadable", Grade.FAULT, text, remedy)

    def _walk_over_switches(self, watch: SwitchWatch) -> Iterator[Finding]:
        guide = Guide(self._layout, "", slots=self._slots, judge_rest=calm)
        if not lead(self._patient, watch.levels, guide, WALKING):
            yield _stopped(guide)
            return
        troubles = [(trouble.slot, trouble.name) for trouble in guide.troubles]
        yield from check_switch_walk(guide.answers, self._layout, troubles)

    def _lights(self) -> Iterator[Finding]:
        if self._settings.pixels.kind == "none":
            return
        yield from check_budget(self._settings)
        try:
            with self._patient.lights() as lights:
                if not self._patient.person:
                    text = "the pixels can be driven; whether they shine where they should was not looked at"
                    yield Finding(Part.LIGHTS, "driver", Grade.NOTE, text, HELP)
                    return
                answers = {}
                for card in cards(self._layout, self._settings.board.chain):
                    lights.show(card.frame)
                    answers[card] = self._patient.person.see(card)
                yield from check_cards(answers, self._settings)
        except (HardwareError, OSError) as error:
            yield Finding(Part.LIGHTS, "driver", Grade.FAULT, str(error))

    def _panel(self) -> Iterator[Finding]:
        if self._settings.panel.kind == "none":
            return
        try:
            with self._patient.panel() as panel:
                if not self._patient.person:
                    text = "the panel can be used; whether each key is felt was not looked at"
                    yield Finding(Part.PANEL, "driver", Grade.NOTE, text, HELP)
                    return
                yield from check_keys({button: self._patient.person.press(button, panel) for button in Button})
                yield from check_buzzer(self._patient.person.hears(panel))
        except (HardwareError, OSError) as error:
            yield Finding(Part.PANEL, "driver", Grade.FAULT, str(error))


def _stopped(guide: Guide) -> Finding:
    text = f"the walk was stopped after {len(guide.answers)} slots"
    return Finding(Part.SENSORS, "not walked", Grade.NOTE, text)
