"""The scanner's firmware on a real MicroPython interpreter, in 180 kB, asked and listened to message by message.

Times are the scanner's own, as its frames tell them, and are only ever bounded from below: a busy machine may make
anything late, but nothing early.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import pytest
from serial import Serial

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
    Reset,
    _stuff,
    encode,
)
from tests.rigs.pico import ROOT, Pico, micropython

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

M = TypeVar("M", bound=Message)
REST = 32768
SPARE = tuple(Fault(FaultKind.SATURATED, channel) for channel in range(72, 80))
"""What the firmware always finds: nothing is wired to the last eight channels."""


class Computer:
    """Whoever is at the other end of the Pico's cable."""

    def __init__(self, pico: Pico) -> None:
        self.port = Serial(str(pico.port), timeout=0.02)
        self.decoder = Decoder()
        self._heard: deque[Message | Foreign] = deque()

    def say(self, *messages: Message, protocol: int = PROTOCOL) -> None:
        self.port.write(b"".join(encode(message, protocol) for message in messages))

    def hear(self) -> Iterator[Message | Foreign]:
        """Everything the scanner says, for ever."""
        while True:
            while self._heard:
                yield self._heard.popleft()
            self._heard += self.decoder.feed(self.port.read(self.port.in_waiting or 1))

    def next(self, kind: type[M], wanted: Callable[[M], bool] = lambda _: True) -> M:
        return next(message for message in self.hear() if isinstance(message, kind) and wanted(message))

    def fresh_levels(self) -> tuple[int, ...]:
        """Levels that were measured after this was asked for."""
        self.say(Ping(77))
        self.next(Pong)
        self.next(Levels)
        return self.next(Levels).levels

    def gaps_ms(self, count: int) -> list[int]:
        times = [self.next(Levels).time_ms for _ in range(count + 1)]
        return [after - before for before, after in pairwise(times)]


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[Pico]:
    pico = Pico(tmp_path)
    yield pico
    pico.unplug()


@pytest.fixture
def computer(pico: Pico) -> Iterator[Computer]:
    pico.plug_in()
    computer = Computer(pico)
    yield computer
    computer.port.close()


def faults(*found: Fault) -> Callable[[Faults], bool]:
    return lambda message: set(message.faults) == {*found, *SPARE}


def test_it_says_who_it_is_when_asked(computer: Computer) -> None:
    computer.say(HelloRequest())
    assert computer.next(Hello) == Hello((1, 0, 0), bytes.fromhex("e6614c311b5a7e25"), 80)


def test_it_greets_and_reports_the_board_at_start_without_being_asked(computer: Computer) -> None:
    start = [next(computer.hear()) for _ in range(2)]
    assert isinstance(start[0], Hello)
    assert isinstance(start[1], Levels)
    assert start[1].sequence == 0


@pytest.mark.parametrize("token", [0, 0x03030303, 0x0D0A1304, 0xFFFFFFFF])
def test_a_ping_is_answered_whatever_its_bytes_mean_to_a_terminal(computer: Computer, token: int) -> None:
    computer.say(Ping(token))
    assert computer.next(Pong) == Pong(token)


def test_each_magnet_moves_the_level_of_its_channel_and_of_no_other(pico: Pico, computer: Computer) -> None:
    magnets = {channel: (1 if channel % 2 else -1) * (2000 + 100 * channel) for channel in range(72)}
    pico.set_world(*(f"magnet {channel} {levels}" for channel, levels in magnets.items()))
    for channel, level in enumerate(computer.fresh_levels()[:72]):
        assert level == pytest.approx(REST + 37 * channel % 400 + magnets[channel], abs=40)


def test_frames_are_numbered_without_a_gap_while_the_computer_reads(computer: Computer) -> None:
    computer.say(RawMode(True))
    numbers = [computer.next(Levels).sequence for _ in range(100)]
    assert numbers == list(range(numbers[0], numbers[0] + 100))
    assert computer.decoder.damaged == 0


