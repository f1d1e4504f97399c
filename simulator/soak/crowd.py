"""A crowd that means no good: clients that connect and send garbage or read nothing do not hold up a move's light."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine import EDITIONS, Action, Kind, State
from hardware.interface import Reading
from simulator.bench.figures import within
from simulator.scenario import Beginning
from simulator.soak.served_stage import ServedPerformance
from simulator.soak.trial import Finding, Show
from simulator.soak.tried_board import TriedBoard

PROMISE = "a crowd that sends garbage or reads nothing: a move's light comes within 100 ms"
TIMES = 200
"""Clients."""
MOVES = 150
"""With the crowd, and as many before it."""
CLASSIC = Beginning(EDITIONS["classic"])
"""Without a bonus, no move is asked about."""
MOST_S = 0.1
PERCENT = 95
"""So many of the moves must keep to it; the others are told."""
ROOT = Path(__file__).resolve().parent.parent.parent


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    tried, chance = TriedBoard(folder, seed, with_page=True), random.Random(seed)
    try:
        alone_s = [*_delays(tried, chance, lambda done: show(done / 2, "nobody there"))]
        with _rabble(tried.shown().address, times, seed):
            crowded_s = [*_delays(tried, chance, lambda done: show((1 + done) / 2, f"{times} clients"))]
        tried.end_service()
    finally:
        tried.close()
    figures = (
        f"{times} clients",
        f"{len(crowded_s)} moves",
        f"a placement to its light, 50 ms to settle included: {_text(crowded_s)}",
        f"without them {_text(alone_s)}",
    )
    slow = within(crowded_s, PERCENT) > MOST_S
    return Finding(figures, (*(["the light came later than 100 ms"] if slow else []), *tried.wrong, *tried.warnings))


def _text(times_s: list[float]) -> str:
    return ", ".join(f"p{percent} {1000 * within(times_s, percent):.0f} ms" for percent in (50, PERCENT, 100))


@contextmanager
def _rabble(address: str, count: int, seed: int) -> Iterator[None]:
    command = [sys.executable, "-m", "simulator.soak.rabble", address, str(count), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as rabble:
        assert rabble.stdout is not None
        try:
            rabble.stdout.readline()
            yield
        finally:
            rabble.kill()


def _delays(tried: TriedBoard, chance: random.Random, show_done: Callable[[float], None]) -> Iterator[float]:
    """How long it takes from the moment in which a pawn stands until the light for it is on its way to the pixels."""
    performance = ServedPerformance(tried, CLASSIC)
    table = tried.board.table
    for number in range(MOVES):
        show_done(number / MOVES)
        choice = [*filter(lambda action: _can_be_seen(tried, action), tried.shown().game.state.legal_actions())]
        if not choice:
            performance = ServedPerformance(tried, CLASSIC)
            choice = State.initial(CLASSIC.edition).legal_actions()
        action = chance.choice(choice)
        assert action.origin is not None
        table.lift(Reading(action.color.value), action.origin)
        performance.wait_until_seen()
        placed_at = time.monotonic()
        table.place(action.destination or 0)
        yield tried.lit_at() - placed_at
        performance.wait_until_seen()


def _can_be_seen(tried: TriedBoard, action: Action) -> bool:
    if action.kind is Kind.DECLINE or action.destination is None:
        return False
    row = tried.board.table.layout.rows[action.destination]
    return sum(slot in row for slot in tried.board.table.standing()) < len(row)
