"""A phone in the network: it watches, and once it is paired it plays. In a real browser."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from firmware.guard.checks import Asked
from firmware.guard.devices import Devices
from firmware.guard.guard import Guard, Visitor
from firmware.guard.pairing import Pairing
from firmware.web.files import FOLDER
from tests.browser import PHONE, OpenPage
from tests.serving import Serve

CODE = "314159"
LANGUAGES = sorted(path.stem for path in (FOLDER / "words").glob("*.json"))


class AmongNeighbours(Guard):
    """Takes everybody for a neighbour: a browser in a test is on this machine."""

    def let_in(self, asked: Asked) -> Visitor:
        return super().let_in(replace(asked, is_forwarded=True))


@pytest.fixture
def told() -> list[str | None]:
    return []


@pytest.fixture
def guard(tmp_path: Path, told: list[str | None]) -> Guard:
    return AmongNeighbours([], Devices(tmp_path / "devices.json"), pairing=Pairing(lambda: CODE), told=told.append)


def test_a_phone_watches_and_plays_once_it_is_paired(
    serve: Serve, open_page: OpenPage, guard: Guard, told: list[str | None]
) -> None:
    served = serve(None, guard)
    page = open_page(served, viewport=PHONE)
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_url("**/pair")
    page.get_by_role("button", name="Show the code on the board").click()
    page.get_by_label("Code").fill(CODE)
    page.get_by_role("button", name="Pair this device").click()
    page.wait_for_url(served.address)
    assert told == [CODE, None]
    page.get_by_role("button", name="New game").click()
    page.get_by_label("Classic").check()
    page.get_by_role("button", name="Begin").click()
    served.wait_until(lambda host: host.game.start.edition.name == "classic")


def test_a_wrong_code_is_told_and_costs_time(
    serve: Serve, open_page: OpenPage, guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.guard.pairing.FIRST_GUESS_WAIT_S", 1e6)  # a browser may take its time
    served = serve(None, guard)
    page = open_page(served)
    page.goto(f"{served.address}pair")
    page.get_by_role("button", name="Show the code on the board").click()
    for answer in ("That is not the code.", "Too soon."):
        page.get_by_label("Code").fill("111111")
        page.get_by_role("button", name="Pair this device").click()
        expect(page.get_by_role("status")).to_contain_text(answer)
    open_page.forgive("403 (Forbidden)")
    open_page.forgive("429 (Too Many Requests)")


def test_a_phone_that_only_watches_sees_no_hands_and_changes_nothing(
    serve: Serve, open_page: OpenPage, guard: Guard
) -> None:
    served = serve(None, guard)
    page = open_page(served)
    expect(page.locator("#hood")).to_be_hidden()
    said = page.evaluate(
        """() => new Promise((heard) => {
            const socket = new WebSocket(new URL("/link", location.href.replace(/^http/, "ws")));
            socket.onmessage = ({ data }) => data.includes("complaint") && heard(data);
            socket.onopen = () => socket.send('{"type": "new", "edition": "classic", "first": "red", "bestOf": 0}');
        })"""
    )
    assert json.loads(said)["detail"] == "this device is not paired with the board: it may only watch"
    assert served.host.game.start.edition.name == "zen"


@pytest.mark.parametrize("language", LANGUAGES)
def test_pairing_is_explained_in_the_language_of_the_browser(
    serve: Serve, open_page: OpenPage, guard: Guard, language: str
) -> None:
    served = serve(None, guard)
    page = open_page(served, locale=language)
    page.goto(f"{served.address}pair")
    expect(page.locator("html")).to_have_attribute("lang", language)
    sayings = page.locator("[data-say]")
    texts = [sayings.nth(number).text_content() for number in range(sayings.count())]
    assert len(texts) == 7
    assert all(text and text != "undefined" for text in texts)
