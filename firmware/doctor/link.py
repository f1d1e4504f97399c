"""The link to the scanner, watched for a while: `Watch` talks with it as bytes and times, without I/O and clock, and
`check_link` judges what came of that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from firmware.doctor.finding import Finding, Grade, Part
from hardware import scanner_protocol as link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardware.layout import Layout

PING_S = 0.1
LEAST_FRAMES_PER_S = 50.0
MOST_LATE_MS = 100.0
MOST_LOST_SHARE = 0.01
HELLO_S = 0.5


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What was seen of a link."""

    port: str
    watched_s: float
    """From the first sound frame on."""
    firmware: tuple[int, int, int] | None
    board: str
    channels: int
    other_protocol: int | None
    frames: int
    """Of levels."""
    lost: int
    damaged: int
    late_ms: float | None
    """How long a question took to be answered, at the median."""
    restarts: int
    faults: frozenset[link.Fault]
    """What the scanner said of itself."""
    least_per_s: float = LEAST_FRAMES_PER_S
    """How many frames should have come in a second."""


@dataclass(slots=True)
class Watch:
    """A talk with a scanner: it asks for everything, and keeps what it hears."""

    port: str = ""
    scans: list[tuple[int, ...]] = field(default_factory=list)
    _decoder: link.Decoder = field(default_factory=link.Decoder)
    _hello: link.Hello | None = None
    _hellos_due: int = 0
    _other: int | None = None
    _expected: int | None = None
    _lost: int = 0
    _restarts: int = 0
    _faults: frozenset[link.Fault] = frozenset()
    _asked: dict[int, float] = field(default_factory=dict)
    _answered_s: list[float] = field(default_factory=list)
    _first_at: float | None = None
    _last_at: float = 0.0
    _ping_due: float = 0.0
    _hello_due: float = 0.0

    def to_send(self, now: float) -> bytes:
        """What is to be sent now."""
        data = b""
        if not self._hello and now >= self._hello_due:
            self._hello_due = now + HELLO_S
            self._hellos_due += 1
            data += link.encode(link.HelloRequest())
        if now >= self._ping_due:
            token = len(self._asked) + 1
            self._asked[token] = now
            self._ping_due = now + PING_S
            # Said again and again, for a scanner that restarts forgets it.
            data += link.encode(link.RawMode(True)) + link.encode(link.Ping(token))
        return data

    def farewell(self) -> bytes:
        """What leaves the scanner as it was."""
        return link.encode(link.RawMode(False))

    def hear(self, data: bytes, now: float) -> None:
        """What has arrived."""
        for message in self._decoder.feed(data):
            self._last_at = now
            self._first_at = now if self._first_at is None else self._first_at
            match message:
                case link.Levels() if self._answered_s:  # what came before the first answer lay in a buffer
                    self._take(message)
                case link.Hello():
                    self._meet(message)
                case link.Pong(token) if token in self._asked:
                    self._answered_s.append(now - self._asked[token])
                case link.Faults(faults):
                    self._faults |= frozenset(faults)
                case link.Foreign(protocol) if protocol != link.PROTOCOL:
                    self._other = protocol

    def facts(self) -> LinkFacts:
        hello = self._hello
        return LinkFacts(
            port=self.port,
            watched_s=self._last_at - self._first_at if self._first_at is not None else 0.0,
            firmware=hello.firmware if hello else None,
            board=hello.board.hex() if hello else "",
            channels=hello.channels if hello else 0,
            other_protocol=self._other,
            frames=len(self.scans),
            lost=self._lost,
            damaged=self._decoder.damaged,
            late_ms=1000 * median(self._answered_s) if self._answered_s else None,
            restarts=self._restarts,
            faults=self._faults,
        )

    def _meet(self, hello: link.Hello) -> None:
        """One that nobody asked for is said at start; before the first answer, that may have been any time ago."""
        if self._answered_s and not self._hellos_due:
            self._restarted()
        self._hello = hello
        self._hellos_due = max(0, self._hellos_due - 1)

    def _restarted(self) -> None:
        self._restarts += 1
        self._expected = None

    def _take(self, message: link.Levels) -> None:
        if message.sequence == 0 and self._expected:
            self._restarted()
        elif self._expected is not None:
            self._lost += (message.sequence - self._expected) % link.SEQUENCE_PERIOD
        self._expected = (message.sequence + 1) % link.SEQUENCE_PERIOD
        self.scans.append(message.levels)


def check_link(
    facts: LinkFacts, layout: Layout, newest: tuple[int, int, int], slots: Sequence[int]
) -> Iterator[Finding]:
    """`newest` is the version of the scanner's program that belongs to this one; `slots` are those that matter."""
    stranger = _stranger(facts, layout)
    if stranger:
        yield stranger
        return
    assert facts.firmware
    yield from _versions(facts, facts.firmware, newest)
    findings = [*_traffic(facts), *_own_faults(facts, layout, slots)]
    yield from findings
    if not findings:
        answers = "" if facts.late_ms is None else f", answers after {facts.late_ms:.0f} ms"
        text = f"{facts.frames / facts.watched_s:.0f} frames a second, none lost{answers}"
        yield Finding(Part.LINK, "traffic", Grade.OK, text)


