"""Tells the pages that look inside how the board does. While none looks, nothing is watched and nothing is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from firmware.calibrate.beside import Progress
from firmware.diagnosis import Diagnosis
from firmware.latency import BOUNDS_MS
from firmware.web import messages
from firmware.web.viewer import Viewer
from hardware.calibration import STEPS, SensorLevels
from hardware.calibration_run import MOST_NOISE_LEVELS
from hardware.layout import Layout
from hardware.link_report import LinkReport

LEVELS_EVERY_S = 0.1
LEVELS_A_VITALS = 10
"""Vitals are told with every tenth levels."""


class Inside:
    """The pages that look inside one board."""

    def __init__(self, diagnosis: Diagnosis, may_act: Callable[[Viewer], bool]) -> None:
        self._diagnosis = diagnosis
        self._may_act = may_act
        self._viewers: set[Viewer] = set()
        self._telling: asyncio.Task[None] | None = None
        self._told_sensors: bytes | None = None

    def look(self, viewer: Viewer, *, inside: bool) -> None:
        """A page looks inside, or no longer."""
        if inside and viewer not in self._viewers:
            self._viewers.add(viewer)
            self._told_sensors = None  # this one has not been told
            self._diagnosis.begin()
        elif not inside and viewer in self._viewers:
            self._viewers.remove(viewer)
            self._diagnosis.end()
        if self._viewers and self._telling is None:
            self._telling = asyncio.create_task(self._tell())
        elif not self._viewers and self._telling is not None:
            self._telling.cancel()
            self._telling = None

    async def _tell(self) -> None:
        count = 0
        while True:
            self._tell_sensors()
            self._post("levels", messages.Levels(self._diagnosis.levels()))
            noise = self._diagnosis.noise()
            if count % LEVELS_A_VITALS == 0:
                self._tell_vitals(noise)
            count += 1
            await asyncio.sleep(LEVELS_EVERY_S)

    def _tell_sensors(self) -> None:
        """How levels are read changes only when the board was calibrated."""
        calibration = self._diagnosis.calibration()
        encoded = messages.encode(_sensors(self._diagnosis.layout, calibration.sensors if calibration else ()))
        if encoded != self._told_sensors:
            self._told_sensors = encoded
            for viewer in self._viewers:
                viewer.post("sensors", encoded)

    def _tell_vitals(self, noise: tuple[int, ...]) -> None:
        logs = {True: self._diagnosis.log.lines, False: ()}
        vitals = {may_act: messages.encode(self._vitals(noise, log)) for may_act, log in logs.items()}
        for viewer in self._viewers:
            viewer.post("vitals", vitals[self._may_act(viewer)])

    def _vitals(self, noise: tuple[int, ...], log: tuple[str, ...]) -> messages.Vitals:
        report = self._diagnosis.link()
        return messages.Vitals(
            frames_per_s=round(self._diagnosis.frames_per_s(), 1),
            link=_link(report) if report else None,
            noise=noise,
            latency_bounds_ms=BOUNDS_MS,
            latency=self._diagnosis.latency.counts,
            log=log,
        )

    def _post(self, kind: str, message: messages.Message) -> None:
        encoded = messages.encode(message)
        for viewer in self._viewers:
            viewer.post(kind, encoded)


def _link(report: LinkReport) -> messages.LinkStanding:
    return messages.LinkStanding(report.port, report.firmware, report.lost, report.damaged, report.restarts)


def _sensors(layout: Layout, sensors: tuple[SensorLevels, ...]) -> messages.Sensors:
    plans = []
    for slot, channel in enumerate(layout.channels):
        levels = sensors[slot] if sensors else None
        read = (levels.baseline, levels.red, levels.black) if levels else ()
        plans.append(messages.SensorPlan(layout.name(slot), *divmod(channel, layout.multiplexer_channels), *read))
    return messages.Sensors(tuple(plans), STEPS[1], STEPS[2], round(MOST_NOISE_LEVELS))


def calibration(progress: Progress) -> messages.Calibration:
    """How a calibration stands, in the words of the page."""
    return messages.Calibration(
        phase=progress.phase.name.lower() if progress.phase else None,
        done=progress.done,
        target=progress.target,
        doubt=_word(progress.doubt.name) if progress.doubt else None,
        marks=tuple(messages.Marked(slot, _word(mark.name)) for slot, mark in progress.marks),
        troubles=tuple(messages.Trouble(trouble.slot, _word(trouble.name)) for trouble in progress.troubles),
        can_go_on=progress.can_go_on,
        outcome=progress.outcome.value if progress.outcome else None,
        rewired=progress.rewired,
        face_down=progress.face_down,
    )


def _word(name: str) -> str:
    return name.lower().replace("_", "-").replace(" ", "-")
