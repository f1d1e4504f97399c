"""The `linja` program: the board's commands and the simulator's."""

from __future__ import annotations

import sys

from firmware import analyse_command, archive_commands, cli, install_command, solve_command
from firmware.maker_commands import completion_for
from simulator import commands, maker_commands
from simulator.tournament import command as tournament

DEFAULT = "simulate"
_ORDER = (
    *("simulate", "play", "games", "show", "score", "analyse", "export", "import"),
    *("config", "draw", "doctor", "calibrate", "install", "blackbox"),
    *("tournament", "solve", "bench", "soak"),
)
"""As `linja --help` lists them: for players, for whoever builds a board, for the curious."""
_COMMANDS = sorted(
    (
        *commands.COMMANDS,
        *tournament.COMMANDS,
        *cli.COMMANDS,
        *archive_commands.COMMANDS,
        *analyse_command.COMMANDS,
        *maker_commands.COMMANDS,
        *install_command.COMMANDS,
        *solve_command.COMMANDS,
    ),
    key=lambda command: _ORDER.index(command.name),
)
PROGRAM = (*_COMMANDS, completion_for(_COMMANDS, DEFAULT))


def main() -> int:
    return cli.main(PROGRAM, DEFAULT, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
