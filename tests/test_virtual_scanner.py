"""The virtual scanner: what it says, on numbers alone, and how it behaves at the end of a cable."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import pytest
import serial

from hardware import scanner_protocol as link
from hardware.interface import Reading
from hardware.layout import BoardSettings, Layout
from simulator.faults import Faults
from simulator.magnets import HallSensors
from simulator.table import Table
from simulator.virtual_scanner import Scanner, VirtualScanner

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

tty = pytest.importorskip("tty", reason="this system has no pseudo-terminals")

M = TypeVar("M", bound=link.Message)
REWIRED = Layout.of(BoardSettings(channels=tuple(range(79, 7, -1))))


class Bench:
    """A table with a scanner under it, in virtual time."""

    def __init__(self, layout: Layout = REWIRED) -> None:
        self.table = Table(layout)
        self.faults = Faults(layout)
        self.scanner = Scanner(HallSensors(self.table, noise_levels=0.0), self.table, self.faults, now=0.0)

    def said(self, kind: type[M], ticks: int, start: int = 0) -> list[tuple[int, M]]:
        """The messages of one kind that scans every 10 ms bring, each with its tick."""
        return [
            (tick, message)
            for tick in range(start, start + ticks)
            for message in self.scanner.scan(tick / 100)
            if isinstance(message, kind)
        ]

    def hears(self, message: link.Message) -> list[link.Message]:
        return self.scanner.hear(link.encode(message))


# The conversation


def test_it_says_who_it_is_when_asked_and_to_a_stranger() -> None:
    bench = Bench()
    assert bench.hears(link.HelloRequest()) == [bench.scanner.hello()]
    assert bench.scanner.hear(link.encode(link.Ping(3), protocol=9)) == [bench.scanner.hello()]
    assert bench.scanner.hello().channels == 80


def test_it_answers_every_ping_with_its_token() -> None:
    assert Bench().hears(link.Ping(77)) == [link.Pong(77)]


def test_garbage_is_answered_with_nothing() -> None:
    assert Bench().scanner.hear(bytes(range(256))) == []


def test_levels_are_on_the_channels_of_their_slots_and_unwired_ones_read_nothing() -> None:
    bench = Bench()
    slot = REWIRED.slot(3, 2)
    bench.table.move(bench.table.take(Reading.RED), *REWIRED.centres_mm[slot])
    [(_, message)] = bench.said(link.Levels, 1)
    assert message.levels.index(max(message.levels)) == REWIRED.channels[slot]
    assert message.levels[:8] == (0,) * 8


def test_at_rest_levels_come_five_times_a_second_and_are_numbered() -> None:
    said = Bench().said(link.Levels, 100)
    assert len(said) == 5
    assert [message.sequence for _, message in said] == [0, 1, 2, 3, 4]


def test_a_moving_pawn_makes_every_scan_worth_telling() -> None:
    bench = Bench()
    bench.table.set_up()
    bench.said(link.Levels, 1)
    told = [tick for tick, _ in enumerate(bench.table.slide(Reading.RED, 1, 3), 1) if bench.said(link.Levels, 1, tick)]
    assert len(told) > 15


def test_raw_mode_tells_every_scan_and_a_rate_changes_the_pace() -> None:
    bench = Bench()
    bench.hears(link.RawMode(True))
    assert len(bench.said(link.Levels, 50)) == 50
    bench.hears(link.RawMode(False))
    bench.hears(link.Rate(most=20, least=2))
    assert len(bench.said(link.Levels, 100, start=50)) == 2
    assert bench.scanner.next_scan == pytest.approx(1.49 + 0.05)


def test_a_dead_sensor_is_reported_as_saturated_by_its_channel_until_it_is_repaired() -> None:
    bench = Bench(Layout.of(BoardSettings(multiplexers=9, multiplexer_channels=8)))
    bench.faults.command("dead 3.2")
    slot = bench.table.layout.slot(3, 2)
    [(_, broken)] = bench.said(link.Faults, 1)
    bench.faults.command("clear")
    [(_, well)] = bench.said(link.Faults, 1, start=1)
    assert broken == link.Faults((link.Fault(link.FaultKind.SATURATED, slot),))
    assert well == link.Faults()


def test_faults_are_repeated_once_a_second() -> None:
    assert [tick for tick, _ in Bench().said(link.Faults, 250)] == [0, 100, 200]


# The cable


class Cable:
    """The scanner at the other end of a terminal, and a decoder at this one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.table = Table(REWIRED)
        self.faults = Faults(REWIRED)
        self.scanner = VirtualScanner(self.table, self.faults, path)
        self.open()

    def open(self) -> None:
        self.port = serial.Serial(str(self.path), timeout=0.5)
        self.decoder = link.Decoder()
        self._messages = self._listen()
        self.say(link.HelloRequest())

    def _listen(self) -> Iterator[link.Message | link.Foreign]:
        for _ in range(1000):
            yield from self.decoder.feed(self.port.read(self.port.in_waiting or 1))

    def say(self, message: link.Message) -> None:
        self.port.write(link.encode(message))

    def next(self, kind: type[M]) -> M:
        return next(message for message in self._messages if isinstance(message, kind))

    def until_gone(self) -> None:
        for _ in self._messages:
            pass

    def close(self) -> None:
        self.port.close()
        self.scanner.close()


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    with closing(Cable(tmp_path / "scanner")) as cable:
        yield cable


