"""From bytes at the serial port to a frame at the lights, from a hand to its light, and what the service takes at rest.

The service runs in a process of its own, with the drivers of a real board; random games are played to it. Waiting is
part of what is measured here, and other programs disturb it: of the first figure the calmest of several rounds counts.
"""

from __future__ import annotations

import random
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from engine import EDITIONS, Action, Color, State
from firmware.cli import CommandFailed
from firmware.config import Settings
from hardware import scanner_protocol as link
from hardware.calibration_file import save
from hardware.interface import Reading
from hardware.layout import Layout
from simulator.bench.figures import line, plain, within
from simulator.board import calibrated
from simulator.faults import Faults
from simulator.magnets import HallSensors
from simulator.table import Table
from simulator.virtual_scanner import Scanner, Terminal, VirtualScanner

ROUNDS = 5
ACTIONS_A_ROUND = 100
CALM_S = 2.0
REST_S = 5.0
ANSWER_S = 10.0
LISTEN_S = 0.002
PERCENTS = (50, 95, 99)
SERVED = "simulator.bench.served"
EDITION = EDITIONS["classic"]  # its board never leaves a question open

SETTINGS = """\
[game]
edition = "classic"
computer = "{computer}"
level = 5
[sensors]
port = "{port}"
[pixels]
kind = "none"
[settle]
lift_ms = {lift_ms}
place_ms = {place_ms}
"""


def report() -> Iterator[str]:
    if not Path("/proc/self/status").exists():
        yield "The referee was not measured: that needs Linux."
        return
    layout = Settings().layout
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        save(calibrated(layout), folder / "calibration.toml", layout)
        bytes_s = _calmest([_bytes_to_frames(layout, folder) for _ in range(ROUNDS)])
        yield line("bytes at the port to a frame at the lights", bytes_s, PERCENTS, "p99 5 ms")
        yield from _hands_to_light(layout, folder)
        yield from _while_thinking(layout, folder)


def _calmest(rounds: list[list[float]]) -> list[float]:
    return min(rounds, key=lambda times_s: within(times_s, 99))


# The service, and the games that are played to it


