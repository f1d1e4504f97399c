"""What systemd is told, over a socket as it has one: ready, well and stopping, and well only while that is true."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from firmware.config import Settings
from firmware.events import Event
from firmware.notify import Notifier, watched
from firmware.service import Service
from hardware.interface import Button, KeyEvent, Touch
from simulator.board import SimulatedBoard
from tests.test_play import bare_board, read_until, running

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no sockets of this kind")


class Systemd:
    """The other end of the line."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)

    def hear(self) -> str:
        return self._socket.recv(100).decode()

    def heard(self) -> list[str]:
        """All that has arrived so far."""
        self._socket.setblocking(False)
        messages = []
        try:
            while True:
                messages.append(self.hear())
        except BlockingIOError:
            return messages

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listening = Systemd(str(tmp_path / "notify"))
    yield listening
    listening.close()


def notifier_to(folder: Path, **more: str) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": str(folder / "notify"), **more})


def test_each_word_arrives_as_systemd_reads_it(systemd: Systemd, tmp_path: Path) -> None:
    notifier = notifier_to(tmp_path)
    notifier.ready()
    notifier.feed()
    notifier.stopping()
    assert systemd.heard() == ["READY=1", "WATCHDOG=1", "STOPPING=1"]


@pytest.mark.skipif(not Path("/proc/net/unix").exists(), reason="only Linux has names of this kind")
def test_a_name_in_the_kernel_is_found() -> None:
    name = f"linja-test-{os.getpid()}"
    listening = Systemd(f"\0{name}")
    try:
        Notifier({"NOTIFY_SOCKET": f"@{name}"}).ready()
        assert listening.heard() == ["READY=1"]
    finally:
        listening.close()


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all"}])
def test_nobody_who_listens_is_no_trouble(environment: dict[str, str]) -> None:
    Notifier(environment).ready()


@pytest.mark.parametrize(
    ("environment", "bites_after_s"),
    [
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_the_one_meant_for_this_program(
    environment: dict[str, str], bites_after_s: float | None
) -> None:
    assert Notifier(environment).watchdog_s == bites_after_s


def test_a_service_is_fed_for_while_it_goes_round_and_not_while_it_hangs(systemd: Systemd, tmp_path: Path) -> None:
    board = SimulatedBoard(Settings().layout)
    service = Service(Settings(), board.sensors, board.lights, board.panel)
    heard = asyncio.run(_told_until_it_hangs(service, board, notifier_to(tmp_path, WATCHDOG_USEC="3000000"), systemd))
    assert heard == [["READY=1", *["WATCHDOG=1"] * 4], [], ["STOPPING=1"]]


async def _told_until_it_hangs(
    service: Service, board: SimulatedBoard, notifier: Notifier, systemd: Systemd
) -> list[list[str]]:
    """What is heard while all is well, after the disk has hung for ten more meals, and at the end."""
    fed, hanging, mended = asyncio.Semaphore(0), asyncio.Event(), asyncio.Event()
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 4:
            fed.release()
            await hanging.wait()

    async def hang(events: Sequence[Event]) -> None:
        hanging.set()
        await mended.wait()

    async with watched(service.go_round, notifier, pause):
        running_service = asyncio.create_task(service.run())
        await fed.acquire()
        heard = [systemd.heard()]
        service.before_showing.append(hang)
        board.table.set_up()
        await hanging.wait()
        for _ in range(100):
            await asyncio.sleep(0)
        heard.append(systemd.heard())
        service.stop()
        mended.set()
        await running_service
        systemd.heard()
    assert set(pauses) == {1.0}
    return [*heard, systemd.heard()]


def test_a_service_that_has_not_gone_round_is_not_ready(systemd: Systemd, tmp_path: Path) -> None:
    async def start_and_hang() -> list[str]:
        started = asyncio.Event()

        async def hang() -> None:
            started.set()
            await asyncio.Event().wait()

        async with watched(hang, notifier_to(tmp_path, WATCHDOG_USEC="3000000")):
            await started.wait()
            return systemd.heard()

    assert asyncio.run(start_and_hang()) == []
    assert systemd.heard() == ["STOPPING=1"]


def test_a_round_is_over_only_when_everything_in_it_was_done() -> None:
    board = SimulatedBoard(Settings().layout)
    service = Service(Settings(), board.sensors, board.lights, board.panel)

    async def is_over_while_the_disk_hangs() -> bool:
        hanging, mended = asyncio.Event(), asyncio.Event()

        async def hang(events: Sequence[Event]) -> None:
            hanging.set()
            await mended.wait()

        service.before_showing.append(hang)
        service.touch(KeyEvent(Button.HINT, Touch.PRESSED))
        going_round = asyncio.create_task(service.go_round())
        await asyncio.sleep(0)
        running_service = asyncio.create_task(service.run())
        await hanging.wait()
        await asyncio.sleep(0)
        is_over = going_round.done()
        mended.set()
        await going_round
        service.stop()
        await running_service
        return is_over

    assert asyncio.run(is_over_while_the_disk_hangs()) is False


def test_the_program_tells_systemd_of_its_life(
    systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "linja.toml").write_text(bare_board(tmp_path / "scanner"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "30000")
    with running("firmware", "play", "--config", str(tmp_path / "linja.toml")) as program:
        assert [systemd.hear() for _ in range(3)] == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]
        program.send_signal(signal.SIGTERM)
        read_until("stopped", program)
    assert systemd.heard()[-1] == "STOPPING=1"
