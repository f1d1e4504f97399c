"""Torn pages: after a kill, the end of the journal's files is not what was written.

What an honest disk may lose is what it has not confirmed: then nothing that was shown is gone. A disk that lies may
lose or garble anything: then each game that is left is a beginning of what was played, the damaged file is put aside as
it was, and play goes on at once.
"""

from __future__ import annotations

import random
import shutil
from contextlib import closing
from enum import Enum
from functools import partial
from pathlib import Path

from engine import RULE_SETS, Action, Game, State
from firmware.journal import Journal
from simulator.players import TirelessGame
from simulator.soak.ledger import kept_games
from simulator.soak.served_stage import ServedPerformance
from simulator.soak.talk import Announced, Told
from simulator.soak.trial import Finding, Show
from simulator.soak.tried_board import TriedBoard
from simulator.soak.wal import confirmed_bytes

PROMISE = "a torn last page: nothing shown is lost; a disk that lies: what is left is a beginning, and play goes on"
TIMES = 300
MOST_TURNS = 3
MOST_GARBAGE = 20_000


class Tear(Enum):
    """What became of the files."""

    UNCONFIRMED = "behind what was confirmed"
    LOG = "in the log"
    FILE = "in the file"


class TornBoard(TriedBoard):
    """A board whose files are torn, in turn in each way, whenever its service has ended."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self._chance = random.Random(seed)
        self._moments: set[tuple[State, tuple[Action, ...]]] = set()
        """All that was ever told of any game."""
        self._torn = b""
        self._aside: set[Path] = set()
        self.tears = dict.fromkeys(Tear, 0)
        self.lost = 0
        """Actions that a disk that lies has cost."""

    def heard(self, word: Announced | Told) -> None:
        super().heard(word)
        self._moments |= {(game.start, game.actions) for game in self.ledger.games[-1:]}

    @property
    def put_aside(self) -> int:
        return len(self._aside)

    def service_ended(self) -> None:
        self._look_at_what_was_put_aside()
        self._moments |= {(game.start, game.actions) for game in self.ledger.games[-1:]}
        tear = list(Tear)[sum(self.tears.values()) % len(Tear)]
        self.tears[tear] += 1
        before = kept_games(self.journal)
        self._tear(tear)
        there = self._what_a_service_would_find()
        if tear is Tear.UNCONFIRMED and there != before:
            self.wrong.append(f"life {self.lives}: torn {tear.value}, and something is lost")
        self.wrong += [
            f"life {self.lives}: torn {tear.value}, and there is {' '.join(map(str, game.actions))}"
            for game in there
            if game.actions and (game.start, game.actions) not in self._moments
        ]
        self.lost += sum(len(game.actions) for game in before) - sum(len(game.actions) for game in there)
        self.ledger.adopt(there)

    def _tear(self, tear: Tear) -> None:
        log = self.journal.with_name(f"{self.journal.name}-wal")
        if tear is Tear.FILE or not log.exists():
            content = bytearray(self.journal.read_bytes())
            start = self._chance.randrange(len(content))
            content[start:] = self._garbage(len(content) - start)
            self.journal.write_bytes(content)
        else:
            content = bytearray(log.read_bytes())
            confirmed = confirmed_bytes(bytes(content))
            start = confirmed if tear is Tear.UNCONFIRMED else self._chance.randint(0, confirmed)
            content[start:] = self._garbage(self._chance.randrange(MOST_GARBAGE))
            log.write_bytes(content)
        self._torn = self.journal.read_bytes()

    def _garbage(self, most: int) -> bytes:
        """Nothing, zeros or noise."""
        return self._chance.choice((b"", bytes(most), self._chance.randbytes(most)))

    def _what_a_service_would_find(self) -> list[Game]:
        """In a copy: the next service is to find the files as they are."""
        copy = self.folder / "copy"
        copy.mkdir()
        for file in self.folder.glob("linja.db*"):
            shutil.copyfile(file, copy / file.name)
        with closing(Journal.open(copy / self.journal.name, lambda sentence: None)) as journal:
            while journal.has_work:
                journal.catch_up()
        found = kept_games(copy / self.journal.name)
        shutil.rmtree(copy)
        return found

    def _look_at_what_was_put_aside(self) -> None:
        aside = {file for file in self.folder.glob("linja.db.damaged-*") if file.name.rpartition("-")[2].isdecimal()}
        for file in aside - self._aside:
            if file.read_bytes() != self._torn:
                self.wrong.append(f"life {self.lives}: {file.name} is not what was there")
        self._aside = aside


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    tried, chance = TornBoard(folder, seed), random.Random(seed)
    wrong: list[str] = []
    try:
        for number in range(times):
            show(number / times, f"{number} tears, {tried.ledger.actions} actions")
            edition = RULE_SETS[number % len(RULE_SETS)]
            game = TirelessGame(edition, seed + number, begin=partial(ServedPerformance, tried, goes_on=True))
            mishap = game.play_turns(chance.randint(1, MOST_TURNS))
            wrong += [str(mishap)] if mishap else []
            if wrong or tried.wrong:
                break
            tried.service.kill()
            tried.shown()
    finally:
        tried.close()
    figures = (
        *(f"{count} times torn {tear.value}" for tear, count in tried.tears.items()),
        f"{tried.ledger.actions} actions",
        f"{tried.lost} lost by a disk that lies",
        f"{tried.put_aside} files put aside",
    )
    return Finding(figures, (*wrong, *tried.wrong))
