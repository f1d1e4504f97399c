"""The service on a board made of software, in real time: on the screen, or without one."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser

from firmware import log
from firmware.config import Settings
from firmware.service import Service, serve
from simulator.board import SimulatedBoard
from simulator.page_hands import SimulatedHands


def play_on_screen(settings: Settings, *, browser: bool) -> None:
    """Serve a board that is set up for a game, with its page, until told to stop."""
    from firmware.web.onscreen import page

    board = SimulatedBoard(settings.layout)
    board.table.set_up()
    service = Service(settings, board.sensors, board.lights, board.panel)

    def opened(address: str) -> None:
        print(f"The board is at {address} in your browser. Ctrl-C ends the game.", flush=True)
        if browser and _has_a_screen():
            # Some browsers do not return until they are closed.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve(service, page(service, settings.web, opened, SimulatedHands(board), any_port=True))


def run_headless(settings: Settings) -> None:
    """Serve a board that is set up for a game, print what happens, until told to stop."""
    board = SimulatedBoard(settings.layout)
    board.table.set_up()
    service = Service(settings, board.sensors, board.lights, board.panel)
    service.on_event.append(lambda event: print(log.line(event, service.layout), flush=True))
    serve(service)


def _has_a_screen() -> bool:
    """Without one, a browser for terminals would take this terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
