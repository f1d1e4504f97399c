"""The computer on the page, in a real browser: a game against it, hints, and a game looked back at."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from engine import EDITIONS, Color, Kind
from firmware.advice import Computer
from firmware.view import Stage
from tests.browser import OpenPage
from tests.players import count_actions, drag, pawn, quick_game
from tests.serving import Serve, Served
from tests.stand_in import StandIn
from tests.test_catalogues import LANGUAGES
from tests.test_page_look import words

ZEN = EDITIONS["zen"]


def against(served: Served, color: Color, first: Color = Color.RED) -> None:
    """A new game against the computer; the pawns stand already."""
    served.change(lambda host: host.new_game(ZEN, first, 0, Computer(color, 4)))


def think(served: Served, *actions: str) -> None:
    """The computer thinks, as soon as it has something to think about, and comes to these actions."""
    served.wait_until(lambda host: host.view.thinking)
    served.change(lambda host: host.think(*actions))


def test_a_new_game_is_begun_against_the_computer(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_label("Level of the computer")).to_be_hidden()
    page.get_by_text("The computer plays black").click()
    page.get_by_label("Level of the computer").select_option("5")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".side.black")).to_contain_text("Computer, level 5")
    assert served.change(lambda host: host.view.computer) == Computer(Color.BLACK, 5)
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_label("Level of the computer")).to_have_value("5")
    page.get_by_text("Two people").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".side.black")).not_to_contain_text("Computer")
    assert served.change(lambda host: host.view.computer) is None


def test_a_turn_of_the_computer_is_carried_out(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    against(served, Color.BLACK)
    drag(page, Color.RED, 0, 1)
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".sentence")).to_have_text("The computer thinks.")
    think(served, "black:7-6", "black:+4-2")
    expect(page.locator(".sentence")).to_have_text("For the computer: move a black pawn from row 7 to row 6.")
    drag(page, Color.BLACK, 7, 6)
    expect(page.locator(".sentence")).to_have_text("For the computer: move a black pawn from row 4 to row 2.")
    page.get_by_role("button", name="Move it for the computer").click()
    expect(pawn(page, Color.BLACK, 2)).to_have_count(2)
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")
    count_actions(page, 4)
    expect(page.get_by_role("button", name="Move it for the computer")).to_be_hidden()


def test_a_computer_that_leaves_it_is_helped_with_the_key_done(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    against(served, Color.RED)
    think(served, "red:0-1", "red:done")
    page.get_by_role("button", name="Move it for the computer").click()
    expect(page.locator(".sentence")).to_have_text("The computer leaves it: press Done.")
    expect(page.get_by_role("button", name="Move it for the computer")).to_be_hidden()
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".sentence")).to_have_text("Black: move a pawn one row forward.")


def test_a_short_game_against_the_computer(served: Served, open_page: OpenPage) -> None:
    """The person plays red; what black does the computer has chosen, and the page's button carries it out."""
    page, game = open_page(served), quick_game()
    served.change(lambda host: host.new_game(game.start.edition, Color.RED, 0, Computer(Color.BLACK, 1)))
    start = 0
    for turn in game.turns:
        actions = turn.actions
        if turn.player is Color.BLACK:
            think(served, *map(str, actions))
        for number, action in enumerate(actions, start=start + 1):
            if action.kind is Kind.DECLINE:
                page.get_by_role("button", name="Done").click()
            elif turn.player is Color.BLACK:
                page.get_by_role("button", name="Move it for the computer").click()
            else:
                assert action.origin is not None
                assert action.destination is not None
                drag(page, action.color, action.origin, action.destination)
            count_actions(page, number)
        start += len(actions)
    assert served.host.game == game


def test_a_hint_and_the_next_with_what_it_lacks(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    hint = page.get_by_role("button", name="Hint")
    hint.click()
    think(served, "red:2-3", "red:0-1")
    expect(page.locator(".reason")).to_have_text("Hint: a red pawn from row 2 to row 3.")
    hint.click()
    expect(page.locator(".reason")).to_have_text("Hint: a red pawn from row 0 to row 1. 1 point less than the best.")
    drag(page, Color.RED, 0, 1)
    expect(page.locator(".reason")).to_have_text("Or press Done to leave it.")


def test_a_game_that_is_over_is_looked_back_at_and_played_on_from_where_it_turned(
    serve: Serve, open_page: OpenPage
) -> None:
    game = quick_game()
    served = serve(StandIn(game))
    page = open_page(served)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_role("button", name="Look back at the game").click()
    expect(page.get_by_text("How it was expected to end")).to_be_visible()
    assert any(url.endswith("/around/review.js") for url in requests), "the module is loaded on demand"
    turned = page.locator(".turned li")
    expect(turned.first).to_contain_text("Better:")
    expect(page.locator(".review .lead circle")).to_have_count(turned.count())
    number = int(turned.first.locator("b").inner_text().rstrip("."))
    turned.first.get_by_role("button", name="Show it").click()
    expect(page.locator(".board")).to_have_class("board looks-back")
    turned.first.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".sentence")).to_have_text("Set up the pawns: the lit rows still miss some.")
    page.get_by_role("button", name="Put the pawns right").click()
    served.wait_until(lambda host: host.view.stage is Stage.PLAYING)
    before = sum(len(turn.actions) for turn in game.turns[: number - 1])
    assert served.host.game.start == game.states[before]
    expect(page.locator(".result")).to_be_hidden()


def test_a_page_that_is_opened_later_shows_the_review_that_was_made(serve: Serve, open_page: OpenPage) -> None:
    served = serve(StandIn(quick_game()))
    open_page(served).get_by_role("button", name="Look back at the game").click()
    expect(open_page(served).get_by_text("How it was expected to end")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_what_the_computer_does(language: str, serve: Serve, open_page: OpenPage) -> None:
    served = serve()
    page = open_page(served, locale=language)
    against(served, Color.RED)
    said: dict[str, Any] = dict(words(language))
    expect(page.locator(".sentence")).to_have_text(said["computer"]["thinks"])
    think(served, "red:0-1")
    move = said["computer"]["move"]["red"].replace("{origin}", "0").replace("{destination}", "1")
    expect(page.locator(".sentence")).to_have_text(move)
