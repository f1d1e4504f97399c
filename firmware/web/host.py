"""What the web server needs of the program it runs in.

`Host` is the board and its game. `Hands` is what only a board made of software has besides: pawns that a pointer can
move, sensors that can be broken. A real board has none, and the page then only shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine import Color, Edition, Game, State
from firmware.advice import Computer
from firmware.view import View
from firmware.workshop import Workshop
from hardware.interface import Frame, KeyEvent, Reading
from hardware.layout import Layout


@dataclass(frozen=True, slots=True)
class Pawn:
    """A pawn as the page draws it. The colour is None where the board cannot tell."""

    number: int
    color: Color | None
    x_mm: float
    y_mm: float
    height_mm: float = 0.0
    """How high above the board it is held; 0: it stands."""
    bearing: float | None = None
    """Where the top points of a pawn that lies on its side, in radians; None: it is upright."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """Something that can be broken on purpose."""

    name: str
    slots: int
    """How many sensors have to be named with it; 0: it concerns the whole board."""


class Hands(Protocol):
    """A board made of software. What cannot be done raises a `ValueError`."""

    @property
    def fault_kinds(self) -> Sequence[FaultKind]: ...

    def pawns(self) -> Sequence[Pawn]: ...

    def move(self, number: int, x_mm: float, y_mm: float, height_mm: float) -> None:
        """Bring a pawn, upright, to a point at once."""
        ...

    def faults(self) -> Sequence[str]:
        """What is broken now, each as `fault` takes it."""
        ...

    def fault(self, text: str) -> None:
        """Break something by name, with its slots where it has any (`stuck 3.2`), or repair everything (`clear`)."""
        ...


class Host(Protocol):
    """The board and its game. All methods return at once and are called in the loop that the server runs in."""

    @property
    def layout(self) -> Layout: ...

    @property
    def hands(self) -> Hands | None: ...

    @property
    def workshop(self) -> Workshop | None:
        """What whoever built the board needs."""
        ...

    @property
    def view(self) -> View: ...

    @property
    def game(self) -> Game: ...

    @property
    def readings(self) -> Sequence[Reading]:
        """What each slot holds, as the sensors last said."""
        ...

    @property
    def frame(self) -> Frame: ...

    def touch(self, key: KeyEvent) -> None:
        """Somebody touched a key of the page's panel, which is as good as the board's own."""
        ...

    def new_game(self, edition: Edition, first: Color, best_of: int, computer: Computer | None = None) -> None:
        """Begin a new game; `best_of` is the length of a match, 0 for a game by itself."""
        ...

    def play_from(self, start: State) -> None:
        """Begin a game by itself in this state."""
        ...

    def look_back(self) -> None:
        """Review the game; the server is told turn by turn."""
        ...
