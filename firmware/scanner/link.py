"""Frames to and from the Pi over the Pico's USB serial port. docs/protocol.md describes every byte.

MicroPython's standard streams are made for a person at a prompt. What makes them fit for bytes: `kbd_intr(-1)`, or a 3
would stop the program; `.buffer`, or line ends would be changed; one byte a read, for the Pico waits until all that
was asked for has come; and a look before each write whether there is room, so that a Pi that does not read costs
frames and not time.
"""

import select
import struct
import sys
from binascii import crc32

import micropython

PROTOCOL = 1
LONGEST_SENT = 2 + 6 + 2 * 255 + 4
LONGEST_RECEIVED = 64
BYTES_A_TURN = 256  # so that a flood of noise cannot keep the scanner from scanning


class Link:
    """One end of the link. `fields` is where a message to be sent is written; `send` makes it a frame."""

    def __init__(self):
        micropython.kbd_intr(-1)
        self._body = bytearray(LONGEST_SENT)
        self._body[0] = PROTOCOL
        self.fields = memoryview(self._body)[2:]
        self._frame = bytearray(LONGEST_SENT + LONGEST_SENT // 254 + 3)
        self._received = bytearray(LONGEST_RECEIVED)
        self._length = 0
        self._byte = bytearray(1)
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)

    def send(self, kind, length):
        """Send a message whose `length` bytes of fields are in place, or drop it when there is no room."""
        if not ready(self._writable, 0):
            return
        body = self._body
        body[1] = kind
        end = 2 + length
        struct.pack_into("<I", body, end, crc32(memoryview(body)[:end]))
        size = stuff(body, end + 4, self._frame)
        sys.stdout.buffer.write(memoryview(self._frame)[:size])

    def receive(self, wait_ms):
        """The (protocol, kind, fields) of the next sound frame within `wait_ms`, or None."""
        for _ in range(BYTES_A_TURN):
            if not ready(self._readable, wait_ms):
                return None
            wait_ms = 0
            if not sys.stdin.buffer.readinto(self._byte):
                return None
            message = self._take(self._byte[0])
            if message:
                return message
        return None

    def _take(self, byte):
        if byte:
            # One past the end marks a frame that is too long to be one.
            if self._length < LONGEST_RECEIVED:
                self._received[self._length] = byte
            self._length = min(self._length + 1, LONGEST_RECEIVED + 1)
            return None
        length, self._length = self._length, 0
        return opened(self._received, length) if 0 < length <= LONGEST_RECEIVED else None


def ready(poll, wait_ms):
    for _ in poll.ipoll(wait_ms):  # unlike poll() it allocates nothing
        return True
    return False


def opened(frame, length):
    """The (protocol, kind, fields) in the first `length` bytes, or None; the frame is unstuffed in place."""
    length = unstuff(frame, length)
    if length < 6:
        return None
    body = memoryview(frame)[: length - 4]
    if crc32(body) != struct.unpack_from("<I", frame, length - 4)[0]:
        return None
    return body[0], body[1], bytes(body[2:])


@micropython.native
def stuff(data, length, frame):
    """COBS with both zeros, from the first `length` bytes of `data` to `frame`; returns how long it became."""
    frame[0] = 0
    mark = 1
    to = 2
    for at in range(length):
        byte = data[at]
        if byte:
            frame[to] = byte
            to += 1
        if byte == 0 or to - mark == 255:
            frame[mark] = to - mark
            mark = to
            to += 1
    frame[mark] = to - mark
    frame[to] = 0
    return to + 1


def unstuff(frame, length):
    """COBS undone in place; returns how long the data is, 0 when it is none."""
    at = to = 0
    while at < length:
        distance = frame[at]
        if at + distance > length:
            return 0
        for _ in range(distance - 1):
            at += 1
            frame[to] = frame[at]
            to += 1
        at += 1
        if distance < 255 and at < length:
            frame[to] = 0
            to += 1
    return to
