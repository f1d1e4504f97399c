"""The workshop on the page: diagnosis and calibration, in a real browser on a board that plays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from engine import Color
from firmware import workshop
from firmware.blackbox import entries
from firmware.calibrate.beside import Outcome
from firmware.calibrate.guide import Phase
from firmware.config import Settings
from firmware.web.files import FOLDER
from tests.browser import DESKTOP, LANDSCAPE_PHONE, PHONE, SMALL_PHONE, TABLET, OpenPage
from tests.live_board import LiveBoard
from tests.players import drag
from tests.test_page_look import LANGUAGES, LEAST_TARGET_PX, serious, words

MakeBoard = Callable[..., LiveBoard]
SIZES = [PHONE, SMALL_PHONE, LANDSCAPE_PHONE, TABLET, DESKTOP]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[MakeBoard]:
    with ExitStack() as running:
        yield lambda **how: running.enter_context(LiveBoard(tmp_path, **how))


def open_workshop(page: Page, view: str) -> None:
    page.locator("#menu button").last.click()
    page.locator(f"[data-opens={view}]").click()
    expect(page.locator(f"#workshop .{view}")).to_be_visible()


def calibrating(live: MakeBoard, open_page: OpenPage, answered: int) -> tuple[LiveBoard, Page]:
    """A calibration that was begun, whose hands have lost their patience after so many slots."""
    board = live(patience=answered)
    page = open_page(board)
    open_workshop(page, "calibration")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".slot-mark.answered")).to_have_count(answered)
    return board, page


def fact(page: Page, name: str) -> str:
    return page.locator("dt", has_text=re.compile(f"^{name}$")).first.locator("+ dd").inner_text()


# Diagnosis


@pytest.mark.parametrize("is_real", [False, True])
def test_bars_over_the_board_show_what_each_sensor_feels(live: MakeBoard, open_page: OpenPage, is_real: bool) -> None:
    page = open_page(live(is_real=is_real))
    open_workshop(page, "diagnosis")
    page.wait_for_function(
        """() => ["north", "south"].every((pole) => {
            const bars = [...document.querySelectorAll(`.field.${pole}`)];
            return bars.filter((bar) => bar.height.baseVal.value > 7).length === 12;
        })"""
    )
    expect(page.locator(".gauge .thresholds").first).to_have_attribute("d", re.compile("^M"))
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".looks-inside")).to_have_count(0)
    expect(page.locator("#keys")).to_be_visible()


def test_figures_of_the_link_and_of_the_noise_are_shown(live: MakeBoard, open_page: OpenPage) -> None:
    page = open_page(live())
    open_workshop(page, "diagnosis")
    expect(page.locator(".facts").first).to_contain_text("simulated, version 1.0.0")
    expect(page.locator(".facts").first).to_contain_text(re.compile(r"\d+ to \d+, most at \d\.\d"))
    assert (fact(page, "Lost"), fact(page, "Damaged")) == ("0", "0")


def test_a_pulled_cable_shows(live: MakeBoard, open_page: OpenPage) -> None:
    board = live()
    page = open_page(board)
    open_workshop(page, "diagnosis")
    page.locator("#hood summary").click()
    page.get_by_role("button", name="Pull the cable").click()
    expect(page.locator("ol.log")).to_contain_text("sensors lost: the simulated board is unplugged")
    expect(page.locator(".facts").first).to_contain_text(re.compile(r"Frames a second\s*0"))


def test_a_sensor_that_trembles_is_marked(live: MakeBoard, open_page: OpenPage) -> None:
    board = live()
    board.board.faults.command("noisy 3.2")
    page = open_page(board)
    open_workshop(page, "diagnosis")
    expect(page.locator(".gauge.loud")).to_have_count(1)
    expect(page.locator(".facts").first).to_contain_text("most at 3.2")


def test_one_sensor_can_be_looked_at_closely(live: MakeBoard, open_page: OpenPage) -> None:
    board = live()
    page = open_page(board)
    open_workshop(page, "diagnosis")
    page.locator("#sensor").select_option("3.2")
    details = page.locator(".facts").last
    expect(details).to_contain_text("multiplexer 2, input 0")
    sensor = board.eyes.calibration.sensors[Settings().layout.slot(3, 2)]
    expect(details).to_contain_text(f"good {sensor.red}")
    expect(page.locator(".gauge.chosen")).to_have_count(1)


def test_a_move_is_counted_by_how_long_its_light_took(live: MakeBoard, open_page: OpenPage) -> None:
    page = open_page(live())
    open_workshop(page, "diagnosis")
    expect(page.locator(".histogram")).to_be_visible()
    before = page.locator(".diagnosis > div p").first.inner_text()
    drag(page, Color.RED, 0, 1)
    expect(page.locator(".diagnosis > div p").first).not_to_have_text(before)
    expect(page.locator("ol.log")).to_contain_text("action accepted: red:0-1")


def test_the_black_box_can_be_downloaded(live: MakeBoard, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(live())
    open_workshop(page, "diagnosis")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the black box").click()
    download.value.save_as(tmp_path / "box.gz")
    assert list(entries(tmp_path / "box.gz"))


def test_the_doctor_is_asked_and_the_report_can_be_downloaded(
    live: MakeBoard, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "VISIT_S", 0.5)
    page = open_page(live())
    open_workshop(page, "diagnosis")
    page.get_by_role("button", name="Ask the doctor").click()
    expect(page.locator("pre.log")).to_contain_text("Python 3")
    with page.expect_download() as download:
        page.get_by_role("link", name="The doctor's report").click()
    download.value.save_as(tmp_path / "report.txt")
    assert (tmp_path / "report.txt").read_text("utf-8") == page.locator("pre.log").text_content()


def test_those_who_only_watch_see_levels_but_neither_log_nor_exports(live: MakeBoard, open_page: OpenPage) -> None:
    page = open_page(live(), extra_http_headers={"X-Forwarded-For": "192.0.2.1"})
    open_workshop(page, "diagnosis")
    expect(page.locator(".facts").first).to_contain_text("simulated")
    expect(page.locator(".log").first).to_be_hidden()
    expect(page.locator(".exports")).to_be_hidden()


def test_nothing_of_the_workshop_is_loaded_before_it_is_opened(live: MakeBoard, open_page: OpenPage) -> None:
    board = live()
    page = open_page(board)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    page.reload()
    expect(page.locator(".sentence").first).not_to_be_empty()
    assert not {"diagnosis.js", "calibration.js"} & set(loaded)
    open_workshop(page, "diagnosis")
    assert "diagnosis.js" in loaded


# Calibration


def test_a_calibration_from_the_page_from_beginning_to_end(live: MakeBoard, open_page: OpenPage) -> None:
    board = live()
    board.board.faults.command("swapped 1.0 1.1")
    page = open_page(board)
    open_workshop(page, "calibration")
    expect(page.locator(".calibration .sentence")).to_contain_text("its lights lead you")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".calibration .sentence")).to_contain_text("The calibration is complete", timeout=60_000)
    expect(page.locator(".calibration .reason")).to_have_text("Wired otherwise than planned, and known now: 1.0, 1.1.")
    expect(page.locator("progress")).to_have_js_property("value", 1)
    assert board.progress.outcome is Outcome.COMPLETE
    page.locator(".calibration .buttons").get_by_role("button", name="Close").click()
    expect(page.locator("#status .sentence")).not_to_contain_text("cannot see its pawns")
    expect(page.locator(".slot-mark")).to_have_count(0)


def test_simulated_hands_can_follow_the_light(live: MakeBoard, open_page: OpenPage) -> None:
    """Those of the page, not of the test: they never see the guide, only what the page is told."""
    board = live(patience=0)
    page = open_page(board)
    open_workshop(page, "calibration")
    page.get_by_label("Simulated hands follow the light").check()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".slot-mark.answered").nth(7)).to_be_attached()
    page.get_by_role("button", name="Stop").click()
    board.wait_until(lambda: board.progress.outcome is Outcome.STOPPED)


def test_what_to_do_is_shown_in_words_and_on_the_board(live: MakeBoard, open_page: OpenPage) -> None:
    board, page = calibrating(live, open_page, 20)
    expect(page.locator(".slot-mark.asked")).to_have_count(1)
    slot = board.progress.target
    assert slot is not None
    name = board.service.layout.name(slot)
    expect(page.locator(".calibration .sentence")).to_contain_text(f"Put a red pawn on slot {name}: row {name[0]}")
    expect(page.locator("[aria-current=step]")).to_have_text("One pawn")
    expect(page.locator("#status")).to_be_hidden()


def test_it_can_be_stopped_and_goes_on_where_it_was(live: MakeBoard, open_page: OpenPage) -> None:
    board, page = calibrating(live, open_page, 20)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".calibration .sentence")).to_contain_text("Stopped. The old calibration still holds")
    board.patience = 22
    page.get_by_role("button", name="Go on where it was stopped").click()
    expect(page.locator(".slot-mark.answered")).to_have_count(22)


def test_skip_and_back_lead_it(live: MakeBoard, open_page: OpenPage) -> None:
    board, page = calibrating(live, open_page, 3)
    sentence = page.locator(".calibration .sentence")
    asked = sentence.inner_text()
    page.get_by_role("button", name="Nothing felt").click()
    expect(sentence).not_to_have_text(asked)
    board.patience = 0
    board.board.table.clear()  # a pawn that stays where it was would answer again
    page.locator(".calibration").get_by_role("button", name="Back").click()
    expect(page.locator(".slot-mark.answered")).to_have_count(2)


def test_a_sensor_that_ails_is_named(live: MakeBoard, open_page: OpenPage) -> None:
    board = live()
    board.board.faults.command("dead 3.3")
    page = open_page(board)
    open_workshop(page, "calibration")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".calibration .sentence")).to_contain_text("Something must be mended first")
    expect(page.locator(".calibration .reason")).to_have_text("3.3: dead.")


def test_a_page_that_only_watches_sees_it_too_and_a_new_one_finds_it(live: MakeBoard, open_page: OpenPage) -> None:
    board = live(patience=5)
    watcher = open_page(board, extra_http_headers={"X-Forwarded-For": "192.0.2.1"})
    board.begin()
    expect(watcher.locator(".slot-mark.answered")).to_have_count(5)
    late = open_page(board, locale="de-DE", viewport=PHONE)
    expect(late.locator(".slot-mark.answered")).to_have_count(5)
    expect(late.locator("[aria-current=step]")).to_have_text("Ein Stein")


def test_it_is_led_by_keyboard_alone(live: MakeBoard, open_page: OpenPage) -> None:
    board = live(patience=4)
    page = open_page(board)
    page.locator("#menu button").last.focus()
    page.keyboard.press("Enter")
    while not page.evaluate("document.activeElement.dataset.opens === 'calibration'"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#workshop .calibration")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".slot-mark.answered")).to_have_count(4)
    while not page.evaluate("document.activeElement.textContent === 'Stop'"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    board.wait_until(lambda: board.progress.outcome is Outcome.STOPPED)


# How both look


@pytest.mark.parametrize("viewport", SIZES)
def test_both_fit_the_screen_and_every_finger(live: MakeBoard, open_page: OpenPage, viewport: dict[str, int]) -> None:
    board = live(patience=5)
    page = open_page(board, viewport=viewport, locale="de-DE")
    open_workshop(page, "diagnosis")
    expect(page.locator(".facts dd").first).not_to_be_empty()
    assert (page.evaluate("document.documentElement.scrollWidth"), small_targets(page)) == (viewport["width"], [])
    open_workshop(page, "calibration")
    board.begin()
    expect(page.locator(".slot-mark.answered")).to_have_count(5)
    assert (page.evaluate("document.documentElement.scrollWidth"), small_targets(page)) == (viewport["width"], [])
    for part in (".calibration .sentence", ".slot-mark.asked"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.9)


def small_targets(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """(least) => [...document.querySelectorAll("#workshop :is(button, a, select)")]
            .filter((element) => element.checkVisibility())
            .map((element) => [element.outerHTML, element.getBoundingClientRect()])
            .filter(([, box]) => Math.min(box.height, box.width) < least)
            .map(([html]) => html)""",
        LEAST_TARGET_PX,
    )
    return found


@pytest.mark.parametrize(("scheme", "viewport"), [("dark", PHONE), ("light", DESKTOP)])
def test_axe_finds_nothing_serious_in_the_workshop(
    live: MakeBoard, open_page: OpenPage, scheme: str, viewport: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "VISIT_S", 0.0)
    board = live(patience=5)
    page = open_page(board, color_scheme=scheme, viewport=viewport)
    open_workshop(page, "diagnosis")
    page.get_by_role("button", name="Ask the doctor").click()
    expect(page.locator("pre.log")).to_be_visible()
    assert serious(page) == []
    open_workshop(page, "calibration")
    assert serious(page) == []
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".slot-mark.answered")).to_have_count(5)
    assert serious(page) == []
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".calibration .sentence")).to_contain_text("Stopped")
    assert serious(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_workshop_speaks_every_language(live: MakeBoard, open_page: OpenPage, language: str) -> None:
    board = live(patience=0)
    page = open_page(board, locale=language)
    open_workshop(page, "diagnosis")
    expect(page.locator("dt").first).to_have_text(words(language)["diagnosis"]["frames"])
    open_workshop(page, "calibration")
    board.begin()
    board.wait_until(lambda: board.progress.phase is Phase.EMPTY)
    expect(page.locator(".calibration .sentence")).to_have_text(words(language)["calibration"]["empty"])


def test_no_text_of_the_workshop_is_outside_the_catalogues(live: MakeBoard, open_page: OpenPage) -> None:
    def marked(saying: object) -> object:
        return {k: marked(v) for k, v in saying.items()} if isinstance(saying, dict) else f"⟦{saying}⟧"

    def fulfil(route: Route) -> None:
        route.fulfill(json=marked(json.loads((FOLDER / "words" / "en.json").read_text("utf-8"))))

    board = live(patience=5)
    page = open_page(board)
    page.route("**/words/*.json", fulfil)
    page.reload()
    open_workshop(page, "diagnosis")
    expect(page.locator(".facts dd").first).not_to_be_empty()
    shown = page.locator("#workshop :not([lang=en], [lang=en] *)").evaluate_all(OWN_TEXTS)
    open_workshop(page, "calibration")
    board.begin()
    expect(page.locator(".slot-mark.answered")).to_have_count(5)
    shown += page.locator("#workshop *").evaluate_all(OWN_TEXTS)
    rest = {re.sub(r"⟦.*⟧", "", text).strip() for text in shown}
    assert {text for text in rest if re.search(r"[^\W\d_]", text)} == set()


OWN_TEXTS = """(elements) => elements.flatMap((element) =>
    [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data))"""
