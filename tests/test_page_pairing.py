"""A phone in the network: it watches, and once it is paired it plays. In a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware.guard.checks import Asked
from firmware.guard.devices import Devices
from firmware.guard.guard import Guard
from firmware.guard.pairing import Pairing
from firmware.web.files import FOLDER
from tests.browser import DESKTOP, LANDSCAPE_PHONE, PHONE, SMALL_PHONE, TABLET, OpenPage
from tests.serving import Serve, Served
from tests.test_page_look import LEAST_TARGET_PX, serious, words

CODE = "314159"
LANGUAGES = sorted(path.stem for path in (FOLDER / "words").glob("*.json"))


class AmongNeighbours(Guard):
    """Takes everybody for a neighbour: a browser in a test is on this machine."""

    def may_act(self, asked: Asked) -> bool:
        return super().may_act(replace(asked, is_forwarded=True))


@pytest.fixture
def told() -> list[str | None]:
    return []


MakeGuard = Callable[..., Guard]


@pytest.fixture
def make_guard(tmp_path: Path, told: list[str | None]) -> MakeGuard:
    def make(*, is_lit: bool = True, kind: type[Guard] = AmongNeighbours) -> Guard:
        def tell(code: str | None) -> bool:
            told.append(code)
            return is_lit

        return kind([], Devices(tmp_path / "devices.json"), pairing=Pairing(lambda: CODE), told=tell)

    return make


@pytest.fixture
def guard(make_guard: MakeGuard) -> Guard:
    return make_guard()


def ask_for_the_code(page: Page, served: Served) -> None:
    page.goto(f"{served.address}pair.html")
    page.locator("#show").click()
    expect(page.locator("#typed")).to_be_visible()


def lit_pixels(page: Page) -> list[int]:
    """How many pixels each strip of the picture shows, from red's side on."""
    strips = page.locator(".strip")
    return [strips.nth(place).locator(".pixel.on").count() for place in range(strips.count())]


def test_a_phone_watches_and_plays_once_it_is_paired(
    serve: Serve, open_page: OpenPage, guard: Guard, told: list[str | None]
) -> None:
    served = serve(None, guard)
    page = open_page(served, viewport=PHONE)
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    page.get_by_role("link", name="You are watching").click()
    page.get_by_role("button", name="Show the code").click()
    page.get_by_label("Digit 1").press_sequentially(CODE)
    page.get_by_role("button", name="Pair this device").click()
    page.wait_for_url(served.address)
    assert told == [CODE, None]
    page.get_by_role("button", name="New game").click()
    page.get_by_label("Classic").check()
    page.get_by_role("button", name="Begin").click()
    served.wait_until(lambda host: host.game.start.edition.name == "classic")


def test_the_code_can_be_copied_from_the_board_pixel_by_pixel(
    serve: Serve, open_page: OpenPage, guard: Guard, told: list[str | None]
) -> None:
    served = serve(None, guard)
    page = open_page(served, viewport=PHONE)
    ask_for_the_code(page, served)
    for place in (5, 0, 3, 1, 4, 2):
        page.locator(".strip").nth(place).locator(".pixel").nth(int(CODE[place]) - 1).click()
    assert lit_pixels(page) == [int(digit) for digit in CODE]
    page.get_by_role("button", name="Pair this device").click()
    page.wait_for_url(served.address)
    assert told == [CODE, None]


def test_the_picture_has_reds_side_at_the_bottom_as_the_board_has(
    serve: Serve, open_page: OpenPage, guard: Guard
) -> None:
    page = open_page(served := serve(None, guard))
    ask_for_the_code(page, served)
    tops = [page.get_by_label(f"Digit {place}").evaluate("i => i.getBoundingClientRect().top") for place in range(1, 7)]
    assert tops == sorted(tops, reverse=True)


def test_typing_goes_on_from_digit_to_digit_and_back(serve: Serve, open_page: OpenPage, guard: Guard) -> None:
    page = open_page(served := serve(None, guard))
    ask_for_the_code(page, served)
    page.keyboard.type("3x04")
    assert lit_pixels(page) == [3, 4, 0, 0, 0, 0]
    page.keyboard.press("Backspace")
    assert lit_pixels(page) == [3, 0, 0, 0, 0, 0]
    page.keyboard.type("7")
    assert lit_pixels(page) == [3, 7, 0, 0, 0, 0]
    page.get_by_label("Digit 1").fill(CODE)  # as it is pasted
    assert lit_pixels(page) == [int(digit) for digit in CODE]


def test_a_board_that_cannot_show_the_code_says_where_it_is(
    serve: Serve, open_page: OpenPage, make_guard: MakeGuard
) -> None:
    page = open_page(served := serve(None, make_guard(is_lit=False)), viewport=SMALL_PHONE)
    ask_for_the_code(page, served)
    expect(page.locator("#read")).to_contain_text("It is in the board's log.")
    expect(page.locator(".strip").first).to_be_hidden()
    page.keyboard.type(CODE)
    page.get_by_role("button", name="Pair this device").click()
    page.wait_for_url(served.address)


