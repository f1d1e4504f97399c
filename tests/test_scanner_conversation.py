"""The talk with a scanner, on numbers alone: no port, no clock, a scanner that is a few lines of the test."""

from __future__ import annotations

import pytest

from hardware.errors import SensorLost
from hardware.interface import Reading, SensorFault, Snapshot
from hardware.layout import BoardSettings, Layout
from hardware.scanner_conversation import ASK_AGAIN_S, FAULTS_LAST_S, GREETING_S, SILENCE_S, Conversation
from hardware.scanner_protocol import (
    PROTOCOL,
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
    encode,
)
from tests.rigs.thresholds import MIDDLE, Thresholds

# Slot s is wired to channel 79 - s, so that nothing passes that forgets the wiring; channels 0 to 7 are spare.
LAYOUT = Layout.of(BoardSettings(channels=tuple(range(79, 7, -1))))
HELLO = Hello((1, 2, 3), b"pico-one", 80)
RATE = Rate(50, 10)


def levels(sequence: int, **reds: int) -> Levels:
    """Levels with a red pawn over each given channel: `levels(0, c=79)`."""
    return Levels(sequence, 0, tuple(MIDDLE + 13000 * (channel in reds.values()) for channel in range(80)))


def said(conversation: Conversation, now: float) -> list[Message | Foreign]:
    return Decoder().feed(conversation.to_send(now))


def heard(conversation: Conversation, *messages: Message, now: float = 0.0) -> list[Snapshot]:
    return conversation.receive(b"".join(map(encode, messages)), now)


def token(conversation: Conversation) -> int:
    return next(message.token for message in said(conversation, 0.0) if isinstance(message, Ping))


@pytest.fixture
def greeted() -> Conversation:
    conversation = Conversation(LAYOUT, Thresholds(), RATE)
    conversation.begin(0.0)
    return conversation


@pytest.fixture
def live(greeted: Conversation) -> Conversation:
    heard(greeted, HELLO, Pong(token(greeted)))
    greeted.to_send(0.0)
    return greeted


def test_a_greeting_asks_who_is_there_and_sends_a_token(greeted: Conversation) -> None:
    assert [type(message) for message in said(greeted, 0.0)] == [HelloRequest, Ping]
    assert said(greeted, ASK_AGAIN_S / 2) == []


def test_an_unanswered_greeting_is_repeated_with_the_same_token(greeted: Conversation) -> None:
    first = said(greeted, 0.0)
    assert said(greeted, ASK_AGAIN_S) == first


def test_nothing_is_believed_before_hello_and_the_pong_of_this_greeting(greeted: Conversation) -> None:
    fresh = token(greeted)
    assert heard(greeted, levels(7), Pong(fresh), levels(8), HELLO, levels(9), Pong(fresh + 1), levels(10)) == []
    assert len(heard(greeted, Pong(fresh), levels(11))) == 1
    assert greeted.lost == 0


def test_each_greeting_has_a_token_of_its_own(live: Conversation) -> None:
    live.begin(10.0)
    old = Pong(token(live) - 1)
    assert heard(live, HELLO, old, levels(1)) == []


def test_a_scanner_that_answers_is_told_the_settings(greeted: Conversation) -> None:
    heard(greeted, HELLO, Pong(token(greeted)))
    assert said(greeted, 0.0) == [RATE, RawMode(False)]


def test_levels_reach_the_slots_that_their_channels_are_wired_to(live: Conversation) -> None:
    (snapshot,) = heard(live, levels(0, first=79, second=70))
    assert [slot for slot, reading in enumerate(snapshot.readings) if reading is Reading.RED] == [0, 9]
    assert len(snapshot.levels) == LAYOUT.slot_count


def test_frames_that_arrive_together_are_snapshots_in_order(live: Conversation) -> None:
    snapshots = heard(live, levels(0, c=79), levels(1, c=78), levels(2, c=77))
    assert [snapshot.readings.index(Reading.RED) for snapshot in snapshots] == [0, 1, 2]


def test_levels_of_another_number_of_channels_are_no_snapshot(live: Conversation) -> None:
    assert heard(live, Levels(0, 0, (MIDDLE,) * 79)) == []


def test_lost_frames_are_counted_by_their_sequence_also_where_it_begins_anew(live: Conversation) -> None:
    heard(live, levels(65530), levels(65533), levels(2))
    assert live.lost == 2 + 4
    assert live.restarts == 0


