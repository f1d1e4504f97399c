"""A share of the trial that `linja soak` makes of the journal: the program that writes it is killed in the middle."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from engine import EDITIONS, Color, Game
from firmware.journal import Journal
from firmware.journal.file import connect
from simulator.soak import journal as trial
from tests.journals import AT, play, some_actions

KILLS = 30
ZEN = EDITIONS["zen"]


def test_what_was_said_to_be_safe_is_there_after_every_kill_and_nothing_was_invented(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    seed = random.Random(request.config.getoption("randomly_seed")).randrange(1_000_000)
    report = trial.kill(KILLS, tmp_path, seed)
    assert report.wrong == ()
    assert report.kills == KILLS
    assert report.actions > KILLS


@pytest.mark.parametrize("wrong", ["lost", "invented"])
def test_the_trial_notices_what_is_lost_and_what_is_invented(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_killed = trial._lines_of_a_killed_scribe

    def tampered(path: Path, rng: random.Random) -> list[str]:
        lines = really_killed(path, rng)
        if wrong == "lost":
            with closing(connect(path)) as connection:
                connection.execute("DELETE FROM actions")
        else:
            with closing(Journal.open(path, print)) as journal:
                play(journal, journal.begin(ZEN, Color.RED, at=AT), tuple(some_actions(Game.new(ZEN), 2, rng)))
        return lines

    monkeypatch.setattr(trial, "_lines_of_a_killed_scribe", tampered)
    assert trial.kill(1, tmp_path, seed=3).wrong != ()
