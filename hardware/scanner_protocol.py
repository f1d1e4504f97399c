"""The serial link between the Pi and the scanner: bytes in, messages out, and back. No I/O, no clock.

Theory of operation
    The link may lose, damage or invent bytes at any time, and either end may start in the middle of a frame. So a
    message never depends on the one before it: `Levels` carries every channel, `Faults` every fault that stands,
    and an end that missed something is right again at the next frame. Nothing is acknowledged; who needs an
    answer (`Hello`, `Pong`) asks again.

    A frame is COBS-coded and stands between two zero bytes. COBS leaves no zero inside a frame, so a zero always
    is a border, and the one in front cuts off whatever noise came before. Inside are the protocol's version, the
    kind of the message, its fields, and a CRC-32 of all that:

        00 | COBS( version u8 | kind u8 | fields | crc u32 ) | 00          numbers are little-endian

    The checksum has 32 bits because noise is long and a wrong snapshot is worse than a late one: random bytes
    form about 4,000 pieces a megabyte, of which 16 bits would let one in 65,536 through, 32 bits one in
    4,000,000,000. `binascii.crc32` is native at both ends, so the wider one costs nothing.

    Version and kind keep their places, and frame and checksum their form, in every version to come. That is how
    a newer or older peer is recognised by any of its frames: a sound frame that this version cannot read becomes
    `Foreign`, and is never guessed at. The scanner answers such a frame with its own `Hello`.

Messages
    Capital letters come from the scanner, small ones from the Pi; docs/protocol.md has every byte.

    ====  ============  =========================================  ==================================================
    kind  message       fields                                     when
    ====  ============  =========================================  ==================================================
    H     Hello         firmware 3 u8, board 8 bytes, channels u8  at start, when asked, and to a foreign peer
    L     Levels        sequence u16, time u32 ms, level u16 ...   5 to 100 a second
    F     Faults        (fault u8, channel u8) ...                 when they change, and once a second
    P     Pong          token u32                                  for each Ping
    h     HelloRequest                                             after opening the port
    p     Ping          token u32                                  to tell what is fresh from what lay in a buffer
    r     Rate          most u8, least u8 frames a second          to change the pace of Levels
    w     RawMode       on u8                                      1: no deadband, Levels at the full pace
    x     Reset         to_repl u8                                 1: restart without the scanner, to be flashed
    ====  ============  =========================================  ==================================================
"""

from __future__ import annotations

from binascii import crc32
from dataclasses import astuple, dataclass
from enum import IntEnum
from struct import Struct, error, iter_unpack, pack, unpack
from typing import ClassVar, Self

PROTOCOL = 1
LEVEL_MAX = 0xFFFF
MAX_CHANNELS = 255
SEQUENCE_PERIOD = 1 << 16
LONGEST_FRAME = 525
"""Bytes between the zeros: 2 of header, 6 and 255 times 2 of `Levels`, 4 of checksum, 3 of COBS."""

_WHOLE_BOARD = 0xFF
_CHECKSUM = Struct("<I")


class Message:
    """Anything the two ends say to each other: its kind, and its fields to bytes and back.

    Those whose fields always have the same places give them as `LAYOUT`; the others pack themselves.
    """

    __slots__ = ()
    KIND: ClassVar[str]
    LAYOUT: ClassVar[Struct]

    def pack(self) -> bytes:
        return self.LAYOUT.pack(*astuple(self))  # type: ignore[call-overload]  # each of them is a dataclass

    @classmethod
    def unpack(cls, fields: bytes) -> Self:
        return cls(*cls.LAYOUT.unpack(fields))


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Who the scanner is."""

    KIND = "H"
    LAYOUT = Struct("<3B8sB")

    firmware: tuple[int, int, int]
    board: bytes
    """Eight bytes that no other board has."""
    channels: int

    def __post_init__(self) -> None:
        if len(self.board) != 8:
            raise ValueError(f"a board id has 8 bytes, not {len(self.board)}")

    def pack(self) -> bytes:
        return self.LAYOUT.pack(*self.firmware, self.board, self.channels)

    @classmethod
    def unpack(cls, fields: bytes) -> Self:
        *firmware, board, channels = cls.LAYOUT.unpack(fields)
        return cls((firmware[0], firmware[1], firmware[2]), board, channels)


@dataclass(frozen=True, slots=True)
class Levels(Message):
    """The level of every channel, 0 to `LEVEL_MAX`; no field at the sensor is about the middle."""

    KIND = "L"

    sequence: int
    """Counts frames from 0 at the scanner's start, modulo `SEQUENCE_PERIOD`."""
    time_ms: int
    """Since the scanner's start, modulo 2^32."""
    levels: tuple[int, ...]

    def pack(self) -> bytes:
        return pack(f"<HI{len(self.levels)}H", self.sequence, self.time_ms, *self.levels)

    @classmethod
    def unpack(cls, fields: bytes) -> Self:
        sequence, time_ms, *levels = unpack(f"<HI{max(0, len(fields) - 6) // 2}H", fields)
        return cls(sequence, time_ms, tuple(levels))


class FaultKind(IntEnum):
    """What the scanner can find wrong with itself."""

    ADC_STUCK = 1
    """All channels read exactly the same: no converter is that quiet."""
    SATURATED = 2
    """A channel lies at a supply rail: a short, or a broken wire."""
    MULTIPLEXER = 3
    """In the self-test a multiplexer, named by its first channel, gave no signal; without one: one never let go."""
    WATCHDOG = 4
    """The scanner hung and was restarted by its watchdog, a moment ago."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong; `channel` is None when it concerns the whole board."""

    kind: FaultKind
    channel: int | None = None


