"""The service on real parts: simulated board and serial driver in real time, its threads, its order and its end.

Nothing here sleeps: a test waits until something has happened, for as long as pytest lets it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from engine import EDITIONS, BadMatch, Color
from firmware.config import GameSettings, Settings
from firmware.driver_threads import DriverFailed, LatestFrame
from firmware.events import (
    ActionAccepted,
    Event,
    GameStarted,
    HintAsked,
    MoveRefused,
    PawnLifted,
    SensorsBack,
    SensorsLost,
    SetUpAsked,
)
from firmware.inputs import Input, give
from firmware.looks import BoardLight
from firmware.paint import paint
from firmware.palette import Palette
from firmware.service import FRAME_S, Service
from firmware.session import Session
from hardware.absent import NoLights, NoPanel
from hardware.calibration import Classifier
from hardware.errors import LightsUnavailable, SensorLost
from hardware.interface import Button, Frame, KeyEvent, Lights, Panel, Reading, Sensors, Snapshot, Touch, Tune
from hardware.layout import Layout
from hardware.serial_scanner import SerialScanner
from simulator.board import SimulatedBoard, SimulatedLights, SimulatedPanel, calibrated
from simulator.faults import Faults
from simulator.table import Table
from simulator.virtual_scanner import VirtualScanner

SETTINGS = Settings(game=GameSettings(edition="zen"))
LAYOUT = SETTINGS.layout


# Boards and witnesses


@dataclass(frozen=True)
class Board:
    """What a service is wired to, and the table above it."""

    table: Table
    faults: Faults
    sensors: Sensors
    lights: WatchedLights
    panel: SimulatedPanel


class WatchedLights(SimulatedLights):
    """Lights that another thread can wait for."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        self._shown = threading.Condition()

    def show(self, frame: Frame) -> None:
        with self._shown:
            super().show(frame)
            self._shown.notify_all()

    def wait_for_one_of(self, frames: Sequence[Frame]) -> None:
        with self._shown:
            self._shown.wait_for(lambda: set(frames) & set(self.frames))


class SerialBoard:
    """The real serial driver on the virtual scanner."""

    def __init__(self, directory: Path) -> None:
        pytest.importorskip("tty", reason="this system has no pseudo-terminals")
        self.table = Table(LAYOUT)
        self.faults = Faults(LAYOUT)
        self.panel = SimulatedPanel()
        self._scanner = VirtualScanner(self.table, self.faults, directory / "scanner")
        self.sensors: Sensors = SerialScanner(LAYOUT, Classifier(calibrated(LAYOUT)), str(directory / "scanner"))

    def close(self) -> None:
        self._scanner.close()