def test_a_wrong_code_is_told_and_costs_time(
    serve: Serve, open_page: OpenPage, guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.guard.pairing.FIRST_GUESS_WAIT_S", 7200.0)  # a browser may take its time
    page = open_page(served := serve(None, guard))
    ask_for_the_code(page, served)
    page.get_by_label("Digit 1").fill("111111")
    for answer in ("That is not the code.", "Too soon. Try again in 2 hours."):
        page.get_by_role("button", name="Pair this device").click()
        expect(page.get_by_role("status")).to_have_text(answer)
    open_page.forgive("403 (Forbidden)")
    open_page.forgive("429 (Too Many Requests)")


def test_a_code_that_has_gone_can_be_asked_for_again(serve: Serve, open_page: OpenPage, guard: Guard) -> None:
    page = open_page(served := serve(None, guard))
    ask_for_the_code(page, served)
    guard.pairing = Pairing(lambda: CODE)  # it shows no code
    page.get_by_label("Digit 1").fill(CODE)
    page.get_by_role("button", name="Pair this device").click()
    expect(page.get_by_role("status")).to_have_text("The code is gone. Ask for another one.")
    expect(page.get_by_role("button", name="Show the code")).to_be_visible()
    open_page.forgive("409 (Conflict)")


def test_a_board_that_does_not_answer_is_told(serve: Serve, open_page: OpenPage, guard: Guard) -> None:
    page = open_page(served := serve(None, guard))
    page.goto(f"{served.address}pair.html")
    expect(page.locator("#show")).to_be_visible()
    served.stop()
    page.locator("#show").click()
    expect(page.get_by_role("status")).to_have_text("The board does not answer.")
    open_page.forgive("ERR_CONNECTION_REFUSED")


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


def test_a_device_that_was_parted_with_only_watches_even_where_its_page_is_still_open(
    serve: Serve, open_page: OpenPage, guard: Guard
) -> None:
    served = serve(None, guard)
    page = open_page(served)
    ask_for_the_code(page, served)
    page.keyboard.type(CODE)
    page.get_by_role("button", name="Pair this device").click()
    page.wait_for_url(served.address)
    hint = page.get_by_role("button", name="Hint")
    expect(hint).to_be_visible()
    parting = page.context.new_page()
    parting.goto(f"{served.address}pair.html")
    parting.get_by_role("button", name="Part with all devices").click()
    expect(parting.get_by_role("status")).to_have_text("No device is paired any more.")
    expect(parting.get_by_role("button", name="Show the code")).to_be_visible()
    hint.click()
    expect(page.get_by_role("link", name="You are watching")).to_be_visible()


def test_one_device_can_be_parted_with(serve: Serve, open_page: OpenPage, guard: Guard) -> None:
    served = serve(None, guard)
    page = open_page(served)
    kept = guard.devices.pair()
    page.context.add_cookies([{"name": "linja", "value": guard.devices.pair(), "url": served.address}])
    page.goto(f"{served.address}pair.html")
    expect(page.locator("#standing")).to_contain_text("This device is paired.")
    page.get_by_role("button", name="Part with this device").click()
    expect(page.get_by_role("button", name="Show the code")).to_be_visible()
    assert guard.devices.know(kept)


def test_the_boards_own_machine_needs_no_pairing(serve: Serve, open_page: OpenPage, make_guard: MakeGuard) -> None:
    page = open_page(serve(None, make_guard(kind=Guard)))
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("link", name="Paired devices").click()
    expect(page.locator("#standing")).to_contain_text("needs no pairing")
    expect(page.get_by_role("button", name="Part with this device")).to_be_hidden()
    expect(page.get_by_role("button", name="Part with all devices")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pairing_is_explained_in_the_language_of_the_browser(
    serve: Serve, open_page: OpenPage, guard: Guard, language: str
) -> None:
    served = serve(None, guard)
    page = open_page(served, locale=language, viewport=SMALL_PHONE)
    ask_for_the_code(page, served)
    said = words(language)["pair"]
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("h1")).to_have_text(said["title"])
    expect(page.locator("#read")).to_have_text(said["lit"])
    expect(page.get_by_label(said["digit"].replace("{place}", "6"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL_PHONE["width"]


@pytest.mark.parametrize("viewport", [PHONE, SMALL_PHONE, LANDSCAPE_PHONE, TABLET, DESKTOP])
def test_the_page_for_pairing_fits_the_screen(
    serve: Serve, open_page: OpenPage, guard: Guard, viewport: dict[str, int]
) -> None:
    page = open_page(served := serve(None, guard), viewport=viewport)
    ask_for_the_code(page, served)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    for pressed in page.locator("button:visible, a:visible, input:visible").all():
        box = pressed.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST_TARGET_PX


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_on_the_page_for_pairing(
    serve: Serve, open_page: OpenPage, guard: Guard, scheme: str
) -> None:
    page = open_page(served := serve(None, guard), color_scheme=scheme, viewport=PHONE)
    assert serious(page) == []
    page.goto(f"{served.address}pair.html")
    expect(page.locator("#show")).to_be_visible()
    assert serious(page) == []
    ask_for_the_code(page, served)
    page.get_by_label("Digit 1").fill(CODE)
    assert serious(page) == []


# What a browser keeps out because the page asks it to


@pytest.mark.parametrize("is_guarded", [True, False])
def test_only_with_its_headers_the_page_runs_nothing_that_was_slipped_into_it(
    served: Served, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, is_guarded: bool
) -> None:
    if not is_guarded:
        monkeypatch.setattr("firmware.guard.middleware.HEADERS", {})
    page = open_page(served)
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.slippedIn = true";
            document.body.append(script);
        }"""
    )
    assert page.evaluate("window.slippedIn ?? false") is not is_guarded
    open_page.forgive("Content Security Policy")
