"""The code for pairing in light: whoever stands at the board can count it, and nobody else ever sees it."""

from __future__ import annotations

import asyncio

import pytest

from firmware.code_light import has_room, with_code
from firmware.config import Settings
from firmware.palette import Palette
from firmware.service import Service
from hardware.absent import NoPanel
from hardware.interface import Frame, Reading
from hardware.layout import BoardSettings, Layout
from hardware.pixels import PixelSettings
from tests.witnessed import SET_UP, FedSensors, serving, set_up_table, snapshot_of, started

LAYOUT = Settings().layout
PALETTE = Palette.of(Settings().palette)
FAINT = Frame(bytes([7]) * 3 * LAYOUT.pixel_count)


def pixel(frame: Frame, number: int) -> bytes:
    return frame.pixels[3 * number : 3 * number + 3]


def lit(frame: Frame, strip: range) -> list[bytes]:
    return [pixel(frame, number) for number in strip if any(pixel(frame, number))]


def test_each_inner_row_shows_one_digit_from_reds_side_on() -> None:
    frame = with_code(FAINT, "314159", LAYOUT, PALETTE)
    assert [len(lit(frame, strip)) for strip in LAYOUT.row_pixels[1:-1]] == [3, 1, 4, 1, 5, 9]


def test_a_digit_above_five_is_counted_in_two_hues() -> None:
    frame = with_code(FAINT, "911111", LAYOUT, PALETTE)
    nine = lit(frame, LAYOUT.row_pixels[1])
    assert len(set(nine[:5])) == len(set(nine[5:])) == 1
    assert nine[0] != nine[5]


def test_everything_else_stays_as_it_was() -> None:
    frame = with_code(FAINT, "314159", LAYOUT, PALETTE)
    others = [*LAYOUT.row_pixels[0], *LAYOUT.row_pixels[-1], *LAYOUT.score_pixels[0], *LAYOUT.score_pixels[1]]
    assert {pixel(frame, number) for number in others} == {bytes([7]) * 3}


@pytest.mark.parametrize(("pixels", "fits"), [(8, False), (9, True)])
def test_a_nine_needs_nine_pixels(pixels: int, fits: bool) -> None:
    assert has_room(Layout.of(BoardSettings(row_pixels=pixels))) is fits


@pytest.mark.parametrize(
    "settings", [Settings(board=BoardSettings(row_pixels=8)), Settings(pixels=PixelSettings(kind="none"))]
)
def test_a_board_that_cannot_show_a_code_says_so_and_stays_as_it_was(settings: Settings) -> None:
    async def play() -> None:
        lights = KeptLights()
        async with serving(Service(settings, FedSensors(), lights, NoPanel())) as witness:
            assert not witness.service.show_code("314159")
            shown = await lights.next()
            await witness.until(lambda: shown in witness.frames)

    asyncio.run(play())


class KeptLights:
    """Lights that keep all that they show until somebody looks. Made in the loop of whoever looks."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._shown: asyncio.Queue[Frame] = asyncio.Queue()

    def show(self, frame: Frame) -> None:
        self._loop.call_soon_threadsafe(self._shown.put_nowait, frame)

    def close(self) -> None:
        pass

    async def next(self) -> Frame:
        return await self._shown.get()

    async def until(self, *, has_code: bool) -> None:
        while shows_the_code(await self.next()) is not has_code:
            pass


def shows_the_code(frame: Frame) -> bool:
    return with_code(frame, "314159", LAYOUT, PALETTE) == frame


def test_the_code_is_seen_on_the_board_and_on_no_page() -> None:
    async def play() -> list[Frame]:
        sensors, lights = FedSensors(), KeptLights()
        async with serving(Service(Settings(), sensors, lights, NoPanel())) as witness:
            assert witness.service.show_code("314159")
            await lights.until(has_code=True)
            seen = len(witness.frames)
            await started(sensors, witness)
            await witness.until(lambda: len(witness.frames) > seen)
            witness.service.show_code(None)
            await lights.until(has_code=False)
            return [*witness.frames, witness.service.frame]

    seen_on_pages = asyncio.run(play())
    assert not any(map(shows_the_code, seen_on_pages))


def test_the_code_stays_while_the_light_around_it_moves() -> None:
    async def play() -> None:
        sensors, lights = FedSensors(), KeptLights()
        async with serving(Service(Settings(), sensors, lights, NoPanel())) as witness:
            witness.service.show_code("314159")
            await lights.until(has_code=True)
            seen = len(witness.frames)
            await started(sensors, witness)
            await witness.until(lambda: len(witness.frames) > seen)
            await lights.until(has_code=True)

    asyncio.run(play())


def test_the_code_gives_way_to_a_hand_that_waits_for_its_light() -> None:
    async def play() -> None:
        sensors, lights = FedSensors(), KeptLights()
        async with serving(Service(Settings(), sensors, lights, NoPanel())) as witness:
            await started(sensors, witness)
            witness.service.show_code("314159")
            await lights.until(has_code=True)
            table = set_up_table()
            table.lift(Reading.RED, 0)
            sensors.feed(snapshot_of(table))
            await lights.until(has_code=False)
            sensors.feed(SET_UP)
            await lights.until(has_code=True)

    asyncio.run(play())
