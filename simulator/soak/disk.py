"""A disk that fails: each kind of write in turn. Play goes on, a warning says so, and when the disk is mended all that
was played in the meantime is kept, which a kill then proves."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine import RULE_SETS
from simulator.players import TirelessGame
from simulator.soak.served_stage import ServedPerformance
from simulator.soak.talk import FailWrites
from simulator.soak.trial import Finding, Show
from simulator.soak.tried_board import TriedBoard

PROMISE = (
    "each kind of write to the journal fails: play goes on with a warning, and all is kept once the disk is mended"
)
TIMES = 10
"""Of each kind."""
MOST_TURNS = 3
MENDED_S = 60.0
"""A journal that has not caught up after so long never will; it tries every five seconds."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A way in which a disk fails, and how it is mended."""

    name: str
    begins: Callable[[TriedBoard], None]
    ends: Callable[[TriedBoard], None]
    is_real: bool = False
    """The system itself refuses the write; else the error is put in the place of its answer."""
    begins_a_game: bool = False
    """It is about what is written when a game begins."""


def _statement(beginning: str, *, late: bool) -> Trouble:
    return Trouble(
        f"{beginning}{', after it was carried out' if late else ''}",
        lambda tried: tried.tell(FailWrites(beginning, late)),
        lambda tried: tried.tell(FailWrites("")),
        begins_a_game=beginning.endswith("games"),
    )


def _no_file_may_grow(tried: TriedBoard, beyond: Callable[[TriedBoard], int]) -> None:
    """As on a full disk: what a file has may be written again, but nothing more."""
    tried.service.limit_files(beyond(tried))


STATEMENTS = (
    "BEGIN",
    "DELETE FROM games",
    "INSERT INTO games",
    "DELETE FROM actions",
    "INSERT INTO actions",
    "COMMIT",
)


def _log_bytes(tried: TriedBoard) -> int:
    return tried.journal.with_name(f"{tried.journal.name}-wal").stat().st_size


TROUBLES = (
    *(_statement(beginning, late=late) for beginning in STATEMENTS for late in (False, True)),
    Trouble(
        "no file may be written",
        lambda tried: _no_file_may_grow(tried, lambda tried: 0),
        lambda tried: tried.service.limit_files(None),
        is_real=True,
    ),
    Trouble(
        "the log may not grow",
        lambda tried: _no_file_may_grow(tried, _log_bytes),
        lambda tried: tried.service.limit_files(None),
        is_real=True,
    ),
)


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    tried, chance = TriedBoard(folder, seed), random.Random(seed)
    rounds = [trouble for trouble in TROUBLES for _ in range(times)]
    wrong: list[str] = []
    kept = 0
    try:
        for number, trouble in enumerate(rounds):
            show(number / len(rounds), f"{trouble.name}, {tried.ledger.actions} actions")
            before = tried.ledger.actions
            flaw = _suffer(tried, trouble, chance, seed + number)
            kept += tried.ledger.actions - before
            wrong += [f"{trouble.name}: {flaw}"] if flaw else []
            wrong += [f"{trouble.name}: {sentence}" for sentence in tried.wrong]
            tried.wrong.clear()
            if wrong:
                break
    finally:
        tried.close()
    figures = (
        f"{len(TROUBLES)} kinds of failing writes, {times} times each",
        f"{sum(trouble.is_real for trouble in TROUBLES)} of them by the system itself",
        f"{kept} actions",
    )
    return Finding(figures, tuple(wrong))


def _suffer(tried: TriedBoard, trouble: Trouble, chance: random.Random, seed: int) -> str | None:
    """Some turns on a good disk, some on a failing one, and some while it is mended; then the service is killed."""
    tried.warnings.clear()
    if trouble.begins_a_game:
        trouble.begins(tried)
    begin = partial(ServedPerformance, tried, goes_on=not trouble.begins_a_game)
    game = TirelessGame(RULE_SETS[seed % len(RULE_SETS)], seed, begin=begin)
    if not trouble.begins_a_game:
        if mishap := game.play_turns(chance.randint(1, MOST_TURNS)):
            return str(mishap)
        trouble.begins(tried)
    if mishap := game.play_turns(chance.randint(1, MOST_TURNS)):
        return f"while it fails, {mishap}"
    told = list(tried.warnings)
    trouble.ends(tried)
    if game.meant.outcome is None and not any("cannot be written" in sentence for sentence in told):
        return f"nobody was warned: {told}"
    if mishap := game.play_turns(chance.randint(0, 1)):
        return f"after it, {mishap}"
    if not _is_caught_up(tried):
        return f"it was not caught up: {tried.warnings}"
    tried.service.kill()
    tried.shown()
    return None


def _is_caught_up(tried: TriedBoard) -> bool:
    """Whether the journal has all that it missed, after a while at the latest."""
    deadline = time.monotonic() + MENDED_S
    while _was_told(tried, "cannot be written") and not _was_told(tried, "nothing is missing in it"):
        tried.shown()
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _was_told(tried: TriedBoard, words: str) -> bool:
    return any(words in sentence for sentence in tried.warnings)
