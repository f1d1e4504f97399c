"""`linja tournament`: players against each other, and a table of who is better."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.cli import Command, CommandFailed, number_from

if TYPE_CHECKING:
    from simulator.tournament.games import Pairing
    from simulator.tournament.standing import Standing

EXIT_INTERRUPTED = 130
DEFAULT_GAMES = 40


def _tournament(arguments: argparse.Namespace) -> int:
    from engine import RULE_SETS, Edition
    from engine.solved import Solved
    from simulator.tournament.games import pairings
    from simulator.tournament.players import Entrant
    from simulator.tournament.standing import Standing, table

    entrants = [Entrant(name) for name in arguments.player]
    if len({*entrants}) != len(entrants) or len(entrants) < 2:
        raise CommandFailed("a tournament needs two or more players, each of them named once")
    editions = [Edition.parse(name) for name in arguments.edition] or list(RULE_SETS)
    if arguments.solved is not None:
        with Solved.open(arguments.solved) as solved:
            if editions != [solved.edition]:
                raise CommandFailed(f"{arguments.solved} is about {solved.edition}: say --edition {solved.edition}")
    standing = Standing()
    for edition in editions:
        for one, other in combinations(entrants, 2):
            standing.expect(edition, one, other)
    games = list(pairings(entrants, editions, arguments.games, arguments.seed, arguments.solved))
    finished = _play(games, standing)
    if arguments.json:
        print(json.dumps([tally.as_json() for tally in standing.tallies], indent=1))
    else:
        print("\n".join(table(standing.tallies)))
    return 0 if finished else EXIT_INTERRUPTED


def _play(games: Sequence[Pairing], standing: Standing) -> bool:
    """Plays all games; False where a person has interrupted it."""
    from firmware.progress import Bar
    from simulator.tournament.games import play_all

    with Bar() as bar:
        bar.show(0, f"of {len(games)} games")
        try:
            for played, result in enumerate(play_all(games), start=1):
                standing.add(result)
                bar.show(played / len(games), f"of {len(games)} games")
        except KeyboardInterrupt:
            bar.clear()
            print("Interrupted: the table is of the games that were finished.", file=sys.stderr)
            return False
    return True


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "player",
        nargs="+",
        metavar="PLAYER",
        help="level1 to level5; full:1s, full:20000n or depth2, full strength with a limit of seconds, nodes or whole "
        "turns; greedy, which takes the best turn by points at once; two-turns, which also looks at every answer",
    )
    parser.add_argument(
        "--edition",
        action="append",
        default=[],
        metavar="E",
        help="a rule set, such as zen or bonus+aggressive; may be given several times; all of them by default",
    )
    parser.add_argument(
        "--games", type=number_from(1), default=DEFAULT_GAMES, metavar="N", help="of each two players in each rule set"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which games they play; 0 by default")
    parser.add_argument(
        "--solved",
        type=Path,
        metavar="FILE",
        help="the solved game: also tell how many points each player gives away",
    )
    parser.add_argument("--json", action="store_true", help="print the table for a program")


COMMANDS = (
    Command(
        "tournament", "Let levels and strategies play against each other and print a table.", _tournament, _configure
    ),
)
