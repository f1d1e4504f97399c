"""The commands of the simulator."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.cli import Command, CommandFailed, read_settings, takes_settings

EXIT_FAILED = 1


def _simulate(arguments: argparse.Namespace) -> int:
    if arguments.script:
        return _perform_scripts(arguments.script)
    from simulator.live import play_on_screen, run_headless

    settings = read_settings(arguments.config)
    if arguments.headless:
        run_headless(settings)
    else:
        play_on_screen(settings, browser=not arguments.no_browser)
    return 0


def _perform_scripts(paths: list[str]) -> int:
    from simulator.scenario import Scenario
    from simulator.stage import perform
    from simulator.words import ScenarioError

    try:
        scenarios = [Scenario.read(Path(path)) for path in paths]
    except ScenarioError as error:
        raise CommandFailed(str(error)) from None
    code = 0
    for scenario in scenarios:
        failure = perform(scenario)
        print(f"{scenario.name}: ok" if failure is None else f"{scenario.name}, {failure}")
        if failure is not None:
            code = EXIT_FAILED
    return code


def _configure_simulate(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    one_of = parser.add_mutually_exclusive_group()
    one_of.add_argument("--no-browser", action="store_true", help="print the page's address and open no browser")
    one_of.add_argument("--headless", action="store_true", help="run the board without a page, and print what happens")
    one_of.add_argument(
        "--script", nargs="+", metavar="FILE", help="perform scenarios in virtual time; exit code 0: all hold"
    )


def _bench(arguments: argparse.Namespace) -> int:
    from simulator.bench import run

    return run(arguments.part)


def _configure_bench(parser: argparse.ArgumentParser) -> None:
    from simulator.bench import PARTS

    parser.add_argument("part", nargs="?", choices=PARTS, help="what to measure; all of them by default")


COMMANDS = (
    Command(
        "simulate",
        "Play on a simulated board, on a page in the browser; or run it without one; or perform scenarios on it.",
        _simulate,
        _configure_simulate,
    ),
    Command("bench", "Measure how fast the parts are on this machine.", _bench, _configure_bench),
)
