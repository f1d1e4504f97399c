"""The command `linja install`: shows what will be done, asks, does it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware.cli import Command, CommandFailed, read_settings, takes_settings

if TYPE_CHECKING:
    from firmware.install_steps import Machine


def _install(arguments: argparse.Namespace) -> int:
    from firmware.install_steps import CannotInstall, Machine

    try:
        return run(arguments, Machine())
    except (CannotInstall, OSError) as error:
        raise CommandFailed(str(error)) from error


def run(arguments: argparse.Namespace, machine: Machine) -> int:
    """Install on this machine, or take the installation away."""
    return _take_away(arguments, machine) if arguments.uninstall else _put_there(arguments, machine)


def _put_there(arguments: argparse.Namespace, machine: Machine) -> int:
    from firmware import unit
    from firmware.install import Installation, Source
    from firmware.settings_file import default_path

    installed = machine.at(unit.SETTINGS)
    if arguments.config and installed.exists():
        raise CommandFailed(f"{unit.SETTINGS} is there already, and that is what counts: change it, and install again")
    path = installed if installed.exists() else arguments.config
    source = Source.here(read_settings(path), (path or default_path()).parent)
    installation = Installation(machine, source)
    if not installation.to_do:
        print("Everything is in place.")
    elif _agreed(arguments, installation.to_do, machine):
        installation.make()
        print("Done. What the board says: journalctl -u linja -f")
    return 0


def _take_away(arguments: argparse.Namespace, machine: Machine) -> int:
    from firmware.uninstall import kept, removals

    stays, going = kept(machine), removals(machine)
    if not going:
        print("Nothing is installed.")
    elif _agreed(arguments, [removal.what for removal in going], machine):
        for removal in going:
            removal.do()
        print("Done.")
    for path in stays:
        print(f"{path} stays: it is yours.")
    return 0


def _agreed(arguments: argparse.Namespace, to_do: Sequence[str], machine: Machine) -> bool:
    print("\n".join(["This will:", *(f"- {what}" for what in to_do)]))
    if arguments.dry_run:
        return False
    if machine.is_running and os.geteuid() != 0:
        raise CommandFailed("only root may do this: put sudo before the command")
    if arguments.yes:
        return True
    try:
        return input("Go ahead? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        raise CommandFailed("nobody answered: with --yes nobody is asked") from None


def _configure(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    parser.add_argument("--uninstall", action="store_true", help="take everything away that was installed")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
    parser.add_argument("--yes", action="store_true", help="do not ask")


COMMANDS = (Command("install", "Install the board as a service on this Raspberry Pi.", _install, _configure),)
