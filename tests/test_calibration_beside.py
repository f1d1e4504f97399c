"""A calibration beside a board that plays: the game rests, and goes on with what was learnt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest

from firmware.calibrate.beside import Outcome, Progress, Wish
from firmware.calibrate.draft import draft_path
from firmware.calibrate.guide import Guide, Phase
from firmware.calibrate.light import GuidingLight
from firmware.config import SensorSettings, Settings
from firmware.drivers import Drivers, open_drivers
from firmware.events import SensorsBack, SensorsLost
from firmware.palette import PaletteSettings
from firmware.play import make_workshop
from firmware.service import Service
from hardware.calibration_file import load
from hardware.interface import Frame
from hardware.layout import Layout
from hardware.panel import PanelSettings
from hardware.pixels import PixelSettings
from simulator.faults import Faults
from simulator.guided_hands import GuidedHands
from simulator.table import Table
from simulator.virtual_scanner import VirtualScanner
from tests.live_board import LiveBoard
from tests.witnessed import serving

MakeBoard = Callable[..., LiveBoard]
BARE = Settings(pixels=PixelSettings(kind="none"), panel=PanelSettings(kind="none"))


@pytest.fixture
def live(tmp_path: Path) -> Iterator[MakeBoard]:
    with ExitStack() as running:
        yield lambda **how: running.enter_context(LiveBoard(tmp_path, **how))


def names(board: LiveBoard, slots: tuple[int, ...]) -> list[str]:
    return [board.service.layout.name(slot) for slot in slots]


def lit(frame: Frame) -> list[int]:
    return [index for index, byte in enumerate(frame.pixels) if byte]


def test_the_game_goes_on_with_what_was_learnt_and_the_service_was_not_restarted(live: MakeBoard) -> None:
    board = live()
    board.board.faults.command("swapped 1.0 1.1")
    board.board.faults.command("reversed 5.5")
    ended = board.calibrate()
    assert ended.outcome is Outcome.COMPLETE
    assert (names(board, ended.rewired), names(board, ended.face_down)) == (["1.0", "1.1"], ["5.5"])
    board.wait_until(lambda: not board.service.view.sensors_lost)
    calibration = load(board.files.calibration, board.service.layout)
    assert board.eyes.calibration == calibration
    assert not draft_path(board.files.calibration).exists()
    # A pawn is seen through the wires as they really are.
    board.board.table.clear()
    board.board.table.move(
        board.board.table.pawns[0], *board.service.layout.centres_mm[board.service.layout.slot(1, 0)]
    )
    slot = board.service.layout.slot(1, 0)
    board.wait_until(lambda: board.service.readings[slot].value == "red")


def test_the_game_waits_meanwhile_and_the_lights_guide(live: MakeBoard) -> None:
    board = live(patience=3)
    told: list[str] = []
    board.service.on_event.append(lambda event: told.append(type(event).__name__))
    board.wait_until(lambda: "GameStarted" in told)
    board.begin()
    board.wait_until(lambda: board.progress.phase is Phase.WALK and len(board.progress.marks) == 4)
    board.wait_until(lambda: board.service.view.sensors_lost)
    marks = dict(board.progress.marks)
    light = GuidingLight(board.service.layout, PaletteSettings())
    guiding = lit(light.frame(marks, 0.6))
    board.wait_until(lambda: lit(board.board.lights.frame) == guiding)
    board.wish(Wish.STOP)
    board.wait_until(lambda: board.progress.phase is None and SensorsBack.__name__ in told)
    assert told.count(SensorsLost.__name__) == 1
    board.wait_until(lambda: lit(board.board.lights.frame) != guiding)


def test_one_that_was_stopped_leaves_the_old_calibration_and_goes_on_from_there(live: MakeBoard) -> None:
    board = live(patience=20)
    before = board.files.calibration.read_bytes()
    board.begin()
    board.wait_until(lambda: board.progress.target is not None and board.progress.done > 0.2)
    board.wish(Wish.STOP)
    board.wait_until(lambda: board.progress.phase is None)
    assert (board.progress.outcome, board.progress.can_go_on) == (Outcome.STOPPED, True)
    assert board.files.calibration.read_bytes() == before
    seen: list[Progress] = []
    assert board.workshop.calibration
    board.workshop.calibration.on_progress.append(seen.append)
    board.patience = None
    assert board.calibrate().outcome is Outcome.COMPLETE
    walked = [progress.done for progress in seen if progress.phase is Phase.WALK]
    assert walked[0] > 0.2
    assert board.files.calibration.read_bytes() != before


def test_anew_begins_from_the_start(live: MakeBoard) -> None:
    board = live(patience=20)
    board.begin()
    board.wait_until(lambda: board.progress.done > 0.2)
    board.wish(Wish.STOP)
    board.wait_until(lambda: board.progress.phase is None)
    board.begin(anew=True)
    board.wait_until(lambda: board.progress.phase is Phase.WALK)
    assert board.progress.done < 0.2


def test_a_slot_can_be_passed_over_and_one_gone_back_to(live: MakeBoard) -> None:
    board = live(patience=2)
    board.begin()
    board.wait_until(lambda: len(board.progress.marks) == 3)
    asked = board.progress.target
    board.wish(Wish.SKIP)
    board.wait_until(lambda: board.progress.target != asked)
    assert board.progress.target is not None
    board.patience = 0
    board.board.table.clear()  # a pawn that stays where it was would answer again
    board.wish(Wish.BACK)
    board.wait_until(lambda: len(board.progress.marks) == 2)


def test_a_board_that_must_be_mended_says_what_and_keeps_its_calibration(live: MakeBoard) -> None:
    board = live()
    before = board.files.calibration.read_bytes()
    board.board.faults.command("dead 3.3")
    ended = board.calibrate()
    assert ended.outcome is Outcome.FLAWED
    assert [(board.service.layout.name(trouble.slot), trouble.name) for trouble in ended.troubles] == [("3.3", "dead")]
    assert board.files.calibration.read_bytes() == before


def test_a_scanner_that_goes_away_costs_nothing(live: MakeBoard) -> None:
    board = live(patience=10)
    before = board.files.calibration.read_bytes()
    board.begin()
    board.wait_until(lambda: len(board.progress.marks) == 11)
    board.board.faults.command("unplug")
    board.wait_until(lambda: board.progress.phase is None)
    assert (board.progress.outcome, board.progress.can_go_on) == (Outcome.FAILED, True)
    assert board.files.calibration.read_bytes() == before
    board.board.faults.command("clear")
    board.wait_until(lambda: not board.service.view.sensors_lost)


def test_only_one_runs_at_a_time_and_none_can_be_led_that_does_not(live: MakeBoard) -> None:
    board = live(patience=0)
    with pytest.raises(ValueError, match="not being calibrated"):
        board.wish(Wish.STOP)
    board.begin()
    with pytest.raises(ValueError, match="already"):
        board.begin()


def test_a_service_that_stops_ends_it(live: MakeBoard, tmp_path: Path) -> None:
    with LiveBoard(tmp_path / "other", patience=5) as board:
        board.begin()
        board.wait_until(lambda: len(board.progress.marks) == 6)
    assert (board.progress.phase, draft_path(board.files.calibration).exists()) == (None, True)


def test_a_real_driver_gives_its_port_up_and_takes_it_back(tmp_path: Path) -> None:
    """In real time, so no more than the first slots are walked."""
    pytest.importorskip("tty", reason="this system has no pseudo-terminals")
    port = tmp_path / "scanner"
    settings = msgspec.structs.replace(BARE, sensors=SensorSettings(port=str(port)))
    table = Table(settings.layout)
    with (
        closing(VirtualScanner(table, Faults(settings.layout), port)),
        open_drivers(settings, tmp_path) as drivers,
    ):
        asyncio.run(_first_slots(settings, tmp_path, drivers, GuidedHands(table)))
    assert draft_path(tmp_path / "calibration.toml").exists()


async def _first_slots(settings: Settings, folder: Path, drivers: Drivers, hands: GuidedHands) -> None:
    service = Service(settings, drivers.sensors, drivers.lights, drivers.panel)
    calibration = make_workshop(settings, folder, service, drivers).calibration
    assert calibration
    watch = calibration.follow

    def follow(guide: Guide, layout: Layout) -> bool:
        hands.obey(guide)
        return watch(guide, layout)

    calibration.follow = follow  # type: ignore[method-assign]
    async with serving(service) as witness:
        await witness.until(lambda: len(drivers.sensors.report().board) > 0)  # type: ignore[union-attr]
        walked, ended = asyncio.Event(), asyncio.Event()
        calibration.on_progress.append(lambda progress: walked.set() if len(progress.marks) > 2 else None)
        calibration.on_progress.append(lambda progress: ended.set() if progress.phase is None else None)
        calibration.begin()
        await walked.wait()
        assert service.view.sensors_lost
        assert drivers.sensors.report() is None
        calibration.wish(Wish.STOP)
        await ended.wait()
        assert calibration.progress.outcome is Outcome.STOPPED
        await witness.until(lambda: not service.view.sensors_lost)
        await calibration.close()
