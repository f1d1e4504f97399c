"""The service on a board made of software, in real time: on the screen, or without one."""

from __future__ import annotations

import logging
import os
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import Position
from firmware import log, priority_log
from firmware.advice import Computer
from firmware.config import Settings
from firmware.keeping import Keeping, black_box
from firmware.places import state_folder
from firmware.service import Service, serve
from firmware.thinking import thinking
from firmware.workshop import Files, Workshop
from simulator.arrangement import arrange
from simulator.board import SimulatedBoard
from simulator.live_workshop import LiveEyes, live_workshop
from simulator.page_hands import SimulatedHands


def play_on_screen(settings: Settings, computer: Computer | None = None, *, browser: bool) -> None:
    """Serve a simulated board with its page, until told to stop; an interrupted game goes on, against `computer`."""
    from firmware.web.onscreen import page

    priority_log.start()  # it tells the code for pairing

    def opened(address: str) -> None:
        print(f"The board is at {address} in your browser. Ctrl-C ends the game.", flush=True)
        if browser and _has_a_screen():
            # Some browsers do not return until they are closed.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    _log_warnings()
    with _simulated(settings, computer) as simulated:
        service = simulated.service
        on_screen = page(
            service, settings.web, opened, SimulatedHands(simulated.board), simulated.workshop, any_port=True
        )
        serve(service, on_screen, thinking(service, _complain), simulated.keeping.catching_up())


def run_headless(settings: Settings, computer: Computer | None = None) -> None:
    """Serve a simulated board and print what happens, until told to stop; an interrupted game goes on likewise."""
    with _simulated(settings, computer) as simulated:
        service = simulated.service
        service.on_event.append(lambda event: print(log.line(event, service.layout), flush=True))
        serve(service, thinking(service, _complain), simulated.keeping.catching_up())


@dataclass(frozen=True, slots=True)
class _Simulated:
    service: Service
    board: SimulatedBoard
    keeping: Keeping
    workshop: Workshop


@contextmanager
def _simulated(settings: Settings, computer: Computer | None) -> Iterator[_Simulated]:
    """A board that stands as the last game was left, or set up for a new one. What it keeps is not a real board's, and
    its calibration is gone when it is."""
    board = SimulatedBoard(settings.layout)
    with (
        TemporaryDirectory(prefix="linja-") as folder,
        closing(Keeping(state_folder() / "simulated.db", _complain, computer)) as keeping,
    ):
        state = state_folder()
        files = Files(Path(folder, "calibration.toml"), state / "simulated.db", state / "simulated-blackbox")
        interrupted = keeping.interrupted
        arrange(board.table, interrupted.game.state.position if interrupted else Position.setup())
        eyes = LiveEyes(board, files.calibration)
        service = Service(settings, eyes.sensors, board.lights, board.panel, interrupted=interrupted)
        keeping.begin(service)
        service.on_event.append(lambda event: log.note(event, service.layout))
        workshop = live_workshop(settings, board, eyes, service, service.show_instead, files)
        with closing(black_box(service, settings, lambda: eyes.calibration, files.black_box, _complain)):
            yield _Simulated(service, board, keeping, workshop)


def _log_warnings() -> None:
    """On the terminal: what is calm is for the page alone."""
    warnings = logging.StreamHandler()
    warnings.setLevel(logging.WARNING)
    logging.basicConfig(format="%(message)s", handlers=[warnings])


def _complain(text: str) -> None:
    print(text, file=sys.stderr)


def _has_a_screen() -> bool:
    """Without one, a browser for terminals would take this terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
