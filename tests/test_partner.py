"""The computer at the board, as the session has it: what it wishes to think about, and that no answer is heeded which
is for a position that is no longer on the board."""

from __future__ import annotations

import random

import pytest

from engine import EDITIONS, RULE_SETS, Action, BadInput, BadText, Color, Game, LinjaError, State
from firmware.advice import Advice, Computer, Ranked, Wish, check, decode, encode
from firmware.events import ComputerChose, HintAsked, HintShown, KeyRefused
from firmware.partner import Partner
from firmware.view import Stage
from hardware.interface import Button
from tests.hand_moves import Bench

BLACK = Computer(Color.BLACK, 4)
RED = Computer(Color.RED, 2)


def line(wish: Wish | None, text: str) -> Advice:
    """The computer's answer to a wish."""
    assert wish
    return Advice(wish, line=tuple(Action.parse(word, wish.state.to_move) for word in text.split()))


def ranked(wish: Wish | None) -> Advice:
    """A hint: the legal actions as they come, each half a point behind the one before."""
    assert wish
    return Advice(wish, tuple(Ranked(action, 3 - place / 2) for place, action in enumerate(wish.state.legal_actions())))


def shown(bench: Bench) -> str | None:
    advised = bench.session.view.advised
    return str(advised.action) if advised else None


# What it wishes


def test_the_computer_wishes_to_think_in_its_turn_only_and_until_it_has() -> None:
    bench = Bench(computer=RED)
    wish = bench.session.wish
    assert wish == Wish(bench.session.game.state, 2)
    assert bench.session.view.thinking
    bench.session.hear(line(wish, "0-1 done"), bench.now)
    assert bench.session.wish is None
    assert not bench.session.view.thinking
    bench.move("red", 0, 1)
    assert bench.session.wish is None, "its follow-up is planned already"
    bench.press(Button.DONE)
    assert bench.session.game.state.to_move is Color.BLACK
    assert bench.session.wish is None


def test_without_a_computer_and_without_a_hint_nothing_is_thought_about() -> None:
    bench = Bench()
    bench.move("red", 0, 1)
    assert bench.session.wish is None


def test_nothing_is_thought_about_when_the_game_is_over_or_the_pawns_are_set_up() -> None:
    bench = Bench(computer=RED)
    bench.hold(Button.NEW)
    bench.lift("red", 0)
    bench.hold(Button.NEW)
    assert bench.session.view.stage is Stage.SETTING_UP
    assert bench.session.wish is None


# What is heeded


def test_the_computers_choice_is_told_and_shown() -> None:
    bench = Bench(computer=RED)
    assert bench.session.hear(line(bench.session.wish, "2-3"), bench.now) == [ComputerChose(Action.parse("red:2-3"))]
    assert shown(bench) == "red:2-3"


@pytest.mark.parametrize("level", [None, 1, 4])
def test_an_answer_to_another_wish_changes_nothing(level: int | None) -> None:
    bench = Bench(computer=RED)
    before = bench.session.view
    other = Wish(bench.session.game.state.apply(Action.parse("red:0-1")), level)
    answer = ranked(other) if level is None else line(other, "done")
    assert bench.session.hear(answer, bench.now) == []
    assert bench.session.view == before


def test_an_answer_that_comes_after_the_action_was_taken_back_is_not_shown() -> None:
    bench = Bench(computer=BLACK)
    bench.move("red", 0, 1)
    bench.press(Button.DONE)
    wish = bench.session.wish
    bench.press(Button.BACK)
    assert bench.session.game.state.to_move is Color.RED
    assert bench.session.hear(line(wish, "7-6"), bench.now) == []
    assert shown(bench) is None


def test_an_answer_that_comes_in_a_new_game_against_another_is_not_shown() -> None:
    bench = Bench(computer=RED)
    wish = bench.session.wish
    bench.session.new_game(EDITIONS["zen"], Color.RED, 0, bench.now, Computer(Color.RED, 5))
    bench.show()
    assert bench.session.view.stage is Stage.PLAYING
    assert bench.session.hear(line(wish, "0-1"), bench.now) == []
    assert shown(bench) is None