def test_a_quiet_board_is_reported_now_and_then(computer: Computer) -> None:
    assert min(computer.gaps_ms(4)) > 150


def test_what_stays_within_the_deadband_is_noise(pico: Pico, computer: Computer) -> None:
    times = [computer.next(Levels).time_ms]
    for step in range(5):
        pico.set_world(f"magnet 30 {60 * (step % 2)}")
        times.append(computer.next(Levels).time_ms)
    assert min(after - before for before, after in pairwise(times)) > 150


def test_a_change_beyond_noise_is_reported_before_its_time(pico: Pico, computer: Computer) -> None:
    times = [computer.next(Levels).time_ms]
    for step in range(5):
        pico.set_world(f"magnet 30 {300 * (step % 2)}")
        times.append(computer.next(Levels).time_ms)
    assert min(after - before for before, after in pairwise(times)) < 150


def test_raw_mode_sends_unchanged_levels_too_but_at_most_a_hundred_a_second(computer: Computer) -> None:
    computer.say(RawMode(True))
    while min(computer.gaps_ms(1)) > 150:
        pass
    assert sum(computer.gaps_ms(50)) >= 49 * 10
    computer.say(RawMode(False), Ping(1))
    computer.next(Pong)
    computer.next(Levels)
    assert min(computer.gaps_ms(3)) > 150


def test_the_rate_is_the_computers_to_choose(computer: Computer) -> None:
    computer.say(Rate(most=20, least=1), RawMode(True), Ping(1))
    computer.next(Pong)
    computer.next(Levels)
    assert sum(computer.gaps_ms(10)) >= 9 * 50


@pytest.mark.parametrize(("rate", "gap_ms"), [(Rate(0, 0), 1000), (Rate(255, 255), 10)])
def test_a_rate_that_makes_no_sense_is_brought_into_bounds(computer: Computer, rate: Rate, gap_ms: int) -> None:
    computer.say(rate, RawMode(True), Ping(1))
    computer.next(Pong)
    assert sum(computer.gaps_ms(2)) >= gap_ms


def test_a_message_of_another_protocol_is_answered_with_hello_and_not_obeyed(computer: Computer) -> None:
    computer.next(Levels)
    computer.say(Ping(5), protocol=PROTOCOL + 1)
    computer.say(Ping(6))
    answers = [computer.next(Message, lambda m: isinstance(m, Hello | Pong)) for _ in range(2)]
    assert [type(answer) for answer in answers] == [Hello, Pong]
    assert answers[1] == Pong(6)


def test_the_next_good_message_is_found_after_any_garbage(computer: Computer) -> None:
    for token in range(30):
        damaged = bytearray(encode(Ping(1000 + token)))
        damaged[random.randrange(1, len(damaged) - 1)] ^= random.randint(1, 255)
        computer.port.write(random.randbytes(random.randrange(200)) + damaged)
        computer.say(Ping(token))
        assert computer.next(Pong) == Pong(token)


@pytest.mark.parametrize(
    "lines", [("broken 12",), ("magnet 12 40000",)], ids=["a broken wire", "a short to the supply"]
)
def test_a_channel_at_a_rail_is_a_fault_until_it_is_mended(pico: Pico, computer: Computer, lines: tuple[str]) -> None:
    computer.next(Faults, faults())
    pico.set_world(*lines)
    computer.next(Faults, faults(Fault(FaultKind.SATURATED, 12)))
    pico.set_world()
    computer.next(Faults, faults())


def test_a_converter_that_always_says_the_same_is_a_fault(pico: Pico, computer: Computer) -> None:
    pico.set_world("stuck 30000")
    computer.next(Faults, lambda message: Fault(FaultKind.ADC_STUCK) in message.faults)


def test_faults_are_repeated_so_that_a_lost_report_does_not_matter(computer: Computer) -> None:
    first = computer.next(Faults, faults())
    assert computer.next(Faults) == first


