"""The journal under SIGKILL: a program that writes it is killed at random moments, again and again.

After each kill the journal is held against what the program had said: all of that must be there, and nothing else but
the one thing that it may have been about to say.
"""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep

from engine import Action, Color, Edition, Game
from firmware.journal import Archive
from simulator.soak.scribe import MOST_TAKEN_BACK
from simulator.soak.trial import Finding, Show

MOST_LINES = 120
MOST_DELAY_S = 0.01
"""Longer than one action takes to be written, so that a kill meets every moment of it."""
PROMISE = "the program that writes the journal killed at random moments: what it said is there, and nothing else"
TIMES = 1000
ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class KillReport:
    """What a trial saw. `wrong` has a sentence for everything that was lost or invented."""

    kills: int
    actions: int
    """Said to be safe, all together."""
    ahead: int
    """Kills that found one thing on disk that had not been said yet."""
    wrong: tuple[str, ...]


@dataclass(slots=True)
class _Said:
    """The games as far as the program has spoken of them."""

    games: dict[str, Game] = field(default_factory=dict)
    current: str = ""
    touched: set[str] = field(default_factory=set)
    """What it spoke of since the last comparison."""
    actions: int = 0

    def hear(self, line: str) -> str | None:
        """Takes note of one line; what is wrong with it, if something is."""
        word, key, *rest = line.split()
        self.current = key
        self.touched.add(key)
        if word == "on":
            known = len(self.games[key].actions) if key in self.games else 0
            return None if rest == [str(known)] else f"it went on after {rest[0]} actions of a game with {known}"
        if word == "new":
            self.games[key] = Game.new(Edition.parse(rest[0]), Color(rest[1]))
        elif word == "back":
            self.games[key] = self.games[key].undo(int(rest[0]))
        else:
            self.games[key] = self.games[key].play(Action.parse(rest[1]))
            self.actions += 1
        return None


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    report = kill(times, folder, seed, show)
    figures = (f"{report.kills} kills", f"{report.actions} actions", f"{report.ahead} kills between disk and word")
    return Finding(figures, report.wrong)


def kill(count: int, folder: Path, seed: int, show: Show = lambda share, words: None) -> KillReport:
    """Kills the scribe so many times on one journal in `folder`."""
    rng = random.Random(seed)
    path = folder / "linja.db"
    said = _Said()
    ahead, wrong = 0, list[str]()
    for number in range(1, count + 1):
        flaws = [said.hear(line) for line in _lines_of_a_killed_scribe(path, rng)]
        one_more, lost = _compare(path, said)
        ahead += one_more
        show(number / count, f"{number} kills, {said.actions} actions")
        wrong += [f"kill {number}: {flaw}" for flaw in (*flaws, *lost) if flaw is not None]
    said.touched = set(said.games)
    _, lost = _compare(path, said)
    return KillReport(count, said.actions, ahead, (*wrong, *lost))


def _lines_of_a_killed_scribe(path: Path, rng: random.Random) -> list[str]:
    command = [sys.executable, "-m", "simulator.soak.scribe", str(path), str(rng.randrange(1_000_000))]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as scribe:
        assert scribe.stdout is not None
        lines = [scribe.stdout.readline() for _ in range(rng.randint(1, MOST_LINES))]
        sleep(rng.uniform(0, MOST_DELAY_S))
        scribe.kill()
        lines += scribe.stdout.readlines()
    return [line for line in lines if line.endswith("\n")]  # what was cut off was not said


def _compare(path: Path, said: _Said) -> tuple[bool, list[str]]:
    """Whether the journal is one thing ahead of what was said, and what is wrong in it. What it has is known then."""
    ahead, wrong = False, list[str]()
    with Archive.open(path) as archive:
        numbers = {entry.key: entry.number for entry in archive.games()}
        unsaid = numbers.keys() - said.games.keys()
        for key in said.touched | unsaid:
            stands = archive.load(numbers[key]).game if key in numbers else None
            known = said.games.get(key)
            if stands is None:
                if known is not None and known.actions:
                    wrong.append(f"a game with {len(known.actions)} actions is gone")
            elif known is None or known.actions != stands.actions:
                if ahead or not _is_one_step(known, stands) or (known and key != said.current):
                    wrong.append(f"it has {_text(stands)} and was to have {_text(known)}")
                ahead = True
                said.games[key] = stands
    said.touched.clear()
    return ahead, wrong


def _is_one_step(known: Game | None, stands: Game) -> bool:
    """Whether the journal may say this of a game that was last spoken of as `known`."""
    if known is None:
        return not stands.actions
    shorter, longer = sorted((known.actions, stands.actions), key=len)
    more = len(stands.actions) - len(known.actions)
    return longer[: len(shorter)] == shorter and (more == 1 or -MOST_TAKEN_BACK <= more < 0)


def _text(game: Game | None) -> str:
    return " ".join(map(str, game.actions)) if game else "nothing"
