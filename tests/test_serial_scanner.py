"""The serial driver with real pyserial on a pseudo-terminal; the test is the scanner at its other end.

Time is the test's: each look at the clock takes a millisecond, and to sleep moves it on.
"""

from __future__ import annotations

import os
import select
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from serial.tools.list_ports_common import ListPortInfo

from hardware.errors import SensorLost
from hardware.interface import Reading, Snapshot
from hardware.layout import BoardSettings, Layout
from hardware.scanner_conversation import SILENCE_S
from hardware.scanner_protocol import (
    Decoder,
    Foreign,
    Hello,
    Levels,
    Message,
    Ping,
    Pong,
    RawMode,
    Reset,
    encode,
)
from hardware.serial_scanner import LAST_RETRY_S, SerialScanner, find_scanner, leave_to_flash
from tests.rigs.thresholds import MIDDLE, Thresholds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no pseudo-terminals here")

LAYOUT = Layout.of(BoardSettings())
HELLO = Hello((1, 2, 3), b"pico-one", 80)


class Clock:
    """Time that passes only when looked at or slept through."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Desk:
    """The scanner's end of the cable, in the hands of the test."""

    def __init__(self, directory: Path) -> None:
        self.port = directory / "scanner"
        self._decoder = Decoder()
        self._ends: tuple[int, ...] = ()

    def plug_in(self) -> None:
        import tty

        self._ends = _, theirs = os.openpty()
        tty.setraw(theirs)
        self.port.symlink_to(os.ttyname(theirs))

    def unplug(self) -> None:
        self.port.unlink(missing_ok=True)
        for end in self._ends:
            os.close(end)
        self._ends = ()

    def send(self, data: bytes) -> None:
        """Put bytes on the wire, and see them arrive."""
        ours, theirs = self._ends
        os.write(ours, data)
        select.select([theirs], [], [])

    def say(self, *messages: Message, protocol: int = 1) -> None:
        self.send(b"".join(encode(message, protocol) for message in messages))

    def hear(self) -> Iterator[Message | Foreign]:
        """Everything the driver says, waiting for more."""
        ours, _ = self._ends
        while True:
            yield from self._decoder.feed(os.read(ours, 4096))

    def answer(self, hello: Hello = HELLO, protocol: int = 1) -> None:
        """Wait for a greeting and greet back."""
        pings = (message for message in self.hear() if isinstance(message, Ping))
        self.say(hello, Pong(next(pings).token), protocol=protocol)


def red_on(channel: int, sequence: int = 0) -> Levels:
    return Levels(sequence, 0, tuple(MIDDLE + 13000 * (at == channel) for at in range(80)))


def where(snapshot: Snapshot | None) -> int:
    assert snapshot
    return snapshot.readings.index(Reading.RED)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.plug_in()
    yield desk
    desk.unplug()


@pytest.fixture
def make(clock: Clock, desk: Desk) -> Iterator[Callable[[], SerialScanner]]:
    made: list[SerialScanner] = []

    def scanner() -> SerialScanner:
        made.append(SerialScanner(LAYOUT, Thresholds(), str(desk.port), clock=clock, sleep=clock.sleep))
        return made[-1]

    yield scanner
    for one in made:
        one.close()


@pytest.fixture
def scanner(make: Callable[[], SerialScanner], desk: Desk, clock: Clock) -> SerialScanner:
    """A driver whose scanner has answered."""
    scanner = make()
    connect(scanner, desk, clock)
    return scanner


def greet(scanner: SerialScanner, clock: Clock) -> None:
    """Let the driver open the port and greet whoever is there."""
    clock.sleep(LAST_RETRY_S)
    with pytest.raises(SensorLost, match="has not answered yet"):
        scanner.read(0.0)


def connect(scanner: SerialScanner, desk: Desk, clock: Clock) -> None:
    greet(scanner, clock)
    desk.answer()
    assert scanner.read(0.05) is None


def until_lost(scanner: SerialScanner) -> None:
    for _ in range(50):
        scanner.read(0.01)


def test_a_live_link_with_nothing_new_returns_nothing(scanner: SerialScanner) -> None:
    assert scanner.read(0.0) is None
    assert scanner.read(0.01) is None


def test_frames_that_wait_are_delivered_one_after_another(scanner: SerialScanner, desk: Desk) -> None:
    desk.say(*(red_on(channel, sequence=channel) for channel in range(5)))
    assert [where(scanner.read(0.05)) for _ in range(5)] == [0, 1, 2, 3, 4]
    assert scanner.read(0.0) is None


def test_a_frame_that_arrives_in_pieces_is_one_snapshot(scanner: SerialScanner, desk: Desk) -> None:
    frame = encode(red_on(8))
    desk.send(frame[:90])
    assert scanner.read(0.01) is None
    desk.send(frame[90:])
    assert where(scanner.read(0.05)) == 8


def test_what_was_sent_before_the_greeting_is_not_believed(
    make: Callable[[], SerialScanner], desk: Desk, clock: Clock
) -> None:
    scanner = make()
    greet(scanner, clock)
    desk.say(HELLO, red_on(1), red_on(2))
    desk.answer()
    assert scanner.read(0.05) is None
    desk.say(red_on(3))
    assert where(scanner.read(0.05)) == 3


def test_a_pulled_plug_is_a_loss_that_names_the_port(scanner: SerialScanner, desk: Desk) -> None:
    desk.unplug()
    with pytest.raises(SensorLost, match=f"the scanner at {desk.port} is gone"):
        until_lost(scanner)


