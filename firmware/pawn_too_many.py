"""More pawns are seen than there are: which slot shows one that is not there.

Either a pawn has left a slot that goes on showing it, and something was played; or a slot shows a pawn out of nothing,
and nothing has happened. Where it can be either, the players are asked, and whoever just plays on may answer too.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware.meaning import Disagreement, Meaning, PawnTooMany, Played, Quiet, TakenBack, WronglyPlaced
from firmware.sight import Sighting
from firmware.watch import Watch

MeaningOf = Callable[[Sighting], Meaning]
"""What a sighting means in the game that is played."""


def wrong_slot(watch: Watch, meaning_of: MeaningOf, *, may_ask: bool, swept: bool) -> PawnTooMany | int | None:
    """The slot that must be wrong, or which two it may be; None where there is none or it cannot be told.

    `swept` says that all pawns are to be put back as they stood.
    """
    if not watch.sees_too_many():
        return None
    false = watch.false_slot(lambda sighting: isinstance(meaning_of(sighting), Quiet))
    suspects = watch.stuck_slots(lambda sighting: _actions_shown(meaning_of(sighting)))
    if not suspects:
        return false  # no move explains it, and all the others stand as they did
    if len(suspects) > 1:
        return None
    (stuck,) = suspects
    shown = meaning_of(watch.without(stuck))
    if false is None or not may_ask or not isinstance(shown, Played | TakenBack):
        return stuck
    if swept:
        return false  # all pawns are to stand as they did, and now they do
    liars = [slot for slot in (stuck, false) if watch.has_lied(slot)]
    return liars[0] if len(liars) == 1 else PawnTooMany(shown, stuck, false)


def _actions_shown(meaning: Meaning) -> int | None:
    """How many actions the board would show; None if it would show none."""
    match meaning:
        case Played(actions):
            return len(actions)
        case TakenBack(count):
            return count
    return None


def answered_by_hands(asked: PawnTooMany, watch: Watch, meaning_of: MeaningOf) -> PawnTooMany | int | None:
    """Who plays on as the rules allow only if the one slot is wrong, or only if the other is, has said which."""
    if_left, if_false = (meaning_of(watch.without(slot)) for slot in (asked.left_slot, asked.false_slot))
    if if_left == if_false == Disagreement(swept=True):
        return None
    against_the_rules = WronglyPlaced | Disagreement
    if isinstance(if_left, Played | TakenBack) and isinstance(if_false, against_the_rules):
        return asked.left_slot
    if isinstance(if_false, Played) and isinstance(if_left, against_the_rules):
        return asked.false_slot
    return asked
