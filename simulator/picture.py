"""The board as a drawing: pawns, sticks and the glowing pixels of a frame as SVG, for any background.

Measures are those of the layout, in millimetres. The same scene always gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from engine import Color
from hardware.interface import Frame
from hardware.layout import START_LINES, Layout
from simulator.glow import Point, document, dots, glowing, light_definitions, number, pair

PAWN_RADIUS_MM = 11.0
STICK_MM = 8.0
STRIP_OFF_PAWNS_MM = 14.2
"""From the middle of a row's pawns to its pixels: beside the next stick, on a start line between the ranks."""
SIDE_MM = 15.0
"""From the pawns to the score strips, and from those to the edge of the board."""
GAP_MM = 18.0
CAPTION_MM = 30.0
WORDS_MM = 15.0
"""The size of the words below a board: to be read where three boards share the width of a page."""
WORDS_COLOUR = "#808893"
"""A grey that can be read on white and on black."""

_MATERIALS = """\
<linearGradient id="rim" x2="1" y2="1"><stop stop-color="#94663e"/><stop offset="1" stop-color="#54351d"/>
</linearGradient>
<linearGradient id="bed" x2="0" y2="1"><stop stop-color="#40301f"/><stop offset="1" stop-color="#33251a"/>
</linearGradient>
<linearGradient id="bamboo" x2="0" y2="1"><stop stop-color="#7d6228"/><stop offset=".3" stop-color="#e6d294"/>
<stop offset=".6" stop-color="#bf9d50"/><stop offset="1" stop-color="#4f3a14"/></linearGradient>
<radialGradient id="red" cx=".38" cy=".32" r=".75"><stop stop-color="#ff9880"/>
<stop offset=".3" stop-color="#dd4034"/><stop offset=".8" stop-color="#a01c19"/><stop offset="1" stop-color="#63100f"/>
</radialGradient>
<radialGradient id="black" cx=".38" cy=".32" r=".75"><stop stop-color="#a39e98"/>
<stop offset=".3" stop-color="#524e4b"/><stop offset=".8" stop-color="#232120"/><stop offset="1" stop-color="#0b0a0a"/>
</radialGradient>
"""

_PAWN = """\
<g id="{color}-pawn"><circle cx="1.3" cy="2.4" r="11.4" opacity=".45"/><g id="{color}-body">\
<circle r="11" fill="url(#{color})" stroke="#000" stroke-opacity=".5" stroke-width=".5"/>\
<circle r="7.2" fill="none" stroke="#000" stroke-opacity=".35" stroke-width=".8"/>\
<circle r="3.8" fill="url(#{color})" stroke="#000" stroke-opacity=".3" stroke-width=".4"/></g></g>
"""


@dataclass(frozen=True, slots=True)
class Pawn:
    """A pawn on the board, or held above it."""

    color: Color
    centre_mm: Point
    held: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """One board at one moment, and the words below it."""

    frame: Frame
    pawns: tuple[Pawn, ...]
    caption: str = ""


def draw(layout: Layout, scenes: Sequence[Scene]) -> str:
    """The scenes side by side, as one SVG document."""
    board = _Board(layout)
    height = board.height + (CAPTION_MM if any(scene.caption for scene in scenes) else 0)
    boards = [
        f'<g transform="translate({number(place * (board.width + GAP_MM))} 0)">\n{_scene(board, scene)}</g>\n'
        for place, scene in enumerate(scenes)
    ]
    pawns = "".join(_PAWN.format(color=color) for color in Color)
    definitions = _MATERIALS + light_definitions(board.width, board.height) + pawns + _empty_board(board)
    return document(len(scenes) * (board.width + GAP_MM) - GAP_MM, height, definitions, "".join(boards))


