"""What is done of a solve, on disk: the levels one after another, so that an interrupted one goes on where it was.

A checksum tells that a level is whole; what was being written when the power went is cut off.
"""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct

from engine.edition import Edition
from engine.errors import BadSolution
from engine.placement import Geometry
from engine.solved_file import HEADER_BYTES, Header

_LEVEL = Struct("<IIQI")  # level, number of blocks, bytes that follow, checksum of these


class Kept:
    """The file of a solve that is under way."""

    def __init__(self, path: Path, edition: Edition, geometry: Geometry) -> None:
        self._path = path
        self._header = Header(edition, geometry, 0, 0)

    def levels(self) -> Iterator[tuple[int, list[bytes]]]:
        """The levels that are done, each as its packed blocks; after them, the file is ready for the next."""
        try:
            with self._path.open("r+b") as file:
                if Header.unpack(file.read(HEADER_BYTES)) != self._header:
                    raise BadSolution("it was kept of another game")
                whole = file.tell()
                while len(head := file.read(_LEVEL.size)) == _LEVEL.size:
                    level, blocks, size, checksum = _LEVEL.unpack(head)
                    if zlib.crc32(body := file.read(size)) != checksum or len(body) != size:
                        break
                    yield level, _unpacked(body, blocks)
                    whole = file.tell()
                file.truncate(whole)
        except FileNotFoundError:
            self._path.write_bytes(self._header.pack())
        except BadSolution as error:
            raise BadSolution(f"{self._path}: {error}; remove it to begin anew") from None

    def add(self, level: int, blocks: Sequence[bytes]) -> None:
        """A level is done; when this returns it is on disk."""
        body = array("I", map(len, blocks)).tobytes() + b"".join(blocks)
        with self._path.open("ab") as file:
            file.write(_LEVEL.pack(level, len(blocks), len(body), zlib.crc32(body)))
            file.write(body)
            file.flush()
            os.fsync(file.fileno())

    def remove(self) -> None:
        self._path.unlink()


def _unpacked(body: bytes, blocks: int) -> list[bytes]:
    sizes = array("I")
    sizes.frombytes(body[: sizes.itemsize * blocks])
    packed, place = [], sizes.itemsize * blocks
    for size in sizes:
        packed.append(body[place : place + size])
        place += size
    return packed
