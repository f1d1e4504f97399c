"""A day of play in virtual time: the service takes no more of the machine at its end than after the first hour."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from firmware.blackbox import BlackBoxError, export, replay
from firmware.blackbox.ring import LEAST_BYTES
from simulator.soak.long_day import BLACK_BOX, Taken
from simulator.soak.trial import Finding, Show

PROMISE = "a day of play: memory flat, nothing more in use than at the start, ring and journal within their bounds"
TIMES = 24
"""Hours."""
HOUR_S = 3600.0
MOST_GROWTH = 0.05
"""Of the memory, after the first hour, in which everything is used for the first time."""
LOG_BYTES = 1_500_000
GAME_BYTES = 4_000
ROOT = Path(__file__).resolve().parent.parent.parent


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    taken = []
    for hour in _hours(times, seed, folder):
        taken.append(hour)
        show(min(1.0, hour.hour / times), f"hour {hour.hour}, {hour.games} games, {hour.memory_bytes / 1e6:.1f} MB")
    if not taken or (taken[-1].hour < times and not taken[-1].wrong):
        return Finding((), ("the service ended by itself",))
    inputs, differences = _replayed(folder)
    last, warm = taken[-1], taken[min(1, len(taken) - 1)]
    figures = (
        f"{last.hour} hours of {HOUR_S:g} s",
        f"{last.actions} actions in {last.games} games",
        f"memory {warm.memory_bytes / 1e6:.1f} MB after an hour, {last.memory_bytes / 1e6:.1f} MB at the end",
        f"at most {100 * _growth(taken):+.1f} %",
        f"{last.descriptors} descriptors, {last.threads} threads, {last.tasks} tasks",
        f"ring {max(hour.ring_bytes for hour in taken)} bytes at most",
        f"journal {last.journal_bytes} bytes",
        f"{inputs} inputs of the ring replayed",
    )
    return Finding(figures, (*_wrong(taken), *differences))


def _hours(hours: int, seed: int, folder: Path) -> Iterator[Taken]:
    command = [sys.executable, "-m", "simulator.soak.long_day", str(folder), str(hours), str(HOUR_S), str(seed)]
    place = os.environ | {"STATE_DIRECTORY": str(folder)}
    with subprocess.Popen(command, cwd=ROOT, env=place, stdout=subprocess.PIPE) as day:
        assert day.stdout is not None
        try:
            for line in day.stdout:
                yield msgspec.json.decode(line, type=Taken)
        finally:
            day.kill()


def _growth(taken: list[Taken]) -> float:
    """How much more memory was ever in use after the first hour than at its end."""
    after = [hour.memory_bytes for hour in taken[1:]] or [taken[0].memory_bytes]
    return max(after) / after[0] - 1


def _wrong(taken: list[Taken]) -> Iterator[str]:
    start, last = taken[0], taken[-1]
    yield from last.warnings
    if last.wrong:
        yield last.wrong
    if _growth(taken) > MOST_GROWTH:
        yield f"the memory grew by {100 * _growth(taken):.1f} %"
    for what in ("descriptors", "threads", "tasks"):
        most = max(getattr(hour, what) for hour in taken)
        if most > getattr(start, what):
            yield f"{most} {what}, and {getattr(start, what)} at the start"
    for hour in taken:
        if hour.ring_bytes > LEAST_BYTES:
            yield f"the ring has {hour.ring_bytes} bytes after hour {hour.hour}, and may have {LEAST_BYTES}"
        if hour.journal_bytes > LOG_BYTES + GAME_BYTES * (hour.games + 1):
            yield f"the journal has {hour.journal_bytes} bytes for {hour.games} games after hour {hour.hour}"


def _replayed(folder: Path) -> tuple[int, list[str]]:
    """How many inputs the ring still has, and where what they lead to is not what was recorded."""
    path, inputs = folder / "day.box", 0
    with path.open("wb") as file:
        export(folder / BLACK_BOX, file)
    try:
        for step in replay(path):
            inputs += 1
            if step.differs:
                return inputs, [f"input {inputs} of the ring led to {step.recorded} and leads to {step.replayed}"]
    except BlackBoxError as error:
        return inputs, [str(error)]
    return inputs, []
