"""Garbage: bytes made of valid ones by chance, or of nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

NASTY = (
    b"",
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"-1",
    b"0",
    b"1e309",
    b"nan",
    b"-0.0",
    b"2147483648",
    b"9223372036854775808",
    b"18446744073709551616",
    b"9" * 400,
    b"9" * 5000,
    b"true",
    b"null",
    b'""',
    b"[]",
    b"{}",
    b"[" * 300,
    b'{"a":' * 300,
    b"\r\n",
    b"\n\n",
    b'"',
    b"'''",
    b"\\u0000",
    b"%00",
    b"../",
    "\N{BELL}\N{RIGHT-TO-LEFT OVERRIDE}\N{PILE OF POO}".encode(),
    b"A" * 10_000,
)
"""What programs have stumbled over."""
MOST_CHANGES = 6
LONGEST_RANDOM = 300


class Garbage:
    """An endless supply: valid things as they are, damaged ones, mixtures of two, and noise."""

    def __init__(self, chance: random.Random, valid: Sequence[bytes]) -> None:
        self._random = chance
        self._valid = valid
        self._changes: tuple[Callable[[bytearray], None], ...] = (
            self._flip,
            self._set,
            self._cut,
            self._double,
            self._insert_nasty,
            self._replace_with_nasty,
            self._truncate,
            self._mix,
        )

    def piece(self) -> bytes:
        kind = self._random.random()
        if kind < 0.05:
            return self._random.choice(self._valid)
        if kind < 0.15:
            return self._random.randbytes(self._random.randrange(LONGEST_RANDOM))
        piece = bytearray(self._random.choice(self._valid))
        for _ in range(self._random.randint(1, MOST_CHANGES)):
            self._random.choice(self._changes)(piece)
        return bytes(piece)

    def _place(self, piece: bytearray) -> int:
        return self._random.randint(0, len(piece))

    def _span(self, piece: bytearray) -> slice:
        start = self._place(piece)
        return slice(start, start + self._random.choice((1, 2, 4, 16, 64, 512)))

    def _flip(self, piece: bytearray) -> None:
        if piece:
            piece[self._random.randrange(len(piece))] ^= 1 << self._random.randrange(8)

    def _set(self, piece: bytearray) -> None:
        if piece:
            piece[self._random.randrange(len(piece))] = self._random.randrange(256)

    def _cut(self, piece: bytearray) -> None:
        del piece[self._span(piece)]

    def _double(self, piece: bytearray) -> None:
        place = self._place(piece)
        piece[place:place] = piece[self._span(piece)]

    def _insert_nasty(self, piece: bytearray) -> None:
        place = self._place(piece)
        piece[place:place] = self._random.choice(NASTY)

    def _replace_with_nasty(self, piece: bytearray) -> None:
        piece[self._span(piece)] = self._random.choice(NASTY)

    def _truncate(self, piece: bytearray) -> None:
        del piece[self._place(piece) :]

    def _mix(self, piece: bytearray) -> None:
        other = self._random.choice(self._valid)
        piece[self._place(piece) :] = other[self._random.randint(0, len(other)) :]
