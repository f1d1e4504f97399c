"""Records in a file, so that a torn one is noticed: length, bytes, CRC-32 of the bytes, and so on to the end."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

MAGIC = b"Linja black box 1\n"
MOST_BYTES = 1024 * 1024
_LENGTH, _CHECK = struct.Struct("<I"), struct.Struct("<I")


def framed(record: bytes) -> bytes:
    return _LENGTH.pack(len(record)) + record + _CHECK.pack(zlib.crc32(record))


class Torn(Exception):
    """From here on the file holds nothing that can be read."""


def records(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Each whole record and where it ends. `Torn` where a record is begun and not whole, or not as it was written."""
    at = len(MAGIC)
    if file.read(at) != MAGIC:
        raise Torn("it does not begin as a recording does")
    while head := file.read(_LENGTH.size):
        if len(head) < _LENGTH.size:
            raise Torn(f"it breaks off at byte {at}")
        (length,) = _LENGTH.unpack(head)
        if length > MOST_BYTES:
            raise Torn(f"it is damaged at byte {at}")
        rest = file.read(length + _CHECK.size)
        if len(rest) < length + _CHECK.size:
            raise Torn(f"it breaks off at byte {at}")
        record = rest[:length]
        if _CHECK.unpack(rest[length:])[0] != zlib.crc32(record):
            raise Torn(f"it is damaged at byte {at}")
        at += len(head) + len(rest)
        yield at, record
