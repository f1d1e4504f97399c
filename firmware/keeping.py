"""Nothing is lost: the journal and the black box beside a service.

The journal is written in a thread of its own, and the service waits for it: an action is on disk before any light or
page says that it counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from firmware.advice import Computer
from firmware.blackbox import BlackBox, Circumstances
from firmware.config import Settings
from firmware.events import Event
from firmware.journal import Journal, Keeper
from firmware.journal.file import Connect, connect
from firmware.service import Service
from hardware.calibration import Calibration

CATCH_UP_S = 5.0


class Keeping:
    """The journal of a service. `interrupted` is the game that it can go on with, against `computer` if given."""

    def __init__(
        self,
        path: Path,
        tell: Callable[[str], None],
        computer: Computer | None = None,
        connect: Connect = connect,
    ) -> None:
        self._journal = Journal.open(path, tell, connect)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self.interrupted = self._journal.current()
        if computer is not None and self.interrupted is not None:
            self._journal.seat(self.interrupted.key, computer)
            self.interrupted = replace(self.interrupted, computer=computer)
        self._keeper = Keeper(self._journal, self.interrupted)

    def begin(self, service: Service) -> None:
        """From now on what happens is written before it shows."""

        async def write(events: Sequence[Event]) -> None:
            session = service.session
            keep = partial(self._keeper.keep, events, session.game, session.match, session.computer, at=time.time())
            await asyncio.get_running_loop().run_in_executor(self._thread, keep)

        service.before_showing.append(write)

    @asynccontextmanager
    async def catching_up(self) -> AsyncIterator[None]:
        """Beside a service: what a disk in trouble has not taken is offered to it again, also while nobody plays."""

        async def again_and_again() -> None:
            while True:
                await asyncio.sleep(CATCH_UP_S)
                if self._journal.has_work:
                    await asyncio.get_running_loop().run_in_executor(self._thread, self._journal.catch_up)

        task = asyncio.create_task(again_and_again())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def close(self) -> None:
        self._thread.shutdown()
        self._journal.close()


def black_box(
    service: Service,
    settings: Settings,
    calibration: Callable[[], Calibration | None],
    folder: Path,
    tell: Callable[[str], None],
) -> BlackBox:
    """A black box that records the service from its first input on."""

    def circumstances() -> Circumstances:
        return Circumstances.of(service.session, settings.board, settings.settle, calibration(), time.time())

    box = BlackBox(folder, circumstances, tell)
    service.recorders.append(box.record)
    return box
