"""The `linja` command: what a command is, and those that need no board."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine import Color, Game, LinjaError
from engine.drawing import describe, draw_board, draw_count

if TYPE_CHECKING:
    from firmware.advice import Computer
    from firmware.config import Settings

EXIT_BAD_INPUT = 2
MOST_DIGITS = 4000
"""Of what Python takes for a number; what has more is the name of a file, if anything."""


class CommandFailed(Exception):
    """A command cannot go on; the message is all that a person is told."""


@dataclass(frozen=True, slots=True)
class Command:
    """One word after `linja`."""

    name: str
    summary: str
    run: Callable[[argparse.Namespace], int]
    configure: Callable[[argparse.ArgumentParser], None] = lambda parser: None


def main(commands: Sequence[Command], default: str, arguments: Sequence[str]) -> int:
    """Runs the command that the arguments name, or `default`, and returns its exit code."""
    named = arguments and (not arguments[0].startswith("-") or arguments[0] in ("-h", "--help"))
    parser = build_parser(commands, default)
    chosen, unknown = parser.parse_known_args(arguments if named else [default, *arguments])
    if unknown:
        chosen.complain(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        code: int = chosen.run(chosen)
        sys.stdout.flush()
        return code
    except (CommandFailed, LinjaError) as error:
        print(f"linja {chosen.command}: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader, `head` for example, has seen enough. Without this, the interpreter would complain at its exit.
        sys.stdout = None
        return 0


def build_parser(commands: Sequence[Command], default: str) -> argparse.ArgumentParser:
    """The parser of the whole program."""
    parser = argparse.ArgumentParser(
        prog="linja",
        description="The Linja board: play on a real board with live rule checking, or on a simulated one.",
        epilog=f"Without a command: linja {default}, with its options. More on one: linja COMMAND --help.",
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in commands:
        subparser = subparsers.add_parser(command.name, help=command.summary, description=command.summary)
        subparser.register("type", int, _whole_number)
        command.configure(subparser)
        subparser.set_defaults(run=command.run, complain=subparser.error)
    return parser


def _whole_number(text: str) -> int:
    """As `int`, but its complaint is for people."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {text!r}") from None


def number_from(least: int) -> Callable[[str], int]:
    """What an argument must be: a whole number, and no less."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a number of {least} or more is needed, not {text!r}")
        return int(text)

    return number


def read_game(path: str, journal: Path | None = None) -> Game:
    """The game of a record in a file, on standard input for `-`, or in the journal for a number."""
    if path.isdecimal() and len(path) <= MOST_DIGITS:
        from firmware.archive_commands import kept_game

        return kept_game(int(path), journal).game
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CommandFailed(f"{path} is not a record: it is not text") from error
    try:
        return Game.parse(text)
    except LinjaError as error:
        raise CommandFailed(f"{path}: {error}") from error


def read_settings(path: Path | None) -> Settings:
    """The settings in a file, or those of this machine."""
    from firmware import settings_file
    from firmware.config import SettingsError

    try:
        return settings_file.read(path)
    except SettingsError as error:
        raise CommandFailed(str(error)) from error


def read_game_settings(arguments: argparse.Namespace) -> tuple[Settings, Computer | None]:
    """The settings with the opponent that the arguments name, and that opponent; None where they name none."""
    from msgspec.structs import replace

    from firmware.advice import Computer

    settings = read_settings(arguments.config)
    if arguments.computer is None and arguments.level is None:
        return settings, None
    color = arguments.computer or settings.game.computer
    if color == "none":
        raise CommandFailed("--level says how well the computer plays, and nothing says that it does: add --computer")
    computer = Computer(Color.parse(color), settings.game.level if arguments.level is None else arguments.level)
    return replace(settings, game=settings.game.against(computer)), computer


def takes_an_opponent(parser: argparse.ArgumentParser) -> None:
    """`--computer COLOUR --level N`, for commands that play."""
    parser.add_argument("--computer", choices=["red", "black"], help="the colour that the computer plays")
    parser.add_argument("--level", type=int, metavar="N", help="how well: 1, a child, to 5, as well as it can")


def takes_settings(parser: argparse._ActionsContainer) -> None:
    """`--config FILE`, for commands that read the settings."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="the settings; else ~/.config/linja/linja.toml")


def _takes_a_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record",
        metavar="RECORD",
        help="a file with the record of a game, - for standard input, or the number of a game in the journal",
    )
    takes_a_journal(parser)


def takes_a_journal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--journal", metavar="FILE", type=Path, help="another journal than that of this computer")


def _show(arguments: argparse.Namespace) -> int:
    game = read_game(arguments.record, arguments.journal)
    print(game)
    print(draw_board(game.state.position))
    print()
    print(describe(game.state))
    return 0


def _score(arguments: argparse.Namespace) -> int:
    state = read_game(arguments.record, arguments.journal).state
    print(f"edition {state.edition}")
    print(draw_count(state.position, state.edition))
    print(describe(state))
    if state.outcome is None:
        rows = state.position.rows_to_pass
        print(f"The points are as they stand; the colours have {rows} {'row' if rows == 1 else 'rows'} to go.")
    return 0


def _play(arguments: argparse.Namespace) -> int:
    from firmware.driver_threads import DriverFailed
    from firmware.play import play
    from firmware.settings_file import default_path
    from firmware.web.server import AddressTaken
    from hardware.errors import HardwareError

    try:
        settings, computer = read_game_settings(arguments)
        play(settings, (arguments.config or default_path()).parent, computer)
    except AddressTaken as error:
        raise CommandFailed(str(error.strerror)) from error
    except (HardwareError, DriverFailed) as error:
        raise CommandFailed(str(error)) from error
    return 0


def _configure_play(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    takes_an_opponent(parser)


def _config(arguments: argparse.Namespace) -> int:
    from firmware import settings_file

    if arguments.check:
        read_settings(arguments.check)
        print(f"{arguments.check} can be used.")
    else:
        print(settings_file.text(read_settings(arguments.config)), end="")
    return 0


def _configure_config(parser: argparse.ArgumentParser) -> None:
    one_of = parser.add_mutually_exclusive_group()
    takes_settings(one_of)
    one_of.add_argument("--check", metavar="FILE", type=Path, help="only say whether these settings can be used")


COMMANDS = (
    Command("play", "Play on the real board, until interrupted.", _play, _configure_play),
    Command("show", "Print the turns of a recorded game and the board after them.", _show, _takes_a_record),
    Command("score", "Print the count of a recorded game, row by row.", _score, _takes_a_record),
    Command("config", "Print all settings as they are in effect.", _config, _configure_config),
)