def unplugged(reason: str) -> Finding:
    """There is no port, or it cannot be opened."""
    remedy = "Plug the scanner in, set [sensors] port if there are several, and stop linja play"
    return Finding(Part.LINK, "unplugged", Grade.FAULT, reason, remedy)


def _stranger(facts: LinkFacts, layout: Layout) -> Finding | None:
    if facts.other_protocol is not None:
        text = f"the scanner at {facts.port} speaks protocol {facts.other_protocol}, this program {link.PROTOCOL}"
        remedy = "Flash the scanner, as firmware/scanner/README.md says"
        return Finding(Part.LINK, "other protocol", Grade.FAULT, text, remedy)
    if facts.firmware is None or not facts.frames:
        text = f"nothing can be understood from {facts.port}"
        remedy = "Flash the scanner, as firmware/scanner/README.md says, and try another cable"
        return Finding(Part.LINK, "silent", Grade.FAULT, text, remedy)
    if facts.channels != layout.channel_count:
        text = f"the scanner has {facts.channels} channels, but the board is wired to {layout.channel_count}"
        return Finding(Part.LINK, "channels", Grade.FAULT, text, "Set multiplexers in [board]")
    return None


def _versions(facts: LinkFacts, firmware: tuple[int, int, int], newest: tuple[int, int, int]) -> Iterator[Finding]:
    version, wanted = (".".join(map(str, each)) for each in (firmware, newest))
    if firmware < newest:
        text = f"the scanner's program is version {version}; {wanted} belongs to this one"
        yield Finding(
            Part.LINK, "outdated", Grade.WARNING, text, "Flash the scanner, as firmware/scanner/README.md says"
        )
    else:
        yield Finding(Part.LINK, "scanner", Grade.OK, f"scanner {facts.board} at {facts.port}, version {version}")


def _traffic(facts: LinkFacts) -> Iterator[Finding]:
    sent = facts.frames + facts.lost
    cable = "Try another cable or another socket, away from the pixels' supply"
    if facts.damaged > MOST_LOST_SHARE * sent:
        text = f"{facts.damaged} messages of about {sent + facts.damaged} arrived damaged"
        yield Finding(Part.LINK, "damaged frames", Grade.FAULT, text, cable)
    elif facts.lost > MOST_LOST_SHARE * sent:
        yield Finding(Part.LINK, "lost frames", Grade.FAULT, f"{facts.lost} of {sent} frames were lost", cable)
    elif facts.watched_s and facts.frames / facts.watched_s < facts.least_per_s:
        text = f"only {facts.frames / facts.watched_s:.0f} frames a second arrive, where {facts.least_per_s:.0f} should"
        yield Finding(Part.LINK, "few frames", Grade.WARNING, text, "See what else keeps this machine busy")
    if facts.late_ms is not None and facts.late_ms > MOST_LATE_MS:
        text = f"the scanner answers after {facts.late_ms:.0f} ms, more than {MOST_LATE_MS:.0f}"
        yield Finding(Part.LINK, "late", Grade.WARNING, text, "Plug it straight into the Pi, without a hub")
    if facts.restarts:
        text = f"the scanner restarted {facts.restarts} times while it was watched"
        yield Finding(Part.LINK, "restarts", Grade.FAULT, text, "Check its supply: sensors may draw too much from it")


def _own_faults(facts: LinkFacts, layout: Layout, slots: Sequence[int]) -> Iterator[Finding]:
    """What only the scanner can know; channels at a rail are seen in their levels."""
    used = {layout.channels[slot] // layout.multiplexer_channels for slot in slots}
    for fault in sorted(facts.faults, key=lambda each: (each.kind, each.channel or 0)):
        match fault:
            case link.Fault(link.FaultKind.ADC_STUCK):
                text, remedy = "all channels read exactly the same", "Check the wire from the common line to the Pico"
                yield Finding(Part.LINK, "adc stuck", Grade.FAULT, text, remedy)
            case link.Fault(link.FaultKind.MULTIPLEXER, None):
                text, remedy = "a multiplexer never lets go of the common line", "Check the enable lines"
                yield Finding(Part.LINK, "multiplexer", Grade.FAULT, text, remedy)
            case link.Fault(link.FaultKind.MULTIPLEXER, int(channel)) if channel // layout.multiplexer_channels in used:
                number = channel // layout.multiplexer_channels
                text = f"multiplexer {number} gave no signal when the scanner started"
                yield Finding(Part.LINK, "multiplexer", Grade.FAULT, text, "Check its supply and its enable line")
            case link.Fault(link.FaultKind.WATCHDOG):
                text = "the scanner hung and was restarted by its watchdog"
                yield Finding(Part.LINK, "watchdog", Grade.WARNING, text, "If that comes again, flash it anew")