@pytest.fixture(params=["simulated", "serial"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Board]:
    """A board with its pawns set up."""
    board = SimulatedBoard(LAYOUT) if request.param == "simulated" else SerialBoard(tmp_path)
    board.table.set_up()
    yield Board(board.table, board.faults, board.sensors, WatchedLights(), board.panel)
    board.close()


class Witness:
    """Hears all that a service tells and sees all that its lights show, and waits for it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.events: list[Event] = []
        self.frames: list[Frame] = []
        self._news = asyncio.Event()
        service.on_event.append(self._hear)
        service.on_frame.append(self._see)
        service.on_change.append(self._news.set)

    async def until(self, holds: Callable[[], object]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()

    async def heard(self, kind: type[Event]) -> None:
        """Waits for the next event of a kind, and forgets what came before it."""
        await self.until(lambda: any(isinstance(event, kind) for event in self.events))
        while not isinstance(self.events.pop(0), kind):
            pass

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    def _see(self, frame: Frame) -> None:
        self.frames.append(frame)
        self._news.set()


@asynccontextmanager
async def serving(service: Service) -> AsyncIterator[Witness]:
    witness = Witness(service)
    running = asyncio.create_task(service.run())
    try:
        yield witness
    finally:
        service.stop()
        await running


def service_on(board: Board) -> Service:
    return Service(SETTINGS, board.sensors, board.lights, board.panel)


class FedSensors:
    """`Sensors` that give what a test feeds them, once each."""

    def __init__(self) -> None:
        self._fed: SimpleQueue[Snapshot | Exception] = SimpleQueue()
        self.closed = False

    def feed(self, *fed: Snapshot | Exception) -> None:
        for one in fed:
            self._fed.put(one)

    def read(self, timeout: float) -> Snapshot | None:
        assert not self.closed
        try:
            fed = self._fed.get(timeout=timeout)
        except Empty:
            return None
        if isinstance(fed, Exception):
            raise fed
        return fed

    def close(self) -> None:
        self.closed = True


def snapshot_of(table: Table) -> Snapshot:
    return Snapshot(table.readings(), (100,) * LAYOUT.slot_count)


def set_up_table() -> Table:
    table = Table(LAYOUT)
    table.set_up()
    return table


SET_UP = snapshot_of(set_up_table())


# From hand to light


def test_a_pawn_that_is_moved_becomes_an_action_a_tune_and_light_at_the_driver(board: Board) -> None:
    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            board.table.lift(Reading.RED, 0)
            await witness.heard(PawnLifted)
            board.table.place(1)
            await witness.heard(ActionAccepted)
            assert [str(action) for action in witness.service.game.actions] == ["red:0-1"]
            assert board.panel.tunes[-1] is Tune.ACCEPTED
            witness.frames.clear()
            await witness.until(lambda: len(witness.frames) > 3)
            await asyncio.to_thread(board.lights.wait_for_one_of, witness.frames)

    asyncio.run(play())


def test_a_pawn_put_where_it_may_not_go_is_refused_and_the_game_goes_on_from_there(board: Board) -> None:
    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            board.table.lift(Reading.RED, 0)
            board.table.place(2)
            await witness.heard(MoveRefused)
            board.table.lift(Reading.RED, 2, 1)
            board.table.place(1)
            await witness.heard(ActionAccepted)

    asyncio.run(play())


def test_a_board_unplugged_in_mid_move_loses_nothing(board: Board) -> None:
    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            board.table.lift(Reading.RED, 0)
            await witness.heard(PawnLifted)
            board.faults.command("unplug")
            await witness.heard(SensorsLost)
            assert witness.service.view.sensors_lost
            board.table.place(1)
            board.faults.command("clear")
            await witness.heard(SensorsBack)
            await witness.heard(ActionAccepted)
            assert [str(action) for action in witness.service.game.actions] == ["red:0-1"]

    asyncio.run(play())


def test_keys_of_the_panel_and_of_the_page_are_the_same(board: Board) -> None:
    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            board.panel.press(Button.HINT)
            await witness.heard(HintAsked)
            witness.service.touch(KeyEvent(Button.HINT, Touch.PRESSED))
            await witness.heard(HintAsked)

    asyncio.run(play())


def test_a_new_game_is_played_by_the_rules_that_were_asked_for(board: Board) -> None:
    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            witness.service.new_game(EDITIONS["classic"], Color.BLACK, 3)
            await witness.heard(SetUpAsked)
            await witness.heard(GameStarted)
            assert witness.service.game.start.edition is EDITIONS["classic"]
            assert witness.service.view.match is not None

    asyncio.run(play())


# Time


def test_a_slot_settles_although_the_sensors_say_nothing_more() -> None:
    sensors = FedSensors()

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel())) as witness:
            sensors.feed(SET_UP)
            await witness.heard(GameStarted)
            assert witness.service.readings == SET_UP.readings

    asyncio.run(play())


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def started(sensors: FedSensors, witness: Witness) -> None:
    sensors.feed(SET_UP)
    await witness.heard(GameStarted)


async def shown_after(seconds: float, clock: Clock, witness: Witness) -> None:
    """Let time pass, and wait for a frame that shows it."""
    seen = len(witness.frames)
    clock.now += seconds
    await witness.until(lambda: len(witness.frames) > seen)


def test_light_that_moves_is_no_slower_where_the_loop_wakes_late() -> None:
    sensors, clock = FedSensors(), Clock()
    late_s = 0.001

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            sensors.feed(SensorLost("the cable was pulled"))
            await witness.heard(SensorsLost)
            await shown_after(1, clock, witness)  # in the middle of a breath no two frames are alike
            for _ in range(5):
                await shown_after(FRAME_S + late_s, clock, witness)
            await shown_after(FRAME_S - 4 * late_s, clock, witness)

    asyncio.run(play())


def test_nothing_is_painted_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    sensors, clock = FedSensors(), Clock()
    painted_at: list[float] = []

    def count(light: BoardLight, layout: Layout, palette: Palette, now: float) -> Frame:
        painted_at.append(now)
        return paint(light, layout, palette, now)

    monkeypatch.setattr("firmware.service.paint", count)

    async def play() -> None:
        given = asyncio.Event()

        def note(session: Session, what: Input, now: float) -> list[Event]:
            given.set()
            return give(session, what, now)

        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            await started(sensors, witness)
            await shown_after(0.5, clock, witness)
            await shown_after(10, clock, witness)  # what shone at the start is over
            painted_at.clear()
            monkeypatch.setattr("firmware.service.give", note)
            for _ in range(20):
                given.clear()
                sensors.feed(SET_UP)
                await given.wait()
            assert painted_at == []

    asyncio.run(play())


def test_what_moves_is_painted_again_and_again() -> None:
    sensors, clock = FedSensors(), Clock()

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            await started(sensors, witness)
            sensors.feed(SensorLost("gone"))
            await witness.heard(SensorsLost)
            for _ in range(5):
                await shown_after(0.2, clock, witness)

    asyncio.run(play())


# Order


def test_what_has_happened_is_known_to_the_journal_before_it_is_told_or_shown() -> None:
    sensors = FedSensors()
    order: list[str] = []

    async def journal(happened: Sequence[Event]) -> None:
        order.append("written")
        await asyncio.to_thread(lambda: None)
        order.append("kept")

    async def play() -> None:
        service = Service(SETTINGS, sensors, NoLights(), NoPanel())
        service.before_showing.append(journal)
        service.on_event.append(lambda event: order.append("told"))
        service.on_frame.append(lambda frame: order.append("shown"))
        async with serving(service) as witness:
            sensors.feed(SET_UP)
            await witness.heard(GameStarted)
            await witness.until(lambda: order[-1] == "shown")

    asyncio.run(play())
    written = order.index("written")
    assert order[written : written + 4] == ["written", "kept", "told", "shown"]


def test_events_are_told_in_the_order_in_which_they_happened() -> None:
    sensors = FedSensors()
    table = set_up_table()

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel())) as witness:
            sensors.feed(SET_UP)
            await witness.heard(GameStarted)
            table.lift(Reading.RED, 0)
            table.place(1)
            sensors.feed(snapshot_of(table), SensorLost("gone"), snapshot_of(table))
            await witness.until(lambda: any(isinstance(event, ActionAccepted) for event in witness.events))
            told = [type(event) for event in witness.events]
            assert told[:2] == [SensorsLost, SensorsBack]
            assert told.index(PawnLifted) < told.index(ActionAccepted)

    asyncio.run(play())


def test_what_is_to_be_shown_instead_is_shown_until_the_session_has_its_say_again(board: Board) -> None:
    guiding = Frame(bytes([9, 9, 9] * LAYOUT.pixel_count))

    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            witness.service.show_instead(guiding)
            await witness.until(lambda: witness.frames[-1] == guiding)
            await asyncio.to_thread(board.lights.wait_for_one_of, [guiding])
            board.table.lift(Reading.RED, 0)
            await witness.heard(PawnLifted)
            assert witness.service.frame == guiding
            witness.service.show_instead(None)
            await witness.until(lambda: witness.frames[-1] != guiding)

    asyncio.run(play())


def test_light_that_shows_what_has_happened_is_counted_and_light_that_only_moves_is_not() -> None:
    sensors, clock = FedSensors(), Clock()

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel(), clock)) as witness:
            sensors.feed(SensorLost("gone"))
            await witness.heard(SensorsLost)
            latency = witness.service.latency
            await witness.until(lambda: witness.frames)
            while not sum(latency.counts):
                await asyncio.sleep(0)
            before = latency.counts
            for _ in range(10):
                sensors.feed(SensorLost("gone"))  # which is no news
                await shown_after(0.2, clock, witness)
            assert latency.counts == before

    asyncio.run(play())


def test_a_newer_frame_takes_the_place_of_one_that_was_not_taken() -> None:
    latest = LatestFrame()
    frames = [Frame(bytes([red, 0, 0])) for red in range(3)]
    for frame in frames:
        latest.put(frame)
    assert latest.take(0) == (frames[-1], None)
    assert latest.take(0) is None


def test_whoever_waits_for_a_frame_that_was_replaced_waits_since_then() -> None:
    latest = LatestFrame()
    frames = [Frame(bytes([red, 0, 0])) for red in range(3)]
    for frame, since in zip(frames, (None, 1.0, 2.0), strict=True):
        latest.put(frame, since)
    assert latest.take(0) == (frames[-1], 1.0)
    latest.put(frames[0])
    assert latest.take(0) == (frames[0], None)


class SlowLights(SimulatedLights):
    """Lights whose bytes leave when a test says so."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        self.asked = threading.Event()
        self.go = threading.Event()

    def show(self, frame: Frame) -> None:
        self.asked.set()
        self.go.wait()
        super().show(frame)


def test_slow_lights_hold_up_nobody_and_show_the_newest_frame_next() -> None:
    sensors, clock, lights = FedSensors(), Clock(), SlowLights()
    painted: list[Frame] = []

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, lights, NoPanel(), clock)) as witness:
            sensors.feed(SensorLost("gone"))
            await asyncio.to_thread(lights.asked.wait)
            lights.asked.clear()
            try:
                for _ in range(5):
                    await shown_after(0.2, clock, witness)
            finally:
                lights.go.set()
            await asyncio.to_thread(lights.asked.wait)
            painted.extend(witness.frames)

    asyncio.run(play())
    before, first, next_one, after = lights.frames
    assert before == after == Frame.dark(LAYOUT.pixel_count)
    assert painted.index(first) < len(painted) - 4
    assert next_one == painted[-1]


