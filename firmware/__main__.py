"""`python -m firmware`: the commands of the board alone, without the simulator's."""

import sys

from firmware import cli, maker_commands

if __name__ == "__main__":
    sys.exit(cli.main((*cli.COMMANDS, *maker_commands.COMMANDS), "--help", sys.argv[1:]))
