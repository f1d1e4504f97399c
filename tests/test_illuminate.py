"""What the board says with light in every situation, and when it has nothing new to say."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from engine import Action, Color, Reason
from firmware import tempo
from firmware.advice import Computer
from firmware.illuminate import IDLE_DIM, changes_at, is_moving, meanings
from firmware.looks import Hue, Look, Mood
from firmware.view import Advised, Hand, Misplaced, Question, RowDifference, Stage, View
from hardware.interface import Button
from simulator.situations import Moment, situations
from tests.hand_moves import Bench
from tests.lights import FINAL, LAYOUT, SETUP, colours, levels, lit, painted, rows_with, seen
from tests.positions import play, turn

ROW = LAYOUT.row_pixels
BLACK = Computer(Color.BLACK, 4)
EVERY_MOMENT = pytest.mark.parametrize(
    "moment",
    [
        pytest.param(moment, id=f"{name}-{place}")
        for name, moments in situations().items()
        for place, moment in enumerate(moments)
    ],
)


def next_change(view: View, now: float) -> float | None:
    return changes_at(view, meanings(view, now), now)


# In a turn


@pytest.mark.parametrize(("player", "start_line"), [("red", 0), ("black", 7)])
def test_the_start_line_of_the_player_to_move_glows_in_the_players_hue(player: str, start_line: int) -> None:
    light = meanings(seen(turn("zen", player, SETUP)), 0.0)
    assert rows_with(Look.TURN, light) == [start_line]
    assert {glow.hue for glow in light.rows[start_line]} == {Hue(player)}


def test_every_row_with_a_pawn_that_may_open_has_one_mark() -> None:
    view = seen(turn("zen", "black", "rrrrrr/rb/rb/rb/rb/rbbbbb/rb/bb"))
    assert rows_with(Look.MOVABLE, meanings(view, 0.0)) == [1, 2, 3, 4, 5, 7]
    assert lit(painted(view), ROW[3]) == [11]


def test_after_the_opening_the_entered_row_shows_the_distance_as_that_many_bright_pixels() -> None:
    state = play(turn("zen", "red", "rrrrr/rb/rrbb/rb/rb/rb/rb/bbbbb"), "1-2")
    view = replace(seen(state), entered_row=2)
    assert rows_with(Look.DISTANCE, meanings(view, 0.0)) == [2]
    assert levels(painted(view), ROW[2]).count(255) == 4


def test_in_a_follow_up_only_pawns_that_can_use_the_distance_are_marked_and_their_landing_rows_are_lit() -> None:
    # Four pawns stood in row 2. Row 5 is full, so the pawn left in row 1 cannot go.
    state = play(turn("zen", "red", "rr/rr/rrbb/r/r/rrbbbb/rr/bbbbbb"), "1-2")
    light = meanings(replace(seen(state), entered_row=2), 0.0)
    assert rows_with(Look.MOVABLE, light) == [0, 2, 3, 4, 5, 6]
    assert rows_with(Look.LEGAL, light) == [4, 6, 7]


def test_a_lifted_pawn_marks_its_origin_and_lights_only_the_rows_where_it_may_be_put_down() -> None:
    state = play(turn("zen", "red", SETUP), "0-1")
    light = meanings(replace(seen(state), entered_row=1, in_hand=(Hand(3, Color.RED, (5,)),)), 0.0)
    assert rows_with(Look.ORIGIN, light) == [3]
    assert rows_with(Look.LEGAL, light) == [5]
    assert rows_with(Look.MOVABLE, light) == []


def test_a_lifted_pawn_that_may_go_nowhere_leaves_the_choices_lit() -> None:
    light = meanings(replace(seen(turn("zen", "red", SETUP)), in_hand=(Hand(7, Color.BLACK, ()),)), 0.0)
    assert rows_with(Look.ORIGIN, light) == [7]
    assert rows_with(Look.MOVABLE, light) == [0, 1, 2, 3, 4, 5, 6]


def test_a_lifted_pawn_of_unknown_colour_is_taken_for_the_players() -> None:
    light = meanings(replace(seen(turn("zen", "black", SETUP)), in_hand=(Hand(4, None, (3,)),)), 0.0)
    assert [glow.hue for glow in light.rows[4]] == [Hue.BLACK]


@pytest.mark.parametrize(
    ("player", "opening", "origin", "landing", "way"),
    [("red", "1-2", 0, 4, [0, 1, 2, 3, 4]), ("black", "6-5", 7, 3, [7, 6, 5, 4, 3])],
)
def test_in_a_follow_up_a_light_runs_from_the_origin_over_each_stick_to_the_landing_row(
    player: str, opening: str, origin: int, landing: int, way: list[int]
) -> None:
    state = play(turn("zen", player, "rrrr/rb/rrbb/rb/rb/rrbb/rb/bbbb"), opening)
    light = meanings(replace(seen(state), in_hand=(Hand(origin, state.to_move, (landing,)),), touched_at=7.0), 7.0)
    run = {glow.since: row for row in range(8) for glow in light.rows[row] if glow.look is Look.PATH}
    assert [run[since] for since in sorted(run)] == way
    assert min(run) == 7.0


def test_no_light_runs_for_an_opening_which_goes_over_one_stick() -> None:
    view = replace(seen(turn("zen", "red", SETUP)), in_hand=(Hand(1, Color.RED, (2,)),))
    assert rows_with(Look.PATH, meanings(view, 0.0)) == []


def test_no_light_runs_for_an_opponent_who_begins_before_the_follow_up_was_made() -> None:
    state = play(turn("zen", "red", SETUP), "0-1")
    light = meanings(replace(seen(state), in_hand=(Hand(4, Color.BLACK, (3,)),)), 0.0)
    assert rows_with(Look.PATH, light) == []
    assert rows_with(Look.LEGAL, light) == [3]


def test_a_bonus_lights_the_rows_within_reach_both_ways() -> None:
    light = meanings(seen(play(turn("zen", "red", "rr/bb/-/-/-/rr/rrrrr/rrrbbbbbbbbbb"), "6-7")), 0.0)
    assert rows_with(Look.MOVABLE, light) == [0, 5, 6, 7]
    assert rows_with(Look.BONUS, light) == [1, 4, 5, 6, 7]


def test_the_aggressive_option_marks_the_opponents_pawns_too_from_the_other_side() -> None:
    frame = painted(seen(play(turn("zen+aggressive", "red", SETUP), "0-1 +5-7")))
    assert {0, 11} <= set(lit(frame, ROW[4]))
    assert 0 not in lit(frame, ROW[5])
    assert 11 in lit(frame, ROW[5])


@pytest.mark.parametrize(("player", "order"), [("red", [0, 1, 2, 3, 4, 5, 6, 7]), ("black", [7, 6, 5, 4, 3, 2, 1, 0])])
def test_another_full_turn_sweeps_once_from_the_players_start_line_to_the_goal(player: str, order: list[int]) -> None:
    view = replace(seen(turn("classic", player, SETUP)), again_at=5.0)
    frames = [painted(view, 5.0 + step * 0.02) for step in range(100)]
    peaks = {row: [max(levels(frame, ROW[row])) for frame in frames].index(255) for row in range(8)}
    assert sorted(peaks, key=lambda row: peaks[row]) == order
    assert frames[-1] == painted(replace(view, again_at=None), 7.0)


def test_an_accepted_action_flashes_its_landing_row_once_and_no_other() -> None:
    quiet = seen(turn("zen", "black", SETUP))
    view = replace(quiet, accepted_row=4, accepted_at=5.0)
    assert rows_with(Look.ACCEPTED, meanings(view, 5.0)) == [4]
    assert max(levels(painted(view, 5.04), ROW[4])) > 230
    assert painted(view, 6.0) == painted(quiet, 6.0)


# What is not right, or not clear


def test_a_misplaced_pawn_blinks_at_once_and_its_row_says_nothing_else_while_the_row_it_came_from_calls() -> None:
    misplaced = Misplaced(Color.RED, 1, 0, Reason.BACKWARDS, "red moves towards row 7, never back")
    view = replace(seen(turn("zen", "red", SETUP)), misplaced=misplaced, touched_at=3.7)
    light = meanings(view, 3.7)
    assert light.looks(0) == {Look.ERROR}
    assert rows_with(Look.CAME_FROM, light) == [1]
    assert rows_with(Look.MOVABLE, light) == []
    assert levels(painted(view, 3.7), ROW[0]) == [255] * 12


def test_where_the_board_disagrees_rows_with_too_many_blink_and_the_others_count_the_missing_pawns() -> None:
    differences = (RowDifference(2, 0, -2), RowDifference(4, 1, 2), RowDifference(6, -1, 0))
    view = replace(seen(turn("zen", "red", SETUP), Stage.DISAGREES), differences=differences)
    light = meanings(view, 0.0)
    assert rows_with(Look.TOO_MANY, light) == [4]
    assert rows_with(Look.TOO_FEW, light) == [2, 6]
    assert lit(painted(view), ROW[2]) == [9, 11]
    assert lit(painted(view), ROW[6]) == [0]
    assert {glow.hue for glow in light.rows[4]} == {Hue.RED, Hue.BLACK}


def test_taking_back_shows_the_same_in_the_calm_hue() -> None:
    differences = (RowDifference(0, -1, 0), RowDifference(1, 1, 0))
    view = replace(seen(turn("zen", "red", SETUP), Stage.TAKING_BACK), differences=differences)
    light = meanings(view, 0.0)
    assert (rows_with(Look.TOO_FEW, light), rows_with(Look.TOO_MANY, light)) == ([0], [1])
    assert {glow.hue for row in light.rows for glow in row} == {Hue.CALM}


def test_while_setting_up_each_row_shows_the_pawns_still_missing_and_the_score_strips_are_dark() -> None:
    differences = (RowDifference(0, -6, 0), RowDifference(3, -1, -1), RowDifference(5, 0, 1))
    view = replace(seen(turn("zen", "red", SETUP), Stage.SETTING_UP), differences=differences)
    frame = painted(view)
    assert [len(lit(frame, ROW[row])) for row in (0, 1, 3)] == [6, 0, 2]
    assert meanings(view, 0.0).looks(5) == {Look.TOO_MANY}
    assert [lit(frame, pixels) for pixels in LAYOUT.score_pixels] == [[], []]


def test_a_complete_set_up_is_one_sweep_through_all_rows() -> None:
    quiet = seen(turn("zen", "red", SETUP))
    view = replace(quiet, ready_at=5.0)
    assert rows_with(Look.READY, meanings(view, 5.0)) == list(range(8))
    assert painted(view, 7.0) == painted(quiet, 7.0)
    assert not is_moving(view, 7.0)


def test_a_question_alternates_between_two_answers_in_the_rows_concerned() -> None:
    question = Question("bonus", "a bonus?", (0, 1), "*1-0")
    view = replace(seen(turn("zen", "red", SETUP), Stage.ASKING), question=question)
    assert rows_with(Look.QUESTION, meanings(view, 0.0)) == [0, 1]
    first, second = lit(painted(view, 0.0), ROW[1]), lit(painted(view, tempo.ANSWERS_S / 2), ROW[1])
    assert sorted(first + second) == list(range(12))


def test_a_question_about_no_row_is_asked_by_all_of_them() -> None:
    view = replace(seen(turn("zen", "red", SETUP), Stage.ASKING), question=Question("new-game", "a new game?", (), ""))
    assert rows_with(Look.QUESTION, meanings(view, 0.0)) == list(range(8))


def test_a_hint_shows_where_to_lift_and_where_to_put_and_nothing_else_for_a_while() -> None:
    state = play(turn("zen", "red", SETUP), "0-1")
    view = replace(seen(state), entered_row=1, advised=Advised(Action.parse("red:+3-5"), 9.0))
    light = meanings(view, 9.0)
    assert (rows_with(Look.LIFT_HERE, light), rows_with(Look.PUT_HERE, light)) == ([3], [5])
    assert (rows_with(Look.MOVABLE, light), rows_with(Look.LEGAL, light)) == ([], [])
    later = meanings(view, 9.0 + tempo.HINT_S)
    assert (rows_with(Look.LIFT_HERE, later), rows_with(Look.PUT_HERE, later)) == ([], [])
    assert rows_with(Look.LEGAL, later) == [2, 3, 4, 5, 6, 7]


def test_the_computers_action_is_shown_until_it_is_done() -> None:
    view = replace(seen(turn("zen", "black", SETUP)), computer=BLACK, advised=Advised(Action.parse("black:4-3"), 9.0))
    light = meanings(view, 9.0 + 10 * tempo.HINT_S)
    assert (rows_with(Look.LIFT_HERE, light), rows_with(Look.PUT_HERE, light)) == ([4], [3])


def test_an_advised_pawn_in_hand_is_only_asked_to_be_put_down_and_the_row_says_no_less_than_that() -> None:
    state = play(turn("zen", "red", SETUP), "0-1 +5-7")
    hand = Hand(4, Color.RED, (3, 5))
    light = meanings(replace(seen(state), in_hand=(hand,), advised=Advised(Action.parse("red:*4-5"), 0.0)), 0.0)
    assert rows_with(Look.LIFT_HERE, light) == []
    assert (rows_with(Look.PUT_HERE, light), rows_with(Look.LEGAL, light)) == ([5], [3])


def test_the_light_that_says_where_to_lift_has_the_hue_of_the_pawn() -> None:
    state = play(turn("zen+aggressive", "red", SETUP), "0-1 +5-7")
    light = meanings(replace(seen(state), advised=Advised(Action.parse("black:*4-5"), 0.0)), 0.0)
    assert [glow.hue for glow in light.rows[4] if glow.look is Look.LIFT_HERE] == [Hue.BLACK]


def test_advice_to_leave_it_closes_over_the_start_line_of_the_player() -> None:
    state = play(turn("zen", "black", SETUP), "7-6")
    view = replace(seen(state), entered_row=6, computer=BLACK, advised=Advised(Action.parse("black:done"), 0.0))
    assert rows_with(Look.LEAVE, meanings(view, 0.0)) == [7]


def test_a_thinking_computer_breathes_and_says_nothing_about_what_may_move() -> None:
    view = replace(seen(turn("zen", "black", SETUP)), computer=BLACK, thinking=True)
    light = meanings(view, 0.0)
    assert (rows_with(Look.THINKING, light), rows_with(Look.MOVABLE, light)) == ([7], [])
    assert is_moving(view, 0.0)


def test_while_a_hint_is_thought_about_the_person_still_sees_what_may_move() -> None:
    light = meanings(replace(seen(turn("zen", "red", SETUP)), computer=BLACK, thinking=True), 0.0)
    assert (rows_with(Look.THINKING, light), rows_with(Look.MOVABLE, light)) == ([0], [0, 1, 2, 3, 4, 5, 6])


def test_lost_sensors_make_all_rows_breathe_and_hide_everything_else() -> None:
    state = play(turn("zen", "red", SETUP), "0-1")
    view = replace(seen(state), entered_row=1, sensors_lost=True, doubted_slots=((30, "weak"),))
    light = meanings(view, 0.0)
    assert [light.looks(row) for row in range(8)] == [{Look.ATTENTION}] * 8
    assert light.doubted_slots == ()
    assert is_moving(view, 0.0)


def test_a_doubted_slot_has_a_mark_at_its_place_in_its_row() -> None:
    quiet = seen(turn("zen", "red", SETUP))
    marks = []
    for place in range(6):
        view = replace(quiet, doubted_slots=((LAYOUT.slot(3, place), "weak"),))
        marks += [spot for spot in lit(painted(view), ROW[3]) if spot not in lit(painted(quiet), ROW[3])]
    assert marks == sorted(set(marks))
    assert len(marks) == 6


# The score


def test_in_play_a_score_strip_shows_a_pixel_a_point_from_the_players_edge() -> None:
    frame = painted(seen(turn("zen", "red", "rr/rb/r/rb/rrb/rrb/rrbb/rbbbbbb")))
    assert lit(frame, LAYOUT.score_pixels[0]) == list(range(12))
    assert len(lit(frame, LAYOUT.score_pixels[1])) == 6


def test_points_below_zero_are_shown_from_the_far_edge_as_a_broken_line() -> None:
    red, black = (levels(painted(seen(turn("zen", "red", SETUP))), strip) for strip in LAYOUT.score_pixels)
    assert red == [0] * 57 + black[:3][::-1]
    assert black[0] == black[2] > black[1] > 0


def test_the_most_and_the_least_points_there_can_be_fit_the_strips() -> None:
    state = turn("bonus", "red", "rrrrrrrrrrrb/-/-/-/-/-/-/rbbbbbbbbbbb")
    frame = painted(seen(state))
    assert state.points.red == -50
    assert lit(frame, LAYOUT.score_pixels[0]) == list(range(10, 60))


def test_the_count_goes_row_by_row_from_the_goal_red_first_and_ends_with_the_points_of_the_game() -> None:
    state = turn("zen", "red", FINAL)
    view = seen(state, Stage.OVER)
    order: list[tuple[int, Color | None]] = []
    for step in range(1500):
        light = meanings(view, step * 0.01)
        counted = [(row, glow.pawns) for row in range(8) for glow in light.rows[row]]
        order += [pair for pair in counted if pair not in order]
    red, black = Color.RED, Color.BLACK
    assert order == [(7, red), (6, red), (5, red), (3, red), (0, black), (1, black), (2, black)]
    assert state.outcome is not None
    assert [score.points for score in meanings(view, 15.0).scores] == [39, 46] == [state.points.red, state.points.black]


def test_minus_points_take_pixels_away_one_by_one_until_below_zero() -> None:
    view = seen(turn("bonus", "red", "bbbbbbbbbbbb/rr/rrrrrr/rrrr/-/-/-/-"), Stage.OVER)
    red = [meanings(view, step * 0.01).scores[0].points for step in range(1000)]
    assert red[-1] == view.state.points.red == -22
    assert [before - after for before, after in pairwise(red) if before != after] == [1] * 22


def test_after_the_count_the_winners_strip_breathes_and_comes_to_rest() -> None:
    view = seen(turn("zen", "red", FINAL), Stage.OVER)
    assert [score.mood for score in meanings(view, 15.0).scores] == [Mood.COUNTED, Mood.WINNING]
    assert is_moving(view, 15.0)
    assert [score.mood for score in meanings(view, 15.0 + tempo.WINNING_S).scores] == [Mood.COUNTED, Mood.COUNTED]
    assert not is_moving(view, 15.0 + tempo.WINNING_S)


def test_after_a_draw_both_strips_breathe() -> None:
    view = seen(turn("zen", "red", "bbbbbb/bbbb/bb/-/-/rr/rrrr/rrrrrr"), Stage.OVER)
    assert [score.mood for score in meanings(view, 16.0).scores] == [Mood.WINNING, Mood.WINNING]


# Rest


def test_a_board_that_nobody_touches_dims_but_never_goes_dark_during_a_game() -> None:
    view = seen(turn("zen", "red", SETUP))
    dim = [meanings(view, now).dim for now in (0.0, tempo.IDLE_AFTER_S, 1e3, 1e6)]
    assert dim == [1.0, 1.0, IDLE_DIM, IDLE_DIM]
    assert [len(lit(painted(view, now), ROW[0])) for now in (0.0, 1e6)] == [9, 9]


@pytest.mark.parametrize("stage", [Stage.SETTING_UP, Stage.OVER])
def test_a_board_without_a_game_goes_dark_at_last_and_wakes_by_a_touch(stage: Stage) -> None:
    view = replace(seen(turn("zen", "red", FINAL), stage), differences=(RowDifference(3, 1, 0),))
    assert set(painted(view, 1e6).pixels) == {0}
    assert next_change(view, 1e6) is None
    assert set(painted(replace(view, touched_at=1e6), 1e6).pixels) != {0}


@EVERY_MOMENT
def test_until_the_time_that_is_told_all_frames_are_the_same_to_the_byte(moment: Moment) -> None:
    view, now = moment.view, moment.now
    for wait in (0.0, 3.0, 100.0, 500.0):
        start = now + wait
        until = next_change(view, start)
        end = min(start + 1e5, until if until is not None else start + 1e5)
        frames = {painted(view, start + (end - start) * share) for share in (0.0, 0.001, 0.3, 0.7, 0.999)}
        assert len(frames) == 1


@EVERY_MOMENT
def test_what_is_said_to_move_moves(moment: Moment) -> None:
    view, now = moment.view, moment.now
    frames = {painted(view, now + step * 0.04) for step in range(100)}
    assert (len(frames) > 1) == any(is_moving(view, now + step * 0.04) for step in range(100))


def test_a_still_board_tells_when_it_will_dim() -> None:
    view = replace(seen(turn("zen", "red", SETUP)), touched_at=30.0)
    assert next_change(view, 40.0) == 30.0 + tempo.IDLE_AFTER_S
    assert not is_moving(view, 40.0)
    assert is_moving(view, 31.0 + tempo.IDLE_AFTER_S)
    assert next_change(view, 1e4) is None


def test_the_colours_at_rest_are_those_of_the_palette() -> None:
    frame = painted(seen(turn("zen", "red", SETUP)))
    assert set(colours(frame, ROW[3])) == {"000000", "501706"}


# With a session


def test_hands_on_a_real_session_are_answered_with_light() -> None:
    bench = Bench()

    def shown(look: Look) -> list[int]:
        return rows_with(look, meanings(bench.session.view, bench.now))

    assert shown(Look.READY) == list(range(8))
    bench.lift("red", 0)
    assert (shown(Look.ORIGIN), shown(Look.LEGAL)) == ([0], [1])
    bench.place("red", 1)
    assert (shown(Look.ACCEPTED), shown(Look.DISTANCE), shown(Look.LEGAL)) == ([1], [1], [2, 3, 4, 5, 6, 7])
    bench.lift("red", 3)
    assert (shown(Look.ORIGIN), shown(Look.PATH), shown(Look.LEGAL)) == ([3], [3, 4, 5], [5])
    bench.place("red", 4)
    assert (shown(Look.ERROR), shown(Look.CAME_FROM)) == ([4], [3])
    bench.move("red", 4, 5)
    assert (shown(Look.ERROR), shown(Look.ACCEPTED), shown(Look.TURN)) == ([], [5], [7])
    bench.press(Button.BACK)
    assert (shown(Look.TOO_MANY), shown(Look.TOO_FEW)) == ([5], [3])
    bench.hold(Button.NEW)
    assert (shown(Look.TOO_MANY), shown(Look.MISSING)) == ([1, 5], [0, 3])
