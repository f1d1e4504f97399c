"""`linja play`: the service on a real board."""

from __future__ import annotations

import logging
from contextlib import closing
from pathlib import Path

from firmware import log, priority_log
from firmware.config import Settings
from firmware.drivers import open_drivers
from firmware.keeping import Keeping, black_box
from firmware.notify import Notifier, watched
from firmware.places import black_box_folder, journal_file
from firmware.power import PanelWithPower
from firmware.service import Service, serve
from firmware.web.onscreen import page

logger = logging.getLogger(__name__)


def play(settings: Settings, folder: Path) -> None:
    """Serve the board until told to stop. `folder` is where the settings came from."""
    priority_log.start()
    with (
        open_drivers(settings, folder) as board,
        closing(Keeping(journal_file(), logger.warning)) as keeping,
    ):
        panel = PanelWithPower(board.panel)
        service = Service(settings, board.sensors, board.lights, panel, interrupted=keeping.interrupted)
        keeping.begin(service)
        service.on_event.append(lambda event: logger.info("%s", log.line(event, service.layout)))
        logger.info("playing %s; waiting for the board", settings.game.rules)
        with closing(black_box(service, settings, board.calibration, black_box_folder(), logger.warning)):
            on_screen = page(service, settings.web, lambda address: logger.info("the page is at %s", address))
            serve(service, on_screen, keeping.catching_up(), watched(service.go_round, Notifier()))
    logger.info("stopped")
