"""The games of a tournament: every player against every other, with sides and starters exchanged, on all cores."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine import Color, Edition, State
from simulator.tournament.players import Entrant, Player


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played."""

    edition: Edition
    red: Entrant
    black: Entrant
    first: Color
    seed: int


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played."""

    pairing: Pairing
    winner: Color | None
    margin: int
    """Red's points less black's."""
    turns: int


def pairings(entrants: Sequence[Entrant], editions: Sequence[Edition], games: int, seed: int) -> Iterator[Pairing]:
    """`games` for each two players in each edition; every four of them are all sides with all starters."""
    for edition in editions:
        for one, other in combinations(entrants, 2):
            for game in range(games):
                red, black = (one, other) if game % 2 == 0 else (other, one)
                first = Color.RED if game // 2 % 2 == 0 else Color.BLACK
                yield Pairing(edition, red, black, first, seed + game)


def play(pairing: Pairing) -> Result:
    players: dict[Color, Player] = {
        Color.RED: pairing.red.player(2 * pairing.seed),
        Color.BLACK: pairing.black.player(2 * pairing.seed + 1),
    }
    state, turns = State.initial(pairing.edition, pairing.first), 0
    while state.outcome is None:
        for action in players[state.to_move].turn(state):
            state = state.apply(action)
        turns += 1
    points = state.outcome.points
    return Result(pairing, state.outcome.winner, points.red - points.black, turns)


def play_all(games: Sequence[Pairing]) -> Iterator[Result]:
    """The results as they come in. Who stops asking for them ends the games that are still going on."""
    with multiprocessing.Pool(initializer=_leave_interrupts_to_the_parent) as processes:
        yield from processes.imap_unordered(play, games)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
