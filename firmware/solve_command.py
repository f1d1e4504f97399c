"""`linja solve`: work the whole game out on a desktop, or hold a file that has it against the rules."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from engine import PAWNS, ROWS, BadPosition, Color, Edition, Phase, Position, State
from firmware.cli import Command, CommandFailed, number_from

if TYPE_CHECKING:
    from engine.solved import Solved

EXIT_WRONG = 1
EXIT_INTERRUPTED = 130
MEMORY_GB = 3


def _solve(arguments: argparse.Namespace) -> int:
    edition = Edition.parse(arguments.edition)
    path: Path = arguments.file or Path(f"{edition}.solved")
    if arguments.check is not None:
        return _check(edition, path, arguments.check, arguments.seed)
    if path.exists():
        raise CommandFailed(f"{path} is there already; linja solve {edition} --check 1000 looks whether it is right")
    try:
        from engine.solve import solve
    except ImportError as error:
        raise CommandFailed(f"this needs numpy and numba, which come with the extra solve ({error})") from error
    from firmware.progress import Bar

    began, worked = time.monotonic(), time.process_time()
    try:
        with Bar() as bar:
            solve(edition, path, arguments.threads, bar.show)
    except KeyboardInterrupt:
        print("Stopped; the same command goes on from here.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (OSError, MemoryError) as error:
        raise CommandFailed(f"{error or 'there is not enough memory'}; the same command goes on from here") from error
    took, work = time.monotonic() - began, time.process_time() - worked
    print(f"{path}: {path.stat().st_size / 1e6:.0f} MB, {took:.0f} s, {work:.0f} s of work")
    return _tell_set_up(path)


def _tell_set_up(path: Path) -> int:
    from engine.solved import Solved

    with Solved.open(path) as solved:
        margin = solved.margin(State.initial(solved.edition))
    result = f"wins by {margin}" if margin > 0 else f"loses by {-margin}" if margin else "draws"
    print(f"{solved.edition}: who begins {result}, if both play their best")
    return 0


def _check(edition: Edition, path: Path, positions: int, seed: int) -> int:
    """Whether margins are what the best turn leads to, by the rules of the engine."""
    from engine.solved import Solved

    with Solved.open(path) as solved:
        if solved.edition != edition:
            raise CommandFailed(f"{path} is about {solved.edition}, not {edition}")
        rng = random.Random(seed)
        for number in range(positions):
            state = _drawn(edition, rng) if number % 2 else _played(edition, rng)
            if not _agrees(solved, state):
                return EXIT_WRONG
        solved.verify()
    print(f"{path} is whole, and {positions} positions are worth what their best turn leads to (seed {seed})")
    return _tell_set_up(path)


def _agrees(solved: Solved, state: State) -> bool:
    best, margin = solved.judge(state).best, solved.margin(state)
    if best.margin == margin:
        return True
    turn = " ".join(action.short(state.to_move) for action in best.line)
    print(f"{state} is said to be worth {margin}, but {turn} is worth {best.margin}")
    return False


def _drawn(edition: Edition, rng: random.Random) -> State:
    """The start of a turn with pawns anywhere, in a game that is not over."""
    while True:
        rows = [rng.choices(range(ROWS), [rng.random() for _ in range(ROWS)], k=PAWNS) for _ in Color]
        try:
            position = Position(*(tuple(row.count(each) for each in range(ROWS)) for row in rows))
        except BadPosition:
            continue
        state = State.at(edition, position, rng.choice(list(Color)))
        if state.outcome is None:
            return state


def _played(edition: Edition, rng: random.Random) -> State:
    """The start of a turn in a game played at random from the set-up."""
    starts: list[State] = []
    state = State.initial(edition, rng.choice(list(Color)))
    while state.outcome is None:
        if state.phase is Phase.OPENING and not state.again:
            starts.append(state)
        state = state.apply(rng.choice(state.legal_actions()))
    start = rng.choice(starts)
    return State.at(edition, start.position, start.to_move)  # as if no position had come before


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="the rule set, such as zen or bonus+aggressive")
    parser.add_argument("--file", metavar="FILE", type=Path, help="where the solved game is; EDITION.solved by default")
    parser.add_argument(
        "--threads", type=number_from(1), default=os.cpu_count() or 1, metavar="N", help="all by default"
    )
    parser.add_argument(
        "--check", type=number_from(1), metavar="N", help="instead, hold a file against the rules, N positions"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which positions are checked; 0 by default")


SUMMARY = f"Solve the game: the exact result of every position. Takes minutes and {MEMORY_GB} GB of memory."
COMMANDS = (Command("solve", SUMMARY, _solve, _configure),)
