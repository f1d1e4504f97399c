"""Whole numbers in as few bytes as they need: seven bits a byte, the lowest first; signs are folded in."""

from __future__ import annotations

MOST_BYTES = 10


def write(value: int) -> bytes:
    """A number that is not negative."""
    result = bytearray()
    while value > 0x7F:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    result.append(value)
    return bytes(result)


def write_signed(value: int) -> bytes:
    return write(2 * value if value >= 0 else -2 * value - 1)


class Reader:
    """Takes numbers and bytes off the front of what was written. `ValueError` where there are none."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._content)

    def byte(self) -> int:
        if self.is_at_end:
            raise ValueError("it ends in the middle of a number")
        self._at += 1
        return self._content[self._at - 1]

    def number(self) -> int:
        value = 0
        for place in range(MOST_BYTES):
            byte = self.byte()
            value |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                return value
        raise ValueError("a number has no end")

    def signed(self) -> int:
        folded = self.number()
        return folded // 2 if folded % 2 == 0 else -(folded + 1) // 2

    def take(self, count: int) -> bytes:
        if count > len(self._content) - self._at:
            raise ValueError(f"{count} bytes are not there")
        self._at += count
        return self._content[self._at - count : self._at]

    def rest(self) -> bytes:
        return self.take(len(self._content) - self._at)
