"""Games on the page, played in a real browser with mouse, keyboard and fingers."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from engine import Action, Color, Kind
from tests.browser import PHONE, OpenPage
from tests.players import Fingers, Keyboard, centre, count_actions, drag, in_pairs, middle, pawn, quick_game, rows_of
from tests.serving import Served


def test_a_whole_game_by_mouse(served: Served, open_page: OpenPage) -> None:
    page, game = open_page(served), quick_game()
    for number, action in enumerate(game.actions, start=1):
        if action.kind is Kind.DECLINE:
            page.get_by_role("button", name="Done").click()
        else:
            drag(page, action.color, *rows_of(action))
        count_actions(page, number)
    assert served.host.game == game
    assert game.state.outcome is not None
    points = game.state.outcome.points
    expect(page.locator(".sentence")).to_contain_text(f"red {points.red}, black {points.black}")
    expect(page.locator(".result tfoot td")).to_have_text([str(points.red), str(points.black)])


def test_a_whole_game_by_keyboard(served: Served, open_page: OpenPage) -> None:
    page, game = open_page(served), quick_game(Color.BLACK)
    served.change(lambda host: host.new_game(game.start.edition, Color.BLACK, 0))
    keyboard = Keyboard(page)
    keyboard.go_to_the_board()
    for number, action in enumerate(game.actions, start=1):
        keyboard.move(action.color, *rows_of(action))
        count_actions(page, number)
    assert served.host.game == game


def test_a_whole_game_with_two_fingers(served: Served, open_page: OpenPage) -> None:
    page, game = open_page(served, viewport=PHONE, has_touch=True, is_mobile=True), quick_game()
    fingers = Fingers(page)
    number = 0
    for step in in_pairs(game):
        fingers.move(*((_finger(page, action), middle(page, rows_of(action)[1])) for action in step))
        number += len(step)
        count_actions(page, number)
    assert served.host.game == game


def _finger(page: Page, action: Action) -> tuple[float, float]:
    return centre(pawn(page, action.color, rows_of(action)[0]).first.locator(".reach"))
