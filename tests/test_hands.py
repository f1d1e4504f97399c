"""Tireless players with clumsy hands: whatever hands do on the way, after every turn the game is what was meant."""

from __future__ import annotations

import random

import pytest

from engine import RULE_SETS, Edition
from firmware import referee
from firmware.meaning import Quiet
from simulator.players import Mishap, TirelessGame, play_games
from simulator.scenario import Movement, Scenario
from simulator.stage import perform
from simulator.steps import Bump, Hover, Lift, Press, Put, Slide, Wait

EACH_RULE_SET = pytest.mark.parametrize("edition", RULE_SETS, ids=str)
ZEN = Edition.parse("zen")
GAMES = 40
QUIET_BOARD, TREMBLING_BOARD = 5.0, 80.0


def told(mishap: Mishap | None) -> str:
    return "" if mishap is None else f"{mishap.script}# there was: {mishap.there}"


@EACH_RULE_SET
def test_every_turn_of_clumsy_hands_is_what_was_meant(edition: Edition) -> None:
    assert not told(play_games(edition, GAMES, random.randrange(10**6)))


@EACH_RULE_SET
def test_every_turn_is_what_was_meant_on_a_board_without_colours(edition: Edition) -> None:
    assert not told(play_games(edition, GAMES // 5, random.randrange(10**6), digital=True))


@pytest.mark.parametrize("noise_levels", [QUIET_BOARD, TREMBLING_BOARD])
def test_every_turn_is_what_was_meant_however_much_the_sensors_tremble(noise_levels: float) -> None:
    assert not told(play_games(ZEN, GAMES // 5, random.randrange(10**6), noise_levels))


def test_hands_do_all_that_hands_do() -> None:
    steps = set()
    for seed in range(5):
        game = TirelessGame(ZEN, seed)
        game.play()
        movements = [line.content for line in Scenario.parse(game.script, "").lines]
        steps |= {
            (type(step), getattr(step, "manner", ""))
            for movement in movements
            if isinstance(movement, Movement)
            for hand in movement.hands
            for step in hand
        }
    assert steps >= {
        (Lift, ""),
        (Lift, "slowly"),
        (Put, ""),
        (Put, "slowly"),
        (Slide, ""),
        (Bump, ""),
        (Hover, ""),
        (Wait, ""),
        (Press, ""),
    }


def test_the_same_seed_plays_the_same_game() -> None:
    one, two, other = (TirelessGame(ZEN, seed) for seed in (7, 7, 8))
    for game in (one, two, other):
        game.play()
    assert one.script == two.script
    assert one.script.partition("\n")[2] != other.script.partition("\n")[2]


def test_what_is_misunderstood_is_told_as_a_scenario_that_fails_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "observe", lambda game, sighting, left_rows: Quiet())
    mishap = play_games(ZEN, 1, seed=0)
    assert mishap is not None
    failure = perform(Scenario.parse(mishap.script, "a mishap"))
    assert failure is not None
    assert failure.line.number == len(mishap.script.splitlines())
    assert failure.there == mishap.there
