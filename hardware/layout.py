"""Rows, slots and pixels of one board, and how they are wired.

`BoardSettings` is what a builder writes down; `Layout` is the same, checked once and worked out. Slots and pixels
are numbered as a person reads the board: row 0 first, each row from left to right seen from red's side, on a start
line the rank nearest the edge first; after the rows the score strip of red, then that of black, each from row 0
upwards. Channels of the multiplexers and places on the chain of pixels are the wiring: drivers ask the layout for
them and nobody else does.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import msgspec

from hardware.errors import LayoutError

ROWS = 8
START_LINES = (0, ROWS - 1)
SCORE_STRIPS = ("score red", "score black")
STRIPS = (*(f"row {row}" for row in range(ROWS)), *SCORE_STRIPS)

MOST = 10_000
"""Of anything that is counted: more than any board has, and few enough for any computer."""


class BoardSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The board as it was built: section `[board]` of the settings."""

    inner_slots: int = 6
    start_slots: int = 18
    start_ranks: int = 2
    multiplexers: int = 5
    multiplexer_channels: int = 16
    channels: tuple[int, ...] = ()
    """The channel of each slot, in slot order; empty: slot 0 on channel 0, slot 1 on channel 1 and so on."""
    row_pixels: int = 12
    score_pixels: int = 60
    chain: tuple[str, ...] = STRIPS
    """The strips in the order in which the data line meets them."""
    chain_pixels: int = 216
    """How many pixels the chain really has."""
    mirrored: tuple[str, ...] = ()
    """Strips whose data line enters at the right (rows) or at row 7 (score strips)."""
    slot_pitch_mm: float = 32.0
    row_pitch_mm: float = 44.0
    rank_pitch_mm: float = 28.0


@dataclass(frozen=True, slots=True)
class Layout:
    """A checked board. Make one with `Layout.of`."""

    rows: tuple[range, ...]
    """The slots of each row."""
    row_of: tuple[int, ...]
    """The row of each slot."""
    centres_mm: tuple[tuple[float, float], ...]
    """The centre of each slot: x to the right, y from red's edge upwards, the board's middle axis at x = 0."""
    channels: tuple[int, ...]
    """The channel of each slot."""
    channel_count: int
    multiplexer_channels: int
    """The channels of one multiplexer; the first has channels 0 and up, the second follows on."""
    row_pixels: tuple[range, ...]
    """The pixels of each row's strip."""
    score_pixels: tuple[range, range]
    """The pixels of red's and of black's score strip."""
    wire: tuple[int, ...]
    """The place on the chain of each pixel."""
    chain_pixels: int

    @classmethod
    def of(cls, board: BoardSettings) -> Layout:
        _check_counts(board)
        rows = _consecutive([board.start_slots if row in START_LINES else board.inner_slots for row in range(ROWS)])
        channels = _channels(board, rows[-1].stop)
        pixels = _consecutive([board.row_pixels] * ROWS + [board.score_pixels] * 2)
        return cls(
            rows=rows,
            row_of=tuple(row for row in range(ROWS) for _ in rows[row]),
            centres_mm=tuple(centre for row in range(ROWS) for centre in _row_centres(board, row)),
            channels=channels,
            channel_count=board.multiplexers * board.multiplexer_channels,
            multiplexer_channels=board.multiplexer_channels,
            row_pixels=pixels[:ROWS],
            score_pixels=(pixels[ROWS], pixels[ROWS + 1]),
            wire=_wire(board, pixels),
            chain_pixels=board.chain_pixels,
        )

    @property
    def slot_count(self) -> int:
        return len(self.row_of)

    @property
    def pixel_count(self) -> int:
        return len(self.wire)

    def slot(self, row: int, place: int) -> int:
        """The number of a slot, from its row and its place in that row."""
        if not 0 <= row < len(self.rows):
            raise LayoutError(f"there is no row {row}: rows are 0 to {len(self.rows) - 1}")
        if not 0 <= place < len(self.rows[row]):
            raise LayoutError(f"row {row} has no slot {place}: its slots are 0 to {len(self.rows[row]) - 1}")
        return self.rows[row][place]

    def name(self, slot: int) -> str:
        """The slot as people write it: `3.5` is the sixth slot of row 3."""
        row = self.row_of[slot]
        return f"{row}.{slot - self.rows[row].start}"