def test_after_a_loss_the_driver_comes_back_by_itself(scanner: SerialScanner, desk: Desk, clock: Clock) -> None:
    desk.say(red_on(1))
    desk.unplug()
    with pytest.raises(SensorLost):
        until_lost(scanner)
    with pytest.raises(SensorLost, match="could not open port"):
        scanner.read(0.5)
    desk.plug_in()
    connect(scanner, desk, clock)
    desk.say(red_on(2))
    assert where(scanner.read(0.05)) == 2
    assert scanner.report().connections == 2


def test_silence_is_a_loss_and_the_next_greeting_ends_it(scanner: SerialScanner, desk: Desk, clock: Clock) -> None:
    clock.sleep(SILENCE_S + 0.1)
    with pytest.raises(SensorLost, match="said nothing"):
        scanner.read(0.0)
    connect(scanner, desk, clock)


def test_a_line_full_of_noise_is_a_loss(scanner: SerialScanner, desk: Desk, clock: Clock) -> None:
    clock.sleep(SILENCE_S + 0.1)
    desk.send(b"rubbish\0" * 100)
    with pytest.raises(SensorLost, match="said nothing"):
        scanner.read(0.0)


def test_a_caller_that_was_away_for_long_finds_what_has_arrived(
    scanner: SerialScanner, desk: Desk, clock: Clock
) -> None:
    desk.say(red_on(6))
    clock.sleep(60.0)
    assert where(scanner.read(0.05)) == 6


@pytest.mark.parametrize(
    ("hello", "protocol", "says"),
    [(Hello((1, 0, 0), b"pico-two", 64), 1, "64 channels"), (HELLO, 2, "speaks protocol 2")],
)
def test_a_scanner_that_will_not_do_is_named_and_tried_again(
    make: Callable[[], SerialScanner], desk: Desk, clock: Clock, hello: Hello, protocol: int, says: str
) -> None:
    scanner = make()
    greet(scanner, clock)
    desk.answer(hello, protocol)
    with pytest.raises(SensorLost, match=says):
        scanner.read(0.05)
    with pytest.raises(SensorLost, match=says):
        scanner.read(0.01)
    connect(scanner, desk, clock)


def test_a_port_is_opened_by_one_driver_only(scanner: SerialScanner, make: Callable[[], SerialScanner]) -> None:
    with pytest.raises(SensorLost, match="exclusively lock"):
        make().read(0.01)


def test_raw_mode_reaches_the_scanner_and_is_told_again_after_a_loss(
    scanner: SerialScanner, desk: Desk, clock: Clock
) -> None:
    scanner.set_raw(True)
    scanner.read(0.01)
    assert RawMode(True) in desk.hear()
    desk.unplug()
    with pytest.raises(SensorLost):
        until_lost(scanner)
    desk.plug_in()
    connect(scanner, desk, clock)
    scanner.read(0.01)
    assert RawMode(True) in desk.hear()


def test_the_report_tells_who_is_there_and_what_went_wrong(scanner: SerialScanner, desk: Desk) -> None:
    before = scanner.report()
    desk.say(red_on(1, sequence=4))
    desk.send(b"rubbish\0")
    desk.say(red_on(1, sequence=7))
    assert [where(scanner.read(0.05)) for _ in range(2)] == [1, 1]
    after = scanner.report()
    assert (after.port, after.board, after.firmware) == (str(desk.port), b"pico-one".hex(), "1.2.3")
    assert (after.lost, after.damaged, after.skipped_bytes) == (2, 1, 7)
    assert after.frames - before.frames == 2


def test_closing_twice_is_harmless_and_then_there_is_nothing_to_read(scanner: SerialScanner, clock: Clock) -> None:
    scanner.close()
    scanner.close()
    clock.sleep(LAST_RETRY_S)
    with pytest.raises(SensorLost, match="closed"):
        scanner.read(0.01)


def pico(device: str, *, vid: int = 0x2E8A, pid: int = 0x0005, serial_number: str = "e66") -> ListPortInfo:
    info = ListPortInfo(device)
    info.vid, info.pid, info.serial_number = vid, pid, serial_number
    return info


def test_the_scanner_is_found_by_its_usb_id_among_other_devices() -> None:
    ports = [ListPortInfo("/dev/ttyS0"), pico("/dev/ttyUSB0", vid=0x0403), pico("/dev/ttyACM3")]
    assert find_scanner(ports) == "/dev/ttyACM3"


def test_two_boards_that_could_be_the_scanner_are_both_named() -> None:
    with pytest.raises(SensorLost, match=r"/dev/ttyACM0 \(board a1\), /dev/ttyACM1 \(board b2\)"):
        find_scanner([pico("/dev/ttyACM0", serial_number="a1"), pico("/dev/ttyACM1", serial_number="b2")])


def test_without_a_scanner_the_driver_looks_again_and_again_with_longer_pauses(clock: Clock) -> None:
    looked: list[float] = []

    def no_ports() -> list[ListPortInfo]:
        looked.append(clock.now)
        return []

    scanner = SerialScanner(LAYOUT, Thresholds(), ports=no_ports, clock=clock, sleep=clock.sleep)
    with pytest.raises(SensorLost, match=r"no scanner is plugged in \(USB 2e8a:0005\)"):
        scanner.read(20.0)
    pauses = [round(after - before, 1) for before, after in pairwise(looked)]
    assert pauses[:5] == [0.1, 0.2, 0.4, 0.8, 1.6]
    assert set(pauses[5:]) == {LAST_RETRY_S}


def test_a_scanner_can_be_left_to_whoever_flashes_it(desk: Desk) -> None:
    leave_to_flash(str(desk.port))
    assert next(desk.hear()) == Reset(to_repl=True)