def test_an_answer_while_the_pawns_are_set_up_for_the_next_game_is_not_heeded() -> None:
    bench = Bench(computer=RED)
    wish = bench.session.wish
    bench.lift("red", 0)
    bench.hold(Button.NEW)
    assert bench.session.hear(line(wish, "0-1"), bench.now) == []
    bench.place("red", 0)
    assert shown(bench) is None
    assert bench.session.view.thinking


def test_nothing_is_shown_while_the_board_disagrees_and_again_when_it_does_not() -> None:
    bench = Bench(computer=RED)
    bench.session.hear(line(bench.session.wish, "0-1"), bench.now)
    for row in (1, 2, 3, 4):
        bench.lift("black", row)
        bench.place("black", 7)
    assert bench.session.view.stage is Stage.DISAGREES
    assert shown(bench) is None
    for row in (1, 2, 3, 4):
        bench.lift("black", 7)
        bench.place("black", row)
    assert shown(bench) == "red:0-1"


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_only_legal_actions_of_the_position_on_the_board_are_shown(seed: int) -> None:
    """Random hands and keys, and answers to all wishes there ever were, in any order."""
    rng = random.Random(seed)
    bench = Bench(rng.choice(["zen+aggressive", "classic", "bonus"]), computer=rng.choice([RED, BLACK]))
    answers: list[Advice] = []
    for _ in range(300):
        session = bench.session
        if (wish := session.wish) is not None:
            actions = wish.state.legal_actions()
            answers.append(ranked(wish) if wish.level is None else Advice(wish, line=(rng.choice(actions),)))
        if answers and rng.random() < 0.6:
            session.hear(rng.choice(answers), bench.now)
        match rng.randrange(8):
            case 0:
                bench.press(rng.choice([Button.BACK, Button.DONE, Button.HINT]))
            case 1 if rng.random() < 0.1:
                bench.hold(Button.NEW)
                bench.arrange(session.game.state.position)
                bench.show()
            case _ if session.view.stage is Stage.PLAYING and session.game.state.outcome is None:
                action = rng.choice(session.game.state.legal_actions())
                if action.origin is not None and action.destination is not None:
                    bench.move(str(action.color), action.origin, action.destination)
        advised, state = session.view.advised, session.game.state
        if advised is not None:
            assert advised.action in state.legal_actions()
            assert session.view.stage is Stage.PLAYING
            known = [answer for answer in answers if answer.wish.state == state]
            ranked_there = {each.action for answer in known for each in answer.ranked}
            assert advised.action in ranked_there | {action for answer in known for action in answer.line}


def test_the_next_game_is_thought_about_afresh() -> None:
    bench = Bench(computer=RED)
    bench.session.hear(line(bench.session.wish, "2-3"), bench.now)
    bench.lift("red", 0)
    bench.hold(Button.NEW)
    bench.place("red", 0)
    assert bench.session.wish == Wish(bench.session.game.state, 2)
    assert shown(bench) is None


# Taking back


def test_back_after_the_computers_turn_takes_back_to_the_persons_last_action() -> None:
    bench = Bench(computer=BLACK)
    bench.move("red", 0, 1)
    bench.press(Button.DONE)
    bench.session.hear(line(bench.session.wish, "7-6 +7-5"), bench.now)
    bench.move("black", 7, 6)
    bench.move("black", 7, 5)
    bench.press(Button.BACK)
    bench.move("black", 5, 7)
    bench.move("black", 6, 7)
    assert bench.played == ["red:0-1"]


def test_back_in_the_computers_first_turn_takes_back_what_there_is() -> None:
    bench = Bench(computer=RED)
    bench.move("red", 0, 1)
    bench.press(Button.BACK)
    bench.move("red", 1, 0)
    assert bench.played == []


# Hints


def test_a_hint_is_asked_for_thought_about_and_shown_with_what_the_next_best_lacks() -> None:
    bench = Bench()
    assert bench.press(Button.HINT) == [HintAsked()]
    wish = bench.session.wish
    assert wish == Wish(bench.session.game.state)
    first, second = wish.state.legal_actions()[:2]
    assert bench.session.hear(ranked(wish), bench.now) == [HintShown(first, 1)]
    assert bench.press(Button.HINT) == [HintAsked(), HintShown(second, 2)]
    advised = bench.session.view.advised
    assert advised
    assert (advised.rank, advised.margin, advised.behind) == (2, 2.5, 0.5)


