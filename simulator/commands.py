"""The commands of the simulator."""

from __future__ import annotations

import argparse

from firmware.cli import Command


def _simulate(arguments: argparse.Namespace) -> int:
    from simulator.demonstration import demonstrate

    return demonstrate()


def _bench(arguments: argparse.Namespace) -> int:
    from simulator.bench import run

    return run(arguments.part)


def _configure_bench(parser: argparse.ArgumentParser) -> None:
    from simulator.bench import PARTS

    parser.add_argument("part", nargs="?", choices=PARTS, help="what to measure; all of them by default")


COMMANDS = (
    Command("simulate", "Show a short game on a simulated board, in this terminal.", _simulate),
    Command("bench", "Measure how fast the parts are on this machine.", _bench, _configure_bench),
)
