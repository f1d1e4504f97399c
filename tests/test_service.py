"""The service on real parts: what hands and keys do becomes events, tunes and light, in their order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine import EDITIONS, BadMatch, Color
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
from firmware.service import Service
from hardware.absent import NoLights, NoPanel
from hardware.errors import SensorLost
from hardware.interface import Button, Frame, KeyEvent, Reading, Touch, Tune
from simulator.board import SimulatedBoard
from tests.witnessed import (
    LAYOUT,
    SET_UP,
    SETTINGS,
    Board,
    FedSensors,
    service_on,
    serving,
    set_up_table,
    snapshot_of,
    wired,
)


@pytest.fixture(params=["simulated", "serial"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Board]:
    with wired(request.param, tmp_path) as board:
        yield board


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


def test_a_slot_settles_although_the_sensors_say_nothing_more() -> None:
    sensors = FedSensors()

    async def play() -> None:
        async with serving(Service(SETTINGS, sensors, NoLights(), NoPanel())) as witness:
            sensors.feed(SET_UP)
            await witness.heard(GameStarted)
            assert witness.service.readings == SET_UP.readings

    asyncio.run(play())


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


def test_a_match_that_cannot_be_is_refused_to_whoever_asks_for_it() -> None:
    board = SimulatedBoard(LAYOUT)
    service = Service(SETTINGS, board.sensors, board.lights, board.panel)
    with pytest.raises(BadMatch, match="not 30"):
        service.new_game(EDITIONS["zen"], Color.RED, best_of=30)
