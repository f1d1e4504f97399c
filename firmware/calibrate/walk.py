"""Follow the light: one pawn goes from slot to slot, and the channel that answers is the one under it.

A slot is answered when a pawn has stood still over one channel, and over no other. What is doubtful, because that
channel has answered for another slot or because it hardly moves, is taken when the pawn stays where it is: people
correct themselves sooner. If an earlier slot was answered from a wrong place, it loses its channel and is asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from statistics import fmean
from typing import TYPE_CHECKING

from hardware.calibration_run import LEAST_PAWN_LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.layout import Layout

STILL_S = 0.4
CERTAIN_S = 3.0
LEAST_SCANS_STILL = 5
STILL_LEVELS = 600
"""A pawn that stands moves its level by less; one that is being put down, by far more."""
ENOUGH_TO_COMPARE = 8
"""So many answers a weak one can be held against."""
WEAK_SHARE = 0.65
"""Of a good answer. Sensors differ by a tenth, and a pawn 3 mm off the middle is felt by a quarter less."""
LONG_S = 15.0
"""After this long without a pawn, a person may need a word."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The channel under a slot, and how far the pawn moved its level, up or down."""

    channel: int
    levels: float


class Doubt(Enum):
    """Why a pawn that stands is not taken for an answer, or nothing is."""

    TWO_PAWNS = "more than one pawn is on the board"
    WRONG_PLACE = "the pawn seems to stand on a slot that has answered before"
    WEAK = "the pawn is hardly felt: put it right on the middle of the slot"
    NOTHING = "no pawn is felt"


@dataclass(slots=True)
class _Standing:
    """A pawn over a channel, since it stands still."""

    channel: int
    since: float
    levels: list[float]


