"""What the session makes of a board: refusals and the way back, taking back, declining, doubts, new games."""

from __future__ import annotations

import pytest

from engine import Color, Match, Phase, Position, Reason, State
from firmware.config import GameSettings
from firmware.events import (
    ActionsTakenBack,
    BoardQuiet,
    Event,
    GameEnded,
    GameStarted,
    KeyRefused,
    MatchEnded,
    MoveRefused,
    NewGameOffered,
    PawnLifted,
    SensorsBack,
    SensorsLost,
    SlotDoubted,
    SlotTrusted,
    TakeBackAsked,
)
from firmware.session import Session
from firmware.view import RowDifference, Stage
from hardware.interface import Button, Reading, SensorFault
from tests.hand_moves import AT_ONCE, LAYOUT, Bench
from tests.positions import turn


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


# Setting up


def test_holding_new_asks_for_the_set_up_and_shows_what_is_missing() -> None:
    bench = Bench()
    bench.move("red", 0, 1)
    assert kinds(bench.hold(Button.NEW)) == ["SetUpAsked"]
    view = bench.session.view
    assert view.stage is Stage.SETTING_UP
    assert view.differences == (RowDifference(0, -1, 0), RowDifference(1, 1, 0))
    bench.move("red", 1, 0)
    assert isinstance(bench.events[-1], GameStarted)
    assert bench.played == []


def test_a_short_press_of_new_does_nothing() -> None:
    bench = Bench()
    bench.move("red", 0, 1)
    assert bench.press(Button.NEW) == []
    assert bench.played == ["red:0-1"]


# Lifting and putting back


def test_a_lifted_pawn_shows_where_it_may_be_put_down() -> None:
    bench = Bench()
    bench.lift("red", 0)
    assert bench.events[-1] == PawnLifted(0, Color.RED)
    (hand,) = bench.session.view.in_hand
    assert (hand.row, hand.color, hand.landings) == (0, Color.RED, (1,))


def test_a_pawn_put_back_changes_nothing() -> None:
    bench = Bench()
    bench.move("black", 4, 4)
    bench.move("red", 0, 0)
    assert bench.played == []
    assert bench.events[-1] == BoardQuiet()


def test_in_a_follow_up_that_may_be_declined_the_opponents_pawn_shows_its_opening() -> None:
    bench = Bench("zen")
    bench.move("red", 0, 1)
    bench.lift("black", 7)
    assert bench.session.view.in_hand[0].landings == (6,)


def test_in_a_compulsory_follow_up_the_opponents_pawn_may_go_nowhere() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1)
    bench.lift("black", 7)
    assert bench.session.view.in_hand[0].landings == ()


# Refusals


@pytest.mark.parametrize(
    ("movement", "reason"),
    [
        (("red", 1, 0), Reason.BACKWARDS),
        (("black", 7, 6), Reason.WRONG_COLOR),
        (("red", 0, 2), Reason.WRONG_DISTANCE),
        (("red", 3, 7), Reason.WRONG_DISTANCE),
    ],
)
def test_a_wrong_move_is_refused_at_once_and_putting_it_back_goes_on(
    movement: tuple[str, int, int], reason: Reason
) -> None:
    bench = Bench("bonus")
    color, origin, row = movement
    bench.move(color, origin, row)
    refused = bench.events[-1]
    assert isinstance(refused, MoveRefused)
    assert (refused.reason, refused.rows) == (reason, (origin, row))
    assert bench.session.view.misplaced is not None
    assert bench.played == []
    bench.move(color, row, origin)
    assert bench.events[-1] == BoardQuiet()
    assert bench.session.view.misplaced is None


def test_a_wrong_move_put_right_into_another_legal_move_is_that_move() -> None:
    bench = Bench()
    bench.move("red", 0, 2)
    bench.move("red", 2, 1)
    assert bench.played == ["red:0-1"]


def test_a_wrong_follow_up_seen_together_with_its_opening_leaves_the_opening_played() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1, show=False)
    bench.move("red", 3, 6, show=False)
    bench.show()
    assert isinstance(bench.events[-1], MoveRefused)
    bench.move("red", 6, 5)
    assert bench.played == ["red:0-1", "red:+3-5"]


def test_the_opponent_opening_before_a_compulsory_follow_up_is_refused_and_in_place_once_it_is_made() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1)
    bench.move("black", 7, 6)
    assert isinstance(bench.events[-1], MoveRefused)
    bench.move("red", 3, 5)
    assert bench.played == ["red:0-1", "red:+3-5", "black:7-6"]


# Declining


def test_done_declines_where_it_is_allowed() -> None:
    bench = Bench("zen")
    bench.move("red", 0, 1)
    bench.press(Button.DONE)
    assert bench.played == ["red:0-1", "red:done"]


def test_done_is_refused_where_the_rules_ask_for_a_move_and_says_why() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1)
    assert bench.press(Button.DONE) == [
        KeyRefused(Button.DONE, "red must make the follow-up: it is not a choice"),
    ]