def standing(layout: Layout, red: Sequence[int], black: Sequence[int]) -> tuple[Pawn, ...]:
    """So many pawns in each row, as tidy people put them: red to the left and black to the right; on a start line
    the player's own at the edge and the visitors next to the sticks."""
    pawns: list[Pawn] = []
    for row, slots in enumerate(layout.rows):
        centres = [layout.centres_mm[slot] for slot in slots]
        if row in START_LINES:
            pawns += _on_start_line(row, red[row], black[row], centres)
        else:
            pawns += [Pawn(Color.RED, centre) for centre in centres[: red[row]]]
            pawns += [Pawn(Color.BLACK, centre) for centre in centres[::-1][: black[row]]]
    return tuple(pawns)


def _on_start_line(row: int, red: int, black: int, centres: Sequence[Point]) -> list[Pawn]:
    """In each rank from the middle to the sides; visitors that do not fit into their rank take what is left."""
    middle_first = sorted(centres, key=lambda centre: (abs(centre[0]), centre[0]))
    upwards = sorted(middle_first, key=lambda centre: centre[1])
    downwards = sorted(middle_first, key=lambda centre: -centre[1])
    if row == Color.RED.start:
        red_centres = upwards[:red]
        black_centres = [centre for centre in downwards if centre not in red_centres][:black]
    else:
        black_centres = downwards[:black]
        red_centres = [centre for centre in upwards if centre not in black_centres][:red]
    return [Pawn(Color.RED, centre) for centre in red_centres] + [Pawn(Color.BLACK, centre) for centre in black_centres]


class _Board:
    """Where everything lies in the drawing: x to the right and y downwards from the board's upper left corner."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.half_mm = max(x for x, _ in layout.centres_mm) + PAWN_RADIUS_MM
        self.lowest_mm = min(y for _, y in layout.centres_mm) - PAWN_RADIUS_MM
        self.highest_mm = max(y for _, y in layout.centres_mm) + PAWN_RADIUS_MM
        self.width = 2 * (self.half_mm + 2 * SIDE_MM)
        self.height = self.highest_mm - self.lowest_mm + 2 * SIDE_MM
        self.rows_mm = [row_height_mm(layout, row) for row in range(len(layout.rows))]
        self.pixels = tuple(self.at(pixel) for pixel in self._pixels_mm())

    def at(self, point_mm: Point) -> Point:
        x, y = point_mm
        return x + self.width / 2, self.highest_mm - y + SIDE_MM

    def strip_mm(self, row: int) -> float:
        """The height of a row's pixels."""
        return self.rows_mm[row] + (STRIP_OFF_PAWNS_MM if row == START_LINES[1] else -STRIP_OFF_PAWNS_MM)

    def sticks_mm(self) -> list[float]:
        return [(below + above) / 2 for below, above in zip(self.rows_mm, self.rows_mm[1:], strict=False)]

    def scores_mm(self) -> tuple[float, float]:
        """How far to the side the score strips lie, red's and black's."""
        return -self.half_mm - SIDE_MM, self.half_mm + SIDE_MM

    def _pixels_mm(self) -> Iterable[Point]:
        for row, span in enumerate(self.layout.row_pixels):
            for x in _spread(-self.half_mm, self.half_mm, len(span)):
                yield x, self.strip_mm(row)
        for x, span in zip(self.scores_mm(), self.layout.score_pixels, strict=True):
            for y in _spread(self.lowest_mm, self.highest_mm, len(span)):
                yield x, y


def row_height_mm(layout: Layout, row: int) -> float:
    """The height of a row's slots; on a start line, of the rank next to the sticks."""
    heights = [layout.centres_mm[slot][1] for slot in layout.rows[row]]
    return max(heights) if row == START_LINES[0] else min(heights)


def _spread(start: float, end: float, count: int) -> list[float]:
    return [start + (end - start) * (place + 0.5) / count for place in range(count)]


# What never changes