@dataclass(frozen=True, slots=True)
class Faults(Message):
    """Everything that is wrong now. A fault that is not in it is over."""

    KIND = "F"

    faults: tuple[Fault, ...] = ()

    def pack(self) -> bytes:
        return b"".join(
            pack("<2B", fault.kind, _WHOLE_BOARD if fault.channel is None else fault.channel) for fault in self.faults
        )

    @classmethod
    def unpack(cls, fields: bytes) -> Self:
        pairs = iter_unpack("<2B", fields)
        return cls(tuple(Fault(FaultKind(kind), None if at == _WHOLE_BOARD else at) for kind, at in pairs))


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """The answer to the `Ping` with the same token."""

    KIND = "P"
    LAYOUT = Struct("<I")

    token: int


@dataclass(frozen=True, slots=True)
class HelloRequest(Message):
    """Asks for a `Hello`."""

    KIND = "h"
    LAYOUT = Struct("")


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Asks for a `Pong`: whatever follows that answer was measured after the question."""

    KIND = "p"
    LAYOUT = Struct("<I")

    token: int


@dataclass(frozen=True, slots=True)
class Rate(Message):
    """How many `Levels` a second: at most while something changes, at least while nothing does."""

    KIND = "r"
    LAYOUT = Struct("<2B")

    most: int
    least: int


@dataclass(frozen=True, slots=True)
class RawMode(Message):
    """Whether every scan is sent, changed or not."""

    KIND = "w"
    LAYOUT = Struct("<?")

    on: bool


@dataclass(frozen=True, slots=True)
class Reset(Message):
    """Restarts the scanner; `to_repl` leaves it at MicroPython's prompt, once, so that it can be flashed."""

    KIND = "x"
    LAYOUT = Struct("<?")

    to_repl: bool = False


@dataclass(frozen=True, slots=True)
class Foreign:
    """A sound frame of another protocol, or of a kind this one does not have."""

    protocol: int
    kind: int


_KINDS: dict[int, type[Message]] = {
    ord(message.KIND): message for message in (Hello, Levels, Faults, Pong, HelloRequest, Ping, Rate, RawMode, Reset)
}


def encode(message: Message, protocol: int = PROTOCOL) -> bytes:
    """The frame of a message, with both its zeros; ValueError when a field is out of range."""
    try:
        body = bytes((protocol, ord(message.KIND))) + message.pack()
    except error as reason:
        raise ValueError(f"{message} cannot be sent: {reason}") from None
    frame = _stuff(body + _CHECKSUM.pack(crc32(body)))
    if len(frame) > LONGEST_FRAME:
        raise ValueError(f"{message} cannot be sent: a frame has at most {LONGEST_FRAME} bytes, not {len(frame)}")
    return b"\0" + frame + b"\0"


class Decoder:
    """Finds the messages, of either direction, in any stream of bytes.

    It holds at most one frame's worth of bytes, never raises, and counts what it saw: `frames` that were sound,
    `damaged` pieces that were not, and the bytes `skipped` with them.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.damaged = 0
        self.skipped = 0
        self._rest = b""

    def feed(self, data: bytes) -> list[Message | Foreign]:
        """The messages that `data` completes, in order."""
        *pieces, rest = (self._rest + data).split(b"\0")
        # One byte more than the longest frame is enough to know, at its end, that it was none.
        self._rest = rest[: LONGEST_FRAME + 1]
        self.skipped += len(rest) - len(self._rest)
        return [message for piece in pieces if piece and (message := self._open(piece))]

    def forget(self) -> None:
        """Drop the beginning of a frame whose rest will not come."""
        self.skipped += len(self._rest)
        self._rest = b""

    def _open(self, piece: bytes) -> Message | Foreign | None:
        try:
            message = _decode(piece)
        except (ValueError, error):
            self.damaged += 1
            self.skipped += len(piece)
            return None
        self.frames += 1
        return message


def _decode(piece: bytes) -> Message | Foreign:
    """The message between two zeros; ValueError or `struct.error` when there is none."""
    if len(piece) > LONGEST_FRAME:
        raise ValueError("longer than any frame")
    unstuffed = _unstuff(piece)
    body, checksum = unstuffed[:-4], unstuffed[-4:]
    if len(body) < 2 or crc32(body) != _CHECKSUM.unpack(checksum)[0]:
        raise ValueError("the checksum does not hold")
    message = _KINDS.get(body[1]) if body[0] == PROTOCOL else None
    return message.unpack(body[2:]) if message else Foreign(protocol=body[0], kind=body[1])


def _stuff(data: bytes) -> bytes:
    """COBS: each zero becomes the distance to the next one, and after 254 bytes without one a distance is added."""
    stuffed = bytearray()
    for run in data.split(b"\0"):
        while len(run) >= 254:
            stuffed += b"\xff" + run[:254]
            run = run[254:]
        stuffed.append(len(run) + 1)
        stuffed += run
    return bytes(stuffed)


def _unstuff(stuffed: bytes) -> bytes:
    data = bytearray()
    at = 0
    while at < len(stuffed):
        distance = stuffed[at]
        data += stuffed[at + 1 : at + distance]
        at += distance
        if distance < 255 and at < len(stuffed):
            data.append(0)
    if at > len(stuffed):
        raise ValueError("a distance leads out of the frame")
    return bytes(data)
