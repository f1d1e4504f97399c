"""Nothing is lost: the journal and the black box beside a service.

The journal is written in a thread of its own, and the service waits for it: an action is on disk before any light or
page says that it counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine import Match
from firmware.blackbox import BlackBox, Circumstances
from firmware.config import Settings
from firmware.events import ActionAccepted, ActionsTakenBack, Event, GameStarted
from firmware.journal import Journal, KeptGame
from firmware.service import Service
from hardware.calibration import Calibration


class Keeper:
    """Writes a service's games into the journal, and knows the one that was interrupted."""

    def __init__(self, path: Path, tell: Callable[[str], None], wall_clock: Callable[[], float] = time.time) -> None:
        self._journal = Journal.open(path, tell)
        self._wall_clock = wall_clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self.interrupted: KeptGame | None = self._journal.current()
        self._key = self.interrupted.key if self.interrupted else None
        self._actions = len(self.interrupted.game.actions) if self.interrupted else 0

    def keep(self, service: Service) -> None:
        """From now on what happens is written before it shows."""

        async def write(events: Sequence[Event]) -> None:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._write, events, service.session.match)

        service.before_showing.append(write)

    def close(self) -> None:
        self._thread.shutdown()
        self._journal.close()

    def _write(self, events: Sequence[Event], match_before: Match | None) -> None:
        at = self._wall_clock()
        for event in events:
            match event:
                case GameStarted(edition, first):
                    self._key, self._actions = self._journal.begin(edition, first, match_before, at=at), 0
                case ActionAccepted(action, implied) if self._key is not None:
                    self._journal.accept(self._key, self._actions, action, at=at, implied=implied)
                    self._actions += 1
                case ActionsTakenBack(count) if self._key is not None:
                    self._journal.take_back(self._key, count)
                    self._actions -= count


def black_box(
    service: Service, settings: Settings, calibration: Calibration | None, folder: Path, tell: Callable[[str], None]
) -> BlackBox:
    """A black box that records the service from its first input on."""

    def circumstances() -> Circumstances:
        return Circumstances.of(service.session, settings.board, settings.settle, calibration, time.time())

    box = BlackBox(folder, circumstances, tell)
    service.recorders.append(box.record)
    return box
