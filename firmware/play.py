"""`linja play`: the service on a real board."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from firmware import log
from firmware.config import Settings
from firmware.drivers import open_drivers
from firmware.service import Service, serve
from firmware.web.onscreen import page

logger = logging.getLogger(__name__)


def play(settings: Settings, folder: Path) -> None:
    """Serve the board until told to stop. `folder` is where the settings came from."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    with open_drivers(settings, folder) as board:
        service = Service(settings, board.sensors, board.lights, board.panel)
        service.on_event.append(lambda event: logger.info("%s", log.line(event, service.layout)))
        logger.info("playing %s; waiting for the board", settings.game.rules)
        serve(service, page(service, settings.web, lambda address: logger.info("the page is at %s", address)))
    logger.info("stopped")
