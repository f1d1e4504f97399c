"""What the buzzer says to what has happened."""

from __future__ import annotations

import pytest

from engine import DEFAULT_EDITION, Action, Color, Ending, Match, Outcome, Points, Reason
from firmware.events import (
    ActionAccepted,
    ActionsTakenBack,
    AnotherTurn,
    BoardDisagreed,
    Event,
    GameEnded,
    GameStarted,
    KeyRefused,
    MatchEnded,
    MoveRefused,
    PawnLifted,
    QuestionAsked,
    SensorsLost,
)
from firmware.tunes import tune_for
from hardware.interface import Button, Tune
from tests.lights import SETUP
from tests.positions import play, turn

START = turn("zen", "red", SETUP)
OPENED = ActionAccepted(Action.parse("red:0-1"))
OUTCOME = Outcome(Color.BLACK, Points(39, 46), Ending.PASSED)


@pytest.mark.parametrize(
    ("event", "tune"),
    [
        (GameStarted(DEFAULT_EDITION, Color.RED), Tune.READY),
        (OPENED, Tune.ACCEPTED),
        (ActionsTakenBack(2), Tune.ACCEPTED),
        (MoveRefused(Reason.BACKWARDS, (3, 2), "never back"), Tune.REFUSED),
        (KeyRefused(Button.DONE, "an opening is not a choice"), Tune.REFUSED),
        (BoardDisagreed(), Tune.REFUSED),
        (QuestionAsked("which?"), Tune.ATTENTION),
        (SensorsLost("unplugged"), Tune.ATTENTION),
        (AnotherTurn(Color.RED), Tune.AGAIN),
        (GameEnded(OUTCOME), Tune.OVER),
        (MatchEnded(Match(1, Color.RED)), Tune.OVER),
        (PawnLifted(3, Color.RED), None),
    ],
)
def test_each_event_has_its_tune_or_none(event: Event, tune: Tune | None) -> None:
    assert tune_for([event], START) is tune


def test_an_action_that_earns_a_bonus_sounds_like_one() -> None:
    action = Action.parse("red:+5-7")
    assert tune_for([ActionAccepted(action)], play(START, "0-1 +5-7")) is Tune.BONUS


def test_of_several_tunes_the_one_that_matters_most_is_played() -> None:
    assert tune_for([OPENED, AnotherTurn(Color.RED)], START) is Tune.AGAIN
    assert tune_for([OPENED, MoveRefused(Reason.ROW_FULL, (4,), "full")], START) is Tune.REFUSED
    assert tune_for([OPENED, GameEnded(OUTCOME), BoardDisagreed()], START) is Tune.OVER
    assert tune_for([], START) is None
