"""What the board keeps: the journal, the calibration, and room on the disk for more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.doctor.finding import Finding, Grade, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST_FREE_MB = 200


@dataclass(frozen=True, slots=True)
class Storage:
    """The files, as they were found."""

    journal: str
    games: int
    journal_problem: str
    """Why it cannot be read; empty if it can, or if there is none yet."""
    writable: bool
    free_mb: int
    calibration: str
    calibration_problem: str


def check_storage(storage: Storage, *, calibrates: bool) -> Iterator[Finding]:
    """`calibrates` is whether this board's sensors need a calibration at all."""
    if storage.journal_problem:
        remedy = "linja play keeps the damaged file beside a new one, with all that can be saved"
        yield Finding(Part.STORAGE, "journal", Grade.FAULT, storage.journal_problem, remedy)
    else:
        yield Finding(Part.STORAGE, "journal", Grade.OK, f"the journal {storage.journal} has {storage.games} games")
    if not storage.writable:
        text = f"this user may not write where the journal {storage.journal} belongs"
        yield Finding(Part.STORAGE, "read-only", Grade.FAULT, text, "Give the folder to the user of the service")
    if storage.free_mb < LEAST_FREE_MB:
        text = f"only {storage.free_mb} MB are free on the disk of the journal"
        yield Finding(Part.STORAGE, "disk", Grade.WARNING, text, "Make room: games are no longer kept on a full disk")
    else:
        yield Finding(Part.STORAGE, "disk", Grade.OK, f"{storage.free_mb / 1000:.1f} GB are free on the disk")
    if calibrates and storage.calibration_problem:
        yield Finding(Part.STORAGE, "calibration", Grade.WARNING, storage.calibration_problem, "Run linja calibrate")
    elif calibrates:
        yield Finding(Part.STORAGE, "calibration", Grade.OK, f"{storage.calibration} is this board's")
