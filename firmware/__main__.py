"""`python -m firmware`: the commands of the board alone, without the simulator's."""

import sys

from firmware import archive_commands, install_command
from firmware.cli import COMMANDS, main

if __name__ == "__main__":
    sys.exit(main((*COMMANDS, *archive_commands.COMMANDS, *install_command.COMMANDS), "--help", sys.argv[1:]))