def test_the_opponent_starting_to_move_declines_and_taking_that_back_takes_the_decline_back_too() -> None:
    bench = Bench("zen")
    bench.move("red", 0, 1)
    bench.move("black", 7, 6)
    assert bench.played == ["red:0-1", "red:done", "black:7-6"]
    bench.move("black", 6, 7)
    assert ActionsTakenBack(2) in bench.events
    assert (bench.state.to_move, bench.state.phase) == (Color.RED, Phase.FOLLOW_UP)


# Taking back


def test_pawns_moved_back_in_any_order_take_the_turn_back() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1)
    bench.move("red", 3, 5)
    bench.move("red", 1, 0)
    assert isinstance(bench.events[-1], MoveRefused)
    bench.move("red", 5, 3)
    assert bench.played == []


def test_the_key_asks_for_a_take_back_shows_what_to_move_and_goes_further_each_time() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1)
    bench.move("red", 3, 5)
    assert bench.press(Button.BACK) == [TakeBackAsked(1)]
    assert bench.session.view.differences == (RowDifference(3, -1, 0), RowDifference(5, 1, 0))
    assert bench.press(Button.BACK) == [TakeBackAsked(2)]
    bench.move("red", 5, 3)
    bench.move("red", 1, 0)
    assert bench.played == []
    assert [str(action) for action in bench.game.undone] == ["red:0-1", "red:+3-5"]


def test_done_calls_a_take_back_off() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1)
    bench.press(Button.BACK)
    bench.press(Button.DONE)
    assert bench.session.view.stage is Stage.PLAYING
    assert bench.played == ["red:0-1"]


def test_a_declined_action_is_taken_back_by_the_key_alone() -> None:
    bench = Bench("zen")
    bench.move("red", 0, 1)
    bench.press(Button.DONE)
    bench.press(Button.BACK)
    assert bench.played == ["red:0-1"]
    assert bench.session.view.stage is Stage.PLAYING


def test_there_is_nothing_to_take_back_at_the_start() -> None:
    assert kinds(Bench().press(Button.BACK)) == ["KeyRefused"]


def test_what_was_taken_back_can_be_played_forward_again() -> None:
    bench = Bench("bonus")
    bench.move("red", 0, 1)
    bench.move("red", 1, 0)
    bench.move("red", 0, 1)
    assert bench.played == ["red:0-1"]


# A board in disorder


def test_a_sweep_freezes_the_game_and_the_rebuilt_board_goes_on() -> None:
    bench = Bench()
    bench.move("red", 0, 1)
    before = list(bench.slots)
    bench.slots = [
        Reading.EMPTY if slot in LAYOUT.rows[3] or slot in LAYOUT.rows[0] else r for slot, r in enumerate(before)
    ]
    bench.show()
    assert kinds(bench.events[-1:]) == ["BoardDisagreed"]
    assert bench.session.view.differences == (RowDifference(0, -5, 0), RowDifference(3, -1, -1))
    bench.slots = before
    bench.show()
    assert bench.events[-1] == BoardQuiet()
    assert bench.played == ["red:0-1"]


def played_for_three_turns() -> Bench:
    bench = Bench("zen")
    for color, origin, row in (("red", 0, 1), ("black", 7, 6), ("red", 0, 1), ("black", 7, 6)):
        bench.move(color, origin, row)
    return bench


def test_pawns_set_up_anew_in_mid_game_are_offered_as_a_new_game_and_only_a_key_takes_it() -> None:
    bench = played_for_three_turns()
    actions = len(bench.played)
    bench.arrange(Position.setup())
    bench.show()
    assert isinstance(bench.events[-2], NewGameOffered)
    assert len(bench.played) == actions
    bench.press(Button.DONE)
    assert bench.played == []
    assert isinstance(bench.events[-1], GameStarted)


def test_the_offer_of_a_new_game_can_be_answered_with_a_take_back_to_the_start() -> None:
    bench = played_for_three_turns()
    bench.arrange(Position.setup())
    bench.show()
    bench.press(Button.BACK)
    assert bench.played == []
    assert len(bench.game.undone) == 7


# Sensors


def test_sensors_lost_in_mid_move_lose_nothing_and_invent_nothing() -> None:
    bench = Bench("bonus")
    bench.lift("red", 0)
    assert bench.session.lose("cable", bench.now) == [SensorsLost("cable")]
    assert bench.session.lose("cable", bench.now) == []
    assert bench.session.view.sensors_lost
    bench.place("red", 1, show=False)
    events = bench.show()
    assert events[0] == SensorsBack()
    assert bench.played == ["red:0-1"]


def restarted(bench: Bench) -> list[Event]:
    """The service was killed: a new session goes on with the game, and has not seen how the pawns came to stand so."""
    game = bench.session.game
    bench.session = Session(LAYOUT, GameSettings(edition="classic"), AT_ONCE, bench.now, game)
    return bench.show()


