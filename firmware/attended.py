"""A board and somebody beside it: what the doctor and the guided calibration need of both, real or simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from firmware.calibrate.guide import Guide, Phase
from firmware.calibrate.light import GuidingLight
from hardware.errors import HardwareError

if TYPE_CHECKING:
    from firmware.config import Settings
    from firmware.doctor.lights import Card
    from firmware.doctor.link import Watch
    from firmware.doctor.machine import Machine
    from firmware.doctor.storage import Storage
    from hardware.calibration import Calibration
    from hardware.interface import Button, Lights, Panel, Sensors
    from hardware.layout import Layout

READ_S = 0.02


class Line(Protocol):
    """The serial line of a scanner. `OSError` when it is gone."""

    name: str

    def read(self, timeout_s: float) -> bytes: ...

    def write(self, data: bytes) -> None: ...


class Follower(Protocol):
    """Does what a guide asks."""

    def follow(self, guide: Guide, layout: Layout) -> bool:
        """Called again and again while a calibration or a walk goes on; False: enough of that."""
        ...


class Person(Follower, Protocol):
    """Does what is asked, and says what is to be seen."""

    def see(self, card: Card) -> str:
        """What is to be seen of a card that is shown."""
        ...

    def press(self, button: Button, panel: Panel) -> Button | None:
        """Asked to press a key: the one that was felt."""
        ...

    def hears(self, panel: Panel) -> bool:
        """Whether a tune, played now, can be heard."""
        ...


class GuidedBoard(Protocol):
    """One board and somebody whom its lights can lead. Parts are opened when they are needed; `HardwareError` or
    `OSError` when they cannot be."""

    settings: Settings

    @property
    def person(self) -> Follower | None: ...

    def line(self) -> AbstractContextManager[Line]: ...

    def lights(self) -> AbstractContextManager[Lights]: ...

    def clock(self) -> float: ...


class AttendedBoard(GuidedBoard, Protocol):
    """All of a board, for the doctor."""

    calibration: Calibration | None

    @property
    def person(self) -> Person | None: ...

    def machine(self) -> Machine: ...

    def storage(self, board: str | None) -> Storage: ...

    def panel(self) -> AbstractContextManager[Panel]: ...

    def switches(self) -> AbstractContextManager[Sensors]:
        """The sensors of a board without a scanner."""
        ...


@contextmanager
def listening(board: GuidedBoard, watch: Watch) -> Iterator[Line]:
    """The line of the scanner, which is left as it was however this ends."""
    with board.line() as line:
        watch.port = line.name
        try:
            yield line
        finally:
            with suppress(OSError):
                line.write(watch.farewell())


def exchange(board: GuidedBoard, line: Line, watch: Watch) -> None:
    """Say what is to be said, and hear what comes within a moment."""
    if to_send := watch.to_send(board.clock()):
        line.write(to_send)
    watch.hear(line.read(READ_S), board.clock())


def hear_scans(board: GuidedBoard, line: Line, watch: Watch) -> list[tuple[int, ...]]:
    """What the scanner has sent within a moment."""
    watch.scans.clear()
    exchange(board, line, watch)
    return watch.scans


def lead(
    board: GuidedBoard,
    look: Callable[[], Sequence[Sequence[int]]],
    guide: Guide,
    phases: Sequence[Phase],
    step: Callable[[], None] = lambda: None,
) -> bool:
    """Lead the person through these phases; False when they have had enough.

    `look` gives the scans of a moment, and `step` is called after each.
    """
    person = board.person
    assert person
    layout = board.settings.layout
    light = GuidingLight(layout, board.settings.palette)
    with _lights_if_any(board) as lights:
        while guide.phase in phases:
            for levels in look():
                if guide.phase in phases:
                    guide.see(levels, board.clock())
            step()
            if lights:
                lights.show(light.frame(guide.marks(), board.clock()))
            if guide.phase in phases and not person.follow(guide, layout):
                return False
    return True


@contextmanager
def _lights_if_any(board: GuidedBoard) -> Iterator[Lights | None]:
    """Where the lights cannot be had, words must do."""
    with ExitStack() as opened:
        try:
            lights: Lights | None = opened.enter_context(board.lights())
        except (HardwareError, OSError):
            lights = None
        yield lights
