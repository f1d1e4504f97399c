"""The workshop beside a running service: what whoever built the board needs while it plays. Its levels and its link can
be watched, the doctor can visit it, what it recorded can be taken home, and it can be calibrated.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.blackbox import export
from firmware.calibrate.beside import CalibrationBeside
from firmware.config import Settings
from firmware.diagnosis import Diagnosis
from firmware.doctor.finding import Finding
from firmware.doctor.resident import Chart, Observed, examine
from firmware.other_process import in_another_process

VISIT_S = 6.0
"""How long the doctor looks at a board in play: at rest it sends five frames a second."""


@dataclass(frozen=True, slots=True)
class Files:
    """Where this board keeps what the workshop needs."""

    calibration: Path
    journal: Path
    black_box: Path


class Workshop:
    """For one service, in its loop. `calibration` is None where sensors have nothing to calibrate."""

    def __init__(
        self, settings: Settings, files: Files, diagnosis: Diagnosis, calibration: CalibrationBeside | None
    ) -> None:
        self.diagnosis = diagnosis
        self.calibration = calibration
        self._settings = settings
        self._files = files
        self._one_at_a_time = asyncio.Lock()

    async def doctor(self) -> list[Finding]:
        """What the doctor finds without taking anything from the board's hands."""
        async with self._one_at_a_time:
            observed = await self._observe()
            chart = Chart(self._settings, self.diagnosis.calibration(), self._files.calibration, self._files.journal)
            return await in_another_process(examine, chart, observed)

    @asynccontextmanager
    async def recording(self) -> AsyncIterator[Path]:
        """The black box as one file, which is there within."""
        async with self._one_at_a_time:
            with TemporaryDirectory(prefix="linja-") as folder:
                path = Path(folder, "linja.box.gz")
                await in_another_process(_export, self._files.black_box, path)
                yield path

    async def close(self) -> None:
        if self.calibration:
            await self.calibration.close()

    async def _observe(self) -> Observed:
        self.diagnosis.begin()
        try:
            began, before = self.diagnosis.clock(), self.diagnosis.link()
            await asyncio.sleep(VISIT_S)
            return Observed(self.diagnosis.scans_since(began), before, self.diagnosis.link())
        finally:
            self.diagnosis.end()


def _export(folder: Path, path: Path) -> None:
    with path.open("wb") as file:
        export(folder, file)
