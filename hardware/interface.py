"""The seam between the board and everything that thinks about it.

Two values cross it: a `Snapshot` of what stands on every slot comes up, a `Frame` with a colour for every pixel
goes down. A driver is any object with the methods of `Sensors`, `Lights` or `Panel`; simulated hardware is a
driver like any other. All methods are synchronous. Those that may block say so: the service calls them from a
thread that it owns, and joins that thread before it closes the driver. Nothing here knows the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol


class Reading(Enum):
    """What one slot holds, as far as its sensor can tell."""

    EMPTY = "empty"
    RED = "red"
    BLACK = "black"
    OCCUPIED = "occupied"  # a pawn, its colour unknown: a board without polarity
    UNSURE = "unsure"  # neither clearly a pawn nor clearly none


@dataclass(frozen=True, slots=True)
class SensorFault:
    """Something a sensor or the scanner says of itself; `slot` is None when it concerns the whole board."""

    kind: str
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What every slot holds at one moment, in the layout's slot order.

    `sureness` is a percentage for each slot: 100 is beyond doubt, a weak pawn is low. `levels` are the raw
    levels behind it where the sensors have any, for calibration, diagnosis and the x-ray view; two snapshots
    that hold the same are equal whatever their levels.
    """

    readings: tuple[Reading, ...]
    sureness: tuple[int, ...] = field(compare=False)
    levels: tuple[int, ...] = field(default=(), compare=False)
    faults: tuple[SensorFault, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """A colour for every pixel: red, green and blue bytes, pixel after pixel, in the layout's order.

    Values are as the eye reads them (0 dark, 128 half, 255 full); gamma, brightness and the current limit are
    the driver's, and so is the order of the wires.
    """

    pixels: bytes

    def __post_init__(self) -> None:
        if len(self.pixels) % 3:
            raise ValueError(f"a frame has three bytes a pixel; {len(self.pixels)} bytes are not whole pixels")

    def __len__(self) -> int:
        return len(self.pixels) // 3

    @classmethod
    def dark(cls, pixels: int) -> Frame:
        return cls(bytes(3 * pixels))


class Button(Enum):
    """The four keys of the panel."""

    NEW = "new"
    BACK = "back"
    DONE = "done"
    HINT = "hint"


class Touch(Enum):
    """What a finger did to a key. A hold is reported while the key is still down, after its press."""

    PRESSED = "pressed"
    HELD = "held"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """One finger, one key, one moment."""

    button: Button
    touch: Touch


class Tune(Enum):
    """What the buzzer can say."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    ATTENTION = "attention"
    AGAIN = "again"  # another full turn
    BONUS = "bonus"
    READY = "ready"  # the set-up is complete
    OVER = "over"


class Sensors(Protocol):
    """Where the pawns are."""

    def read(self, timeout: float) -> Snapshot | None:
        """The next snapshot, in order; None when nothing new arrived within `timeout` seconds. Blocks.

        A driver must never return a snapshot it is not sure was meant (a damaged message is silence), and the
        first snapshot after a loss is of the board as it then stands. Raises `SensorLost` when the board cannot
        be read; the driver finds its way back by itself, and calling `read` again is all a caller does about it.
        """
        ...

    def close(self) -> None:
        """Let go of the device. Closing twice is harmless."""
        ...


class Lights(Protocol):
    """The pixels."""

    def show(self, frame: Frame) -> None:
        """Make the pixels look like `frame`. May block while bytes leave; a frame that did not change costs nothing."""
        ...

    def close(self) -> None:
        """Darken the pixels and let go of the device. Closing twice is harmless."""
        ...


class Panel(Protocol):
    """The keys and the buzzer."""

    def read(self, timeout: float) -> KeyEvent | None:
        """The next thing a finger did, in order; None when nothing happened within `timeout` seconds. Blocks."""
        ...

    def play(self, tune: Tune) -> None:
        """Start a tune and return at once; a tune that is still sounding gives way."""
        ...

    def close(self) -> None:
        """Fall silent and let go of the device. Closing twice is harmless."""
        ...
