"""Random play through the engine's public face, and through the naive model that the tests check it against."""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from engine import RULE_SETS, Edition, State

ROUNDS = 5
SECONDS_A_ROUND = 0.2

Player = Callable[[random.Random], int]
"""Plays one random game and returns how many actions it took."""


def report() -> Iterator[str]:
    naive_game = _naive_model()
    yield f"{'actions a second, random play':30} {'engine':>9} {'naive':>9} {'ratio':>6}"
    for edition in RULE_SETS:
        engine, naive = _rates(_engine_player(edition), _naive_player(naive_game, edition) if naive_game else None)
        if naive is None:
            yield f"{edition!s:30} {engine:9,.0f} {'-':>9}"
        else:
            yield f"{edition!s:30} {engine:9,.0f} {naive:9,.0f} {engine / naive:6.1f}"
    if naive_game is None:
        yield "The naive model stands in the tests: start this from a checkout to compare."


def _naive_model() -> Any:
    # The tests are not installed with the program.
    try:
        return importlib.import_module("tests.naive").NaiveGame
    except ImportError:
        return None


def _engine_player(edition: Edition) -> Player:
    def play(rng: random.Random) -> int:
        state = State.initial(edition)
        actions = 0
        while state.outcome is None:
            state = state.apply(rng.choice(state.legal_actions()))
            actions += 1
        return actions

    return play


def _naive_player(naive_game: Any, edition: Edition) -> Player:
    def play(rng: random.Random) -> int:
        game = naive_game(edition.name, edition.aggressive)
        actions = 0
        while game.result() is None:
            game = game.after(rng.choice(list(game.moves())))
            actions += 1
        return actions

    return play


def _rates(engine: Player, naive: Player | None) -> tuple[float, float | None]:
    """The best round of each: the others were disturbed by something else on the machine."""
    best_engine, best_naive = 0.0, None
    for seed in range(ROUNDS):
        best_engine = max(best_engine, _rate(engine, seed))
        if naive is not None:
            best_naive = max(best_naive or 0.0, _rate(naive, seed))
    return best_engine, best_naive


def _rate(play: Player, seed: int) -> float:
    rng = random.Random(seed)
    actions = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS_A_ROUND:
        actions += play(rng)
    return actions / elapsed
