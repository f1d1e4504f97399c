"""`linja doctor` and `linja calibrate`, with a simulated board to try them on."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from firmware import maker_commands as real
from firmware.cli import Command, CommandFailed

if TYPE_CHECKING:
    from firmware.attended import AttendedBoard
    from firmware.config import Settings
    from firmware.progress import Bar


def _board(arguments: argparse.Namespace, settings: Settings, bar: Bar) -> AttendedBoard:
    from simulator.faults import FaultError
    from simulator.patient import SimulatedPatient

    if not arguments.simulated:
        return real.real_board(arguments, settings, bar)
    try:
        return SimulatedPatient(settings, arguments.seed or 0, arguments.fault, progress=bar.show)
    except FaultError as error:
        raise CommandFailed(str(error)) from error


def _refuse_what_only_a_simulated_board_has(arguments: argparse.Namespace) -> None:
    for option in ("seed", "fault", "output"):
        if not arguments.simulated and getattr(arguments, option, None) not in (None, []):
            raise CommandFailed(f"--{option} is for a simulated board: add --simulated")


def _doctor(arguments: argparse.Namespace) -> int:
    _refuse_what_only_a_simulated_board_has(arguments)
    return real.doctor(arguments, _board)


def _calibrate(arguments: argparse.Namespace) -> int:
    _refuse_what_only_a_simulated_board_has(arguments)
    if not arguments.simulated:
        return real.calibrate(arguments, _board)
    with tempfile.TemporaryDirectory() as folder:
        return real.calibrate(arguments, _board, arguments.output or Path(folder) / "calibration.toml")


def _takes_a_simulated_board(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("on a simulated board")
    group.add_argument("--simulated", action="store_true", help="a board made of software, and hands that do as asked")
    group.add_argument("--seed", type=int, metavar="N", help="which one: sensors and magnets differ; 0 by default")
    group.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="FAULT",
        help='what is broken, for example "dead 3.2" or "swapped 1.0 1.1"; may be given several times',
    )


def _configure_doctor(parser: argparse.ArgumentParser) -> None:
    real.configure_doctor(parser)
    _takes_a_simulated_board(parser)


def _configure_calibrate(parser: argparse.ArgumentParser) -> None:
    real.configure_calibrate(parser)
    _takes_a_simulated_board(parser)
    parser.add_argument("--output", type=Path, metavar="FILE", help="with --simulated: keep the calibration here")


COMMANDS = (
    real.DRAW,
    Command("doctor", real.DOCTOR_SUMMARY, _doctor, _configure_doctor),
    Command("calibrate", real.CALIBRATE_SUMMARY, _calibrate, _configure_calibrate),
)
