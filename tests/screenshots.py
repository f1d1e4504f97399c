"""Pictures of the page in its main situations: `python -m tests.screenshots` draws them into docs/page/."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, expect

from engine import EDITIONS, Color, Game
from firmware.advice import Computer
from tests.browser import DESKTOP, PHONE, TABLET, OpenPage, launched
from tests.live_board import LiveBoard
from tests.players import count_actions, drag, quick_game
from tests.serving import Served
from tests.stand_in import StandIn

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "page"
QUALITY = 82
HALF_WAY = 40
"""How many slots of a calibration have answered."""


@dataclass(frozen=True)
class Situation:
    """What happened at the board, what somebody did on the page, and how the page is looked at."""

    name: str
    at_the_board: Callable[[StandIn], object] = lambda host: host.let_settle(3)
    on_the_page: Callable[[Page], object] = lambda page: None
    game: Game | None = None
    looked_at: dict[str, Any] = field(default_factory=dict)


def _opened(host: StandIn) -> None:
    host.move(Color.RED, 0, 1)
    host.let_settle(2)


def _lifted(host: StandIn) -> None:
    _opened(host)
    host.lift(Color.RED, 2)
    host.let_settle(0.8)


def _refused(host: StandIn) -> None:
    _opened(host)
    host.move(Color.RED, 0, 5)
    host.let_settle(0.3)


def _under_the_hood(page: Page) -> None:
    page.locator("summary").click()
    page.locator("#hood").scroll_into_view_if_needed()


def _open_workshop(page: Page, view: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.locator(f"[data-opens={view}]").click()


def _diagnose(page: Page) -> None:
    drag(page, Color.RED, 0, 1)
    count_actions(page, 1)
    drag(page, Color.RED, 0, 2)
    count_actions(page, 2)
    _open_workshop(page, "diagnosis")
    expect(page.locator(".facts").first).to_contain_text("most at")
    expect(page.locator(".log").first).to_contain_text("action accepted: red:+0-2")


def _calibrate(page: Page) -> None:
    _open_workshop(page, "calibration")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".slot-mark.answered")).to_have_count(HALF_WAY)


def _look_back(page: Page) -> None:
    page.locator(".turns button").nth(3).click()


def _computers_turn(host: StandIn) -> None:
    host.new_game(EDITIONS["zen"], Color.RED, 0, Computer(Color.BLACK, 4))
    host.move(Color.RED, 0, 1)
    host.move(Color.RED, 2, 4)
    host.think("black:7-6", "black:+4-2")
    host.let_settle(1)


def _counted(host: StandIn) -> None:
    host.review_depth = 2
    host.let_settle(20)


def _review(page: Page) -> None:
    page.get_by_role("button", name="Look back at the game").click()
    page.get_by_text("How it was expected to end").scroll_into_view_if_needed()


def _tour(page: Page) -> None:
    page.locator(".next").click()
    page.locator(".next").click()


def _situations() -> list[Situation]:
    game = quick_game()
    half = game.undo(len(game.actions) // 2)
    phone = {"viewport": PHONE, "device_scale_factor": 2}
    day = {"color_scheme": "light"}
    return [
        Situation("evening", _opened),
        Situation("day", game=half, looked_at=day),
        Situation("tablet", looked_at={"viewport": TABLET, **day}),
        Situation("phone-in-hand", _lifted, looked_at=phone),
        Situation("phone-refused", _refused, looked_at={**phone, **day}),
        Situation("phone-tour", on_the_page=_tour, looked_at={**phone, "toured": False}),
        Situation(
            "over", lambda host: host.let_settle(20), game=game, looked_at={"viewport": {**DESKTOP, "height": 960}}
        ),
        Situation("computer", _computers_turn),
        Situation("review", _counted, _review, game, {"viewport": {**DESKTOP, "height": 1250}}),
        Situation("look-back", on_the_page=_look_back, game=half, looked_at=day),
        Situation("hood", on_the_page=_under_the_hood, looked_at={"viewport": {**DESKTOP, "height": 1100}}),
    ]


@dataclass(frozen=True)
class LiveSituation:
    """What somebody did on the page of a board that plays in real time."""

    name: str
    on_the_page: Callable[[Page], object]
    looked_at: dict[str, Any]


def _live_situations() -> list[LiveSituation]:
    tall = {"viewport": {**DESKTOP, "height": 1240}}
    return [
        LiveSituation("diagnosis", _diagnose, tall),
        LiveSituation("calibration", _calibrate, {"viewport": DESKTOP}),
        LiveSituation(
            "phone-calibration", _calibrate, {"viewport": PHONE, "device_scale_factor": 2, "color_scheme": "light"}
        ),
    ]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with launched() as browser:
        for situation in _situations():
            with Served(StandIn(situation.game)) as served:
                served.change(situation.at_the_board)
                open_page = OpenPage(browser)
                page = open_page(served, **situation.looked_at)
                situation.on_the_page(page)
                _draw(page, folder / f"{situation.name}.jpg")
                open_page.close()
        for live in _live_situations():
            with TemporaryDirectory() as kept, LiveBoard(Path(kept), patience=HALF_WAY) as board:
                open_page = OpenPage(browser)
                page = open_page(board, **live.looked_at)
                live.on_the_page(page)
                _draw(page, folder / f"{live.name}.jpg")
                open_page.close()


def _draw(page: Page, path: Path) -> None:
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    print(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
