"""Garbage for records of games, text and JSON: each game in it is legal to its end, or the error says what is wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine import RULE_SETS, Color, Game, LinjaError, Match
from firmware.game_files import GameFileError, games_in, json_of, text_of
from firmware.journal import KeptGame
from simulator.soak.fuzz import Unclear, Victim

TURNS = 12


def valid() -> list[bytes]:
    chance = random.Random(0)
    kept = []
    for edition in RULE_SETS:
        game = Game.new(edition, chance.choice(list(Color)))
        for _ in range(TURNS if edition.bonus else 1000):
            if game.state.outcome is None:
                game = game.play(chance.choice(game.state.legal_actions()))
        kept.append(KeptGame("key", game, Match(3, Color.RED), began=1_700_000_000.0))
    files = [*("".join(text_of([game])) for game in kept), *("".join(json_of([game])) for game in kept)]
    return [file.encode() for file in (*files, "".join(text_of(kept)), "".join(json_of(kept)))]


@contextmanager
def victim(folder: Path) -> Iterator[Victim]:
    def read(piece: bytes) -> str | None:
        try:
            for kept in games_in(piece):
                if Game.parse(str(kept.game)) != kept.game:
                    raise Unclear("a game does not read back")
        except (GameFileError, LinjaError) as error:
            return str(error)
        return None

    yield read
