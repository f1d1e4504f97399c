"""Games on the page, played in a real browser with mouse, keyboard and fingers."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from engine import Action, Color, Kind, Position
from tests.browser import PHONE, OpenPage
from tests.players import (
    LAYOUT,
    Fingers,
    Keyboard,
    centre,
    count_actions,
    drag,
    in_pairs,
    middle,
    on_screen,
    pawn,
    quick_game,
    rows_of,
    tap_tap,
)
from tests.serving import Serve, Served
from tests.stand_in import StandIn


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


def test_a_pawn_is_carried_along_a_row_over_free_marks_and_put_back(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    keyboard = Keyboard(page)
    keyboard.go_to_the_board()
    keyboard.press("Enter", "ArrowUp", "ArrowRight", "ArrowRight")
    expect(page.locator("#whisper")).to_have_text("Over row 1, which is lit.")
    mark = LAYOUT.centres_mm[LAYOUT.slot(1, 3)]
    served.wait_until(lambda host: any((p.place.x_mm, p.place.y_mm) == mark for p in host.board.table.in_hand))
    keyboard.press("Escape")
    expect(pawn(page, Color.RED, 0)).to_have_count(6)
    assert served.host.game.actions == ()


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


def test_an_illegal_move_is_explained_and_the_pawn_goes_back(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    drag(page, Color.RED, 0, 5)
    expect(page.locator(".reason")).to_have_text("It must be exactly 1 row.")
    expect(page.locator(".sentence")).to_have_text("Put the red pawn back into row 0.")
    drag(page, Color.RED, 5, 0)
    expect(page.locator(".reason")).to_be_empty()
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")
    assert served.host.game.actions == ()


def test_pawns_that_stand_wrong_are_put_right_by_a_button(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    drag(page, Color.BLACK, 7, 2)
    page.get_by_role("button", name="Put the pawns right").click()
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")
    expect(pawn(page, Color.BLACK, 7)).to_have_count(6)


def test_an_action_is_taken_back(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    drag(page, Color.RED, 0, 1)
    count_actions(page, 1)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".sentence")).to_have_text("Taking back: move the pawns as the light shows.")
    drag(page, Color.RED, 1, 0)
    count_actions(page, 0)
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")


def test_a_key_that_has_nothing_to_do_is_answered(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".reason")).not_to_be_empty()
    expect(page.locator(".status")).to_have_class(re.compile("refuses"))


def test_a_tap_takes_a_pawn_and_another_puts_it_down(served: Served, open_page: OpenPage) -> None:
    page = open_page(served, viewport=PHONE, has_touch=True)
    tap_tap(page, Color.RED, 0, 1)
    count_actions(page, 1)
    expect(page.locator(".sentence")).to_have_text("Red: move any pawn 2 rows forward.")


def test_a_tap_on_the_pawn_in_hand_puts_it_back(served: Served, open_page: OpenPage) -> None:
    page = open_page(served, viewport=PHONE, has_touch=True)
    first = pawn(page, Color.RED, 0).first.locator(".reach")
    place = centre(first)
    page.touchscreen.tap(*place)
    expect(page.locator(".sentence")).to_have_text("Red: put the pawn down in row 1.")
    page.touchscreen.tap(*place)
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")
    expect(pawn(page, Color.RED, 0)).to_have_count(6)


def test_a_lifted_pawn_leaves_a_ghost_until_it_is_put_down(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.mouse.move(*centre(pawn(page, Color.RED, 0).first.locator(".reach")))
    page.mouse.down()
    page.mouse.move(*middle(page, 1), steps=3)
    expect(page.locator(".ghost")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_pawn_slides_when_shift_is_held(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.mouse.move(*centre(pawn(page, Color.RED, 0).first.locator(".reach")))
    page.keyboard.down("Shift")
    page.mouse.down()
    page.mouse.move(*middle(page, 1), steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    count_actions(page, 1)
    assert served.host.highest_mm == 0.0


def test_a_pawn_stays_exactly_where_it_is_dropped_when_alt_is_held(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.mouse.move(*centre(pawn(page, Color.RED, 0).first.locator(".reach")))
    page.mouse.down()
    page.mouse.move(*on_screen(page, -111.0, 44.0), steps=3)
    page.keyboard.down("Alt")
    page.mouse.up()
    page.keyboard.up("Alt")
    served.wait_until(lambda host: any((round(p.place.x_mm), p.row) == (-111, 1) for p in host.board.table.pawns))


def test_a_second_viewer_sees_it_all(served: Served, open_page: OpenPage) -> None:
    player, viewer = open_page(served), open_page(served, viewport=PHONE, locale="de-DE")
    drag(player, Color.RED, 0, 1)
    count_actions(viewer, 1)
    expect(viewer.locator(".sentence")).to_have_text("Rot: einen beliebigen Stein 2 Reihen vorwärts ziehen.")
    drag(player, Color.RED, 0, 3)
    expect(viewer.locator(".reason")).to_have_text("Es müssen genau 2 Reihen sein.")


def test_a_page_that_is_loaded_again_shows_the_game_as_it_is(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    drag(page, Color.RED, 0, 1)
    count_actions(page, 1)
    page.reload()
    count_actions(page, 1)
    expect(page.locator(".sentence")).to_have_text("Red: move any pawn 2 rows forward.")
    expect(pawn(page, Color.RED, 1)).to_have_count(2)


def test_a_restart_of_the_service_is_survived(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    drag(page, Color.RED, 0, 1)
    count_actions(page, 1)
    served.stop()
    expect(page.get_by_role("alert")).to_contain_text("The board is away")
    served.start()
    expect(page.get_by_role("alert")).to_be_hidden()
    drag(page, Color.RED, 0, 2)
    count_actions(page, 2)
    # The browser itself says in the console that nobody answered.
    open_page.forgive("net::ERR_CONNECTION_REFUSED")


def test_a_new_game_is_set_up_by_itself(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    drag(page, Color.RED, 0, 1)
    count_actions(page, 1)
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=re.compile("^Bonus")).check()
    dialog.get_by_label("Aggressive").check()
    dialog.get_by_label("Best of 3").check()
    dialog.get_by_role("radio", name="Black", exact=True).check()
    dialog.get_by_role("button", name="Begin").click()
    expect(page.locator(".sentence")).to_have_text("Black: move a pawn one row forward.")
    expect(page.locator(".points")).to_contain_text("Bonus · aggressive")
    expect(page.locator(".points")).to_contain_text("Best of 3: red 0, black 0")
    expect(pawn(page, Color.RED, 0)).to_have_count(6)


def test_a_new_game_can_follow_one_that_is_over(serve: Serve, open_page: OpenPage) -> None:
    page = open_page(serve(StandIn(quick_game())))
    page.locator(".result").get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".sentence")).to_have_text("Red: move a pawn one row forward.")
    expect(page.locator(".result")).to_be_hidden()
    count_actions(page, 0)


def test_a_pointer_leaves_no_focus_ring_behind(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    drag(page, Color.RED, 0, 1)
    count_actions(page, 1)
    expect(page.locator(".pawn:focus")).to_have_count(1)
    expect(page.locator(".pawn:focus-visible")).to_have_count(0)


def test_the_classic_edition_has_no_aggressive_option(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.get_by_role("button", name="New game").click()
    page.get_by_role("dialog").get_by_label("Classic").check()
    expect(page.get_by_role("dialog").get_by_label("Aggressive")).to_be_disabled()


def test_a_question_is_answered_with_the_keys(serve: Serve, open_page: OpenPage) -> None:
    game = quick_game()
    served = serve(StandIn(game.undo(len(game.actions) - 12)))
    page = open_page(served)
    served.change(lambda host: host.arrange(Position.setup()))
    expect(page.locator(".sentence")).to_have_text("The pawns are set up anew. A new game?")
    page.get_by_role("button", name="Yes").click()
    count_actions(page, 0)


def test_sound_is_made_when_a_move_is_accepted_unless_it_is_turned_off(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.evaluate(
        """() => {
            window.notes = 0;
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (at) { window.notes += 1; start.call(this, at); };
        }"""
    )
    drag(page, Color.RED, 0, 1)
    page.wait_for_function("() => window.notes > 0")
    notes = page.evaluate("window.notes")
    page.get_by_role("button", name="Sound").click()
    drag(page, Color.RED, 0, 2)
    count_actions(page, 2)
    assert page.evaluate("window.notes") == notes


def test_announcements_are_spoken_when_they_are_turned_on(served: Served, open_page: OpenPage) -> None:
    page = open_page(served)
    page.evaluate(
        "() => { window.spoken = []; speechSynthesis.speak = (words) => window.spoken.push([words.lang, words.text]); }"
    )
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Spoken announcements").check()
    page.keyboard.press("Escape")
    drag(page, Color.RED, 0, 1)
    expected = ["en", "Red: from row 0 to row 1. Red: move any pawn 2 rows forward. Or press Done to leave it."]
    page.wait_for_function("expected => window.spoken.some((said) => said.join() === expected)", arg=",".join(expected))
