"""Looking inside a board that plays: who is told what, and that it costs nothing while nobody looks."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse

from firmware import workshop
from firmware.blackbox import entries
from firmware.blackbox.entry import Circumstances
from firmware.config import Settings
from firmware.diagnosis import Diagnosis
from firmware.latency import BOUNDS_MS, Latency
from firmware.log_tail import LINES, LogTail
from hardware.interface import Reading, Snapshot
from tests.live_board import LiveBoard

ONLY_WATCHES = {"X-Forwarded-For": "192.0.2.1"}
"""Somebody who says to be passed on is not at this machine, and so may only watch."""
LAYOUT = Settings().layout


@pytest.fixture
def board(tmp_path: Path) -> Iterator[LiveBoard]:
    with LiveBoard(tmp_path) as running:
        yield running


class Visitor:
    """A plain client of the page."""

    def __init__(self, client: ClientSession, socket: ClientWebSocketResponse, address: str) -> None:
        self.client, self.socket, self.address = client, socket, address

    async def hear(self, kind: str, holds: Callable[[Any], bool] = lambda message: True) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await self.socket.receive_str())
            if message["type"] == kind and holds(message):
                return message

    async def say(self, **command: object) -> None:
        await self.socket.send_str(json.dumps(command))


def visit(
    board: LiveBoard, script: Callable[[Visitor], Awaitable[None]], headers: dict[str, str] | None = None
) -> None:
    async def run() -> None:
        address = board.address.rstrip("/")
        async with (
            ClientSession(headers=headers) as client,
            client.ws_connect(f"{address}/link", origin=address) as socket,
        ):
            await script(Visitor(client, socket, address))

    asyncio.run(run())


def test_levels_come_with_how_they_are_read(board: LiveBoard) -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.say(type="look", inside=True)
        sensors = (await visitor.hear("sensors"))["sensors"]
        levels = (await visitor.hear("levels", lambda message: bool(message["levels"])))["levels"]
        slot = LAYOUT.slot(3, 2)
        assert (sensors[slot]["name"], sensors[slot]["multiplexer"], sensors[slot]["input"]) == ("3.2", 2, 0)
        calibrated = board.eyes.calibration.sensors[slot]
        assert (sensors[slot]["baseline"], sensors[slot]["red"]) == (calibrated.baseline, calibrated.red)
        assert abs(levels[slot] - calibrated.baseline) < 500

    visit(board, script)


def test_whoever_looks_is_told_how_the_board_does(board: LiveBoard) -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.say(type="look", inside=True)
        vitals = await visitor.hear("vitals", lambda message: bool(message["noise"]) and message["framesPerS"] > 0)
        assert vitals["link"] == {"port": "simulated", "firmware": "1.0.0", "lost": 0, "damaged": 0, "restarts": 0}
        assert len(vitals["noise"]) == LAYOUT.slot_count
        assert len(vitals["latency"]) == len(BOUNDS_MS) + 1
        assert any("game started" in line for line in vitals["log"])

    visit(board, script)


def test_those_who_only_watch_are_not_told_the_log(board: LiveBoard) -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.say(type="look", inside=True)
        assert (await visitor.hear("vitals"))["log"] == []

    visit(board, script, ONLY_WATCHES)


def test_nothing_is_watched_while_nobody_looks(board: LiveBoard) -> None:
    before = list(board.service.recorders)

    async def script(visitor: Visitor) -> None:
        await visitor.say(type="look", inside=True)
        await visitor.hear("levels")
        assert len(board.service.recorders) == len(before) + 1
        await visitor.say(type="look", inside=False)
        await visitor.say(type="nonsense")
        await visitor.hear("complaint")
        assert board.service.recorders == before
        await visitor.say(type="look", inside=True)
        await visitor.hear("levels")

    visit(board, script)
    board.wait_until(lambda: board.service.recorders == before)  # the page is gone without a word


def test_two_who_look_are_both_told_until_each_has_looked_away(board: LiveBoard) -> None:
    async def script(visitor: Visitor) -> None:
        async with visitor.client.ws_connect(f"{visitor.address}/link", origin=visitor.address) as socket:
            other = Visitor(visitor.client, socket, visitor.address)
            await visitor.say(type="look", inside=True)
            await visitor.hear("sensors")
            await other.say(type="look", inside=True)
            await other.hear("sensors")
            await visitor.say(type="look", inside=False)
            await other.hear("vitals", lambda message: message["framesPerS"] > 0)

    visit(board, script)


# What can be taken home


def test_the_black_box_that_is_taken_home_reads_back(board: LiveBoard, tmp_path: Path) -> None:
    async def script(visitor: Visitor) -> None:
        async with visitor.client.get(f"{visitor.address}/blackbox") as answer:
            assert answer.status == 200
            assert 'filename="linja.box.gz"' in answer.headers["Content-Disposition"]
            (tmp_path / "taken.box.gz").write_bytes(await answer.read())

    board.wait_until(lambda: board.service.view.stage.value == "playing")
    visit(board, script)
    first, *rest = entries(tmp_path / "taken.box.gz")
    assert isinstance(first.what, Circumstances)
    assert any(isinstance(entry.what, Snapshot) for entry in rest)


def test_the_doctor_reports_while_the_board_plays(board: LiveBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "VISIT_S", 0.0)

    async def script(visitor: Visitor) -> None:
        async with visitor.client.get(f"{visitor.address}/doctor") as answer:
            report = await answer.text()
        assert 'filename="linja-doctor.txt"' in answer.headers["Content-Disposition"]
        assert re.search(r"^ok +machine +Python 3", report, re.MULTILINE)
        assert re.search(r"^ok +storage +.*calibration.toml is this board's", report, re.MULTILINE)

    visit(board, script)


@pytest.mark.parametrize("path", ["/blackbox", "/doctor"])
def test_nothing_is_taken_home_by_those_who_only_watch(board: LiveBoard, path: str) -> None:
    async def script(visitor: Visitor) -> None:
        async with visitor.client.get(visitor.address + path) as answer:
            assert answer.status == 403

    visit(board, script, ONLY_WATCHES)


# Calibration by command


def test_a_page_calibrates_and_every_page_is_told(board: LiveBoard) -> None:
    async def script(visitor: Visitor) -> None:
        async with visitor.client.ws_connect(f"{visitor.address}/link", origin=visitor.address) as socket:
            watcher = Visitor(visitor.client, socket, visitor.address)
            assert (await watcher.hear("calibration"))["phase"] is None
            await visitor.say(type="calibrate", wish="begin")
            await watcher.hear("calibration", lambda message: message["phase"] == "walk")
            ended = await watcher.hear("calibration", lambda message: message["phase"] is None)
            assert ended["outcome"] == "complete"

    visit(board, script)


@pytest.mark.parametrize(
    ("wish", "complaint"), [("stop", "not being calibrated"), ("dance", "Invalid enum value"), ("skip", "not being")]
)
def test_a_wish_that_makes_no_sense_is_answered(board: LiveBoard, wish: str, complaint: str) -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.say(type="calibrate", wish=wish)
        assert complaint in (await visitor.hear("complaint"))["detail"]

    visit(board, script)


def test_those_who_only_watch_do_not_calibrate(board: LiveBoard) -> None:
    async def script(visitor: Visitor) -> None:
        await visitor.say(type="calibrate", wish="begin")
        assert "only watch" in (await visitor.hear("complaint"))["detail"]
        assert board.progress.phase is None

    visit(board, script, ONLY_WATCHES)


# The parts


class Watched:
    """A service that is fed by hand."""

    layout = LAYOUT

    def __init__(self) -> None:
        self.latency = Latency()
        self.recorders: list[Callable[..., None]] = []
        self.readings: tuple[Reading, ...] = (Reading.OCCUPIED, *[Reading.EMPTY] * (LAYOUT.slot_count - 1))

    def see(self, now: float, levels: tuple[int, ...]) -> None:
        for record in self.recorders:
            record(now, Snapshot(self.readings, (100,) * LAYOUT.slot_count, levels))


def test_noise_is_measured_sensor_by_sensor() -> None:
    watched = Watched()
    diagnosis = Diagnosis(watched, lambda: None, lambda: None, lambda: 0.0)
    diagnosis.begin()
    loud = LAYOUT.slot(4, 4)
    for scan in range(30):
        watched.see(scan / 10, tuple(32768 + (100 * (scan % 2) if slot == loud else 0) for slot in range(72)))
    measured: tuple[int, ...] = ()
    while not measured:
        measured = diagnosis.noise()
    assert [slot for slot, noise in enumerate(measured) if noise] == [loud]
    assert measured[loud] == round(100 / 0.954)


def test_frames_are_counted_over_the_last_moments() -> None:
    watched, now = Watched(), 10.0
    diagnosis = Diagnosis(watched, lambda: None, lambda: None, lambda: now)
    diagnosis.begin()
    now = 20.0
    for at in (11.0, 18.5, 19.0, 19.5, 20.0):
        watched.see(at, ())
    assert diagnosis.frames_per_s() == 2.0


def test_sensors_without_levels_show_where_pawns_are_from_the_first_moment() -> None:
    diagnosis = Diagnosis(Watched(), lambda: None, lambda: None, lambda: 0.0)
    diagnosis.begin()
    assert diagnosis.levels() == (100, *[0] * 71)


def test_waiting_for_light_is_counted_by_how_long_it_took() -> None:
    latency = Latency()
    for waited_s in (0.001, 0.002, 0.004, 0.06, 3.0):
        latency.note(waited_s)
    assert latency.counts == (2, 1, 0, 0, 0, 1, 0, 0, 1)


def test_the_tail_of_the_log_is_short_and_kept_only_while_it_is_wanted() -> None:
    tail, logger = LogTail(), logging.getLogger("firmware.somewhere")
    logger.info("before")
    with tail.kept():
        for number in range(LINES + 5):
            logger.info("line %d", number)
    logger.info("after")
    assert [line.split("  ")[1] for line in tail.lines] == [f"line {number}" for number in range(5, LINES + 5)]
