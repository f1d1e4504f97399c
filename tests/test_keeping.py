"""The journal beside a real service on a simulated board: on disk before anybody is told, and there after a stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine import Color, Position
from firmware.blackbox import export, replay
from firmware.config import Settings
from firmware.events import ActionAccepted, ActionsTakenBack, Event, GameStarted
from firmware.journal import Archive, KeptGame
from firmware.keeping import Keeping, black_box
from firmware.service import Service
from simulator.__main__ import main
from simulator.arrangement import READINGS, arrange
from simulator.board import SimulatedBoard, calibrated

SETTINGS = Settings()
CALIBRATION = calibrated(SETTINGS.layout)


def complain(text: str) -> None:
    raise AssertionError(text)


def serve(
    keeping: Keeping, hands: Callable[[SimulatedBoard, Event], bool], recording: Path | None = None
) -> SimulatedBoard:
    """A board in the hands of `hands`, which are told of every event and say when they have had enough."""
    board = SimulatedBoard(SETTINGS.layout, calibration=CALIBRATION)
    interrupted = keeping.interrupted
    arrange(board.table, interrupted.game.state.position if interrupted else Position.setup())

    async def run() -> None:
        service = Service(SETTINGS, board.sensors, board.lights, board.panel, interrupted=interrupted)
        keeping.begin(service)
        service.on_event.append(lambda event: service.stop() if hands(board, event) else None)
        if interrupted is not None:
            move(board, 3, 5)
        if recording is None:
            await service.run()
        else:
            with closing(black_box(service, SETTINGS, lambda: CALIBRATION, recording, complain)):
                await service.run()

    asyncio.run(run())
    return board


def move(board: SimulatedBoard, origin: int, row: int) -> None:
    board.table.lift(READINGS[Color.RED], origin)
    board.table.place(row)


def kept(path: Path) -> KeptGame:
    with Archive.open(path) as archive:
        return archive.load(1)


def test_an_action_is_on_disk_before_anybody_is_told_of_it(tmp_path: Path) -> None:
    path = tmp_path / "linja.db"
    on_disk: list[list[str]] = []

    def hands(board: SimulatedBoard, event: Event) -> bool:
        if isinstance(event, GameStarted):
            move(board, 0, 1)
        if isinstance(event, ActionAccepted):
            on_disk.append([str(action) for action in kept(path).game.actions])
        return bool(on_disk)

    with closing(Keeping(path, complain)) as keeping:
        serve(keeping, hands)
    assert on_disk == [["red:0-1"]]


def test_an_interrupted_turn_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "linja.db"

    def open_and_stop(board: SimulatedBoard, event: Event) -> bool:
        if isinstance(event, GameStarted):
            move(board, 0, 1)
        return isinstance(event, ActionAccepted)

    with closing(Keeping(path, complain)) as keeping:
        serve(keeping, open_and_stop)
    with closing(Keeping(path, complain)) as keeping:
        assert keeping.interrupted is not None
        serve(keeping, lambda board, event: isinstance(event, ActionAccepted))
    assert [str(action) for action in kept(path).game.actions] == ["red:0-1", "red:+3-5"]


def test_what_a_disk_did_not_take_is_offered_again_while_nobody_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.keeping.CATCH_UP_S", 0.0)
    path = tmp_path / "folder" / "linja.db"
    path.parent.write_text("a file where the folder should be")
    said: list[str] = []

    async def mend_and_wait(keeping: Keeping) -> None:
        async with keeping.catching_up():
            path.parent.unlink()
            while not any("can be written again" in text for text in said):
                await asyncio.sleep(0)

    with closing(Keeping(path, said.append)) as keeping:
        asyncio.run(mend_and_wait(keeping))
    assert path.exists()


def test_what_was_taken_back_is_gone_from_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "linja.db"

    def hands(board: SimulatedBoard, event: Event) -> bool:
        if isinstance(event, GameStarted):
            move(board, 0, 1)
        if isinstance(event, ActionAccepted):
            move(board, 1, 0)
        return isinstance(event, ActionsTakenBack)

    with closing(Keeping(path, complain)) as keeping:
        serve(keeping, hands)
        assert kept(path).game.actions == ()


def test_the_black_box_of_a_service_replays_to_the_same_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hands(board: SimulatedBoard, event: Event) -> bool:
        if isinstance(event, GameStarted):
            move(board, 0, 2)
        return type(event).__name__ == "MoveRefused"

    with closing(Keeping(tmp_path / "linja.db", complain)) as keeping:
        serve(keeping, hands, recording=tmp_path / "box")
    report = tmp_path / "report.linja"
    with report.open("wb") as target:
        export(tmp_path / "box", target)
    steps = list(replay(report))
    assert "MoveRefused" in "".join(text for step in steps for text in step.recorded)
    assert [step for step in steps if step.differs] == []
    monkeypatch.setattr("sys.argv", ["linja", "simulate", "--replay", str(report)])
    assert main() == 0
    assert f"{len(steps)} inputs led to the same" in capsys.readouterr().out


def test_a_recording_that_is_none_is_a_sentence_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.linja").write_bytes(b"nothing of the kind")
    monkeypatch.setattr("sys.argv", ["linja", "simulate", "--replay", str(tmp_path / "report.linja")])
    assert main() == 2
    assert "report.linja cannot be read on" in capsys.readouterr().err
