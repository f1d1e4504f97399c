"""The service on a board made of software, in real time."""

from __future__ import annotations

from firmware import log
from firmware.config import Settings
from firmware.service import Service, serve
from simulator.board import SimulatedBoard


def run(settings: Settings) -> None:
    """Serve a board that is set up for a game, print what happens, until told to stop."""
    board = SimulatedBoard(settings.layout)
    board.table.set_up()
    service = Service(settings, board.sensors, board.lights, board.panel)
    service.on_event.append(lambda event: print(log.line(event, service.layout), flush=True))
    serve(service)
