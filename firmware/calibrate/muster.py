"""Roll call: the pawns of one colour stand on lit slots whose sensors are known, so each tells of its own magnet."""

from __future__ import annotations

from enum import Enum
from statistics import fmean, median
from typing import TYPE_CHECKING

from hardware.calibration import STEPS
from hardware.calibration_run import LEAST_PAWN_SHARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from firmware.calibrate.walk import Answer

STILL_S = 1.0
SCANS = 20
"""The newest scans over which a pawn is measured."""
FELT_SHARE = STEPS[0]
"""A pawn below this share of the walking one is not there, or its magnetism is gone."""


class Standing(Enum):
    """What stands on a lit slot."""

    MISSING = "no pawn is felt: it is not there yet, or it is demagnetised"
    WEAK = "the pawn is too weak: it stands badly or has lost its magnetism"
    UPSIDE_DOWN = "the pawn is upside down: its magnet has the wrong polarity"
    GOOD = "good"


class Muster:
    """The pawns of one colour. Shares are signed: 1 is the walking pawn, -1 the same one upside down."""

    def __init__(
        self,
        slots: Sequence[int],
        baselines: Mapping[int, float],
        answers: Mapping[int, Answer],
        polarity: int | None = None,
    ) -> None:
        self.slots = tuple(slots)
        self._baselines = baselines
        self._answers = answers
        self._polarity = polarity
        self._scans: list[list[float]] = []
        self._good_since: float | None = None
        self.done = False

    def see(self, levels: Sequence[int], now: float) -> None:
        """A scan of all channels."""
        self._scans.append([self._share(slot, levels) for slot in self.slots])
        del self._scans[:-SCANS]
        if set(self.standing().values()) != {Standing.GOOD}:
            self._good_since = None
        elif self._good_since is None:
            self._good_since = now
        self.done = self._good_since is not None and now - self._good_since >= STILL_S

    def standing(self) -> dict[int, Standing]:
        """What stands on each slot now."""
        shares = dict(zip(self.slots, self.shares(), strict=True))
        felt = [abs(share) for share in shares.values() if abs(share) >= FELT_SHARE]
        least = max(FELT_SHARE, LEAST_PAWN_SHARE * median(felt)) if felt else FELT_SHARE
        return {slot: self._judged(share, least) for slot, share in shares.items()}

    def shares(self) -> list[float]:
        """The share of each slot, over the newest scans."""
        if not self._scans:
            return [0.0] * len(self.slots)
        return [fmean(slot_shares) for slot_shares in zip(*self._scans, strict=True)]

    @property
    def progress(self) -> float:
        if not self._scans:
            return 0.0
        return sum(standing is Standing.GOOD for standing in self.standing().values()) / len(self.slots)

    @property
    def polarity(self) -> int:
        """Whether these pawns move levels as the walking one did: told beforehand, or as most of them do."""
        if self._polarity is not None:
            return self._polarity
        felt = [share for share in self.shares() if abs(share) >= FELT_SHARE]
        return 1 if 2 * sum(share > 0 for share in felt) >= len(felt) else -1

    def strength(self) -> float:
        """The share of the median pawn, signed."""
        return median(self.shares())

    def _share(self, slot: int, levels: Sequence[int]) -> float:
        answer = self._answers[slot]
        return (levels[answer.channel] - self._baselines[answer.channel]) / answer.levels

    def _judged(self, share: float, least: float) -> Standing:
        if abs(share) < FELT_SHARE:
            return Standing.MISSING
        if share * self.polarity < 0:
            return Standing.UPSIDE_DOWN
        return Standing.GOOD if abs(share) >= least else Standing.WEAK
