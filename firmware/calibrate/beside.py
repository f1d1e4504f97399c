"""A guided calibration beside a service that plays: in a thread of its own, led from wherever somebody watches.

The service's sensors step aside while it runs, so the game waits; its lights guide; and when it is over, however it
ended, the game goes on. Whoever watches is told each step, and may pass over a slot, go back one, or stop.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from firmware.attended import Line
from firmware.calibrate.draft import draft_path
from firmware.calibrate.guide import Guide, Mark, Phase, SlotTrouble
from firmware.calibrate.session import CalibrationSession, Ending
from firmware.calibrate.walk import Doubt
from firmware.config import Settings
from firmware.newest import Newest
from hardware.errors import HardwareError
from hardware.interface import Frame, Lights
from hardware.layout import Layout

logger = logging.getLogger(__name__)


class Wish(Enum):
    """What somebody who watches may ask for while it runs."""

    SKIP = "skip"
    BACK = "back"
    STOP = "stop"


class Outcome(Enum):
    """How the last one went."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    FLAWED = "flawed"
    FAILED = "failed"
    """The scanner went away, or the calibration could not be written."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How a calibration stands. While none runs, how the last one went."""

    phase: Phase | None = None
    """None: none runs."""
    done: float = 0.0
    target: int | None = None
    doubt: Doubt | None = None
    marks: tuple[tuple[int, Mark], ...] = ()
    troubles: tuple[SlotTrouble, ...] = ()
    can_go_on: bool = False
    """Whether one was stopped half-way, so that the next goes on from there."""
    outcome: Outcome | None = None
    rewired: tuple[int, ...] = ()
    """Of a complete one: the slots that are wired otherwise than planned."""
    face_down: tuple[int, ...] = ()

    @classmethod
    def of(cls, guide: Guide) -> Progress:
        return cls(
            phase=guide.phase,
            done=round(guide.progress, 3),
            target=guide.target,
            doubt=guide.doubt,
            marks=tuple(sorted(guide.marks().items())),
            troubles=guide.troubles,
        )


class CalibrationBeside:
    """`aside` frees the device of the sensors, `line` opens it, `show` shows a frame on the board's lights, or None to
    end that. Except where it says so, everything here is for the loop of the service.
    """

    def __init__(
        self,
        settings: Settings,
        file: Path,
        aside: Callable[[], AbstractContextManager[None]],
        line: Callable[[], AbstractContextManager[Line]],
        show: Callable[[Frame | None], None],
        clock: Callable[[], float],
    ) -> None:
        self.on_progress: list[Callable[[Progress], None]] = []
        self.settings = settings
        self.person = self
        self.line = line
        self.clock = clock
        self._file = file
        self._aside = aside
        self._show = show
        self._wishes: deque[Wish] = deque()
        self._thread: threading.Thread | None = None
        self.progress = Progress(can_go_on=self._can_go_on)

    def begin(self, *, anew: bool = False) -> None:
        """Begin, or go on with one that was stopped. `ValueError` while one runs."""
        if self.progress.phase is not None:
            raise ValueError("the board is being calibrated already")
        loop = asyncio.get_running_loop()
        self._wishes.clear()
        self._told = Newest(loop, self._tell)
        self._frames = Newest(loop, self._guide_with)
        self._tell(Progress(phase=Phase.EMPTY))
        self._thread = threading.Thread(target=self._run, args=(anew,), name="calibration")
        self._thread.start()

    def wish(self, wish: Wish) -> None:
        if self.progress.phase is None:
            raise ValueError("the board is not being calibrated")
        self._wishes.append(wish)

    async def close(self) -> None:
        """Stop, if one runs, and wait for it."""
        self._wishes.append(Wish.STOP)
        if self._thread:
            await asyncio.to_thread(self._thread.join)

    # In the thread of the calibration

    def follow(self, guide: Guide, layout: Layout) -> bool:
        """What its person does: nothing but watch and wish."""
        self._told.put(Progress.of(guide))
        while self._wishes:
            match self._wishes.popleft():
                case Wish.SKIP:
                    guide.skip()
                case Wish.BACK:
                    guide.back()
                case Wish.STOP:
                    return False
        return True

    @contextmanager
    def lights(self) -> Iterator[Lights]:
        yield _HandedOver(self._frames)

    def _run(self, anew: bool) -> None:
        logger.info("calibration begins%s", " anew" if anew else "")
        session = CalibrationSession(self, self._file, anew=anew)
        ended = Progress(outcome=Outcome.FAILED)
        try:
            with self._aside():
                ended = _ended(session.run(), session.guide, self.settings.layout)
            logger.info("calibration ended: %s", ended.outcome.value if ended.outcome else "")
        except (OSError, HardwareError) as error:
            logger.warning("calibration failed, and the old one holds: %s", error)
        finally:
            self._told.put(replace(ended, can_go_on=self._can_go_on))

    @property
    def _can_go_on(self) -> bool:
        return draft_path(self._file).exists()

    def _guide_with(self, frame: Frame) -> None:
        if self.progress.phase is not None:  # else it comes too late
            self._show(frame)

    def _tell(self, progress: Progress) -> None:
        if progress == self.progress:
            return
        self.progress = progress
        if progress.phase is None:
            self._show(None)
        for hear in self.on_progress:
            hear(progress)


class _HandedOver:
    """`Lights` that are the service's."""

    def __init__(self, frames: Newest[Frame]) -> None:
        self._frames = frames

    def show(self, frame: Frame) -> None:
        self._frames.put(frame)

    def close(self) -> None:
        pass


def _ended(ending: Ending, guide: Guide | None, layout: Layout) -> Progress:
    assert guide
    ended = Progress(done=round(guide.progress, 3), troubles=guide.troubles, outcome=Outcome(ending.value))
    if guide.calibration is None:
        return ended
    return replace(ended, rewired=guide.calibration.rewired(layout), face_down=guide.calibration.face_down)
