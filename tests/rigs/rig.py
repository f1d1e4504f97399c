"""What a rig is: sensors, and hands that do to the physical world what people and bad luck do to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from hardware.interface import Reading, Sensors


class Rig(Protocol):
    """An empty board of the default layout, its sensors read by the driver under test.

    The verbs act at once and do not wait for the sensors to notice. Those that a kind of hardware cannot suffer are
    named in its `RigKind.lacks`.
    """

    @property
    def sensors(self) -> Sensors: ...

    def reads(self, color: Reading) -> Reading:
        """What a pawn of this colour reads as here: itself, or `OCCUPIED` on a board without polarity."""
        ...

    def place(self, slot: int, color: Reading) -> None:
        """Put a pawn, `Reading.RED` or `Reading.BLACK`, on an empty slot. Works unplugged too."""
        ...

    def lift(self, slot: int) -> None:
        """Take the pawn from a slot. Works unplugged too."""
        ...

    def unplug(self) -> None:
        """Pull the plug."""
        ...

    def replug(self) -> None:
        """Put the plug back in."""
        ...

    def silence(self) -> None:
        """Nothing arrives from the board any more, for the rest of the test; the plug stays in."""
        ...

    def noise(self) -> None:
        """A burst of disturbance, once, in whatever form this hardware suffers it."""
        ...

    def close(self) -> None:
        """Close the sensors and put everything away. Closing twice is harmless."""
        ...


@dataclass(frozen=True)
class RigKind:
    """How to build a rig, in a directory of its own, which verbs it lacks, and how pytest is to mark its tests."""

    name: str
    build: Callable[[Path], Rig]
    lacks: frozenset[str] = frozenset()
    marks: tuple[pytest.MarkDecorator, ...] = ()
