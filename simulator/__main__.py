"""The `linja` program: the board's commands and the simulator's."""

from __future__ import annotations

import sys

from firmware import archive_commands, cli, install_command
from simulator.commands import COMMANDS


def main() -> int:
    return cli.main(
        (*COMMANDS, *cli.COMMANDS, *archive_commands.COMMANDS, *install_command.COMMANDS), "simulate", sys.argv[1:]
    )


if __name__ == "__main__":
    sys.exit(main())