@pytest.mark.parametrize("protocol", [PROTOCOL - 1, PROTOCOL + 1])
def test_a_scanner_of_another_protocol_is_named_with_what_to_do(greeted: Conversation, protocol: int) -> None:
    remedy = {PROTOCOL - 1: "flash the scanner", PROTOCOL + 1: "update this program"}[protocol]
    with pytest.raises(SensorLost, match=f"speaks protocol {protocol} and this program {PROTOCOL}: {remedy}"):
        greeted.receive(encode(HELLO, protocol), 0.0)


def test_a_kind_of_message_that_is_not_known_is_passed_over(live: Conversation) -> None:
    class Song(Pong):
        KIND = "S"

    assert len(heard(live, Song(1), levels(0))) == 1


def test_a_scanner_with_other_channels_is_named(greeted: Conversation) -> None:
    with pytest.raises(SensorLost, match="has 64 channels, but the board is wired to 80"):
        heard(greeted, Hello((1, 0, 0), b"pico-two", 64))


def test_a_scanner_that_never_answers_is_lost(greeted: Conversation) -> None:
    greeted.check(GREETING_S)
    with pytest.raises(SensorLost, match="no scanner answered"):
        greeted.check(GREETING_S + 0.01)


def test_a_live_scanner_that_falls_silent_is_lost(live: Conversation) -> None:
    heard(live, levels(0), now=5.0)
    live.check(5.0 + SILENCE_S)
    with pytest.raises(SensorLost, match="said nothing"):
        live.check(5.01 + SILENCE_S)


def test_noise_is_no_sign_of_life(live: Conversation) -> None:
    live.receive(b"\x01\x02\x03\x00" * 100, SILENCE_S)
    with pytest.raises(SensorLost):
        live.check(SILENCE_S + 0.01)


@pytest.mark.parametrize("sign", [(HELLO, levels(0)), (levels(0),), (HELLO, levels(1))], ids=["both", "zero", "hello"])
def test_a_restart_is_noticed_once_and_the_settings_are_sent_again(
    live: Conversation, sign: tuple[Message, ...]
) -> None:
    heard(live, levels(40), *sign)
    assert (live.restarts, live.lost) == (1, 0)
    assert said(live, 0.0) == [RATE, RawMode(False)]


def test_the_answer_to_a_repeated_greeting_is_no_restart(greeted: Conversation) -> None:
    fresh = token(greeted)
    greeted.to_send(ASK_AGAIN_S)
    heard(greeted, HELLO, Pong(fresh), levels(3), HELLO, Pong(fresh), levels(4))
    assert (greeted.restarts, greeted.lost) == (0, 0)


def test_a_scanner_that_was_starting_when_it_was_greeted_has_not_restarted(greeted: Conversation) -> None:
    heard(greeted, HELLO, levels(0), HELLO, Pong(token(greeted)), levels(1))
    assert greeted.restarts == 0


def test_raw_mode_is_sent_at_once_and_again_after_a_restart(live: Conversation) -> None:
    live.set_raw(True)
    assert said(live, 0.0) == [RawMode(True)]
    heard(live, HELLO)
    assert said(live, 0.0) == [RATE, RawMode(True)]


def test_faults_are_told_with_the_slot_and_those_of_spare_channels_are_not(live: Conversation) -> None:
    faults = Faults(
        (Fault(FaultKind.ADC_STUCK), Fault(FaultKind.SATURATED, 76), Fault(FaultKind.SATURATED, 0)),
    )
    (snapshot,) = heard(live, faults, levels(0))
    assert snapshot.faults == (SensorFault("adc stuck"), SensorFault("saturated", 3))


@pytest.mark.parametrize("over", [Faults(), HELLO], ids=["the scanner says so", "the scanner restarted"])
def test_faults_are_over_when(live: Conversation, over: Message) -> None:
    before, after = heard(live, Faults((Fault(FaultKind.WATCHDOG),)), levels(0), over, levels(1))
    assert (before.faults, after.faults) == ((SensorFault("watchdog"),), ())


def test_faults_that_are_not_repeated_age_out(live: Conversation) -> None:
    heard(live, Faults((Fault(FaultKind.ADC_STUCK),)), now=10.0)
    (still,) = heard(live, levels(0), now=10.0 + FAULTS_LAST_S)
    (over,) = heard(live, levels(1), now=10.01 + FAULTS_LAST_S)
    assert (len(still.faults), len(over.faults)) == (1, 0)


def test_half_a_frame_before_a_loss_does_not_spoil_the_first_one_after_it(live: Conversation) -> None:
    live.receive(encode(levels(0))[:50], 0.0)
    live.begin(1.0)
    fresh = token(live)
    live.receive(encode(HELLO)[1:] + encode(Pong(fresh)), 1.0)
    assert live.live