class Walk:
    """One walk over `slots`. `baselines` are those of the channels that can answer."""

    def __init__(
        self, slots: Sequence[int], baselines: Mapping[int, float], known: Mapping[int, Answer] | None = None
    ) -> None:
        self._baselines = dict(baselines)
        self.answers: dict[int, Answer] = dict(known or {})
        self.silent: set[int] = set()
        """Slots that were passed over because no pawn was felt there."""
        self.doubt: Doubt | None = None
        self.seen_at: int | None = None
        """The slot at which the pawn seems to stand, where that is not the one that is asked for."""
        self._all = tuple(slots)
        self._ask = [slot for slot in slots if slot not in self.answers]
        # Another pawn may be in hand than before the walk was stopped: an old answer is asked for once more.
        self._reference = next(reversed(self.answers)) if self.answers and self._ask else None
        self._scale = 1.0
        self._asked_again = False
        self._standing: _Standing | None = None
        self._last_channel: int | None = None
        self._nothing_since: float | None = None

    @property
    def target(self) -> int | None:
        """The slot that is asked for; None when all have answered."""
        if self._reference is not None:
            return self._reference
        return self._ask[0] if self._ask else None

    @property
    def progress(self) -> float:
        return 1 - len(self._ask) / len(self._all) if self._all else 1.0

    def weak(self) -> list[int]:
        """The slots whose sensors answer much less than most."""
        return [slot for slot, answer in self.answers.items() if self._is_weak(answer.levels)]

    def see(self, levels: Sequence[int], now: float) -> None:
        """A scan of all channels."""
        if self.target is None:
            return
        moved = {channel: levels[channel] - baseline for channel, baseline in self._baselines.items()}
        pawns = [channel for channel, by in moved.items() if abs(by) >= LEAST_PAWN_LEVELS]
        self.seen_at = None
        if len(pawns) != 1:
            self._see_none_or_many(bool(pawns), now)
            return
        self._nothing_since = now
        (channel,) = pawns
        self._stand(channel, moved[channel], now)
        if channel == self._last_channel:
            self.doubt = None  # it has not been moved on yet
        else:
            self._consider(now)

    def skip(self) -> None:
        """Nothing is felt at this slot: go on without it."""
        if self.target is not None and self._reference is None:
            self.silent.add(self._ask.pop(0))
            self._standing = self._nothing_since = self.doubt = None

    def back(self) -> None:
        """Ask for the last slot again."""
        if self.answers and self._reference is None:
            slot, _ = self.answers.popitem()
            self._ask.insert(0, slot)
            self._last_channel = self._standing = None

    def _see_none_or_many(self, many: bool, now: float) -> None:
        self._standing = None
        if many:
            self.doubt = Doubt.TWO_PAWNS
            return
        # Once lifted, a pawn may come back to where it was, and then that is meant.
        self._last_channel = None
        if self._nothing_since is None:
            self._nothing_since = now
        self.doubt = Doubt.NOTHING if now - self._nothing_since >= LONG_S else None

    def _stand(self, channel: int, by: float, now: float) -> None:
        standing = self._standing
        if not standing or standing.channel != channel or abs(by - standing.levels[0]) > STILL_LEVELS:
            self._standing = _Standing(channel, now, [by])
        else:
            standing.levels.append(by)

    def _consider(self, now: float) -> None:
        standing = self._standing
        assert standing
        still_s = now - standing.since
        if still_s < STILL_S or len(standing.levels) < LEAST_SCANS_STILL:
            self.doubt = None
            return
        answer = Answer(standing.channel, fmean(standing.levels))
        owner = next((slot for slot, known in self.answers.items() if known.channel == answer.channel), None)
        if self._reference is not None:
            self._compare(answer, owner, still_s)
            return
        self.doubt = self._doubt(answer, owner)
        self.seen_at = owner
        if self.doubt is None or still_s >= CERTAIN_S:
            self._take(answer, owner)

    def _doubt(self, answer: Answer, owner: int | None) -> Doubt | None:
        if owner is not None:
            return Doubt.WRONG_PLACE
        enough = len(self.answers) >= ENOUGH_TO_COMPARE
        return Doubt.WEAK if enough and self._is_weak(answer.levels * self._scale) else None

    def _is_weak(self, levels: float) -> bool:
        strengths = sorted(abs(known.levels) for known in self.answers.values())
        # Pawns that stand a little off make an answer weaker and never stronger: a good one is above the median.
        return abs(levels) < WEAK_SHARE * strengths[3 * len(strengths) // 4]

    def _take(self, answer: Answer, owner: int | None) -> None:
        slot = self._ask.pop(0)
        if owner is not None:
            del self.answers[owner]
            self._ask.insert(0, owner)
        self.answers[slot] = Answer(answer.channel, answer.levels * self._scale)
        self._last_channel = answer.channel
        self.doubt = self.seen_at = None
        if not self._ask and not self._asked_again:
            self._ask_weak_ones_again()

    def _ask_weak_ones_again(self) -> None:
        """A pawn that stood badly and a weak sensor look alike; a second look tells."""
        self._asked_again = True
        self._last_channel = self._standing = None
        self._ask = self.weak()
        for slot in self._ask:
            del self.answers[slot]

    def _compare(self, answer: Answer, owner: int | None, still_s: float) -> None:
        """The old answer once more: how this pawn differs from the one before, in strength and in polarity."""
        assert self._reference is not None
        if owner == self._reference:
            self._scale = self.answers[owner].levels / answer.levels
        elif still_s < CERTAIN_S:
            self.doubt, self.seen_at = Doubt.WRONG_PLACE, owner
            return
        else:  # the board was rewired since: nothing of it counts
            self.answers.clear()
            self._ask = list(self._all)
        self._reference = None
        self._last_channel = answer.channel
        self.doubt = self.seen_at = None


def path(layout: Layout) -> tuple[int, ...]:
    """All slots in the order of a walk with short steps: rank after rank, to the right and back."""
    ranks: dict[float, list[int]] = {}
    for slot, (_, y_mm) in enumerate(layout.centres_mm):
        ranks.setdefault(y_mm, []).append(slot)
    way: list[int] = []
    for turn, y_mm in enumerate(sorted(ranks)):
        way += sorted(ranks[y_mm], key=lambda slot: layout.centres_mm[slot][0], reverse=bool(turn % 2))
    return tuple(way)


def reversed_slots(answers: Mapping[int, Answer]) -> frozenset[int]:
    """The slots whose sensors go the other way than most, whichever way the pawn's magnet is."""
    up = frozenset(slot for slot, answer in answers.items() if answer.levels > 0)
    return up if 2 * len(up) < len(answers) else frozenset(answers) - up