def _empty_board(board: _Board) -> str:
    parts = [
        f'<rect width="{number(board.width)}" height="{number(board.height)}" rx="12" fill="url(#rim)"/>\n',
        _box(board, (-board.half_mm - 6, board.highest_mm + 4), (board.half_mm + 6, board.lowest_mm - 4), "url(#bed)"),
    ]
    parts += [
        _groove(board, (-board.half_mm, board.strip_mm(row)), (board.half_mm, board.strip_mm(row)))
        for row in range(len(board.rows_mm))
    ]
    parts += [_groove(board, (x, board.lowest_mm), (x, board.highest_mm)) for x in board.scores_mm()]
    parts += [_stick(board, y, place) for place, y in enumerate(board.sticks_mm())]
    parts += [dots(board.pixels, "#3a3531", 1.9, 1.0)]
    parts += [_row_number(board, row) for row in range(len(board.rows_mm))]
    return f'<g id="board">\n{"".join(parts)}</g>\n'


def _box(board: _Board, upper_left_mm: Point, lower_right_mm: Point, fill: str) -> str:
    (left, top), (right, bottom) = board.at(upper_left_mm), board.at(lower_right_mm)
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(right - left)}" height="{number(bottom - top)}" '
        f'rx="6" fill="{fill}" stroke="#000" stroke-opacity=".45"/>\n'
    )


def _groove(board: _Board, start_mm: Point, end_mm: Point) -> str:
    """The dark channel in which a strip of pixels lies."""
    path = "L".join(pair(board.at(point)) for point in (start_mm, end_mm))
    return f'<path d="M{path}" stroke="#15110d" stroke-width="4.6" stroke-linecap="round"/>\n'


def _stick(board: _Board, y_mm: float, place: int) -> str:
    left, top = board.at((-board.half_mm - 5, y_mm + STICK_MM / 2))
    length = 2 * (board.half_mm + 5)
    size = f'width="{number(length)}" height="{number(STICK_MM)}" rx="4"'
    # Bamboo has its nodes where it likes.
    nodes = [left + length * (share + 0.13 * (place * 0.618 % 1)) for share in (0.06, 0.27, 0.46, 0.68, 0.85)]
    joints = "".join(f"M{number(x)} {number(top - 0.5)}v{number(STICK_MM + 1)}" for x in nodes)
    return (
        f'<rect x="{number(left)}" y="{number(top + 2)}" {size} opacity=".4"/>'
        f'<rect x="{number(left)}" y="{number(top)}" {size} fill="url(#bamboo)"/>'
        f'<path d="{joints}" stroke="#6b5220" stroke-width="1.6" stroke-opacity=".7"/>\n'
    )


def _row_number(board: _Board, row: int) -> str:
    x, y = board.at((-board.half_mm + 4, board.rows_mm[row] - 3))
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="11" fill="#d8c49a" opacity=".55" '
        f'text-anchor="middle">{row}</text>\n'
    )


# What a scene adds


def _scene(board: _Board, scene: Scene) -> str:
    return "".join(
        (
            '<use href="#board"/>\n',
            _light(board, scene.frame),
            *(_pawn(board, pawn) for pawn in sorted(scene.pawns, key=lambda pawn: pawn.held)),
            _caption(board, scene.caption),
        )
    )


def _pawn(board: _Board, pawn: Pawn) -> str:
    x, y = board.at(pawn.centre_mm)
    if not pawn.held:
        return f'<use href="#{pawn.color}-pawn" x="{number(x)}" y="{number(y)}"/>\n'
    shadow = f'<circle cx="{number(x + 5)}" cy="{number(y + 9)}" r="11.4" opacity=".3"/>'
    return f'{shadow}<use href="#{pawn.color}-body" transform="translate({pair((x, y))}) scale(1.18)"/>\n'


def _caption(board: _Board, words: str) -> str:
    if not words:
        return ""
    x, y = board.width / 2, board.height + CAPTION_MM * 0.7
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{WORDS_MM}" fill="{WORDS_COLOUR}" '
        f'text-anchor="middle">{escape(words)}</text>\n'
    )


def _light(board: _Board, frame: Frame) -> str:
    return glowing([(point, frame.pixels[3 * pixel : 3 * pixel + 3]) for pixel, point in enumerate(board.pixels)])
