"""`python -m firmware`: the commands of the board alone, without the simulator's."""

import sys

from firmware import analyse_command, archive_commands, cli, install_command, maker_commands

COMMANDS = (
    *cli.COMMANDS,
    *archive_commands.COMMANDS,
    *analyse_command.COMMANDS,
    *maker_commands.COMMANDS,
    *install_command.COMMANDS,
)

if __name__ == "__main__":
    sys.exit(cli.main(COMMANDS, "--help", sys.argv[1:]))
