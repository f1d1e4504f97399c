"""The whole calibration as one state machine: levels with their time in; what to show, how far it is, and at the end a
`Calibration` out.

1. The empty board gives baselines and noise, and tells of sensors that ail.
2. A red pawn follows the light over all slots: which channel is under which slot, how strongly its sensor answers,
   and whether it is mounted face down.
3. All red pawns, then all black ones, on lit slots: whose magnet is weak, gone or upside down.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from firmware.calibrate.muster import Muster, Standing
from firmware.calibrate.walk import Answer, Doubt, Walk, path
from hardware.calibration import RAIL_LEVELS, TOP_LEVEL, TYPICAL_BASELINE, Calibration, SensorLevels
from hardware.calibration_run import LEAST_PAWN_LEVELS
from hardware.rest import SWING_LEVELS, Rest, at_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hardware.layout import Layout

REST_SCANS = 50
PAWN_AT_REST_LEVELS = 5000
"""A sensor that reads this far from the middle with no pawn on it does not exist: there is a pawn."""
PAWNS_OF_A_COLOR = 12


class Phase(Enum):
    """How far the calibration is."""

    EMPTY = "the empty board"
    WALK = "follow the light"
    RED = "the red pawns"
    BLACK = "the black pawns"
    DONE = "complete"
    FLAWED = "something must be mended first"


SHARES = {Phase.EMPTY: 0.05, Phase.WALK: 0.75, Phase.RED: 0.1, Phase.BLACK: 0.1}
"""How much of the time each phase takes."""


class Mark(Enum):
    """What the board shows at a slot."""

    ASKED = "put the pawn here"
    ANSWERED = "this slot is done"
    PLACE_RED = "a red pawn belongs here"
    PLACE_BLACK = "a black pawn belongs here"
    TAKE_OFF = "take the pawn off here"
    WEAK = "the pawn here is weak"
    UPSIDE_DOWN = "the pawn here is upside down"
    SEEN = "the pawn seems to be here"
    AILING = "the sensor here ails"


@dataclass(frozen=True, slots=True)
class SlotTrouble:
    """A slot that keeps the calibration from being complete."""

    slot: int
    name: str
    """An ailment, or `silent`, `weak`, `out of range`."""


class Guide:
    """One calibration in the making. `known` are the answers of one that was stopped; `slots` those to be walked;
    `judge_rest` says what the channels of an empty board are like."""

    def __init__(
        self,
        layout: Layout,
        board: str,
        known: Mapping[int, Answer] | None = None,
        slots: Sequence[int] | None = None,
        judge_rest: Callable[[Sequence[Sequence[int]]], tuple[Rest, ...]] = at_rest,
    ) -> None:
        self._layout = layout
        self._judge_rest = judge_rest
        self._slots = tuple(range(layout.slot_count)) if slots is None else tuple(slots)
        self._board = board
        self._known = dict(known or {})
        self._scans: list[Sequence[int]] = []
        self._occupied: tuple[int, ...] = ()
        self._rest: tuple[Rest, ...] = ()
        self._baselines: dict[int, float] = {}
        self._walk: Walk | None = None
        self._red: Muster | None = None
        self._black: Muster | None = None
        self.phase = Phase.EMPTY
        self.troubles: tuple[SlotTrouble, ...] = ()
        self.calibration: Calibration | None = None

    def see(self, levels: Sequence[int], now: float) -> None:
        """A scan: the level of every channel."""
        match self.phase:
            case Phase.EMPTY:
                self._see_empty(levels)
            case Phase.WALK:
                assert self._walk
                self._walk.see(levels, now)
                if self._walk.target is None:
                    self._finish_walk()
            case Phase.RED:
                assert self._red
                self._red.see(levels, now)
                if self._red.done:
                    self._black = self._muster(self._slots_of_black(), -self._red.polarity)
                    self.phase = Phase.BLACK
            case Phase.BLACK:
                assert self._black
                self._black.see(levels, now)
                if self._black.done:
                    self._finish()

    def skip(self) -> None:
        """The person says that nothing is felt at the lit slot, or that no pawn is where one is to be taken off."""
        if self.phase is Phase.EMPTY and self._occupied:
            self._stop([SlotTrouble(slot, "stuck") for slot in self._occupied])
        elif self.phase is Phase.WALK and self._walk:
            self._walk.skip()
            if self._walk.target is None:
                self._finish_walk()

    def back(self) -> None:
        """The person wants to do the last slot again."""
        if self.phase is Phase.WALK and self._walk:
            self._walk.back()

    @property
    def answers(self) -> Mapping[int, Answer]:
        """What is worth keeping when the calibration is stopped."""
        return self._walk.answers if self._walk else self._known

    @property
    def target(self) -> int | None:
        """The slot that the walk asks for."""
        return self._walk.target if self.phase is Phase.WALK and self._walk else None

    @property
    def doubt(self) -> Doubt | None:
        """Why the walk does not go on by itself."""
        return self._walk.doubt if self.phase is Phase.WALK and self._walk else None

    @property
    def standing(self) -> dict[int, Standing]:
        """What stands on the slots of a roll call; `phase` says of which colour."""
        muster = {Phase.RED: self._red, Phase.BLACK: self._black}.get(self.phase)
        return muster.standing() if muster else {}

    @property
    def progress(self) -> float:
        """How much is done, 0 to 1."""
        if self.phase is Phase.DONE:
            return 1.0
        phases = list(SHARES)
        if self.phase not in phases:
            return SHARES[Phase.EMPTY] if not self._walk else SHARES[Phase.EMPTY] + SHARES[Phase.WALK]
        before = sum(SHARES[phase] for phase in phases[: phases.index(self.phase)])
        within = {
            Phase.EMPTY: len(self._scans) / REST_SCANS,
            Phase.WALK: self._walk.progress if self._walk else 0.0,
            Phase.RED: self._red.progress if self._red else 0.0,
            Phase.BLACK: self._black.progress if self._black else 0.0,
        }
        return before + SHARES[self.phase] * within[self.phase]

    def marks(self) -> dict[int, Mark]:
        """What to show at which slot."""
        match self.phase:
            case Phase.EMPTY:
                return dict.fromkeys(self._occupied, Mark.TAKE_OFF)
            case Phase.WALK:
                return self._walk_marks()
            case Phase.RED | Phase.BLACK:
                return self._muster_marks()
            case Phase.FLAWED:
                return {trouble.slot: Mark.AILING for trouble in self.troubles}
            case Phase.DONE:
                return dict.fromkeys(range(self._layout.slot_count), Mark.ANSWERED)

    # The empty board

    def _see_empty(self, levels: Sequence[int]) -> None:
        alive = [channel for channel, level in enumerate(levels) if SWING_LEVELS < level < TOP_LEVEL - SWING_LEVELS]
        off = [channel for channel in alive if abs(levels[channel] - TYPICAL_BASELINE) > PAWN_AT_REST_LEVELS]
        stirred = self._scans and any(
            abs(levels[channel] - self._scans[0][channel]) > LEAST_PAWN_LEVELS for channel in alive
        )
        self._occupied = tuple(slot for slot, channel in enumerate(self._layout.channels) if channel in off)
        if off or stirred:
            self._scans = []
        if off:
            return
        self._scans.append(tuple(levels))
        if len(self._scans) >= REST_SCANS:
            self._finish_empty()

    def _finish_empty(self) -> None:
        self._rest = self._judge_rest(self._scans)
        sound = {channel: rest.level for channel, rest in enumerate(self._rest) if rest.ailment is None}
        if len(sound) < len(self._slots):
            # Which of the channels are spare is only known by the wiring that was planned.
            ailing = [(slot, self._rest[self._layout.channels[slot]].ailment) for slot in self._slots]
            self._stop([SlotTrouble(slot, ailment.value) for slot, ailment in ailing if ailment])
            return
        self._baselines = sound
        known = {slot: answer for slot, answer in self._known.items() if answer.channel in sound}
        self._walk = Walk([slot for slot in path(self._layout) if slot in self._slots], sound, known)
        self.phase = Phase.WALK
        if self._walk.target is None:
            self._finish_walk()

    # The walk

    def _finish_walk(self) -> None:
        assert self._walk
        troubles = [SlotTrouble(slot, "silent") for slot in self._walk.silent]
        troubles += [SlotTrouble(slot, "weak") for slot in self._walk.weak()]
        if troubles:
            self._stop(troubles)
            return
        self._red = self._muster(tuple(range(self._layout.slot_count))[:PAWNS_OF_A_COLOR], None)
        self.phase = Phase.RED

    def _walk_marks(self) -> dict[int, Mark]:
        assert self._walk
        marks = dict.fromkeys(self._walk.answers, Mark.ANSWERED)
        if self._walk.seen_at is not None:
            marks[self._walk.seen_at] = Mark.SEEN
        if self._walk.target is not None:
            marks[self._walk.target] = Mark.WEAK if self._walk.doubt is Doubt.WEAK else Mark.ASKED
        return marks

    # The roll calls

    def _muster(self, slots: Sequence[int], polarity: int | None) -> Muster:
        return Muster(slots, self._baselines, self.answers, polarity)

    def _slots_of_black(self) -> tuple[int, ...]:
        return tuple(range(self._layout.slot_count))[-PAWNS_OF_A_COLOR:]

    def _muster_marks(self) -> dict[int, Mark]:
        looks = {
            Standing.MISSING: Mark.PLACE_RED if self.phase is Phase.RED else Mark.PLACE_BLACK,
            Standing.WEAK: Mark.WEAK,
            Standing.UPSIDE_DOWN: Mark.UPSIDE_DOWN,
            Standing.GOOD: Mark.ANSWERED,
        }
        return {slot: looks[standing] for slot, standing in self.standing.items()}

    # The end

    def _finish(self) -> None:
        assert self._red
        assert self._black
        sensors, troubles = [], []
        for slot in range(self._layout.slot_count):
            answer = self.answers[slot]
            rest = self._rest[answer.channel]
            red = round(rest.level + answer.levels * self._red.strength())
            black = round(rest.level + answer.levels * self._black.strength())
            low, high = min(red, black), max(red, black)
            strong = min(rest.level - low, high - rest.level) >= LEAST_PAWN_LEVELS
            if not (strong and low > RAIL_LEVELS and high < TOP_LEVEL - RAIL_LEVELS):
                troubles.append(SlotTrouble(slot, "out of range"))
                continue
            sensors.append(SensorLevels(baseline=round(rest.level), noise=round(rest.noise, 1), red=red, black=black))
        if troubles:
            self._stop(troubles)
            return
        channels = tuple(self.answers[slot].channel for slot in range(self._layout.slot_count))
        self.calibration = Calibration(self._board, tuple(sensors), channels)
        self.phase = Phase.DONE

    def _stop(self, troubles: Sequence[SlotTrouble]) -> None:
        self.troubles = tuple(troubles)
        self.phase = Phase.FLAWED
