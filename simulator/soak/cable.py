"""The cable is pulled and put in again, and the scanner restarts, at random moments of play.

A game is played by clumsy hands through a pseudo-terminal and the real serial driver. Whatever happens to the cable,
what the service has in the end of each turn is what the hands meant.
"""

from __future__ import annotations

import random
import threading
from functools import partial
from pathlib import Path

from engine import RULE_SETS
from simulator.faults import Fault, FaultKind, Faults
from simulator.players import TirelessGame
from simulator.soak.served_stage import ServedPerformance
from simulator.soak.trial import Finding, Show
from simulator.soak.tried_board import TriedBoard

PROMISE = "the cable out and in, and the scanner reset, at random moments: nothing is lost, nothing invented"
TIMES = 200
"""The cable is pulled so often, and the scanner reset as often."""
MOST_CALM_S = 0.6
MOST_UNPLUGGED_S = 0.4


class Child:
    """Somebody who pulls the cable so many times, and resets the scanner as often, in any order."""

    def __init__(self, faults: Faults, times: int, seed: int) -> None:
        self._faults = faults
        self._random = random.Random(seed)
        self._todo = [FaultKind.UNPLUG, FaultKind.RESET] * times
        self._random.shuffle(self._todo)
        self._all = len(self._todo)
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._play, name="a child")
        self._thread.start()

    @property
    def share_done(self) -> float:
        return 1 - len(self._todo) / self._all

    @property
    def is_tired(self) -> bool:
        return not self._thread.is_alive()

    def close(self) -> None:
        self._enough.set()
        self._thread.join()

    def _play(self) -> None:
        while self._todo and not self._enough.wait(self._random.uniform(0, MOST_CALM_S)):
            kind = self._todo.pop()
            self._faults.add(Fault(kind))
            if kind is FaultKind.UNPLUG:
                self._enough.wait(self._random.uniform(0, MOST_UNPLUGGED_S))
                self._faults.clear()


def run(times: int, seed: int, folder: Path, show: Show) -> Finding:
    tried = TriedBoard(folder, seed)
    wrong: list[str] = []
    games = 0
    child = Child(tried.board.faults, times, seed)
    try:
        while not child.is_tired and not wrong:
            edition = RULE_SETS[games % len(RULE_SETS)]
            game = TirelessGame(edition, seed + games, begin=partial(ServedPerformance, tried))

            def goes_on() -> bool:
                show(child.share_done, f"{tried.ledger.actions} actions")
                return not child.is_tired

            mishap = game.play(goes_on)
            wrong += [str(mishap)] if mishap else []
            games += 1
        tried.end_service()
    finally:
        child.close()
        tried.close()
    last = tried.ledger.differs(tried.journal, newest=None)
    figures = (f"{times} times unplugged", f"{times} resets", f"{tried.ledger.actions} actions in {games} games")
    return Finding(figures, (*wrong, *tried.wrong, *filter(None, [last])))
