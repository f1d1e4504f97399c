"""The colours of the language of light: section `[palette]` of the settings, and the same made ready for painting.

The defaults keep apart what shares a pattern for every kind of colour vision; patterns do the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec

from firmware.looks import Hue
from firmware.shapes import FULL

DARKEST_HUE = 64
"""What the strongest channel of a hue must reach at least: faint looks would vanish in anything darker."""

Ramp = tuple[bytes, ...]
"""The three bytes of a pixel at every level from 0 to `FULL`."""

_HEXADECIMAL = re.compile(r"#[0-9a-fA-F]{6}")


class PaletteError(ValueError):
    """A colour of the palette cannot be used."""


class PaletteSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A colour for every hue, written `#rrggbb` as on a web page."""

    red: str = "#ff4a14"
    black: str = "#3d6bff"
    legal: str = "#00d98b"
    bonus: str = "#ffd21f"
    error: str = "#ff30b0"
    attention: str = "#ff9d1e"
    accepted: str = "#ffffff"
    distance: str = "#fff3d6"
    calm: str = "#8fdcff"

    def __post_init__(self) -> None:
        for hue in Hue:
            _check(hue.value, getattr(self, hue.value))
        if self.red.lower() == self.black.lower():
            raise PaletteError(f"red and black are both {self.red}: nobody could tell the players apart")


def _check(key: str, colour: str) -> None:
    if not _HEXADECIMAL.fullmatch(colour):
        raise PaletteError(f"{key} is {colour!r}: a colour is written #rrggbb, for example #ff4a14")
    if max(_channels(colour)) < DARKEST_HUE:
        raise PaletteError(f"{key} is {colour}: too dark to be seen; one channel must be {DARKEST_HUE:x} or more")


def _channels(colour: str) -> bytes:
    return bytes.fromhex(colour[1:])


@dataclass(frozen=True, slots=True)
class Palette:
    """A ramp for each hue."""

    ramps: dict[Hue, Ramp]

    @classmethod
    def of(cls, settings: PaletteSettings) -> Palette:
        return cls({hue: _ramp(_channels(getattr(settings, hue.value))) for hue in Hue})


def _ramp(channels: bytes) -> Ramp:
    return tuple(bytes(round(channel * level / FULL) for channel in channels) for level in range(FULL + 1))