def test_the_self_test_finds_a_multiplexer_that_gives_no_signal(pico: Pico, computer: Computer) -> None:
    pico.unplug()
    pico.set_world("silent 2")
    pico.plug_in()
    found = Computer(pico).next(Faults, lambda message: bool(message.faults)).faults
    assert [fault for fault in found if fault.kind is FaultKind.MULTIPLEXER] == [Fault(FaultKind.MULTIPLEXER, 32)]


def test_the_self_test_finds_a_multiplexer_that_does_not_let_go(pico: Pico) -> None:
    pico.set_world("holds 3")
    pico.plug_in()
    found = Computer(pico).next(Faults, lambda message: bool(message.faults)).faults
    assert Fault(FaultKind.MULTIPLEXER) in found


def test_a_scanner_that_hangs_is_restarted_by_its_watchdog_and_says_so(pico: Pico, computer: Computer) -> None:
    computer.next(Levels, lambda message: message.sequence > 0)
    pico.set_world("hang once")
    computer.next(Hello)
    assert computer.next(Levels).sequence == 0
    computer.next(Faults, lambda message: Fault(FaultKind.WATCHDOG) in message.faults)


def test_a_restart_that_was_asked_for_is_no_fault(computer: Computer) -> None:
    computer.next(Levels, lambda message: message.sequence > 0)
    computer.say(Reset())
    computer.next(Hello)
    assert computer.next(Levels).sequence == 0
    assert all(fault.kind is FaultKind.SATURATED for fault in computer.next(Faults).faults)


def test_the_scanner_can_be_sent_to_the_prompt_once(pico: Pico, computer: Computer) -> None:
    computer.next(Levels)
    computer.say(Reset(to_repl=True))
    computer.port.timeout = None
    computer.port.read_until(b">>> ")
    pico.unplug()
    pico.plug_in()
    assert Computer(pico).next(Hello).channels == 80


def test_the_pin_for_flashing_keeps_the_scanner_from_starting(pico: Pico) -> None:
    pico.set_world("flash")
    pico.plug_in()
    assert Serial(str(pico.port)).read(4) == b">>> "


def test_a_computer_that_does_not_read_costs_frames_and_nothing_else(pico: Pico, computer: Computer) -> None:
    computer.say(RawMode(True))
    before = computer.next(Levels).sequence
    pico.fill_cable()
    for token in range(10):
        computer.say(Ping(token))
        while not pico.has_read_all():
            pass
    computer.port.reset_input_buffer()
    computer.say(Ping(99))
    computer.next(Pong, lambda pong: pong.token == 99)
    assert computer.next(Levels).sequence > before


def test_both_ends_stuff_alike(tmp_path: Path) -> None:
    pieces = [
        b"".join(random.choice((b"\0", bytes(random.randrange(300)), b"\1" * random.randrange(520))) for _ in range(5))
        for _ in range(100)
    ]
    pieces = [piece[: random.randrange(1, 523)] for piece in pieces] + [b"\1" * n for n in (1, 253, 254, 255, 508, 522)]
    (tmp_path / "pieces").write_text("\n".join(piece.hex() for piece in pieces))
    script = """
from binascii import hexlify, unhexlify
from link import stuff, unstuff
for line in open("pieces"):
    piece = unhexlify(line.strip())
    frame = bytearray(600)
    size = stuff(piece, len(piece), frame)
    print(hexlify(frame[:size]).decode())
    inside = bytearray(frame[1 : size - 1])
    assert inside[: unstuff(inside, len(inside))] == piece
"""
    path = {"MICROPYPATH": f"{ROOT / 'firmware/scanner'}:.frozen"}
    run = subprocess.run(
        [micropython(), "-c", script],
        cwd=tmp_path,
        env={**os.environ, **path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [(b"\0" + _stuff(piece) + b"\0").hex() for piece in pieces]
