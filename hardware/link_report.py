"""How the link to a scanner has done: what sensors behind one can be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class LinkReport:
    """How the link has done since the driver was made."""

    port: str
    board: str
    """The scanner's id, or nothing while there is none."""
    firmware: str
    frames: int
    lost: int
    """Levels that the scanner sent and that did not arrive."""
    damaged: int
    skipped_bytes: int
    restarts: int
    connections: int


@runtime_checkable
class Linked(Protocol):
    """Sensors at the other end of a link."""

    def report(self) -> LinkReport:
        """May be asked from any thread."""
        ...
