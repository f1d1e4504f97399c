"""The commands of the simulator."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.cli import Command, CommandFailed, number_from, read_game_settings, takes_an_opponent, takes_settings

EXIT_FAILED = 1


def _simulate(arguments: argparse.Namespace) -> int:
    _refuse_what_only_hands_have(arguments)
    if arguments.script:
        return _perform_scripts(arguments.script)
    if arguments.replay:
        return _replay(Path(arguments.replay))
    if arguments.hands is not None:
        return _play_by_hands(arguments)
    from simulator.live import play_on_screen, run_headless

    settings, computer = read_game_settings(arguments)
    if arguments.headless:
        run_headless(settings, computer)
    else:
        play_on_screen(settings, computer, browser=not arguments.no_browser)
    return 0


def _refuse_what_only_hands_have(arguments: argparse.Namespace) -> None:
    for option in ("seed", "edition", "digital", "noise"):
        if arguments.hands is None and getattr(arguments, option) not in (None, False):
            raise CommandFailed(
                f"--{option} is for --hands; what you play yourself is chosen on the page or in the settings"
            )


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


def _replay(path: Path) -> int:
    from firmware.blackbox import BlackBoxError, replay

    inputs = events = 0
    try:
        for step in replay(path):
            inputs, events = inputs + 1, events + len(step.recorded)
            if step.differs:
                print(f"{path}, input {inputs}, at {step.now:.3f} s: {type(step.what).__name__}")
                print(f"    recorded: {', '.join(step.recorded) or 'nothing'}")
                print(f"    replayed: {', '.join(step.replayed) or 'nothing'}")
                return EXIT_FAILED
    except BlackBoxError as error:
        raise CommandFailed(str(error)) from None
    print(f"{path}: {inputs} inputs led to the same {events} events")
    return 0


def _play_by_hands(arguments: argparse.Namespace) -> int:
    from engine import RULE_SETS, Edition
    from hardware.calibration import TYPICAL_NOISE_LEVELS
    from simulator.players import play_games

    noise_levels = TYPICAL_NOISE_LEVELS if arguments.noise is None else float(arguments.noise)
    for edition in RULE_SETS if arguments.edition is None else (Edition.parse(arguments.edition),):
        mishap = play_games(edition, arguments.hands, arguments.seed or 0, noise_levels, digital=arguments.digital)
        if mishap is not None:
            print(f"{mishap.script}# there was: {mishap.there}")
            return EXIT_FAILED
        print(f"{edition}: {arguments.hands} games, all as they were meant", flush=True)
    return 0


def _configure_simulate(parser: argparse.ArgumentParser) -> None:
    takes_settings(parser)
    takes_an_opponent(parser)
    one_of = parser.add_mutually_exclusive_group()
    one_of.add_argument("--no-browser", action="store_true", help="print the page's address and open no browser")
    one_of.add_argument("--headless", action="store_true", help="run the board without a page, and print what happens")
    one_of.add_argument(
        "--script", nargs="+", metavar="FILE", help="perform scenarios in virtual time; exit code 0: all hold"
    )
    one_of.add_argument(
        "--replay", metavar="FILE", help="play a recording of a black box again; exit code 0: the same happened"
    )
    one_of.add_argument(
        "--hands",
        type=number_from(1),
        metavar="N",
        help="let clumsy hands play N games of each rule set; one that is misunderstood is printed as a scenario",
    )
    hands = parser.add_argument_group("with --hands")
    hands.add_argument("--seed", type=number_from(0), metavar="S", help="which games they play; 0 by default")
    hands.add_argument("--edition", metavar="E", help="only this rule set, such as zen or bonus+aggressive")
    hands.add_argument("--digital", action="store_true", help="on a board that feels no colours; hands err less there")
    hands.add_argument(
        "--noise", type=number_from(0), metavar="LEVELS", help="how much the levels of the sensors tremble"
    )


def _bench(arguments: argparse.Namespace) -> int:
    from simulator.bench import run

    return run(arguments.part)


def _configure_bench(parser: argparse.ArgumentParser) -> None:
    from simulator.bench import PARTS

    parser.add_argument("part", nargs="?", choices=PARTS, help="what to measure; all of them by default")


def _soak(arguments: argparse.Namespace) -> int:
    from simulator.soak import run

    return run(arguments.trial, arguments.times, arguments.seed)


class _NoneOrAnyOf(tuple[str, ...]):
    """Choices of which none need be made: argparse looks for the empty list among them, too."""

    __slots__ = ()

    def __contains__(self, choice: object) -> bool:
        return choice == [] or super().__contains__(choice)


def _configure_soak(parser: argparse.ArgumentParser) -> None:
    from simulator.soak import TRIALS

    parser.add_argument("trial", nargs="*", choices=_NoneOrAnyOf(TRIALS), help="what to try; all of them by default")
    parser.add_argument(
        "--times", type=number_from(1), metavar="N", help="how often; by default as often as it is promised"
    )
    parser.add_argument("--seed", type=number_from(0), metavar="S", help="by which chance is made; by default any")


COMMANDS = (
    Command(
        "simulate",
        "Play on a simulated board, on a page in the browser; or run it without one; or perform scenarios on it.",
        _simulate,
        _configure_simulate,
    ),
    Command("bench", "Measure how fast the parts are on this machine.", _bench, _configure_bench),
    Command("soak", "Try for a long time what must never fail: kills, cables, disks, garbage.", _soak, _configure_soak),
)
