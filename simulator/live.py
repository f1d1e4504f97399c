"""The service on a board made of software, in real time: on the screen, or without one."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager

from engine import Position
from firmware import log, priority_log
from firmware.config import Settings
from firmware.keeping import Keeping
from firmware.places import state_folder
from firmware.service import Service, serve
from simulator.arrangement import arrange
from simulator.board import SimulatedBoard
from simulator.page_hands import SimulatedHands


def play_on_screen(settings: Settings, *, browser: bool) -> None:
    """Serve a simulated board with its page, until told to stop."""
    from firmware.web.onscreen import page

    priority_log.start()  # it tells the code for pairing

    def opened(address: str) -> None:
        print(f"The board is at {address} in your browser. Ctrl-C ends the game.", flush=True)
        if browser and _has_a_screen():
            # Some browsers do not return until they are closed.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with _simulated(settings) as (service, board, keeping):
        on_screen = page(service, settings.web, opened, SimulatedHands(board), any_port=True)
        serve(service, on_screen, keeping.catching_up())


def run_headless(settings: Settings) -> None:
    """Serve a simulated board and print what happens, until told to stop."""
    with _simulated(settings) as (service, _, keeping):
        service.on_event.append(lambda event: print(log.line(event, service.layout), flush=True))
        serve(service, keeping.catching_up())


@contextmanager
def _simulated(settings: Settings) -> Iterator[tuple[Service, SimulatedBoard, Keeping]]:
    """A board that stands as the last game was left, or set up for a new one. Its journal is not a real board's."""
    board = SimulatedBoard(settings.layout)
    with closing(Keeping(state_folder() / "simulated.db", lambda text: print(text, file=sys.stderr))) as keeping:
        interrupted = keeping.interrupted
        arrange(board.table, interrupted.game.state.position if interrupted else Position.setup())
        service = Service(settings, board.sensors, board.lights, board.panel, interrupted=interrupted)
        keeping.begin(service)
        yield service, board, keeping


def _has_a_screen() -> bool:
    """Without one, a browser for terminals would take this terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
