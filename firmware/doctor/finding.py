"""What the doctor says: one line for each thing that was looked at, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardware.layout import Layout


class Grade(Enum):
    """How bad it is."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    FAULT = "fault"


class Part(Enum):
    """What the doctor looks at, in this order."""

    MACHINE = "machine"
    LINK = "link"
    SENSORS = "sensors"
    LIGHTS = "lights"
    PANEL = "panel"
    STORAGE = "storage"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `name` is for programs and never changes; `text` and `remedy` are for people."""

    part: Part
    name: str
    grade: Grade
    text: str
    remedy: str = ""
    slot: str | None = None

    @property
    def line(self) -> str:
        said = f"{self.text}. {self.remedy}." if self.remedy else f"{self.text}."
        return f"{self.grade.value:8}{self.part.value:9}{said}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"part": self.part.value, "grade": self.grade.value}


def worst(findings: Iterable[Finding]) -> Grade:
    """The grade of the whole board."""
    grades = list(Grade)
    return max((finding.grade for finding in findings), key=grades.index, default=Grade.OK)


def whereabouts(layout: Layout, slot: int) -> str:
    """A slot and where its wire ends: `slot 3.2 (multiplexer 2, input 0)`."""
    multiplexer, address = divmod(layout.channels[slot], layout.multiplexer_channels)
    return f"slot {layout.name(slot)} (multiplexer {multiplexer}, input {address})"


def wire_end(layout: Layout, channel: int) -> str:
    """`multiplexer 2, input 0`."""
    multiplexer, address = divmod(channel, layout.multiplexer_channels)
    return f"multiplexer {multiplexer}, input {address}"
