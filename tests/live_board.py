"""A simulated board that plays in real time, with its workshop and its page, in a loop of its own.

A calibration there takes no time but its own, and hands do what its light asks for, for as long as they like to.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine import Position
from firmware import log
from firmware.calibrate.beside import Progress, Wish
from firmware.calibrate.guide import Guide
from firmware.config import Settings
from firmware.guard.settings import WebSettings
from firmware.keeping import black_box
from firmware.service import Service
from firmware.web.onscreen import page
from firmware.workshop import Files
from hardware.layout import Layout
from simulator.arrangement import arrange
from simulator.board import SimulatedBoard
from simulator.guided_hands import GuidedHands
from simulator.live_workshop import LiveEyes, live_workshop
from simulator.page_hands import SimulatedHands

ANY_PORT = WebSettings(port=65535)


class LiveBoard:
    """Runs while it is entered. `patience` is after how many answered slots the hands stop following the light."""

    def __init__(self, folder: Path, *, is_real: bool = False, patience: int | None = None) -> None:
        settings = Settings(web=ANY_PORT)
        self.patience = patience
        self.files = Files(folder / "calibration.toml", folder / "journal.db", folder / "blackbox")
        self.board = SimulatedBoard(settings.layout)
        arrange(self.board.table, Position.setup())
        self.eyes = LiveEyes(self.board, self.files.calibration)
        self.service = Service(settings, self.eyes.sensors, self.board.lights, self.board.panel)
        self.service.on_event.append(lambda event: log.note(event, self.service.layout))
        self.workshop = live_workshop(
            settings, self.board, self.eyes, self.service, self.service.show_instead, self.files, lambda seconds: None
        )
        self._box = black_box(
            self.service, settings, lambda: self.eyes.calibration, self.files.black_box, lambda text: None
        )
        self._follow_with(GuidedHands(self.board.table))
        self._settings = settings
        self._hands = None if is_real else SimulatedHands(self.board)
        self._opened = threading.Event()
        self.address = ""
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=lambda: self.loop.run_until_complete(self._serve()), name="live board")

    def __enter__(self) -> LiveBoard:
        self._thread.start()
        self._opened.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self.loop.call_soon_threadsafe(self.service.stop)
        self._thread.join()
        self.loop.close()
        self._box.close()

    def run(self, coroutine: Any) -> Any:
        """Run something in the board's loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Let the board go on until this holds."""

        async def look() -> bool:
            return holds()

        while not self.run(look()):
            pass

    @property
    def progress(self) -> Progress:
        assert self.workshop.calibration
        return self.workshop.calibration.progress

    def calibrate(self, *, anew: bool = False) -> Progress:
        """From beginning to end; how it ended."""
        self.begin(anew=anew)
        self.wait_until(lambda: self.progress.phase is None)
        return self.progress

    def begin(self, *, anew: bool = False) -> None:
        async def begin() -> None:
            assert self.workshop.calibration
            self.workshop.calibration.begin(anew=anew)

        self.run(begin())

    def wish(self, wish: Wish) -> None:
        async def wishing() -> None:
            assert self.workshop.calibration
            self.workshop.calibration.wish(wish)

        self.run(wishing())

    async def _serve(self) -> None:
        async with page(self.service, self._settings.web, self._open, self._hands, self.workshop, any_port=True):
            await self.service.run()

    def _open(self, address: str) -> None:
        self.address = address
        self._opened.set()

    def _follow_with(self, hands: GuidedHands) -> None:
        calibration = self.workshop.calibration
        assert calibration
        watch = calibration.follow

        def follow(guide: Guide, layout: Layout) -> bool:
            if self.patience is None or len(guide.answers) < self.patience:
                hands.obey(guide)
            return watch(guide, layout)

        calibration.follow = follow  # type: ignore[method-assign]