def test_a_pawn_that_stands_wrong_after_a_restart_is_not_taken_for_two_turns() -> None:
    bench = Bench("classic", start=State.parse("classic black opening rrrbbb/rbbb/-/-/bb/rrbb/rr/rrrrbb"))
    bench.lift("black", 7)
    bench.place("black", 2)
    (refused,) = restarted(bench)
    assert isinstance(refused, MoveRefused)
    assert refused.rows == (7, 2)
    assert bench.played == []


def test_a_turn_in_which_one_pawn_took_the_place_of_another_is_understood_after_a_restart() -> None:
    bench = Bench("classic")
    bench.lift("red", 3, show=False)
    bench.place("red", 4, show=False)
    bench.lift("red", 1, show=False)
    bench.place("red", 3, show=False)
    restarted(bench)
    assert len(bench.played) == 2  # these, or 1-2 and 2-4, which come to the same
    assert bench.session.game.state.to_move is Color.BLACK


def test_a_dead_slot_is_named_and_the_game_goes_on() -> None:
    bench = Bench("bonus")
    slot = LAYOUT.slot(3, 0)
    bench.faults = (SensorFault("saturated", slot),)
    bench.stuck[slot] = Reading.UNSURE
    bench.show()
    assert SlotDoubted(slot, "saturated") in bench.events
    bench.move("red", 0, 1)
    bench.move("red", 0, 2)
    assert bench.played == ["red:0-1", "red:+0-2"]
    bench.stuck.clear()
    bench.faults = ()
    assert SlotTrusted(slot) in bench.show()


@pytest.mark.parametrize(
    ("answer", "wrong_slot", "played"), [(Button.DONE, (3, 0), ["red:3-4"]), (Button.BACK, (4, 2), [])]
)
def test_of_one_pawn_too_many_the_players_say_which_slot_is_wrong(
    answer: Button, wrong_slot: tuple[int, int], played: list[str]
) -> None:
    bench = Bench("bonus")
    bench.stuck[LAYOUT.slot(3, 0)] = Reading.RED
    bench.move("red", 3, 4)
    assert (bench.session.view.stage, bench.played) == (Stage.ASKING, [])
    bench.press(answer)
    assert SlotDoubted(LAYOUT.slot(*wrong_slot), "stuck") in bench.events
    assert (bench.session.view.stage, bench.played) == (Stage.PLAYING, played)


def test_a_start_line_with_every_slot_taken_takes_one_more_pawn_when_done_confirms_it() -> None:
    bench = Bench(start=turn("bonus", "red", "rb/r/rb/-/-/-/r/rrrrrrrrbbbbbbbbbb"))
    bench.lift("red", 6)
    bench.press(Button.DONE)
    assert bench.played == ["red:6-7"]
    assert (bench.state.phase, bench.session.view.in_hand) == (Phase.BONUS, ())


# Ends and matches


def test_the_end_is_found_and_the_loser_starts_the_next_game_once_the_pawns_are_set_up() -> None:
    bench = Bench(start=turn("classic", "red", "bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr"))
    bench.move("red", 3, 4)
    assert any(isinstance(event, GameEnded) for event in bench.events)
    assert bench.session.view.stage is Stage.OVER
    bench.arrange(Position.setup())
    bench.show()
    assert kinds(bench.events[-2:]) == ["SetUpAsked", "GameStarted"]
    assert bench.state.to_move is Color.RED  # black has won


def test_a_finished_game_can_be_taken_back_into() -> None:
    bench = Bench(start=turn("classic", "red", "bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr"))
    bench.move("red", 3, 4)
    bench.move("red", 4, 3)
    assert bench.session.view.stage is Stage.PLAYING
    assert bench.state.outcome is None


def test_a_match_ends_with_its_last_game() -> None:
    start: State = turn("classic", "red", "bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr")
    bench = Bench(start=start, match=Match(3, Color.RED, (Color.BLACK,)))
    bench.move("red", 3, 4)
    ended = bench.events[-2]
    assert isinstance(ended, MatchEnded)
    assert ended.match.winner is Color.BLACK


# A board without colours


def test_without_colours_a_turn_is_read_from_where_pawns_are() -> None:
    bench = Bench("bonus", digital=True)
    bench.move("red", 0, 1)
    bench.move("red", 3, 5)
    bench.move("black", 7, 6)
    assert bench.played == ["red:0-1", "red:+3-5", "black:7-6"]


def test_without_colours_a_move_by_the_wrong_player_is_still_refused() -> None:
    bench = Bench("bonus", digital=True)
    bench.move("black", 7, 6)
    refused = bench.events[-1]
    assert isinstance(refused, MoveRefused)
    assert refused.reason is Reason.WRONG_COLOR


def test_without_colours_a_lift_from_a_mixed_row_is_of_unknown_colour() -> None:
    bench = Bench("bonus", digital=True)
    bench.lift("red", 3)
    assert bench.events[-1] == PawnLifted(3, None)
    assert bench.session.view.in_hand[0].landings == (4,)