def test_after_the_last_choice_the_best_comes_again() -> None:
    bench = Bench()
    bench.press(Button.HINT)
    bench.session.hear(ranked(bench.session.wish), bench.now)
    for _ in bench.session.game.state.legal_actions():
        bench.press(Button.HINT)
    advised = bench.session.view.advised
    assert advised
    assert advised.rank == 1


def test_presses_before_the_answer_ask_once() -> None:
    bench = Bench()
    bench.press(Button.HINT)
    bench.press(Button.HINT)
    bench.session.hear(ranked(bench.session.wish), bench.now)
    advised = bench.session.view.advised
    assert advised
    assert advised.rank == 1


def test_a_hint_against_the_computer_is_for_the_persons_turn() -> None:
    bench = Bench(computer=RED)
    (refused,) = bench.press(Button.HINT)
    assert refused == KeyRefused(Button.HINT, "it is the computer's turn")
    bench.move("red", 0, 1)
    bench.press(Button.DONE)
    assert bench.press(Button.HINT) == [HintAsked()]
    assert bench.session.wish == Wish(bench.session.game.state)


def test_a_hint_in_one_state_is_not_shown_in_the_next_nor_when_that_is_taken_back_to_another() -> None:
    bench = Bench()
    bench.press(Button.HINT)
    bench.session.hear(ranked(bench.session.wish), bench.now)
    bench.move("red", 0, 1)
    assert shown(bench) is None


# A game that begins in the middle


def test_pawns_are_set_up_for_a_state_and_play_goes_on_from_it_against_the_same_opponent() -> None:
    bench = Bench(best_of=3, computer=BLACK)
    start = State.parse("zen black opening rrrrr/rrb/rb/rb/rb/rb/rb/bbbbbb")
    bench.session.play_from(start, bench.now)
    view = bench.session.view
    assert view.stage is Stage.SETTING_UP
    assert [(each.row, each.red) for each in view.differences] == [(0, 1), (1, -1)]
    bench.move("red", 0, 1)
    assert bench.session.game == Game.from_state(start)
    assert bench.session.match is None
    assert bench.session.wish == Wish(start, 4)


# Values


@pytest.mark.parametrize("computer", [RED, BLACK])
def test_a_computer_reads_back(computer: Computer) -> None:
    assert Computer.parse(str(computer)) == computer


@pytest.mark.parametrize("text", ["black", "4 black", "black 4 5", "green 4", "black 0", "black 6", ""])
def test_what_is_no_computer_is_refused(text: str) -> None:
    with pytest.raises((BadText, BadInput, LinjaError)):
        Computer.parse(text)


@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_advice_reads_back(edition: object) -> None:
    state = State.initial(edition, Color.BLACK)  # type: ignore[arg-type]
    for advice in (ranked(Wish(state)), line(Wish(state, 3), "7-6 +7-5")):
        assert decode(encode(advice)) == advice


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"state": "zen", "level": 1, "text": {}}'])
def test_what_is_no_advice_is_a_value_error(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(content)


def test_advice_that_cannot_be_followed_is_noticed() -> None:
    state = State.initial(EDITIONS["zen"])
    for advice in (
        Advice(Wish(state, 1)),
        line(Wish(state, 1), "0-2"),
        line(Wish(state, 1), "0-1 +0-1"),
        Advice(Wish(state), ranked(Wish(state)).ranked[1:]),
    ):
        with pytest.raises(LinjaError):
            check(advice)


def test_a_plan_ends_with_the_turn() -> None:
    state = State.initial(EDITIONS["zen"])
    partner = Partner(RED)
    wish = partner.wish(state)
    assert wish
    actions = tuple(map(Action.parse, ["red:0-1", "red:done", "black:7-6"]))
    partner.hear(Advice(wish, line=actions), wish, (), 0.0)
    for action in actions[:2]:
        advised = partner.advised(state, ())
        assert advised
        assert advised.action == action
        state = state.apply(action)
    assert partner.advised(state, ()) is None
