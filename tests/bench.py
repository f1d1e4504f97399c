"""A table, its sensors, wires and faults, and hands that follow the guided calibration, all in virtual time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware.calibrate.guide import Guide, Phase
from firmware.calibrate.walk import Answer
from hardware.layout import BoardSettings, Layout
from simulator.faults import Faults
from simulator.guided_hands import GuidedHands
from simulator.magnets import HallSensors
from simulator.table import Table

PLANNED = Layout.of(BoardSettings())
SCAN_S = 0.02
PATIENCE_SCANS = 6000
ENDS = (Phase.DONE, Phase.FLAWED)


class Bench:
    """One board on the bench. `wires` is the channel that the sensor of each slot really goes to."""

    def __init__(
        self,
        seed: int = 0,
        *,
        wires: Sequence[int] = PLANNED.channels,
        faults: Sequence[str] = (),
        known: Mapping[int, Answer] | None = None,
        magnet_spread: float = 0.1,
        noise_levels: float = 25.0,
    ) -> None:
        self.table = Table(PLANNED, seed, magnet_spread)
        self.hall = HallSensors(self.table, seed, noise_levels)
        self.faults = Faults(PLANNED, seed)
        for fault in faults:
            self.faults.command(fault)
        self.wires = tuple(wires)
        self.hands = GuidedHands(self.table, seed)
        self.guide = Guide(PLANNED, "bench", known)
        self.now = 0.0

    def levels(self) -> list[int]:
        """A scan of all channels."""
        channels = [0] * PLANNED.channel_count
        bent = self.faults.bend(self.hall.levels(), self.hall.baselines)
        for channel, level in zip(self.wires, bent, strict=True):
            channels[channel] = level
        return channels

    def scan(self, seconds: float = SCAN_S) -> None:
        """Let the guide look at the board for a while."""
        for _ in range(max(1, round(seconds / SCAN_S))):
            self.now += SCAN_S
            self.guide.see(self.levels(), self.now)

    def follow(self, until: Sequence[Phase] = ENDS, answers: int = 10**6) -> Guide:
        """Do what the guide asks for until it is in one of these phases, or has so many answers."""
        for _ in range(PATIENCE_SCANS):
            if self.guide.phase in until or len(self.guide.answers) >= answers:
                return self.guide
            self.hands.obey(self.guide)
            self.scan()
        raise AssertionError(f"the calibration does not come to an end: {self.guide.phase}, {self.guide.marks()}")