def _consecutive(lengths: list[int]) -> tuple[range, ...]:
    spans: list[range] = []
    start = 0
    for length in lengths:
        spans.append(range(start, start + length))
        start += length
    return tuple(spans)


def _check_counts(board: BoardSettings) -> None:
    counts = ("inner_slots", "start_slots", "start_ranks", "multiplexers", "multiplexer_channels", "row_pixels")
    for key in counts:
        if getattr(board, key) < 1:
            raise LayoutError(f"{key} is {getattr(board, key)}: it must be at least 1")
    if board.score_pixels < 0:
        raise LayoutError(f"score_pixels is {board.score_pixels}: it must not be negative")
    for key in (*counts, "score_pixels", "chain_pixels"):
        if getattr(board, key) > MOST:
            raise LayoutError(f"{key} is {getattr(board, key)}: it must not be more than {MOST}")
    if board.start_slots % board.start_ranks:
        raise LayoutError(f"start_slots is {board.start_slots}, which does not divide into {board.start_ranks} ranks")
    for key in ("slot_pitch_mm", "row_pitch_mm", "rank_pitch_mm"):
        pitch_mm = getattr(board, key)
        if not (isfinite(pitch_mm) and pitch_mm > 0):
            raise LayoutError(f"{key} is {pitch_mm}: it must be a length of more than 0")


def _row_centres(board: BoardSettings, row: int) -> list[tuple[float, float]]:
    ranks = board.start_ranks if row in START_LINES else 1
    in_rank = (board.start_slots if row in START_LINES else board.inner_slots) // ranks
    # The rank nearest the edge comes first, so the second rank of row 0 lies above the first, of row 7 below.
    outward = -1.0 if row == 0 else 1.0
    return [
        (
            (place - (in_rank - 1) / 2) * board.slot_pitch_mm,
            row * board.row_pitch_mm + outward * (ranks - 1 - rank) * board.rank_pitch_mm,
        )
        for rank in range(ranks)
        for place in range(in_rank)
    ]


def _channels(board: BoardSettings, slots: int) -> tuple[int, ...]:
    available = board.multiplexers * board.multiplexer_channels
    channels = board.channels or tuple(range(slots))
    if len(channels) < slots:
        raise LayoutError(f"slot {len(channels)} has no channel: channels names {len(channels)} of {slots} slots")
    if len(channels) > slots:
        raise LayoutError(f"channels names {len(channels)} slots, but the board has {slots}")
    used: dict[int, int] = {}
    for slot, channel in enumerate(channels):
        if not 0 <= channel < available:
            raise LayoutError(
                f"slot {slot} is wired to channel {channel}, but {board.multiplexers} multiplexers of "
                f"{board.multiplexer_channels} have the channels 0 to {available - 1}"
            )
        if channel in used:
            raise LayoutError(f"channel {channel} is used twice: by slot {used[channel]} and by slot {slot}")
        used[channel] = slot
    return channels


def _wire(board: BoardSettings, pixels: tuple[range, ...]) -> tuple[int, ...]:
    for key, names in (("chain", board.chain), ("mirrored", board.mirrored)):
        for name in names:
            if name not in STRIPS:
                raise LayoutError(f"{key} names a strip {name!r}: strips are {', '.join(STRIPS)}")
            if names.count(name) > 1:
                raise LayoutError(f"{key} names {name!r} twice")
    missing = [name for name in STRIPS if name not in board.chain]
    if missing:
        raise LayoutError(f"chain leaves out {', '.join(missing)}")
    if pixels[-1].stop > board.chain_pixels:
        raise LayoutError(f"the strips have {pixels[-1].stop} pixels, more than the {board.chain_pixels} on the chain")
    wire = [0] * pixels[-1].stop
    place = 0
    for name in board.chain:
        strip = pixels[STRIPS.index(name)]
        for pixel in reversed(strip) if name in board.mirrored else strip:
            wire[pixel] = place
            place += 1
    return tuple(wire)
