"""The `linja` program: the board's commands and the simulator's."""

from __future__ import annotations

import sys

from firmware import archive_commands, cli, install_command
from simulator import commands, maker_commands

PROGRAM = (
    *commands.COMMANDS,
    *cli.COMMANDS,
    *archive_commands.COMMANDS,
    *maker_commands.COMMANDS,
    *install_command.COMMANDS,
)


def main() -> int:
    return cli.main(PROGRAM, "simulate", sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
