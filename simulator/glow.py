"""Glowing pixels as SVG, and the document around them. Measures are millimetres; the same light gives the same text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

PX_PER_MM = 0.78
"""On a page: three boards side by side fill its width."""

_BLUR = """\
<filter id="{name}" filterUnits="userSpaceOnUse" x="-20" y="-20" width="{width}" height="{height}">\
<feGaussianBlur stdDeviation="{spread}"/></filter>
"""

Point = tuple[float, float]


def document(width: float, height: float, definitions: str, body: str) -> str:
    """An SVG document with what it defines and what it shows."""
    size = f'width="{number(width * PX_PER_MM)}" height="{number(height * PX_PER_MM)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {number(width)} {number(height)}" '
        f'font-family="system-ui,sans-serif">\n<defs>\n{definitions}</defs>\n{body}</svg>\n'
    )


def light_definitions(width: float, height: float) -> str:
    """What `glowing` needs in a drawing of this size."""
    blurs = (
        _BLUR.format(name=name, spread=spread, width=number(width + 40), height=number(height + 40))
        for name, spread in (("haze", 6.5), ("halo", 2))
    )
    return "<style>.light{mix-blend-mode:screen}</style>\n" + "".join(blurs)


def glowing(pixels: Iterable[tuple[Point, bytes]]) -> str:
    """Pixels as an eye sees them in a dim room: each a point, whiter the brighter it is, in a halo and a haze."""
    spots: defaultdict[bytes, list[Point]] = defaultdict(list)
    for point, colour in pixels:
        if any(colour):
            spots[colour].append(point)
    haze, halo, core = (
        "".join(
            dots(points, shade(colour), size * (0.7 + 0.3 * _brightness(colour)), strength * _brightness(colour))
            for colour, points in spots.items()
        )
        for shade, size, strength in ((_pure, 24, 0.75), (_pure, 8.5, 1.0), (_whitened, 4.2, 1.0))
    )
    return f'<g class="light"><g filter="url(#haze)">\n{haze}</g>\n<g filter="url(#halo)">\n{halo}</g>\n</g>\n{core}'


def dots(points: Sequence[Point], colour: str, size: float, opacity: float) -> str:
    """Round dots of one kind as a single path."""
    if not points:
        return ""
    path = "".join(f"M{pair(point)}h0" for point in points)
    return (
        f'<path d="{path}" stroke="{colour}" stroke-width="{number(size)}" stroke-linecap="round" '
        f'opacity="{number(opacity, 2)}"/>\n'
    )


def _brightness(colour: bytes) -> float:
    """From 0 to 1 on the screen, where faint light needs more room than a frame gives it."""
    return float((max(colour) / 255) ** 0.6)


def _pure(colour: bytes) -> str:
    """The colour at its strongest."""
    return "#" + bytes(round(channel * 255 / max(colour)) for channel in colour).hex()


def _whitened(colour: bytes) -> str:
    """The colour as a small source looks: its own when faint, almost white when bright."""
    white = 0.75 * _brightness(colour) ** 3
    channels = (channel / max(colour) for channel in colour)
    return "#" + bytes(round(255 * (channel + (1 - channel) * white)) for channel in channels).hex()


def pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def number(value: float, digits: int = 1) -> str:
    """A number as short as it can be written."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")
