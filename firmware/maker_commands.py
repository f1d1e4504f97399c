"""The commands for whoever builds a board and keeps it well."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.cli import Command, CommandFailed, read_settings, takes_settings


def _draw(arguments: argparse.Namespace) -> int:
    from firmware.drawing_files import write_drawings

    try:
        written = write_drawings(read_settings(arguments.config), arguments.folder)
    except (OSError, ValueError) as error:
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


COMMANDS = (
    Command(
        "draw", "Draw the board as the settings describe it: measures, wiring, chain, power.", _draw, _configure_draw
    ),
)