# Endings


def threads_of_drivers() -> set[str]:
    return {thread.name for thread in threading.enumerate()} & {"sensors", "lights", "panel"}


def test_stopping_joins_the_threads_darkens_the_lights_and_leaves_no_task(board: Board) -> None:
    async def play() -> None:
        async with serving(service_on(board)) as witness:
            await witness.heard(GameStarted)
            await witness.until(lambda: any(any(frame.pixels) for frame in board.lights.frames))
            assert threads_of_drivers() == {"sensors", "lights", "panel"}
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())
    assert threads_of_drivers() == set()
    assert board.lights.frame == Frame.dark(LAYOUT.pixel_count)
    with pytest.raises(SensorLost):
        board.sensors.read(1)


class Jealous:
    """A driver that notes when it is closed while it is being used."""

    def __init__(self) -> None:
        self.using = threading.Event()
        self.closed = False
        self.disturbed = False

    def _use(self, timeout: float = 0.05) -> None:
        self.using.set()
        threading.Event().wait(timeout)
        self.disturbed = self.disturbed or self.closed

    def read(self, timeout: float) -> None:
        self._use(timeout)

    def show(self, frame: Frame) -> None:
        self._use()

    def play(self, tune: Tune) -> None:
        pass

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("cancelled", [False, True])
def test_no_driver_is_closed_while_its_thread_uses_it(cancelled: bool) -> None:
    sensors, lights, panel = Jealous(), Jealous(), Jealous()

    async def play() -> None:
        service = Service(SETTINGS, sensors, lights, panel)
        running = asyncio.create_task(service.run())
        await asyncio.to_thread(sensors.using.wait)
        await asyncio.to_thread(panel.using.wait)
        (running.cancel if cancelled else service.stop)()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(play())
    assert [driver.closed for driver in (sensors, lights, panel)] == [True, True, True]
    assert [driver.disturbed for driver in (sensors, lights, panel)] == [False, False, False]


