"""The whole service under SIGKILL: clumsy hands play on, and it is killed and started again at random moments.

The table, the scanner and the hands are in this process and go on; the service is in another. After each kill its
journal is held against what it had told and announced. The next service goes on with the game, and at the end of each
turn it has what the hands meant, so nothing that they did not mean was accepted either.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from engine import RULE_SETS
from firmware.events import ActionAccepted
from simulator.players import TirelessGame
from simulator.soak.served_stage import ServedPerformance
from simulator.soak.talk import Announced, Told
from simulator.soak.trial import Finding, Show
from simulator.soak.tried_board import Service, TriedBoard

PROMISE = "the service killed at random moments: what it showed as accepted is there, and the game goes on"
TIMES = 1000
STARTING_SHARE = 0.1
"""So many of the kills come while it starts..."""
STARTING_S = 0.8
WRITING_SHARE = 0.4
"""... so many while it writes one of its first actions..."""
MOST_ACTIONS = 4
WRITING_S = 0.01
MOST_LIFE_S = 1.0
"""... and the others at any moment within so long after its first words."""


class HauntedBoard(TriedBoard):
    """A board whose services die: so many of them, all but the last."""

    def __init__(self, folder: Path, seed: int, deaths: int) -> None:
        super().__init__(folder, seed)
        self._deaths = deaths
        self._fate = random.Random(seed)
        self.ends = 0
        self.idle_lives = 0
        """Lives in which no action was accepted."""
        self._actions = 0
        self._dies_at = 0
        """At which action this life ends; 0: at none."""

    def service_started(self, service: Service) -> None:
        if self.ends == self._deaths:
            return
        fate = self._fate.random()
        self._dies_at = 0
        if fate < STARTING_SHARE:
            service.kill_in(self._fate.uniform(0, STARTING_S))
        elif fate < STARTING_SHARE + WRITING_SHARE:
            self._dies_at = self._fate.randint(1, MOST_ACTIONS)
        elif service.speaks():
            service.kill_in(self._fate.uniform(0, MOST_LIFE_S))

    def heard(self, word: Announced | Told) -> None:
        super().heard(word)
        if isinstance(word, Announced) and any(isinstance(event, ActionAccepted) for event in word.events):
            self._dies_at -= 1
            if self._dies_at == 0:
                self.service.kill_in(self._fate.uniform(0, WRITING_S))

    def service_ended(self) -> None:
        self.ends += 1
        self.idle_lives += self.ledger.actions == self._actions
        self._actions = self.ledger.actions


def _is_kept_and_done_with(game: TirelessGame, tried: TriedBoard) -> bool:
    """A service that starts after the end of a game is ready for another one."""
    return game.meant.outcome is not None and game.meant in [kept.state for kept in tried.ledger.games[-1:]]


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    tried = HauntedBoard(folder, seed, times)

    def goes_on() -> bool:
        show(tried.ends / times, f"{tried.ends} kills, {tried.ledger.actions} actions")
        return tried.ends < times

    wrong: list[str] = []
    games = 0
    try:
        while goes_on() and not wrong and not tried.wrong:
            edition = RULE_SETS[games % len(RULE_SETS)]
            # A pawn that stands wrong while the service starts may look like a legal turn, and nobody can know better.
            game = TirelessGame(edition, seed + games, errs=False, begin=partial(ServedPerformance, tried))
            mishap = game.play(goes_on)
            if mishap and not _is_kept_and_done_with(game, tried):
                wrong.append(str(mishap))
            games += 1
        tried.end_service()
    finally:
        tried.close()
    last = tried.ledger.differs(tried.journal, newest=None)
    figures = (
        f"{min(tried.ends, times)} kills",
        f"{tried.ledger.actions} actions in {games} games",
        f"{tried.ledger.ahead} kills between disk and light",
        f"{tried.idle_lives} lives without an action",
    )
    return Finding(figures, (*wrong, *tried.wrong, *tried.warnings, *filter(None, [last])))
