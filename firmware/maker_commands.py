"""The commands for whoever builds a board and keeps it well."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.cli import Command, CommandFailed, read_settings, takes_settings

if TYPE_CHECKING:
    from firmware.attended import AttendedBoard
    from firmware.calibrate.guide import Guide
    from firmware.calibrate.session import Ending
    from firmware.config import Settings
    from firmware.progress import Bar
    from hardware.layout import Layout

EXIT_FAULTS = 1
EXIT_INTERRUPTED = 130

MakeBoard = Callable[[argparse.Namespace, "Settings", "Bar"], "AttendedBoard"]
"""From the arguments of a command to the board that it is about."""


# linja draw


def _draw(arguments: argparse.Namespace) -> int:
    from firmware.drawing_files import write_drawings

    try:
        written = write_drawings(read_settings(arguments.config), arguments.folder)
    except OSError as error:
        raise CommandFailed(f"{arguments.folder} cannot be written to: {error.strerror or error}") from error
    except ValueError as error:
        raise CommandFailed(str(error)) from error
    for path in written:
        print(path)
    return 0


def _configure_draw(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        type=Path,
        default=Path("drawings"),
        help="where to put them; drawings, if none is named",
    )


# linja completion


def completion_for(commands: Sequence[Command], default: str) -> Command:
    """The command that prints the completion of a program of these commands and itself."""

    def run(arguments: argparse.Namespace) -> int:
        from firmware.cli import build_parser
        from firmware.completion import script

        print(script(arguments.shell, build_parser((*commands, command), default)), end="")
        return 0

    command = Command("completion", COMPLETION_SUMMARY, run, _configure_completion)
    return command


def _configure_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="which shell you use: echo $SHELL tells")


# linja doctor


def doctor(arguments: argparse.Namespace, make_board: MakeBoard) -> int:
    """Print the findings as they come; the exit code says whether there is a fault among them."""
    from firmware.doctor.finding import Finding, Grade, worst
    from firmware.doctor.visit import Visit
    from firmware.progress import Bar

    settings = read_settings(arguments.config)
    found: list[Finding] = []
    with Bar() as bar:
        visit = Visit(make_board(arguments, settings, bar), _slots(arguments.slots, settings.layout), bar.show)
        for finding in visit.findings():
            found.append(finding)
            if not arguments.json:
                bar.clear()
                print(finding.line, flush=True)
    if arguments.json:
        print(json.dumps([finding.as_json() for finding in found], indent=1, ensure_ascii=False))
    return EXIT_FAULTS if worst(found) is Grade.FAULT else 0


def configure_doctor(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    parser.add_argument("--hands", action="store_true", help="you help at the board: move a pawn, look, press keys")
    parser.add_argument("--json", action="store_true", help="print the findings for a program")
    parser.add_argument("--slots", metavar="A-B", help="only these sensors, on a board in the making: 0.0-0.5")


def _slots(text: str | None, layout: Layout) -> list[int] | None:
    """`0.0-0.5` as slots."""
    if text is None:
        return None
    names = {layout.name(slot): slot for slot in range(layout.slot_count)}
    first, _, last = text.partition("-")
    for name in (first, last or first):
        if name not in names:
            known = f"slots are 0.0 to {layout.name(layout.slot_count - 1)}"
            raise CommandFailed(f"--slots {text}: there is no slot {name!r}; {known}")
    chosen = range(names[first], names[last or first] + 1)
    if not chosen:
        raise CommandFailed(f"--slots {text}: the first slot comes after the last")
    return list(chosen)


# linja calibrate


def calibrate(arguments: argparse.Namespace, make_board: MakeBoard, file: Path | None = None) -> int:
    """Lead a person through a calibration; it is saved at `file`, or where the settings say."""
    from firmware.calibrate.session import CalibrationSession
    from firmware.progress import Bar
    from hardware.errors import HardwareError

    settings = read_settings(arguments.config)
    if settings.sensors.kind != "serial":
        raise CommandFailed("digital sensors on GPIO have nothing to calibrate")
    file = file or _calibration_file(arguments, settings)
    if file.is_dir():  # told before the work, not after it
        raise CommandFailed(f"the calibration cannot be written to {file}: that is a folder")
    with Bar() as bar:
        board = make_board(arguments, settings, bar)
        session = CalibrationSession(board, file, anew=arguments.anew)
        try:
            ending = session.run()
        except KeyboardInterrupt:
            bar.clear()
            print(_stopped(session.guide))
            return EXIT_INTERRUPTED
        except (OSError, HardwareError) as error:
            raise CommandFailed(f"{error}; what was done is kept, and the old calibration still holds") from error
    assert session.guide
    return _told(ending, session.guide, settings.layout)


def _told(ending: Ending, guide: Guide, layout: Layout) -> int:
    """What a calibration came to, for whoever did it; and the exit code."""
    from firmware.calibrate.session import Ending
    from firmware.calibrate.words import discoveries, request

    match ending:
        case Ending.COMPLETE:
            assert guide.calibration
            for line in discoveries(guide.calibration, layout):
                print(line)
            return 0
        case Ending.STOPPED:
            print(_stopped(guide))
            return 0
        case Ending.FLAWED:
            print(f"{request(guide, layout)} The old calibration still holds.")
            return EXIT_FAULTS


def _stopped(guide: Guide | None) -> str:
    return f"Stopped after {len(guide.answers) if guide else 0} slots; linja calibrate goes on from here."


def configure_calibrate(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    parser.add_argument("--anew", action="store_true", help="from the start, even if one was stopped half-way")


def _calibration_file(arguments: argparse.Namespace, settings: Settings) -> Path:
    from firmware.drivers import calibration_file

    return calibration_file(settings, _folder(arguments))


def _folder(arguments: argparse.Namespace) -> Path:
    from firmware.settings_file import default_path

    path: Path = arguments.config or default_path()
    return path.parent


def real_board(arguments: argparse.Namespace, settings: Settings, bar: Bar) -> AttendedBoard:
    """The board on this computer, with the person at the terminal beside it."""
    from firmware.person import TerminalPerson
    from firmware.real_board import RealBoard

    person = TerminalPerson(bar) if getattr(arguments, "hands", True) else None
    return RealBoard(settings, _folder(arguments), person)


DRAW_SUMMARY = "Draw the board as the settings describe it: measures, wiring, chain, power."
DRAW = Command("draw", DRAW_SUMMARY, _draw, _configure_draw)
COMPLETION_SUMMARY = "Print what makes the Tab key complete commands and options in your shell."
DOCTOR_SUMMARY = "Look the whole board over: computer, link, sensors, lights, panel, files."
CALIBRATE_SUMMARY = "Teach the board its sensors and pawns; its own lights lead you through it."

COMMANDS = (
    DRAW,
    Command("doctor", DOCTOR_SUMMARY, lambda arguments: doctor(arguments, real_board), configure_doctor),
    Command("calibrate", CALIBRATE_SUMMARY, lambda arguments: calibrate(arguments, real_board), configure_calibrate),
)
