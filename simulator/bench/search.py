"""The search: how fast it is, how deep it gets in a second, how soon it knows something, and what it remembers in."""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from engine import DEFAULT_EDITION, RULE_SETS, Color, Edition, Phase, State
from engine.search import DEFAULT_MEMORY_BYTES, Search, Thought
from simulator.bench import figures

SECONDS = 1.0
MIDDLES = 5
"""How many positions in the middle of random games are searched."""
FIRST_THOUGHTS = 200
FILLING_NODES = 12_000_000
"""Enough for more positions than the memory has room for."""


@dataclass(frozen=True, slots=True)
class _Reached:
    thought: Thought
    nodes_a_second: float


def report() -> Iterator[str]:
    yield f"{'in a second of the processor':30} {'nodes a second':>15} {'depth at the start':>19} {'in the middle':>14}"
    for edition in RULE_SETS:
        start = _reached(State.initial(edition))
        middles = [_reached(state) for state in _middles(edition)]
        depths = sorted(each.thought.depth for each in middles)
        rate = sum(each.nodes_a_second for each in middles) / len(middles)
        yield f"{edition!s:30} {rate:15,.0f} {start.thought.depth:19} {f'{depths[0]} to {depths[-1]}':>14}"
    for edition in RULE_SETS:
        times_s = [figures.timed(_first_thought, state) for state in _any_states(edition)]
        yield figures.line(f"first usable action, {edition}", times_s, (50, 99, 100), "p100 50 ms")
    yield _memory()


def _reached(state: State) -> _Reached:
    search = Search()
    begin = time.thread_time()
    *_, last = search.deepen(state, lambda: time.thread_time() - begin >= SECONDS)
    return _Reached(last, search.nodes / (time.thread_time() - begin))


def _first_thought(state: State) -> Thought:
    return next(Search().deepen(state))


def _middles(edition: Edition) -> Iterator[State]:
    for seed in range(MIDDLES):
        starts = [state for state in _random_game(edition, seed) if state.phase is Phase.OPENING and not state.again]
        yield starts[len(starts) // 2]


def _any_states(edition: Edition) -> list[State]:
    rng = random.Random(0)
    states = [state for seed in range(10) for state in _random_game(edition, seed)]
    return rng.sample(states, min(FIRST_THOUGHTS, len(states)))


def _random_game(edition: Edition, seed: int) -> Iterator[State]:
    rng = random.Random(seed)
    state = State.initial(edition, rng.choice(list(Color)))
    while state.outcome is None:
        yield state
        state = state.apply(rng.choice(state.legal_actions()))


def _memory() -> str:
    """How much larger a process gets by a search that has filled its memory and goes on."""
    with multiprocessing.get_context("spawn").Pool(1) as processes:
        bytes_taken = processes.apply(_bytes_of_a_full_search)
    name = f"memory of a search, {DEFAULT_MEMORY_BYTES / 2**20:.0f} MiB allowed"
    return figures.plain(name, "not known on this system" if bytes_taken is None else f"{bytes_taken / 2**20:.1f} MiB")


def _bytes_of_a_full_search() -> int | None:
    try:
        import resource
    except ImportError:  # Windows
        return None

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    before = peak()
    Search().think(State.initial(DEFAULT_EDITION), nodes=FILLING_NODES)
    return peak() - before