class Served:
    """The service in its process."""

    def __init__(self, settings: Path, serve_cable: Callable[[], object]) -> None:
        self._serve_cable = serve_cable
        self._process = subprocess.Popen(
            [sys.executable, "-m", SERVED, str(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    def light_of(self, event: str) -> float:
        """When the lights were handed the frame that shows the next such event."""
        while True:
            at, *events = self._answer()
            if event in events:
                return float(at)

    def usage(self) -> tuple[float, int]:
        """The seconds of processor time and the bytes of memory that it has taken so far."""
        assert self._process.stdin
        self._process.stdin.write(b"usage\n")
        while (answer := self._answer())[0] != "usage":
            pass
        return float(answer[1]), int(answer[2])

    def close(self) -> None:
        self._process.communicate()

    def _answer(self) -> list[str]:
        assert self._process.stdout
        deadline = time.monotonic() + ANSWER_S
        while time.monotonic() < deadline:
            self._serve_cable()
            if select.select([self._process.stdout], [], [], 0)[0]:
                answer = self._process.stdout.readline()
                if not answer:
                    raise CommandFailed("the service that was to be measured has ended")
                return answer.decode().split()
        raise CommandFailed(f"the service that was to be measured has not answered for {ANSWER_S:g} s")


@contextmanager
def _served(
    folder: Path, port: Path, lift_ms: int, place_ms: int, cable: Callable[[], object], computer: str = "none"
) -> Iterator[Served]:
    settings = folder / "linja.toml"
    settings.write_text(SETTINGS.format(port=port, lift_ms=lift_ms, place_ms=place_ms, computer=computer))
    service = Served(settings, cable)
    try:
        service.light_of("GameStarted")
        yield service
    finally:
        service.close()


def _random_actions(count: int) -> Iterator[tuple[State, Action]]:
    """Actions of random games, one game after the other, and the state before each; none is left out or declined."""
    rng = random.Random(count)
    state, first = State.initial(EDITION), Color.RED
    for _ in range(count):
        if state.outcome is not None:
            first = state.outcome.winner.opponent if state.outcome.winner else first.opponent
            state = State.initial(EDITION, first)
        action = rng.choice([action for action in state.legal_actions() if action.origin is not None])
        yield state, action
        state = state.apply(action)


Hand = Callable[[Callable[[], object]], float]
"""Does something to the table and tells when it had been done, as far as it matters."""


def _play(service: Served, table: Table, hand: Hand, player: Color | None = None) -> tuple[list[float], list[float]]:
    """How long each lift and each placement of some games took to become light; only those of `player`, if given."""
    lifts_s: list[float] = []
    placements_s: list[float] = []
    for number, (state, action) in enumerate(_random_actions(ACTIONS_A_ROUND)):
        if state.position == State.initial(EDITION).position and number:
            hand(table.set_up)
            service.light_of("GameStarted")
        color, origin, destination = Reading(action.color.value), action.origin, action.destination
        assert origin is not None
        assert destination is not None
        lifted_at = hand(partial(table.lift, color, origin))
        lift_s = service.light_of("PawnLifted") - lifted_at
        placed_at = hand(partial(table.place, destination))
        placement_s = service.light_of("ActionAccepted") - placed_at
        if player in (None, state.to_move):
            lifts_s.append(lift_s)
            placements_s.append(placement_s)
    return lifts_s, placements_s


# Bytes to frames: nothing settles, and the scanner scans when a pawn has moved


class Cable:
    """A scanner's end of the cable, served by whoever waits for an answer."""

    def __init__(self, table: Table, port: Path) -> None:
        self._terminal = Terminal(port)
        self._scanner = Scanner(HallSensors(table), table, Faults(table.layout), time.monotonic())

    def serve(self) -> None:
        self._terminal.write(_encoded(self._scanner.hear(self._terminal.read(LISTEN_S))))
        now = time.monotonic()
        if now >= self._scanner.next_scan:
            self._terminal.write(_encoded(self._scanner.scan(now)))

    def send_after(self, act: Callable[[], object]) -> float:
        """When the bytes left that tell what was done to the table."""
        act()
        data = _encoded(self._scanner.scan(time.monotonic()))
        at = time.monotonic()
        self._terminal.write(data)
        return at

    def close(self) -> None:
        self._terminal.close()


def _encoded(messages: list[link.Message]) -> bytes:
    return b"".join(map(link.encode, messages))


def _bytes_to_frames(layout: Layout, folder: Path) -> list[float]:
    table = Table(layout)
    table.set_up()
    cable = Cable(table, folder / "scanner")
    try:
        with _served(folder, folder / "scanner", 0, 0, cable.serve) as service:
            lifts_s, placements_s = _play(service, table, cable.send_after)
            return lifts_s + placements_s
    finally:
        cable.close()


# Hands to light: everything as on the board


def _hands_to_light(layout: Layout, folder: Path) -> Iterator[str]:
    settle = Settings().settle
    with _as_on_the_board(layout, folder) as (service, table):
        lifts_s, placements_s = _play(service, table, _moment_after)
        yield line(f"a lift to its light, {settle.lift_ms:g} ms to settle included", lifts_s, PERCENTS, "p95 40 ms")
        yield line(
            f"a placement to its light, {settle.place_ms:g} ms to settle included", placements_s, PERCENTS, "p95 80 ms"
        )
        yield from _at_rest(service)


def _while_thinking(layout: Layout, folder: Path) -> Iterator[str]:
    """The same in turns of the computer, which a hand plays at once: it thinks as hard as it can all the while."""
    with _as_on_the_board(layout, folder, computer="red") as (service, table):
        lifts_s, placements_s = _play(service, table, _moment_after, Color.RED)
        yield line("a lift to its light, while the computer thinks", lifts_s, PERCENTS, "p95 40 ms")
        yield line("a placement to its light, while it thinks", placements_s, PERCENTS, "p95 80 ms")


@contextmanager
def _as_on_the_board(layout: Layout, folder: Path, computer: str = "none") -> Iterator[tuple[Served, Table]]:
    """A service on a scanner with a thread of its own, settling as long as by default, and the table above it."""
    settle = Settings().settle
    table = Table(layout)
    table.set_up()
    scanner = VirtualScanner(table, Faults(layout), folder / "scanner")
    ms = round(settle.lift_ms), round(settle.place_ms)
    try:
        with _served(folder, folder / "scanner", *ms, _let_be, computer) as service:
            yield service, table
    finally:
        scanner.close()


def _let_be() -> None:
    """The scanner has a thread of its own."""
    time.sleep(LISTEN_S)


def _moment_after(act: Callable[[], object]) -> float:
    act()
    return time.monotonic()


def _at_rest(service: Served) -> Iterator[str]:
    time.sleep(CALM_S)
    start, (used_s, _) = time.monotonic(), service.usage()
    time.sleep(REST_S)
    later_s, memory = service.usage()
    share = (later_s - used_s) / (time.monotonic() - start)
    yield plain("processor at rest, in a game", f"{100 * share:.2f} % of a core", "3 %")
    yield plain("memory of the whole service", f"{memory / 1_000_000:.1f} MB", "60 MB")
