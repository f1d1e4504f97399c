"""The link's codec: whatever happens to the bytes, a message arrives as it was sent or not at all."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.scanner_protocol import (
    LEVEL_MAX,
    LONGEST_FRAME,
    MAX_CHANNELS,
    PROTOCOL,
    SEQUENCE_PERIOD,
    Decoder,
    Fault,
    FaultKind,
    Faults,
    Foreign,
    Hello,
    HelloRequest,
    Levels,
    Message,
    Ping,
    Pong,
    Rate,
    RawMode,
    Reset,
    encode,
)

BYTE = st.integers(0, 255)
U32 = st.integers(0, 2**32 - 1)
FAULT = st.builds(Fault, st.sampled_from(FaultKind), st.none() | st.integers(0, MAX_CHANNELS - 1))
MESSAGE: st.SearchStrategy[Message] = st.one_of(
    st.builds(Hello, st.tuples(BYTE, BYTE, BYTE), st.binary(min_size=8, max_size=8), BYTE),
    st.builds(
        Levels,
        st.integers(0, SEQUENCE_PERIOD - 1),
        U32,
        st.lists(st.sampled_from((0, 1, 256)) | st.integers(0, LEVEL_MAX), max_size=MAX_CHANNELS).map(tuple),
    ),
    st.builds(Faults, st.lists(FAULT, max_size=MAX_CHANNELS).map(tuple)),
    st.builds(Pong, U32),
    st.just(HelloRequest()),
    st.builds(Ping, U32),
    st.builds(Rate, BYTE, BYTE),
    st.builds(RawMode, st.booleans()),
    st.builds(Reset, st.booleans()),
)


@given(st.lists(MESSAGE, max_size=6), st.data())
def test_messages_arrive_as_sent_however_the_bytes_are_cut(messages: list[Message], data: st.DataObject) -> None:
    stream = b"".join(map(encode, messages))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    decoder = Decoder()
    arrived = [
        message
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for message in decoder.feed(stream[start:end])
    ]
    assert arrived == messages
    assert (decoder.frames, decoder.damaged, decoder.skipped) == (len(messages), 0, 0)


@given(st.binary(max_size=3 * LONGEST_FRAME), MESSAGE)
def test_the_next_good_frame_is_found_after_any_garbage(garbage: bytes, message: Message) -> None:
    decoder = Decoder()
    decoder.feed(garbage)
    assert decoder.feed(encode(message))[-1] == message


@given(MESSAGE, MESSAGE, st.data())
def test_a_flipped_bit_loses_that_message_and_no_other(first: Message, second: Message, data: st.DataObject) -> None:
    frame = bytearray(encode(first))
    bit = data.draw(st.integers(0, 8 * len(frame) - 1))
    frame[bit // 8] ^= 1 << bit % 8
    arrived = Decoder().feed(bytes(frame) + encode(second))
    # A bit in one of the two zeros may leave the frame itself whole.
    assert arrived in ([second], [first, second])
    assert arrived == [second] or bit // 8 in (0, len(frame) - 1)


@given(MESSAGE, st.data())
def test_a_frame_that_lost_a_byte_is_no_frame(message: Message, data: st.DataObject) -> None:
    frame = encode(message)
    lost = data.draw(st.integers(1, len(frame) - 2))
    assert Decoder().feed(frame[:lost] + frame[lost + 1 :]) == []


@given(MESSAGE)
def test_a_frame_has_no_zero_inside_and_is_never_longer_than_the_longest(message: Message) -> None:
    frame = encode(message)
    assert frame.startswith(b"\0")
    assert frame.endswith(b"\0")
    assert 0 not in frame[1:-1]
    assert len(frame) - 2 <= LONGEST_FRAME


def test_the_longest_frame_is_levels_of_all_channels() -> None:
    message = Levels(0xFFFF, 0xFFFFFFFF, (0xFFFF,) * MAX_CHANNELS)
    assert len(encode(message)) - 2 == LONGEST_FRAME
    assert Decoder().feed(encode(message)) == [message]


@given(MESSAGE, st.integers(0, 255).filter(lambda protocol: protocol != PROTOCOL))
def test_a_message_of_another_protocol_is_named_and_not_read(message: Message, protocol: int) -> None:
    assert Decoder().feed(encode(message, protocol)) == [Foreign(protocol, ord(message.KIND))]


@dataclass(frozen=True)
class Misshapen(Message):
    """A frame whose checksum holds and whose fields do not fit its kind."""

    KIND: str  # type: ignore[misc]
    fields: bytes

    def pack(self) -> bytes:
        return self.fields


@pytest.mark.parametrize("message", [Hello, Levels, Faults, Pong, HelloRequest, Ping, Rate, RawMode, Reset])
@pytest.mark.parametrize("length", [3, 5, 11])
def test_fields_that_do_not_fit_their_kind_are_damage(message: type[Message], length: int) -> None:
    decoder = Decoder()
    assert decoder.feed(encode(Misshapen(message.KIND, b"\1" * length))) == []
    assert (decoder.frames, decoder.damaged) == (0, 1)


def test_a_fault_that_this_protocol_does_not_have_is_damage() -> None:
    assert Decoder().feed(encode(Misshapen("F", b"\xee\x01"))) == []


def test_a_kind_that_this_protocol_does_not_have_is_named() -> None:
    assert Decoder().feed(encode(Misshapen("s", b"la"))) == [Foreign(PROTOCOL, ord("s"))]


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (Levels(-1, 0, ()), "cannot be sent"),
        (Levels(0, 0, (LEVEL_MAX + 1,)), "cannot be sent"),
        (Levels(0, 0, (1,) * (MAX_CHANNELS + 3)), "at most 525 bytes"),
        (Ping(2**32), "cannot be sent"),
        (Rate(256, 5), "cannot be sent"),
    ],
)
def test_a_message_out_of_range_is_refused_and_says_so(message: Message, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        encode(message)


def test_a_board_id_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="8 bytes, not 3"):
        Hello((1, 0, 0), b"abc", 80)


def test_a_stream_without_a_zero_is_held_to_one_frame_and_every_byte_of_it_is_counted() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 997) == []
    assert len(decoder._rest) == LONGEST_FRAME + 1
    assert decoder.feed(encode(Ping(9))) == [Ping(9)]
    assert (decoder.skipped, decoder.damaged) == (997_000, 1)


def mutated(frame: bytes, random_source: random.Random) -> bytes:
    """The frame with one to four bytes changed, lost or added."""
    bytes_ = bytearray(frame)
    for _ in range(random_source.randint(1, 4)):
        at = random_source.randrange(len(bytes_))
        change = random_source.choice(("change", "lose", "add"))
        if change == "change":
            bytes_[at] ^= random_source.randint(1, 255)
        elif change == "lose":
            del bytes_[at]
        else:
            bytes_.insert(at, random_source.randrange(256))
    return bytes(bytes_)


@pytest.mark.parametrize("seed", range(3))
def test_a_million_random_and_mutated_bytes_hold_no_frame_but_the_good_ones(seed: int) -> None:
    """The good frames are known by their token; 32 bits let a false one through once in half a million runs."""
    source = random.Random(seed)
    decoder = Decoder()
    fed = token = 0
    while fed < 1_000_000:
        token += 1
        levels = tuple(source.randrange(LEVEL_MAX + 1) for _ in range(80))
        noise = source.choice((source.randbytes(source.randrange(600)), mutated(encode(Levels(1, 2, levels)), source)))
        whole = {(1, 2, levels)} if encode(Levels(1, 2, levels))[1:-1] in noise.split(b"\0") else set()
        found = decoder.feed(noise) + decoder.feed(encode(Pong(token)))
        assert found[-1] == Pong(token)
        assert {(m.sequence, m.time_ms, m.levels) for m in found[:-1] if isinstance(m, Levels)} == whole
        assert len(found) == 1 + len(whole)
        fed += len(noise)
    assert decoder.frames >= token
