"""The games of a tournament: every player against every other, with sides and starters exchanged, on all cores."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Protocol

from engine import Color, Edition, Ending, State
from engine.solved import Solved
from simulator.tournament.players import Entrant, Player


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played."""

    edition: Edition
    red: Entrant
    black: Entrant
    first: Color
    seed: int
    solved: Path | None = None
    """The solved game by which every turn is measured."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played."""

    pairing: Pairing
    winner: Color | None
    margin: int
    """Red's points less black's."""
    turns: int
    losses: tuple[tuple[Color, int], ...] = ()
    """Of every turn: who played it, and how many points it gave away under perfect play after it."""


class Exact(Protocol):
    """Knows the margin under perfect play at the start of every turn."""

    def margin(self, state: State) -> int: ...


def pairings(
    entrants: Sequence[Entrant], editions: Sequence[Edition], games: int, seed: int, solved: Path | None = None
) -> Iterator[Pairing]:
    """`games` for each two players in each edition; every four of them are all sides with all starters."""
    for edition in editions:
        for one, other in combinations(entrants, 2):
            for game in range(games):
                red, black = (one, other) if game % 2 == 0 else (other, one)
                first = Color.RED if game // 2 % 2 == 0 else Color.BLACK
                yield Pairing(edition, red, black, first, seed + game, solved)


def play(pairing: Pairing) -> Result:
    players: dict[Color, Player] = {
        Color.RED: pairing.red.player(2 * pairing.seed),
        Color.BLACK: pairing.black.player(2 * pairing.seed + 1),
    }
    exact = None if pairing.solved is None else _opened(pairing.solved)
    state, turns, losses = State.initial(pairing.edition, pairing.first), 0, []
    while state.outcome is None:
        before = state
        for action in players[state.to_move].turn(state):
            state = state.apply(action)
        turns += 1
        if exact is not None:
            losses.append((before.to_move, loss(before, state, exact)))
    points = state.outcome.points
    return Result(pairing, state.outcome.winner, points.red - points.black, turns, tuple(losses))


def loss(before: State, after: State, exact: Exact) -> int:
    """How many points a turn gave away."""
    player = before.to_move
    if after.outcome is not None:
        points = after.outcome.points
        is_draw = after.outcome.reason is Ending.REPETITION
        return exact.margin(before) - (0 if is_draw else points.of(player) - points.of(player.opponent))
    return exact.margin(before) - exact.margin(after) * (1 if after.to_move is player else -1)


@lru_cache(maxsize=1)
def _opened(path: Path) -> Solved:
    """The file, opened once in each process."""
    return Solved.open(path)


def play_all(games: Sequence[Pairing]) -> Iterator[Result]:
    """The results as they come in. Who stops asking for them ends the games that are still going on."""
    with multiprocessing.Pool(initializer=_leave_interrupts_to_the_parent) as processes:
        yield from processes.imap_unordered(play, games)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
