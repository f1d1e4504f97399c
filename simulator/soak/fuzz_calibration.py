"""Garbage for a calibration: it can be used, or the error names the file and the typical levels take its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardware import calibration_file
from hardware.calibration import Calibration, Classifier
from simulator.board import calibrated
from simulator.magnets import HallSensors
from simulator.scenario import LAYOUT
from simulator.soak.fuzz import Unclear, Victim
from simulator.table import Table


def valid() -> list[bytes]:
    import tempfile

    files = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(3):
            path = Path(folder) / "calibration.toml"
            calibration_file.save(calibrated(LAYOUT, seed), path, LAYOUT)
            files.append(path.read_bytes())
    return files


@contextmanager
def victim(folder: Path) -> Iterator[Victim]:
    path = folder / "calibration.toml"
    table = Table(LAYOUT)
    table.set_up()
    levels = HallSensors(table).levels()

    def read(piece: bytes) -> str | None:
        path.write_bytes(piece)
        calibration, why = calibration_file.load_or_default(path, LAYOUT)
        if why is not None:
            if str(path) not in why or calibration != Calibration.default(LAYOUT):
                raise Unclear(f"the answer does not name the file, or its place is not taken: {why}")
            return why
        calibration.wired(LAYOUT)
        Classifier(calibration).classify(levels)
        return None

    yield read