class BrokenLights(SimulatedLights):
    def show(self, frame: Frame) -> None:
        raise LightsUnavailable("the pixels do not answer")

    def close(self) -> None:
        pass


class BrokenPanel(SimulatedPanel):
    def read(self, timeout: float) -> KeyEvent | None:
        raise KeyError


@pytest.mark.parametrize(
    ("lights", "panel", "message"),
    [
        (BrokenLights(LAYOUT), NoPanel(), "the lights failed: the pixels do not answer"),
        (NoLights(), BrokenPanel(), "the panel failed: KeyError"),
    ],
)
def test_a_driver_that_cannot_go_on_ends_the_service_with_its_name_and_closes_the_others(
    lights: Lights, panel: Panel, message: str
) -> None:
    sensors = FedSensors()
    sensors.feed(SET_UP)
    with pytest.raises(DriverFailed) as failure:
        asyncio.run(Service(SETTINGS, sensors, lights, panel).run())
    assert str(failure.value) == message
    assert sensors.closed
    assert threads_of_drivers() == set()


def test_sensors_that_fail_in_a_way_no_driver_should_end_the_service() -> None:
    sensors = FedSensors()
    sensors.feed(ZeroDivisionError("a bug"))
    with pytest.raises(DriverFailed, match="the sensors failed: a bug"):
        asyncio.run(Service(SETTINGS, sensors, NoLights(), NoPanel()).run())
    assert sensors.closed


def test_a_match_that_cannot_be_is_refused_to_whoever_asks_for_it() -> None:
    board = SimulatedBoard(LAYOUT)
    service = Service(SETTINGS, board.sensors, board.lights, board.panel)
    with pytest.raises(BadMatch, match="not 30"):
        service.new_game(EDITIONS["zen"], Color.RED, best_of=30)
