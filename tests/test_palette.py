"""The palette: colours that every eye tells apart, and settings that say what is wrong with them."""

from __future__ import annotations

from math import dist

import msgspec
import pytest

from firmware.looks import Hue
from firmware.palette import Palette, PaletteError, PaletteSettings

Matrix = tuple[tuple[float, float, float], ...]
VISION: dict[str, Matrix] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red cones": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "no green cones": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "no blue cones": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
"""What is left of red, green and blue light, after Machado, Oliveira and Fernandes (2009)."""
APART = 0.1
"""A distance in the Oklab space that nobody overlooks: about five steps that can just be seen."""
SHARING_A_PATTERN = [("red", "black"), ("red", "calm"), ("black", "calm"), ("red", "legal"), ("black", "legal")]


def perceived(colour: str, vision: Matrix) -> tuple[float, float, float]:
    """The colour in Oklab as an eye with this vision sees it."""
    light = [_linear(channel / 255) for channel in bytes.fromhex(colour[1:])]
    red, green, blue = (max(0.0, sum(a * b for a, b in zip(row, light, strict=True))) for row in vision)
    long = (0.4122 * red + 0.5363 * green + 0.0514 * blue) ** (1 / 3)
    medium = (0.2119 * red + 0.6807 * green + 0.1074 * blue) ** (1 / 3)
    short = (0.0883 * red + 0.2817 * green + 0.6300 * blue) ** (1 / 3)
    return (
        0.2105 * long + 0.7936 * medium - 0.0041 * short,
        1.9780 * long - 2.4286 * medium + 0.4506 * short,
        0.0259 * long + 0.7828 * medium - 0.8087 * short,
    )


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize(("one", "other"), SHARING_A_PATTERN)
def test_hues_that_share_a_pattern_are_told_apart_by_every_eye(vision: str, one: str, other: str) -> None:
    settings = PaletteSettings()
    seen = [perceived(getattr(settings, key), VISION[vision]) for key in (one, other)]
    assert dist(*seen) > APART


def test_a_ramp_goes_from_dark_to_the_colour_itself() -> None:
    ramp = Palette.of(PaletteSettings(legal="#00C080")).ramps[Hue.LEGAL]
    assert (len(ramp), ramp[0].hex(), ramp[128].hex(), ramp[255].hex()) == (256, "000000", "006040", "00c080")


@pytest.mark.parametrize("colour", ["", "red", "#ff44", "ff4a14", "#ff4a1g", "#ff4a144", "#ff4a14\n", "#٣٣٣٣٣٣"])
def test_what_is_no_colour_is_named_with_its_key(colour: str) -> None:
    with pytest.raises(PaletteError, match=r"^bonus is .*: a colour is written #rrggbb, for example #ff4a14$"):
        PaletteSettings(bonus=colour)


def test_a_hue_too_dark_to_be_seen_is_refused() -> None:
    with pytest.raises(PaletteError, match=r"^error is #3f3f3f: too dark to be seen"):
        PaletteSettings(error="#3f3f3f")


def test_players_of_one_colour_are_refused() -> None:
    with pytest.raises(PaletteError, match="nobody could tell the players apart"):
        PaletteSettings(red="#AABBCC", black="#aabbcc")


def test_from_a_file_the_error_says_what_is_wrong() -> None:
    with pytest.raises(msgspec.ValidationError, match="calm is 'blue': a colour is written #rrggbb"):
        msgspec.toml.decode('calm = "blue"', type=PaletteSettings)
    with pytest.raises(msgspec.ValidationError, match="unknown field `reed`"):
        msgspec.toml.decode('reed = "#ff0000"', type=PaletteSettings)
