"""How the page looks and reads: languages, themes, sizes, and all that is around and under the board."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from engine import Color, Game
from firmware.web.files import FOLDER
from tests.browser import DESKTOP, LANDSCAPE_PHONE, PHONE, SMALL_PHONE, TABLET, OpenPage, missing
from tests.players import count_actions, drag, quick_game
from tests.serving import Serve, Served
from tests.stand_in import StandIn

LANGUAGES = sorted(path.stem for path in (FOLDER / "words").glob("*.json"))
SCHEMES = ("dark", "light")
LEAST_TARGET_PX = 44


def words(language: str) -> dict[str, dict[str, str]]:
    catalogue: dict[str, dict[str, str]] = json.loads((FOLDER / "words" / f"{language}.json").read_text("utf-8"))
    return catalogue


def middle_of_a_game() -> Game:
    game = quick_game()
    return game.undo(len(game.actions) // 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language_of_the_browser(served: Served, open_page: OpenPage, language: str) -> None:
    page = open_page(served, locale=language)
    player = words(language)["color"]["red"]
    expect(page.locator(".sentence")).to_have_text(words(language)["expect"]["opening"].replace("{player}", player))
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_the_language_can_be_changed_and_is_remembered(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("ro")
    expect(page.get_by_role("dialog")).to_contain_text(words("ro")["settings"]["theme"])
    expect(page.get_by_role("button", name=words("ro")["key"]["hint"], include_hidden=True)).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name=words("ro")["key"]["hint"])).to_be_visible()


def test_a_language_without_a_catalogue_is_answered_in_english(served: Served, open_page: OpenPage) -> None:
    page = open_page(served, locale="fi-FI")
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")


def test_no_text_is_outside_the_catalogues(serve: Serve, open_page: OpenPage) -> None:
    def marked(saying: object) -> object:
        return {k: marked(v) for k, v in saying.items()} if isinstance(saying, dict) else f"⟦{saying}⟧"

    def fulfil(route: Route) -> None:
        route.fulfill(json=marked(words("en")))

    served = serve(StandIn(quick_game()))
    page = open_page(served)
    page.route("**/words/*.json", fulfil)
    page.reload()
    page.locator("summary").click()
    page.get_by_role("button", name="Settings").click()
    shown = page.evaluate(
        """() => {
            const texts = [];
            const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) texts.push(walker.currentNode.data);
            for (const element of document.querySelectorAll("[aria-label], [title]"))
                texts.push(element.getAttribute("aria-label") ?? "", element.getAttribute("title") ?? "");
            return texts;
        }"""
    )
    # What is left when the sayings are taken out: numbers, moves, names of languages, the name of the game.
    rest = {re.sub(r"⟦.*⟧", "", text).strip() for text in shown}
    unexpected = {text for text in rest if re.search(r"[^\W\d_]", text)} - {"Linja"} - _own_names(page)
    assert unexpected == set()


def _own_names(page: Page) -> set[str]:
    return set(page.locator("#language option").all_text_contents())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_theme_follows_the_screen_and_can_be_chosen(served: Served, open_page: OpenPage, scheme: str) -> None:
    page = open_page(served, color_scheme=scheme)
    ours, other = ("evening", "daylight") if scheme == "dark" else ("daylight", "evening")
    expect(page.locator("html")).to_have_attribute("data-theme", ours)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label(other.capitalize()).check()
    expect(page.locator("html")).to_have_attribute("data-theme", other)


@pytest.mark.parametrize("viewport", [PHONE, SMALL_PHONE, LANDSCAPE_PHONE, TABLET, DESKTOP])
def test_everything_fits_the_screen(served: Served, open_page: OpenPage, viewport: dict[str, int]) -> None:
    page = open_page(served, viewport=viewport, locale="de-DE")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    for part in ("#board", "#status", "#keys"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_whatever_can_be_pressed_is_large_enough_for_a_finger(
    serve: Serve, open_page: OpenPage, viewport: dict[str, int]
) -> None:
    served = serve(StandIn(quick_game()))
    page = open_page(served, viewport=viewport)
    page.locator("summary").click()
    small = page.evaluate(
        """(least) => [...document.querySelectorAll("button, a, select, summary, label")]
            .filter((element) => element.checkVisibility())
            .map((element) => [element.outerHTML, element.getBoundingClientRect()])
            .filter(([, box]) => box.height < least || box.width < least)
            .map(([html]) => html)""",
        LEAST_TARGET_PX,
    )
    assert small == []


@pytest.mark.parametrize(("scheme", "viewport"), [("dark", PHONE), ("light", DESKTOP)])
def test_axe_finds_nothing_serious(serve: Serve, open_page: OpenPage, scheme: str, viewport: dict[str, int]) -> None:
    served = serve()
    page = open_page(served, color_scheme=scheme, viewport=viewport, toured=False)
    assert serious(page) == []
    page.get_by_role("button", name="Skip").click()
    page.locator("summary").click()
    drag(page, Color.RED, 0, 5)
    expect(page.locator(".reason")).not_to_be_empty()
    assert serious(page) == []
    page.get_by_role("button", name="New game").click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    assert serious(page) == []
    served = serve(StandIn(quick_game()))
    page = open_page(served, color_scheme=scheme, viewport=viewport)
    page.locator(".turns button").first.click()
    assert serious(page) == []


def serious(page: Page) -> list[tuple[str, list[str]]]:
    """What axe-core finds to be serious or critical: the rule, and the elements."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        missing("axe-playwright-python is not installed: accessibility is not checked")
    found = Axe().run(page).response["violations"]
    return [
        (rule["id"], [node["html"] for node in rule["nodes"]])
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]


