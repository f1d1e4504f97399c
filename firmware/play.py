"""`linja play`: the service on a real board."""

from __future__ import annotations

import logging
import time
from contextlib import closing
from pathlib import Path

from firmware import log, priority_log
from firmware.advice import Computer
from firmware.calibrate.beside import CalibrationBeside
from firmware.config import Settings
from firmware.diagnosis import Diagnosis
from firmware.drivers import Drivers, calibration_file, open_drivers
from firmware.keeping import Keeping, black_box
from firmware.notify import Notifier, watched
from firmware.places import black_box_folder, journal_file
from firmware.power import PanelWithPower
from firmware.real_board import RealBoard
from firmware.service import Service, serve
from firmware.thinking import thinking
from firmware.web.onscreen import page
from firmware.workshop import Files, Workshop

logger = logging.getLogger(__name__)


def play(settings: Settings, folder: Path, computer: Computer | None = None) -> None:
    """Serve the board until told to stop. `folder` is where the settings came from.

    An interrupted game goes on as it was, unless it is to be played against this `computer`.
    """
    priority_log.start()
    with (
        open_drivers(settings, folder) as board,
        closing(Keeping(journal_file(), logger.warning, computer)) as keeping,
    ):
        panel = PanelWithPower(board.panel)
        service = Service(settings, board.sensors, board.lights, panel, interrupted=keeping.interrupted)
        keeping.begin(service)
        service.on_event.append(lambda event: log.note(event, service.layout))
        logger.info("playing %s; waiting for the board", settings.game.rules)
        workshop = make_workshop(settings, folder, service, board)
        with closing(black_box(service, settings, lambda: board.eyes.calibration, black_box_folder(), logger.warning)):
            on_screen = page(
                service, settings.web, lambda address: logger.info("the page is at %s", address), workshop=workshop
            )
            thoughts = thinking(service, logger.warning)
            serve(service, on_screen, thoughts, keeping.catching_up(), watched(service.go_round, Notifier()))
    logger.info("stopped")


def make_workshop(settings: Settings, folder: Path, service: Service, board: Drivers) -> Workshop:
    """What whoever built this board needs while it plays."""
    file = calibration_file(settings, folder)
    diagnosis = Diagnosis(service, lambda: board.eyes.calibration, board.sensors.report, time.monotonic)
    calibration = CalibrationBeside(
        settings, file, board.sensors.aside, RealBoard(settings, folder).line, service.show_instead, time.monotonic
    )
    files = Files(file, journal_file(), black_box_folder())
    return Workshop(settings, files, diagnosis, calibration if settings.sensors.kind == "serial" else None)
