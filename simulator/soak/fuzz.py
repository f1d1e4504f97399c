"""Garbage of every kind that can reach the board: no crash, no hang, a clear answer, and the game is unharmed."""

from __future__ import annotations

import _thread
import importlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol, cast

from simulator.soak.garbage import Garbage
from simulator.soak.trial import Finding, Show

PROMISE = "garbage of every kind: no crash, no hang, a clear answer, and the game is unharmed"
TIMES = 100_000
"""Pieces of garbage of each kind."""
KINDS = ("serial", "websocket", "http", "settings", "records", "calibration", "journal")
"""The modules `fuzz_...` here."""
HANGS_S = 10.0
LONGEST_ANSWER = 1000
MOST_WRONG = 10


class Unclear(Exception):
    """What came of a piece of garbage is not as promised."""


Victim = Callable[[bytes], str | None]
"""Takes a piece of garbage and gives the answer to it; None: it could be used. Raises `Unclear` when harm was done."""


class Kind(Protocol):
    """A module of one kind of garbage has these."""

    def victim(self, folder: Path) -> AbstractContextManager[Victim]: ...

    def valid(self) -> list[bytes]:
        """What the garbage is made of."""
        ...


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    figures, wrong = list[str](), list[str]()
    for number, name in enumerate(KINDS):
        kind = cast(Kind, importlib.import_module(f"simulator.soak.fuzz_{name}"))
        (folder / name).mkdir()

        def show_share(share: float, words: str, number: int = number, name: str = name) -> None:
            show((number + share) / len(KINDS), f"{name}, {words}")

        found = try_garbage(kind, times, random.Random(f"{seed} {name}"), folder / name, show_share)
        figures.append(f"{name} {found.figures[0]}")
        wrong += [f"{name}: {sentence}" for sentence in found.wrong]
    return Finding(tuple(figures), tuple(wrong))


def try_garbage(kind: Kind, times: int, chance: random.Random, folder: Path, show: Show) -> Finding:
    """Gives so many pieces of garbage to one part of the board."""
    garbage, wrong = Garbage(chance, kind.valid()), list[str]()
    refused, slowest_s = 0, 0.0
    with kind.victim(folder) as victim, _hourglass() as turned:
        for number in range(times):
            piece = garbage.piece()
            began = turned()
            try:
                answer = victim(piece)
                refused += answer is not None
                flaw = None if answer is None else _flaw(answer)
            except KeyboardInterrupt:
                if time.monotonic() - began < HANGS_S:
                    raise
                flaw = "it hangs"
            except Exception as error:
                flaw = f"{type(error).__name__}: {error}"
            slowest_s = max(slowest_s, time.monotonic() - began)
            wrong += [f"{flaw}: {_shown(piece)}"] if flaw else []
            if len(wrong) >= MOST_WRONG:
                break
            if number % 100 == 0:
                show(number / times, f"{number} pieces")
    return Finding((f"{times} ({refused} refused, slowest {1000 * slowest_s:.0f} ms)",), tuple(wrong))


def _flaw(answer: str) -> str | None:
    """An answer is for a person: it says something, and no more than one can read."""
    if not answer.strip():
        return "the answer is empty"
    return f"the answer has {len(answer)} characters" if len(answer) > LONGEST_ANSWER else None


def _shown(piece: bytes) -> str:
    return f"{piece[:300]!r}{f' and {len(piece) - 300} more bytes' if len(piece) > 300 else ''}"


@contextmanager
def _hourglass() -> Iterator[Callable[[], float]]:
    """Turned at each piece of garbage; the main thread is interrupted when it runs out."""
    turned_at, over = time.monotonic(), threading.Event()

    def turn() -> float:
        nonlocal turned_at
        turned_at = time.monotonic()
        return turned_at

    def watch() -> None:
        while not over.wait(1.0):
            if time.monotonic() - turned_at > HANGS_S:
                _thread.interrupt_main()
                turn()

    watching = threading.Thread(target=watch, name="hourglass")
    watching.start()
    try:
        yield turn
    finally:
        over.set()
        watching.join()
