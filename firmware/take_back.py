"""After the key for taking back: what hands may do other than what the light asks for."""

from __future__ import annotations

from engine import Kind
from firmware.meaning import Meaning, Played, TakenBack
from firmware.sight import Sighting


def done_instead(asked_count: int, meaning: Meaning, sighting: Sighting) -> Played | TakenBack | None:
    """More is taken back than was asked for, or it is plain that it was not meant and the game is played on.

    A bonus may look like a pawn on its way back, and so may any movement where colours are not seen.
    """
    match meaning:
        case TakenBack(count) if count > asked_count:
            return meaning
        case Played(actions) if sighting.sees_color and all(action.kind is not Kind.BONUS for action in actions):
            return meaning
    return None
