"""The Pi's side of the talk with a scanner, from the greeting to the loss. Bytes and `now` in, snapshots and bytes out.

A conversation is silent, then greeted, then live. What arrives before the scanner has answered this greeting, and no
earlier one, may have lain in a buffer for any time and is dropped unread. Once live, every `Levels` is a snapshot.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Protocol

from hardware.errors import SensorLost
from hardware.interface import SensorFault, Snapshot
from hardware.scanner_protocol import (
    PROTOCOL,
    SEQUENCE_PERIOD,
    Decoder,
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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.layout import Layout

ASK_AGAIN_S = 0.3
GREETING_S = 2.0
"""A scanner that has not answered by then is none, or hangs."""
SILENCE_S = 1.0
"""A live scanner speaks at least five times a second."""
FAULTS_LAST_S = 3.5
"""The scanner repeats its faults every second; three repetitions missed, they are no longer believed."""


class Classifier(Protocol):
    """Reads levels: what each slot holds."""

    def classify(self, levels: Sequence[int], faults: tuple[SensorFault, ...]) -> Snapshot:
        """The snapshot of one level for each slot, in slot order, with the faults that the scanner reports."""
        ...


class Conversation:
    """Talks with whatever scanner is at the other end, one greeting after the other.

    It counts, over all of them: what its `decoder` saw, `Levels` that got `lost`, and `restarts` of the scanner.
    """

    def __init__(self, layout: Layout, classifier: Classifier, rate: Rate) -> None:
        self.decoder = Decoder()
        self.lost = 0
        self.restarts = 0
        self.scanner: Hello | None = None
        self.live = False
        self._channels = layout.channel_count
        self._in_slot_order = itemgetter(*layout.channels)
        self._slots: dict[int | None, int | None] = {channel: slot for slot, channel in enumerate(layout.channels)}
        self._slots[None] = None
        self._classifier = classifier
        self._rate = rate
        self._raw = False
        self._token = 0
        self._hellos_due = 0
        self._expected: int | None = None
        self._faults: tuple[SensorFault, ...] = ()
        self._faults_at = self._begun_at = self._asked_at = self._heard_at = 0.0
        self._to_send = b""

    def begin(self, now: float) -> None:
        """Greet a scanner whose port was just opened, and forget the one before."""
        self.decoder.forget()
        self.scanner = None
        self.live = False
        self._token += 1
        self._hellos_due = 0
        self._expected = None
        self._faults = ()
        self._begun_at = self._heard_at = now
        self._to_send = b""
        self._ask(now)

    def set_raw(self, on: bool) -> None:
        self._raw = on
        self._to_send += encode(RawMode(on))

    def receive(self, data: bytes, now: float) -> list[Snapshot]:
        """The snapshots that `data` completes, in order. Raises `SensorLost` when this scanner will not do."""
        snapshots = []
        for message in self.decoder.feed(data):
            self._heard_at = now
            if isinstance(message, Levels) and self.live:
                snapshots += self._read(message, now)
            else:
                self._take(message, now)
        return snapshots

    def check(self, now: float) -> None:
        """Raises `SensorLost` when the scanner should have spoken by now. Ask after all that arrived was received."""
        if self.live and now - self._heard_at > SILENCE_S:
            raise SensorLost(f"the scanner has said nothing for {SILENCE_S:g} s")
        if not self.live and now - self._begun_at > GREETING_S:
            raise SensorLost(f"no scanner answered within {GREETING_S:g} s: is its firmware on the board?")

    def to_send(self, now: float) -> bytes:
        """What is to be sent now, once."""
        if not self.live and now - self._asked_at >= ASK_AGAIN_S:
            self._ask(now)
        data, self._to_send = self._to_send, b""
        return data

    def _ask(self, now: float) -> None:
        self._asked_at = now
        self._hellos_due += 1
        self._to_send += encode(HelloRequest()) + encode(Ping(self._token))

    def _take(self, message: Message | Foreign, now: float) -> None:
        match message:
            case Foreign(protocol) if protocol != PROTOCOL:
                remedy = "update this program" if protocol > PROTOCOL else "flash the scanner"
                raise SensorLost(f"the scanner speaks protocol {protocol} and this program {PROTOCOL}: {remedy}")
            case Hello():
                self._meet(message)
            case Pong(token) if token == self._token and self.scanner and not self.live:
                self.live = True
                self._to_send += self._settings()
            case Faults(faults) if self.live:
                self._faults_at = now
                # Channels without a slot are spare: what they read means nothing.
                known = [fault for fault in faults if fault.channel in self._slots]
                self._faults = tuple(SensorFault(_name(fault.kind), self._slots[fault.channel]) for fault in known)

    def _meet(self, scanner: Hello) -> None:
        if scanner.channels != self._channels:
            raise SensorLost(f"the scanner has {scanner.channels} channels, but the board is wired to {self._channels}")
        self.scanner = scanner
        if self.live and not self._hellos_due:
            self._restarted()
        self._hellos_due = max(0, self._hellos_due - 1)

    def _restarted(self) -> None:
        """The scanner is as new: it knows no settings, counts from 0 and finds its faults again."""
        self.restarts += 1
        self._expected = None
        self._faults = ()
        self._to_send += self._settings()

    def _settings(self) -> bytes:
        return encode(self._rate) + encode(RawMode(self._raw))

    def _read(self, message: Levels, now: float) -> list[Snapshot]:
        if len(message.levels) != self._channels:
            return []
        if message.sequence == 0 and self._expected:
            self._restarted()
        elif self._expected is not None:
            self.lost += (message.sequence - self._expected) % SEQUENCE_PERIOD
        self._expected = (message.sequence + 1) % SEQUENCE_PERIOD
        if now - self._faults_at > FAULTS_LAST_S:
            self._faults = ()
        return [self._classifier.classify(self._in_slot_order(message.levels), self._faults)]


def _name(kind: FaultKind) -> str:
    """As people read it: `adc stuck`."""
    return kind.name.lower().replace("_", " ")
