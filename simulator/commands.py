"""The commands of the simulator."""

from __future__ import annotations

import argparse

from firmware.cli import Command, read_settings, takes_settings


def _simulate(arguments: argparse.Namespace) -> int:
    if arguments.headless:
        from simulator.live import run

        run(read_settings(arguments.config))
        return 0
    from simulator.demonstration import demonstrate

    return demonstrate()


def _configure_simulate(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    parser.add_argument("--headless", action="store_true", help="run the board in real time, and print what happens")


def _bench(arguments: argparse.Namespace) -> int:
    from simulator.bench import run

    return run(arguments.part)


def _configure_bench(parser: argparse.ArgumentParser) -> None:
    from simulator.bench import PARTS

    parser.add_argument("part", nargs="?", choices=PARTS, help="what to measure; all of them by default")


COMMANDS = (
    Command("simulate", "Show a short game, or run a simulated board.", _simulate, _configure_simulate),
    Command("bench", "Measure how fast the parts are on this machine.", _bench, _configure_bench),
)
