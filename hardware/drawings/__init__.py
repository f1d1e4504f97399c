"""Drawings of a board for whoever builds it, made from the settings that the service runs with.

Another layout gives other drawings. Each module is one drawing or one thing that several share; all of it is pure:
settings in, SVG text out, and the same settings always give the same text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.drawings import chain, multiplexers, pi, power, scanner, small_build, taste, top_view
from hardware.layout import Layout

if TYPE_CHECKING:
    from hardware.drawings.scanner import ScannerPins
    from hardware.gpio_sensors import GpioSensorSettings
    from hardware.layout import BoardSettings
    from hardware.light import LightSettings
    from hardware.panel import PanelSettings
    from hardware.pixels import PixelSettings


@dataclass(frozen=True, slots=True)
class Build:
    """Everything about a board that a drawing can show."""

    scanner: ScannerPins
    board: BoardSettings
    light: LightSettings
    pixels: PixelSettings
    panel: PanelSettings
    gpio_sensors: GpioSensorSettings


def drawings(build: Build) -> dict[str, str]:
    """Every drawing of this board, by the name of its file."""
    layout = Layout.of(build.board)
    return {
        "top-view.svg": top_view.draw(layout),
        "multiplexers.svg": multiplexers.draw(layout),
        "scanner.svg": scanner.draw(layout, build.scanner),
        "pi.svg": pi.draw(build.pixels, build.panel),
        "chain.svg": chain.draw(layout, build.board),
        "power.svg": power.draw(layout, build.light),
        "small-build.svg": small_build.draw(build.gpio_sensors, build.panel, build.pixels),
        "first-taste.svg": taste.draw(layout, build.scanner),
    }