def test_the_marks_of_the_slots_are_lines_on_the_wood(served: Served, open_page: OpenPage) -> None:
    marks = open_page(served).locator(".board circle.mark")
    expect(marks).to_have_count(72)
    fills = marks.evaluate_all("marks => [...new Set(marks.map((mark) => getComputedStyle(mark).fill))]")
    assert fills == ["none"]


def test_the_tour_has_five_steps_and_is_shown_once(served: Served, open_page: OpenPage) -> None:
    page = open_page(served, toured=False)
    for step in range(1, 6):
        expect(page.locator(".progress")).to_have_text(f"{step} / 5")
        expect(page.locator(".spotlight .darkness")).to_have_count(1)
        page.locator(".next").click()
    expect(page.locator(".bubble")).to_be_hidden()
    expect(page.locator(".spotlight .darkness")).to_have_count(0)
    page.reload()
    expect(page.locator(".sentence")).not_to_be_empty()
    expect(page.locator(".bubble")).to_be_hidden()


def test_looking_back_shows_the_board_as_it_was(serve: Serve, open_page: OpenPage) -> None:
    game = middle_of_a_game()
    served = serve(StandIn(game))
    page = open_page(served)
    page.locator(".turns button").nth(1).click()
    after = len(game.turns[0].actions) + len(game.turns[1].actions)
    assert shown_rows(page) == list(game.states[after].position.red)
    page.get_by_role("button", name="One move earlier").click()
    assert shown_rows(page) == list(game.states[after - 1].position.red)
    page.get_by_role("button", name="Now").click()
    expect(page.locator(".past .pawn")).to_have_count(0)
    expect(page.locator(".men .pawn").first).to_be_visible()


def shown_rows(page: Page) -> list[int]:
    """How many red pawns the look back shows in each row."""
    ys = page.locator(".past .pawn.red").evaluate_all(
        "pawns => pawns.map((pawn) => -new DOMMatrix(pawn.style.transform).f)"
    )
    rows = [min(max(round(y / 44), 0), 7) for y in ys]
    return [rows.count(row) for row in range(8)]


def test_looking_back_ends_when_something_happens_at_the_board(serve: Serve, open_page: OpenPage) -> None:
    served = serve(StandIn(middle_of_a_game()))
    page = open_page(served)
    page.locator(".turns button").first.click()
    expect(page.locator(".past .pawn")).to_have_count(24)
    action = next(a for a in served.host.game.state.legal_actions() if a.origin is not None)
    assert action.origin is not None
    assert action.destination is not None
    origin, destination = action.origin, action.destination
    served.change(lambda host: host.move(action.color, origin, destination))
    expect(page.locator(".past .pawn")).to_have_count(0)


def test_the_end_of_a_game_shows_the_count_and_the_lead(serve: Serve, open_page: OpenPage) -> None:
    game = quick_game()
    served = serve(StandIn(game))
    page = open_page(served)
    red = game.state.position.red[7]
    expect(page.locator(".result tbody tr").first).to_contain_text(f"{red} \N{MULTIPLICATION SIGN} 5 = {5 * red}")
    line = page.locator(".lead .line").get_attribute("d")
    assert line is not None
    assert len(re.findall("[ML]", line)) == len(game.turns) + 1


def test_the_record_can_be_downloaded(serve: Serve, open_page: OpenPage, tmp_path: Path) -> None:
    served = serve(StandIn(quick_game()))
    page = open_page(served)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    download.value.save_as(tmp_path / "record")
    assert Game.parse((tmp_path / "record").read_text("utf-8")) == served.host.game


def test_faults_have_buttons_and_are_repaired(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.locator("summary").click()
    page.get_by_role("button", name="Pull the cable").click()
    expect(page.locator(".sentence")).to_contain_text("cannot see its pawns")
    expect(page.get_by_role("button", name="Pull the cable")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Repair everything").click()
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")


def test_a_fault_of_one_sensor_takes_the_chosen_slot(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.locator("summary").click()
    page.locator("#hood select").first.select_option("3.2")
    page.get_by_role("button", name="Dead sensor").click()
    expect(page.locator(".reason")).to_contain_text("Sensor 3.2 cannot be trusted")
    expect(page.locator(".doubt")).to_have_count(1)


def test_a_fault_of_two_sensors_takes_both(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.locator("summary").click()
    page.locator("#hood select").first.select_option("3.2")
    page.locator("#hood select").last.select_option("4.1")
    page.get_by_role("button", name="Swapped sensors").click()
    expect(page.get_by_role("button", name="Swapped sensors")).to_have_attribute("aria-pressed", "true")
    assert [fault.text(served.host.layout) for fault in served.host.board.faults.active] == ["swapped 3.2 4.1"]


def test_a_real_board_is_shown_and_cannot_be_moved(serve: Serve, open_page: OpenPage) -> None:
    served = serve(StandIn(is_real=True))
    page = open_page(served)
    expect(page.locator("#hood")).to_be_hidden()
    expect(page.get_by_role("img", name="Red pawn, row 0")).to_have_count(6)
    expect(page.locator(".pawns.movable")).to_have_count(0)
    served.change(lambda host: host.lift(Color.RED, 0))
    expect(page.locator(".ghost")).to_have_count(1)
    served.change(lambda host: host.board.table.place(1))
    served.change(lambda host: host.let_settle())
    count_actions(page, 1)
    expect(page.get_by_role("img", name="Red pawn, row 1")).to_have_count(2)
