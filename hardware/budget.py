"""What the board draws from its 5 V supply, and what follows for supply, fuse and wire.

The pixels may draw what `[light]` allows them and no more, whatever they show; the fuse is for the day on which that
fails. It must hold what is allowed, blow before a wire gets hot, and the supply must be able to blow it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.layout import Layout
    from hardware.light import LightSettings

SENSOR_MA = 6.0
"""What one linear Hall sensor draws (DRV5055: 6 typical, 10 at most)."""
FUSE_MARGIN = 1.25
"""A fuse that carries its rated current all day ages."""
BLOWING_MARGIN = 1.35
"""A slow fuse at its rated current never blows; the supply must give this much more."""
FUSES_A = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0)
SUPPLIES_A = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0)
WIRES_MM2 = (0.14, 0.25, 0.34, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0)
MOST_A_PER_MM2 = 8.0
"""In a bundle inside a box, without getting warm."""
COPPER_OHM_MM2_PER_M = 0.0178
MOST_DROP_V = 0.15
"""Between the supply and the furthest pixel; more, and white turns yellow there."""
LOOP_M = 2.0
"""One metre there, one metre back."""


class OverBudget(ValueError):
    """No ordinary fuse, supply or wire carries what the settings allow."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Currents in mA, and the parts that they ask for."""

    pixels_ma: float
    """What the pixels may draw."""
    unlimited_ma: float
    """What they would draw if every one were white and nothing limited it."""
    idle_ma: float
    """What they draw when dark."""
    sensors_ma: float
    fuse_a: float
    supply_a: float
    main_mm2: float
    """The wire from the supply through the fuse to the board, and along it."""
    drop_v: float
    """What is lost on that wire, there and back, at the limit."""

    @classmethod
    def of(cls, layout: Layout, light: LightSettings) -> Budget:
        sensors_ma = SENSOR_MA * layout.slot_count
        each_ma = light.idle_ma + light.red_ma + light.green_ma + light.blue_ma
        allowed_a = (light.limit_ma + sensors_ma) / 1000
        fuse_a = _least(FUSES_A, allowed_a * FUSE_MARGIN, "fuse", "A")
        drop_ohm_mm2 = COPPER_OHM_MM2_PER_M * LOOP_M
        wire_mm2 = max(fuse_a / MOST_A_PER_MM2, allowed_a * drop_ohm_mm2 / MOST_DROP_V)
        main_mm2 = _least(WIRES_MM2, wire_mm2, "wire", "mm²")
        return cls(
            pixels_ma=light.limit_ma,
            unlimited_ma=each_ma * layout.chain_pixels,
            idle_ma=light.idle_ma * layout.chain_pixels,
            sensors_ma=sensors_ma,
            fuse_a=fuse_a,
            supply_a=_least(SUPPLIES_A, fuse_a * BLOWING_MARGIN, "supply", "A"),
            main_mm2=main_mm2,
            drop_v=allowed_a * drop_ohm_mm2 / main_mm2,
        )


def _least(sizes: tuple[float, ...], needed: float, what: str, unit: str) -> float:
    for size in sizes:
        if size >= needed:
            return size
    raise OverBudget(f"a {what} of {needed:.1f} {unit} would be needed: lower limit_ma in [light]")
