"""The file of a solved game: a header, the places where the line of each mover is, and the lines.

A line holds the margin for the player to move against each of its possible `Opponents`, a signed byte each, packed by
zlib, which also sees damage to it. As a rule a turn changes only the mover's placement, so that all it can lead to
stands in one line: that of the opponent, who is to move then. Numbers have their low byte first.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from struct import Struct

from engine.edition import Edition
from engine.errors import BadSolution, LinjaError
from engine.placement import Geometry

MAGIC = b"Linja solved"
VERSION = 1
_HEADER = Struct(
    "<12sHBBB31sQI"
)  # magic, version, rows, pawns, room, edition, bytes of the file, checksum of the places
_CHECKSUM = Struct("<I")
PLACE = Struct("<QI")  # where a line begins, and how many bytes it has
HEADER_BYTES = _HEADER.size + _CHECKSUM.size


@dataclass(frozen=True, slots=True)
class Header:
    """What the file is about, and how to know that all of it is there."""

    edition: Edition
    geometry: Geometry
    file_bytes: int
    places_checksum: int

    @property
    def lines_begin(self) -> int:
        """Where the first line begins: after the places of all lines."""
        return HEADER_BYTES + PLACE.size * self.geometry.placements

    def pack(self) -> bytes:
        size = (self.geometry.rows, self.geometry.pawns, self.geometry.room)
        name = str(self.edition).encode("ascii")
        packed = _HEADER.pack(MAGIC, VERSION, *size, name, self.file_bytes, self.places_checksum)
        return packed + _CHECKSUM.pack(zlib.crc32(packed))

    @classmethod
    def unpack(cls, data: bytes) -> Header:
        """The header that a file begins with; `BadSolution` if there is none."""
        if not data.startswith(MAGIC):
            raise BadSolution("this is not the file of a solved game")
        if len(data) < HEADER_BYTES:
            raise BadSolution("the file breaks off in its header")
        _, version, rows, pawns, room, name, size, checksum = _HEADER.unpack_from(data)
        if version != VERSION:
            raise BadSolution(f"the file has version {version} of the format; this program reads version {VERSION}")
        if _CHECKSUM.unpack_from(data, _HEADER.size) != (zlib.crc32(data[: _HEADER.size]),):
            raise BadSolution("the header of the file is damaged")
        try:
            edition = Edition.parse(name.rstrip(b"\0").decode("ascii"))
        except (LinjaError, UnicodeDecodeError) as error:
            raise BadSolution(f"the file is about a game that is not known here: {error}") from None
        return cls(edition, Geometry(rows, pawns, room), size, checksum)
