"""The settings: a section for each part, checked each by itself and then together, before anything starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import msgspec

from engine import EDITIONS, Color, Edition
from engine.errors import shortened
from firmware.advice import LEVEL_NUMBERS, Computer
from firmware.guard.settings import WebSettings
from firmware.palette import PaletteSettings
from firmware.settle import SettleSettings
from hardware.gpio_sensors import GpioSensorSettings, check_reach
from hardware.layout import BoardSettings, Layout
from hardware.light import Light, LightSettings
from hardware.panel import PanelSettings
from hardware.pins import check_pins
from hardware.pixels import PixelSettings


class SettingsError(ValueError):
    """The settings cannot be used; the message names the place and what is wrong there."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


class GameSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which game is played: section `[game]`."""

    edition: Literal["classic", "bonus", "zen"] = "zen"
    aggressive: bool = False
    first: Literal["red", "black"] = "red"
    best_of: int = 0
    """Games in a match; 0: no match."""
    computer: Literal["none", "red", "black"] = "none"
    """The colour that the computer plays; "none": two people play."""
    level: int = 3
    """How well the computer plays."""

    def __post_init__(self) -> None:
        if self.aggressive and not EDITIONS[self.edition].bonus:
            raise ValueError(f"aggressive is true, but the edition {self.edition} has no bonus and so no such option")
        if self.level not in LEVEL_NUMBERS:
            raise ValueError(f"level is {self.level}: the levels are {LEVEL_NUMBERS[0]} to {LEVEL_NUMBERS[-1]}")
        if self.best_of and (self.best_of < 0 or self.best_of % 2 == 0):
            raise ValueError(f"best_of is {self.best_of}: a match is the best of 1, 3, 5 and so on; 0 is no match")

    @classmethod
    def of(cls, rules: Edition, first: Color, best_of: int = 0) -> GameSettings:
        """A game of two people by these rules."""
        return cls(
            edition=rules.name,  # type: ignore[arg-type]  # the editions are those of the engine
            aggressive=rules.aggressive,
            first=first.value,
            best_of=best_of,
        )

    @property
    def rules(self) -> Edition:
        return EDITIONS[self.edition].with_option(aggressive=self.aggressive)

    @property
    def starter(self) -> Color:
        return Color(self.first)

    @property
    def opponent(self) -> Computer | None:
        """The computer, where it plays."""
        return None if self.computer == "none" else Computer(Color(self.computer), self.level)

    def against(self, computer: Computer | None) -> GameSettings:
        """The same game against this computer, or between two people."""
        if computer is None:
            return msgspec.structs.replace(self, computer="none")
        return msgspec.structs.replace(self, computer=computer.color.value, level=computer.level)


class SensorSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the pawns are seen: section `[sensors]`."""

    kind: Literal["serial", "gpio"] = "serial"
    """A scanner on a serial port, or digital sensors straight on GPIO pins."""
    port: str = ""
    """Where the scanner is plugged in; empty: wherever the one Raspberry Pi Pico is found."""
    calibration: str = "calibration.toml"
    """The file with what the scanner's sensors read, seen from the folder of the settings."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set. Whatever exists of it has been checked."""

    game: GameSettings = GameSettings()
    settle: SettleSettings = SettleSettings()
    board: BoardSettings = BoardSettings()
    sensors: SensorSettings = SensorSettings()
    gpio_sensors: GpioSensorSettings = GpioSensorSettings()
    light: LightSettings = LightSettings()
    pixels: PixelSettings = PixelSettings()
    panel: PanelSettings = PanelSettings()
    palette: PaletteSettings = PaletteSettings()
    web: WebSettings = WebSettings()

    def __post_init__(self) -> None:
        with _section("board"):
            layout = self.layout
        with _section("light"):
            Light(self.light, layout)
        with _section("gpio_sensors"):
            if self.sensors.kind == "gpio":
                check_reach(layout, self.gpio_sensors)
        with _section("pins"):
            check_pins(self.pins)

    @property
    def layout(self) -> Layout:
        return Layout.of(self.board)

    @property
    def pins(self) -> dict[str, int]:
        """The GPIO pins that are in use, each under the name of what is connected to it."""
        sensor_pins = self.gpio_sensors.pins if self.sensors.kind == "gpio" else {}
        return sensor_pins | self.pixels.pins | self.panel.pins


@contextmanager
def _section(name: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise SettingsError(f"{name}: {error}") from error