def test_it_introduces_itself_and_answers_over_the_cable(cable: Cable) -> None:
    assert cable.next(link.Hello).channels == 80
    cable.say(link.Ping(123456))
    assert cable.next(link.Pong).token == 123456
    assert len(cable.next(link.Levels).levels) == 80


def test_unplugged_its_terminal_is_gone_and_plugged_in_again_a_new_one_has_the_name(cable: Cable) -> None:
    cable.next(link.Levels)
    cable.faults.command("unplug")
    with pytest.raises(OSError):  # noqa: PT011, the text is the system's
        cable.until_gone()
    cable.port.close()
    assert not cable.path.exists()
    cable.table.move(cable.table.take(Reading.RED), *REWIRED.centres_mm[20])
    cable.faults.command("clear")
    while not cable.path.exists():
        pass
    cable.open()
    levels = cable.next(link.Levels).levels
    assert levels.index(max(levels)) == REWIRED.channels[20]


def test_a_reset_starts_the_sequence_anew_with_a_hello(cable: Cable) -> None:
    cable.next(link.Hello)
    while cable.next(link.Levels).sequence < 2:
        pass
    cable.faults.command("reset")
    cable.next(link.Hello)
    assert cable.next(link.Levels).sequence == 0


def test_the_pi_can_ask_for_a_restart(cable: Cable) -> None:
    cable.next(link.Hello)
    while cable.next(link.Levels).sequence < 2:
        pass
    cable.say(link.Reset())
    cable.next(link.Hello)
    assert cable.next(link.Levels).sequence == 0


def test_corrupt_bytes_are_skipped_and_good_frames_found_among_them(cable: Cable) -> None:
    cable.faults.command("corrupt")
    cable.say(link.RawMode(True))
    heard = [cable.next(link.Levels) for _ in range(10)]
    assert cable.decoder.damaged > 0
    assert [message.sequence for message in heard] == sorted(message.sequence for message in heard)


def test_silence_is_silence_even_to_questions(cable: Cable) -> None:
    cable.next(link.Levels)
    cable.faults.command("silent")
    while cable.port.read(1):
        pass
    cable.say(link.Ping(1))
    assert cable.port.read(1) == b""


def test_slow_frames_all_arrive_and_in_order(cable: Cable) -> None:
    cable.faults.command("slow")
    cable.say(link.RawMode(True))
    numbers = [cable.next(link.Levels).sequence for _ in range(20)]
    assert numbers == list(range(numbers[0], numbers[0] + 20))


def test_a_file_that_is_in_the_way_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "scanner"
    path.write_text("precious")
    with pytest.raises(FileExistsError):
        VirtualScanner(Table(REWIRED), Faults(REWIRED), path)
    assert path.read_text() == "precious"


def test_closing_twice_is_harmless_and_leaves_nothing_behind(tmp_path: Path) -> None:
    scanner = VirtualScanner(Table(REWIRED), Faults(REWIRED), tmp_path / "scanner")
    scanner.close()
    scanner.close()
    assert list(tmp_path.iterdir()) == []
