"""Lines, boxes and words as SVG: a sheet of paper on which the drawings are made, one look for all of them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

PAPER = "#fbfaf6"
INK = "#23282e"
QUIET = "#7b838c"
FAINT = "#d9d6cc"
RED = "#c8402f"
BLACK = "#2d2f33"
BLUE = "#2f6fb5"
GREEN = "#2e8b57"
AMBER = "#c98a12"
VIOLET = "#7a52a8"
TEAL = "#1d8a99"
WOOD = "#efe3cb"
BAMBOO = "#d9b877"
SERIES = (BLUE, GREEN, AMBER, VIOLET, TEAL, RED)
"""Colours for things of one kind that are to be told apart; they are numbered too."""

WIDEST_WORDS = 260.0
"""What the headings need, however small the board is."""
PX_PER_UNIT = 2.0
"""On a page; a drawing of 400 units fills its width."""

_STYLE = """\
text{font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;fill:#23282e}
.mono{font-family:"DejaVu Sans Mono",Menlo,Consolas,monospace}
"""


def number(value: float) -> str:
    """As short as a tenth of a unit can be written."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Sheet:
    """A drawing in the making, in units of its own (millimetres where it is a plan); y goes down.

    Printed at 100 %, a plan in `life_size` has the measures of the board.
    """

    def __init__(self, width: float, height: float, title: str, *, life_size: bool = False) -> None:
        self._width = width
        self._height = height
        self._title = title
        self._life_size = life_size
        self._parts: list[str] = []

    def line(self, *points: Point, colour: str = INK, width: float = 0.5, dash: str = "", arrow: bool = False) -> None:
        """A line through the points; with an arrow at its end if asked for."""
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}" stroke-linejoin="round" '
            f'stroke-linecap="round"{dashed}/>'
        )
        if arrow:
            self._arrowhead(points[-2], points[-1], colour, 2.2 + 2 * width)

    def box(
        self,
        corner: Point,
        size: Point,
        *,
        fill: str = "none",
        colour: str = INK,
        width: float = 0.5,
        round_: float = 0,
    ) -> None:
        self._parts.append(
            f'<rect x="{number(corner[0])}" y="{number(corner[1])}" width="{number(size[0])}" '
            f'height="{number(size[1])}" rx="{number(round_)}" fill="{fill}" stroke="{colour}" '
            f'stroke-width="{number(width)}"/>'
        )

    def disc(self, centre: Point, radius: float, *, fill: str = "none", colour: str = INK, width: float = 0.5) -> None:
        self._parts.append(
            f'<circle cx="{number(centre[0])}" cy="{number(centre[1])}" r="{number(radius)}" fill="{fill}" '
            f'stroke="{colour}" stroke-width="{number(width)}"/>'
        )

    def dot(self, centre: Point, colour: str = INK) -> None:
        """Where wires are joined."""
        self.disc(centre, 1.1, fill=colour, colour=colour, width=0)

    def words(
        self,
        at: Point,
        text: str,
        *,
        size: float = 5,
        colour: str = INK,
        anchor: Anchor = "start",
        bold: bool = False,
        mono: bool = False,
        turned: float = 0,
    ) -> None:
        """Words whose middle line is at the point."""
        x, y = number(at[0]), number(at[1] + 0.35 * size)
        extra = (' font-weight="600"' if bold else "") + (' class="mono"' if mono else "")
        extra += f' transform="rotate({number(turned)} {number(at[0])} {number(at[1])})"' if turned else ""
        self._parts.append(
            f'<text x="{x}" y="{y}" font-size="{number(size)}" text-anchor="{anchor}" '
            f'style="fill:{colour}"{extra}>{escape(text)}</text>'
        )

    def paragraph(self, at: Point, lines: Sequence[str], *, size: float = 5, colour: str = QUIET) -> None:
        for place, line in enumerate(lines):
            self.words((at[0], at[1] + place * size * 1.4), line, size=size, colour=colour)

    def measure(self, start: Point, end: Point, text: str, *, off: Point = (0, 0), beside: bool = False) -> None:
        """A dimension line, moved away from two points by `off`; its text in it, or `beside` it where it is short."""
        moved = [(x + off[0], y + off[1]) for x, y in (start, end)]
        for point, at in zip((start, end), moved, strict=True):
            self.line(point, at, colour=QUIET, width=0.25)
        self.line(*moved, colour=QUIET, width=0.4)
        self._arrowhead(moved[0], moved[1], QUIET, 2.6)
        self._arrowhead(moved[1], moved[0], QUIET, 2.6)
        middle = ((moved[0][0] + moved[1][0]) / 2, (moved[0][1] + moved[1][1]) / 2)
        if beside:
            self.words((middle[0] + 3, middle[1]), text, size=5)
            return
        upright = abs(moved[1][0] - moved[0][0]) < abs(moved[1][1] - moved[0][1])
        width = 0.62 * 5 * len(text) + 2
        size = (7.0, width) if upright else (width, 7.0)
        self.box((middle[0] - size[0] / 2, middle[1] - size[1] / 2), size, fill=PAPER, colour=PAPER, width=0)
        self.words(middle, text, size=5, anchor="middle", turned=-90 if upright else 0)

    def text(self) -> str:
        """The whole document."""
        width, height = number(self._width), number(self._height)
        scale, unit = (1.0, "mm") if self._life_size else (PX_PER_UNIT, "")
        size = f'width="{number(self._width * scale)}{unit}" height="{number(self._height * scale)}{unit}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} role="img">\n'
            f"<title>{escape(self._title)}</title>\n<style>\n{_STYLE}</style>\n"
            f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>\n' + "\n".join(self._parts) + "\n</svg>\n"
        )

    def _arrowhead(self, start: Point, end: Point, colour: str, length: float) -> None:
        (x0, y0), (x, y) = start, end
        way = max(((x - x0) ** 2 + (y - y0) ** 2) ** 0.5, 1e-9)
        dx, dy = (x - x0) / way * length, (y - y0) / way * length
        corners = ((x, y), (x - dx - 0.4 * dy, y - dy + 0.4 * dx), (x - dx + 0.4 * dy, y - dy - 0.4 * dx))
        path = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners)
        self._parts.append(f'<path d="{path}z" fill="{colour}"/>')
