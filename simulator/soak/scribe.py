"""A program to be killed: journals random games as fast as it can and says each thing once it is safe.

    python -m simulator.soak.scribe JOURNAL SEED

prints `on KEY ACTIONS` when it goes on with an interrupted game, `new KEY EDITION FIRST`, `play KEY NUMBER ACTION` and
`back KEY COUNT`, each after the journal has returned.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from engine import RULE_SETS, Color, Game
from firmware.journal import Journal

TAKE_BACK_SHARE = 0.1
BREAK_OFF_SHARE = 0.01
MOST_TAKEN_BACK = 3


def main(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    journal = Journal.open(path, complain)
    kept = journal.current()
    if kept is not None:
        game, key = kept.game, kept.key
        say("on", key, len(game.actions))
    else:
        game, key = begin(journal, rng)
    while True:
        if game.state.outcome is not None or rng.random() < BREAK_OFF_SHARE:
            game, key = begin(journal, rng)
        elif game.actions and rng.random() < TAKE_BACK_SHARE:
            count = rng.randint(1, min(MOST_TAKEN_BACK, len(game.actions)))
            game = game.undo(count)
            journal.take_back(key, count)
            say("back", key, count)
        else:
            action = rng.choice(game.state.legal_actions())
            number = len(game.actions)
            game = game.play(action)
            journal.accept(key, number, action, at=0.0)
            say("play", key, number, action)


def begin(journal: Journal, rng: random.Random) -> tuple[Game, str]:
    edition, first = rng.choice(RULE_SETS), rng.choice(tuple(Color))
    key = journal.begin(edition, first, at=0.0)
    say("new", key, edition, first)
    return Game.new(edition, first), key


def say(*words: object) -> None:
    print(*words, flush=True)


def complain(sentence: str) -> None:
    raise SystemExit(sentence)  # on a sound disk the journal has nothing to say


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
