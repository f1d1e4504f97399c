"""What the buzzer says to what has happened. One tune at a time: of several, the one that matters most."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Phase, State
from firmware import events
from firmware.events import Event
from hardware.interface import Tune

_TUNES: dict[type[Event], Tune] = {
    events.GameStarted: Tune.READY,
    events.BoardQuiet: Tune.ACCEPTED,
    events.ActionAccepted: Tune.ACCEPTED,
    events.AnotherTurn: Tune.AGAIN,
    events.ActionsTakenBack: Tune.ACCEPTED,
    events.MoveRefused: Tune.REFUSED,
    events.KeyRefused: Tune.REFUSED,
    events.BoardDisagreed: Tune.REFUSED,
    events.QuestionAsked: Tune.ATTENTION,
    events.NewGameOffered: Tune.ATTENTION,
    events.GameEnded: Tune.OVER,
    events.MatchEnded: Tune.OVER,
    events.SlotDoubted: Tune.ATTENTION,
    events.SensorsLost: Tune.ATTENTION,
    events.SensorsBack: Tune.ACCEPTED,
}
"""Events that are not here are silent: what a hand or a finger did itself needs no sound."""

_BY_WEIGHT = (Tune.OVER, Tune.REFUSED, Tune.ATTENTION, Tune.READY, Tune.AGAIN, Tune.BONUS, Tune.ACCEPTED)


def tune_for(happened: Iterable[Event], after: State) -> Tune | None:
    """The tune for what happened at once, `after` being the state that it led to; None: silence."""
    tunes = {tune for event in happened if (tune := _tune_of(event, after)) is not None}
    return next((tune for tune in _BY_WEIGHT if tune in tunes), None)


def _tune_of(event: Event, after: State) -> Tune | None:
    if isinstance(event, events.ActionAccepted) and after.phase is Phase.BONUS:
        return Tune.BONUS
    return _TUNES.get(type(event))
