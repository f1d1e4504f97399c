"""A simulated board for the doctor, and a simulated person beside it who sees, presses and puts pawns down.

What is true of the board may differ from its settings: that is how wrong wiring of the lights and the panel is told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from firmware.config import Settings
from firmware.doctor.lights import NOTHING, PURE, Card
from firmware.doctor.probe import look_at_machine
from firmware.doctor.storage import Storage
from hardware.calibration import TYPICAL_NOISE_LEVELS, Calibration
from hardware.interface import Button, Frame
from hardware.layout import ROWS, STRIPS, Layout
from hardware.light import Light
from simulator.board import SimulatedPanel
from simulator.cable import Cable
from simulator.faults import Faults
from simulator.guided_hands import GuidedHands
from simulator.magnets import HallSensors
from simulator.switches import SimulatedSwitches
from simulator.table import Table

if TYPE_CHECKING:
    from firmware.calibrate.guide import Guide
    from firmware.doctor.machine import Machine
    from hardware.interface import Panel
    from hardware.layout import BoardSettings

VISIBLE = 20
"""A byte below this is dark to the eye in daylight."""


class SimulatedChain:
    """Pixels wired as `true` says, fed by a driver that goes by the settings: what an eye then sees."""

    def __init__(self, settings: Settings, true: BoardSettings, order: str, working: int) -> None:
        self._light = Light(settings.light, settings.layout)
        self._sent_order = settings.pixels.order
        self._layout = Layout.of(true)
        self._order = order
        self._working = working
        self._rgb = b""

    def show(self, frame: Frame) -> None:
        self._rgb = self._light.render(frame).rgb

    def close(self) -> None:
        self._rgb = b""

    def colour(self, pixel: int) -> str:
        """The brightest colour of a pixel: r, g, b, w for white, or nothing."""
        place = self._layout.wire[pixel]
        if place >= self._working:
            return ""
        sent = dict(zip("RGB", self._rgb[3 * place : 3 * place + 3], strict=True))
        on_wire = [sent[colour] for colour in self._sent_order]
        seen = dict(zip(self._order.lower(), on_wire, strict=True))
        bright = [colour for colour, value in seen.items() if value >= VISIBLE]
        return "w" if len(bright) == 3 else "".join(bright)

    def first_three(self) -> str:
        by_place = {place: pixel for pixel, place in enumerate(self._layout.wire)}
        return "".join(self.colour(by_place[place]) for place in range(len(PURE)))

    def lit_strip(self) -> str:
        """The strip with a white pixel, and at which of its ends that is."""
        for name, span in zip(STRIPS, (*self._layout.row_pixels, *self._layout.score_pixels), strict=True):
            ends = ("left", "right") if STRIPS.index(name) < ROWS else ("bottom", "top")
            for end, pixel in zip(ends, (span.start, span.stop - 1), strict=True):
                if span and self.colour(pixel) == "w":
                    return f"{name} {end}"
        return NOTHING


class SimulatedPerson:
    """Does what is asked, at once and without a mistake."""

    def __init__(
        self,
        hands: GuidedHands,
        chain: SimulatedChain,
        keys: Mapping[Button, Button | None],
        hears: bool,
        progress: Callable[[float, str], None],
    ) -> None:
        self._hands = hands
        self._progress = progress
        self._chain = chain
        self._keys = keys
        self._hears = hears

    def follow(self, guide: Guide, layout: Layout) -> bool:
        self._hands.obey(guide)
        self._progress(guide.progress, guide.phase.value)
        return True

    def see(self, card: Card) -> str:
        if card.expected == "".join(PURE):
            return self._chain.first_three() or NOTHING
        return self._chain.lit_strip()

    def press(self, button: Button, panel: Panel) -> Button | None:
        return self._keys.get(button, button)

    def hears(self, panel: Panel) -> bool:
        return self._hears


class SimulatedPatient:
    """A board of one seed. What differs from the settings is given by name."""

    def __init__(
        self,
        settings: Settings,
        seed: int = 0,
        faults: Sequence[str] = (),
        *,
        magnet_spread: float = 0.1,
        noise_levels: float = TYPICAL_NOISE_LEVELS,
        true_board: BoardSettings | None = None,
        true_order: str | None = None,
        working_pixels: int | None = None,
        keys: Mapping[Button, Button | None] | None = None,
        hears: bool = True,
        progress: Callable[[float, str], None] = lambda share, words: None,
    ) -> None:
        self.settings = settings
        self.calibration: Calibration | None = None
        layout = settings.layout
        table = Table(layout, seed, magnet_spread)
        broken = self.faults = Faults(layout, seed)
        for fault in faults:
            broken.command(fault)
        self._hall = HallSensors(table, seed, noise_levels)
        self._cable = Cable(self._hall, table, broken)
        true = true_board or settings.board
        working = layout.chain_pixels if working_pixels is None else working_pixels
        self._chain = SimulatedChain(settings, true, true_order or settings.pixels.order, working)
        self.person = SimulatedPerson(GuidedHands(table, seed), self._chain, keys or {}, hears, progress)

    @classmethod
    def healthy(cls, seed: int) -> SimulatedPatient:
        """A sound board of random spread in magnets, sensors and noise."""
        rng = random.Random(seed)
        return cls(Settings(), seed, magnet_spread=rng.uniform(0, 0.15), noise_levels=rng.uniform(3, 60))

    def machine(self) -> Machine:
        return look_at_machine()

    def storage(self, board: str | None) -> Storage:
        return Storage("in memory", 0, "", True, 10_000, "the calibration in memory", "")

    def clock(self) -> float:
        return self._cable.now

    @contextmanager
    def line(self) -> Iterator[Cable]:
        yield self._cable

    @contextmanager
    def switches(self) -> Iterator[SimulatedSwitches]:
        yield SimulatedSwitches(self._cable, self._hall, self.faults)

    @contextmanager
    def lights(self) -> Iterator[SimulatedChain]:
        yield self._chain

    @contextmanager
    def panel(self) -> Iterator[SimulatedPanel]:
        yield SimulatedPanel()
