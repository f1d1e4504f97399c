"""How far the write-ahead log of SQLite counts: up to the last transaction of this round that was ended.

The log begins with 32 bytes, the last 16 of which are two salts and a checksum; each frame is a header of 24 bytes and
a page. A frame that counts has the salts of the log, and one that ends a transaction says how many pages there are.
"""

from __future__ import annotations

from struct import Struct

_HEADER = Struct(">4xIIIII8x")
"""Version, size of a page, number of the checkpoint, salts."""
_FRAME = Struct(">IIII8x")
"""Page, pages after the transaction, salts."""


def confirmed_bytes(log: bytes) -> int:
    """What stands behind these bytes was not synced, or belongs to a round that is over."""
    if len(log) < _HEADER.size:
        return 0
    _, page_bytes, _, *salts = _HEADER.unpack_from(log)
    confirmed, place = _HEADER.size, _HEADER.size
    while page_bytes and place + _FRAME.size + page_bytes <= len(log):
        _, pages, *frame_salts = _FRAME.unpack_from(log, place)
        if frame_salts != salts:
            break
        place += _FRAME.size + page_bytes
        if pages:
            confirmed = place
    return confirmed
