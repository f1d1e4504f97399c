"""Every ruling of docs/rules.md, one test each, named after it."""

from __future__ import annotations

import pytest

from engine import (
    DEFAULT_EDITION,
    EDITIONS,
    RULE_SETS,
    Color,
    Edition,
    Ending,
    Match,
    Phase,
    Points,
    Position,
    State,
    points,
)
from tests.positions import legal, play, turn

SETUP = "rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb"
ALL = pytest.mark.parametrize("edition", [str(edition) for edition in RULE_SETS])
WITH_BONUS = pytest.mark.parametrize("edition", ["bonus", "bonus+aggressive", "zen", "zen+aggressive"])

COUNTS = {
    "classic": [7, 43, 301, 1849, 10361],
    "bonus": [7, 50, 374, 2663, 16943],
    "bonus+aggressive": [7, 63, 518, 4140, 29714],
    "zen": [7, 56, 416, 3269, 21048],
    "zen+aggressive": [7, 69, 560, 4880, 35285],
}


def sequences(state: State, depth: int) -> int:
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(sequences(state.apply(action), depth - 1) for action in actions)


@ALL
def test_the_number_of_action_sequences_from_the_setup_is_known(edition: str) -> None:
    start = State.initial(Edition.parse(edition))
    assert [sequences(start, depth) for depth in range(1, 6)] == COUNTS[edition]


# Board and set-up


def test_every_inner_row_starts_with_one_pawn_of_each_colour_and_six_stand_on_each_start_line() -> None:
    assert str(Position.setup()) == SETUP


def test_red_moves_up_to_row_7_and_black_down_to_row_0() -> None:
    assert legal(turn("zen", "red", SETUP)) == {"0-1", "1-2", "2-3", "3-4", "4-5", "5-6", "6-7"}
    assert legal(turn("zen", "black", SETUP)) == {"7-6", "6-5", "5-4", "4-3", "3-2", "2-1", "1-0"}


def test_the_current_edition_is_the_default() -> None:
    assert DEFAULT_EDITION is EDITIONS["zen"]


def test_both_colours_may_share_a_goal() -> None:
    after = play(turn("classic", "black", "rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb"), "1-0")
    assert (after.position.red[0], after.position.black[0]) == (6, 1)


# Opening


@ALL
def test_an_opening_moves_one_own_pawn_one_row_forward(edition: str) -> None:
    state = turn(edition, "red", "rrrr/rr/-/bb/rrr/bbb/rrb/rbbbbbb")
    assert legal(state) == {"0-1", "1-2", "4-5", "6-7"}


@ALL
def test_an_opening_into_a_full_row_is_not_allowed(edition: str) -> None:
    state = turn(edition, "red", "rrrr/rrrbbb/-/bb/rrr/bbb/rrb/bbb")
    assert "0-1" not in legal(state)


@ALL
def test_a_start_line_is_never_full(edition: str) -> None:
    state = turn(edition, "red", "b/r/-/-/b/-/r/rrrrrrrrrrbbbbbbbbbb")
    assert "6-7" in legal(state)


@ALL
def test_an_opening_into_an_empty_inner_row_earns_no_follow_up_and_ends_the_turn(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrrr/rr/-/bb/rr/bbb/rb/rbbbbbb"), "1-2")
    assert (state.to_move, state.phase) == (Color.BLACK, Phase.OPENING)


# Follow-up


@ALL
def test_the_distance_counts_both_colours_and_not_the_arriving_pawn(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrr/rrbb/r/r/r/r/r/bbbbbbbbbb"), "0-1")
    assert (state.phase, state.distance) == (Phase.FOLLOW_UP, 4)


@ALL
def test_any_own_pawn_may_make_the_follow_up_the_one_that_opened_included(edition: str) -> None:
    state = play(turn(edition, "red", SETUP), "0-1")
    assert legal(state) - {"done"} == {"+0-2", "+1-3", "+2-4", "+3-5", "+4-6", "+5-7", "+6-7"}


@ALL
def test_a_follow_up_crosses_and_counts_full_rows(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrrr/rb/rrrrbb/-/-/-/rbb/bbbbbbb"), "0-1")
    assert state.distance == 2
    assert "+1-3" in legal(state)
    assert play(state, "+1-3").position.red[3] == 1


@ALL
def test_a_follow_up_may_not_stop_in_a_full_row(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrrr/rb/rrrrbb/-/-/-/rbb/bbbbbbb"), "0-1")
    assert "+0-2" not in legal(state)


@ALL
def test_a_pawn_that_reaches_its_goal_with_distance_left_over_stops_there(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrr/rrbb/r/r/r/r/r/bbbbbbbbbb"), "0-1")
    assert {"+4-7", "+5-7", "+6-7"} <= legal(state)


@ALL
def test_a_pawn_in_its_goal_makes_no_follow_up(edition: str) -> None:
    state = play(turn(edition, "red", "rrr/rb/b/b/b/b/b/rrrrrrrrbbbbbb"), "0-1")
    assert {word for word in legal(state) if word.startswith("+7")} == set()


@ALL
def test_a_follow_up_that_nobody_can_make_lapses_and_the_turn_ends(edition: str) -> None:
    # The distance is 1, and the only red pawn that is not home stands before a full row.
    state = play(turn(edition, "red", "r/b/bbbbbb/-/-/-/-/rrrrrrrrrrrbbbbb"), "0-1")
    assert (state.to_move, state.phase) == (Color.BLACK, Phase.OPENING)


@ALL
def test_a_follow_up_is_compulsory_unless_the_edition_makes_it_a_choice(edition: str) -> None:
    state = play(turn(edition, "red", SETUP), "0-1")
    assert ("done" in legal(state)) == edition.startswith("zen")


def test_zen_a_declined_follow_up_ends_the_turn() -> None:
    assert play(turn("zen", "red", SETUP), "0-1 done").to_move is Color.BLACK


# Opening into the goal


def test_classic_an_opening_into_the_goal_earns_a_follow_up_of_exactly_1_whatever_stands_there() -> None:
    state = play(turn("classic", "red", SETUP), "6-7")
    assert (state.phase, state.distance) == (Phase.FOLLOW_UP, 1)


@WITH_BONUS
def test_an_opening_into_the_goal_earns_a_bonus_and_no_follow_up(edition: str) -> None:
    assert play(turn(edition, "red", SETUP), "6-7").phase is Phase.BONUS


# Another full turn


def test_classic_a_follow_up_that_stops_in_an_empty_inner_row_earns_another_full_turn() -> None:
    state = play(turn("classic", "red", "rrrrr/rb/-/r/rr/bbb/rbb/rrbbbbbb"), "0-1 +0-2")
    assert (state.to_move, state.phase, state.again) == (Color.RED, Phase.OPENING, True)


def test_classic_the_second_turn_earns_no_third() -> None:
    state = play(turn("classic", "red", "rrrrr/rb/-/r/rrr/-/rbbbbb/rbbbbbb"), "0-1 +0-2 1-2 +4-5")
    assert state.to_move is Color.BLACK


def test_classic_a_second_turn_that_cannot_be_opened_is_passed() -> None:
    # The follow-up stops in the empty row 3, before a full row; every other red pawn is home.
    state = play(turn("classic", "red", "rbbbb/bb/-/-/bbbbbb/-/-/rrrrrrrrrrr"), "0-1 +1-3")
    assert (state.to_move, state.again) == (Color.BLACK, False)


@WITH_BONUS
def test_a_follow_up_into_an_empty_inner_row_earns_nothing(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrr/rb/-/r/rr/bbb/rbb/rrbbbbbb"), "0-1 +0-2")
    assert state.to_move is Color.BLACK


@ALL
def test_a_follow_up_that_stops_in_an_empty_goal_earns_nothing_by_itself(edition: str) -> None:
    # Two rows from row 6 overshoot into the empty goal: neither another turn nor a bonus.
    state = play(turn(edition, "red", "rrrrrbbbb/rb/rb/rb/rb/rb/rrbbb/-"), "0-1 +6-7")
    assert state.to_move is Color.BLACK


# The bonus


@WITH_BONUS
def test_a_follow_up_that_reaches_the_goal_by_the_exact_distance_earns_a_bonus(edition: str) -> None:
    assert play(turn(edition, "red", SETUP), "0-1 +5-7").phase is Phase.BONUS


@WITH_BONUS
def test_a_follow_up_that_overshoots_into_the_goal_earns_no_bonus(edition: str) -> None:
    assert play(turn(edition, "red", SETUP), "0-1 +6-7").to_move is Color.BLACK


def test_classic_has_no_bonus() -> None:
    assert play(turn("classic", "red", SETUP), "0-1 +5-7").to_move is Color.BLACK


@WITH_BONUS
def test_a_bonus_moves_any_own_pawn_one_row_forward_or_back(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrr/rb/-/rb/rb/rb/rb/rrbbbbbbb"), "6-7")
    own = {word for word in legal(state) if word.startswith("*")}
    assert own == {"*0-1", "*1-0", "*1-2", "*3-2", "*3-4", "*4-3", "*4-5", "*5-4", "*5-6", "*7-6"}


@WITH_BONUS
def test_a_bonus_may_be_declined(edition: str) -> None:
    assert play(turn(edition, "red", SETUP), "6-7 done").to_move is Color.BLACK


@WITH_BONUS
def test_a_bonus_may_move_a_pawn_out_of_the_goal(edition: str) -> None:
    assert play(turn(edition, "red", SETUP), "6-7 *7-6").position == Position.setup()


@WITH_BONUS
def test_a_bonus_may_move_a_pawn_back_onto_its_own_start_line(edition: str) -> None:
    assert play(turn(edition, "red", SETUP), "6-7 *1-0").position.red[0] == 7


@WITH_BONUS
def test_a_bonus_may_not_stop_in_a_full_row(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrr/rbbbbb/-/rb/rb/rb/rb/rrbbb"), "6-7")
    assert "*0-1" not in legal(state)


@WITH_BONUS
def test_a_bonus_never_earns_anything_more(edition: str) -> None:
    assert play(turn(edition, "red", "rrrrr/rb/rb/rb/rb/r/rrb/bbbbbbb"), "6-7 *6-7").to_move is Color.BLACK


@pytest.mark.parametrize("edition", ["bonus", "zen"])
def test_without_the_option_a_bonus_leaves_the_opponents_pawns_alone(edition: str) -> None:
    state = play(turn(edition, "red", SETUP), "6-7")
    assert {word for word in legal(state) if word.startswith("black")} == set()


@pytest.mark.parametrize("edition", ["bonus+aggressive", "zen+aggressive"])
def test_aggressive_a_bonus_may_move_an_opponents_pawn_forward_or_back_into_its_goal_too(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrrrb/rb/rb/rb/rb/rb/rb/bbbbb"), "6-7")
    opponents = {word for word in legal(state) if word.startswith("black")}
    assert {"black:*1-0", "black:*1-2", "black:*6-7", "black:*7-6"} <= opponents


@pytest.mark.parametrize("edition", ["bonus+aggressive", "zen+aggressive"])
def test_aggressive_an_opponents_pawn_in_its_goal_is_out_of_reach(edition: str) -> None:
    state = play(turn(edition, "red", "rrrrrrb/rb/rb/rb/rb/rb/rb/bbbbb"), "6-7")
    assert "black:*0-1" not in legal(state)


@pytest.mark.parametrize("edition", ["bonus+aggressive", "zen+aggressive"])
def test_aggressive_nobody_earns_anything_by_moving_an_opponents_pawn_into_its_goal(edition: str) -> None:
    state = play(turn(edition, "red", SETUP), "6-7 black:*1-0")
    assert (state.to_move, state.phase) == (Color.BLACK, Phase.OPENING)


# The end


@pytest.mark.parametrize(
    ("position", "rows_to_pass"),
    [
        (SETUP, 8),
        ("bbbbbbbbbbbb/-/-/r/-/-/-/rrrrrrrrrrr", 0),
        ("bbbbbbbbbbb/-/-/rb/-/-/-/rrrrrrrrrrr", 1),  # sharing a row is not passed
        ("bbbbbbbbbbb/-/b/r/-/-/-/rrrrrrrrrrr", 0),  # neighbouring rows are enough
        ("rbbbbbbbbbbbb/-/-/-/-/-/-/rrrrrrrrrrr", 1),  # start lines count
        ("bbbbbbbbbbb/-/-/-/-/r/b/rrrrrrrrrrr", 2),
    ],
)
def test_the_colours_have_passed_when_the_rearmost_red_pawn_is_in_a_higher_row(
    position: str, rows_to_pass: int
) -> None:
    read = Position.parse(position)
    assert (read.rows_to_pass, read.passed) == (rows_to_pass, rows_to_pass == 0)


def test_classic_the_game_ends_at_once_even_between_two_actions_of_a_turn() -> None:
    state = play(turn("classic", "red", "bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr"), "3-4")
    assert (state.phase, state.distance) == (Phase.OVER, None)
    assert state.outcome is not None
    assert state.outcome.reason is Ending.PASSED


@WITH_BONUS
def test_the_turn_in_which_the_colours_pass_is_finished_and_its_rest_may_be_declined(edition: str) -> None:
    state = play(turn(edition, "red", "bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr"), "3-4")
    assert (state.phase, state.distance, state.ending) == (Phase.FOLLOW_UP, 1, True)
    assert "done" in legal(state)
    assert play(state, "done").phase is Phase.OVER
    assert play(state, "+4-5").phase is Phase.OVER


@WITH_BONUS
def test_the_end_latches_a_bonus_that_mixes_the_colours_again_does_not_revive_the_game(edition: str) -> None:
    state = play(turn(edition, "red", "bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr"), "3-4 +6-7 *4-3")
    assert not state.position.passed
    assert state.outcome is not None
    assert state.outcome.reason is Ending.PASSED


@ALL
def test_a_player_with_no_legal_opening_passes(edition: str) -> None:
    # Every black pawn that is not home stands before a full row.
    state = turn(edition, "black", "rrrbbbbbb/-/-/rrrrrr/bbbbbb/-/r/rr")
    assert (state.to_move, state.phase) == (Color.RED, Phase.OPENING)


@ALL
def test_two_players_in_a_row_unable_to_open_end_the_game_and_it_is_scored(edition: str) -> None:
    state = turn(edition, "black", "bbbbbb/-/-/rrrrrr/bbbbbb/-/-/rrrrrr")
    assert state.outcome is not None
    assert state.outcome.reason is Ending.BLOCKED
    worth = Edition.parse(edition).row_points
    assert state.outcome.points == Points(6 * worth[0] + 6 * worth[4], 6 * worth[0] + 6 * worth[4])
    assert state.outcome.winner is None


@WITH_BONUS
def test_the_third_time_the_same_position_stands_at_the_start_of_a_players_turn_is_a_draw(edition: str) -> None:
    there_and_back = "6-7 *7-6 1-0 *0-1"
    state = play(State.initial(Edition.parse(edition)), there_and_back)
    assert state.outcome is None
    state = play(state, there_and_back)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (None, Ending.REPETITION)


@WITH_BONUS
def test_a_position_that_stands_at_the_turns_of_different_players_is_not_repeated(edition: str) -> None:
    # The set-up stands at the start of red's first, black's first and red's second turn.
    state = play(State.initial(Edition.parse(edition)), "6-7 *7-6 1-0 *0-1")
    assert state.outcome is None


# Points


def test_the_scoring_picture_of_the_classic_booklet_is_41_to_46() -> None:
    # Red 5, 3, 3, 1 from its goal inwards; black 6, 4, 2.
    pictured = Position.parse("bbbbbb/bbbb/bb/-/r/rrr/rrr/rrrrr")
    assert points(pictured, EDITIONS["classic"]) == Points(41, 46)


@pytest.mark.parametrize("edition", ["bonus", "zen"])
def test_the_scoring_picture_of_the_newer_booklets_is_39_to_46(edition: str) -> None:
    pictured = Position.parse("bbbbbb/bbbb/bb/r/-/rrr/rrr/rrrrr")
    assert points(pictured, EDITIONS[edition]) == Points(39, 46)


@pytest.mark.parametrize(
    ("edition", "worth"),
    [
        ("classic", (5, 3, 2, 1, 0, 0, 0, 0)),
        ("bonus", (5, 3, 2, 1, -1, -2, -3, -5)),
        ("zen", (5, 3, 2, 1, -1, -1, -1, -1)),
    ],
)
def test_each_row_has_its_worth_in_each_edition(edition: str, worth: tuple[int, ...]) -> None:
    # Eleven red pawns at home, the twelfth moved through the rows; black the mirror image.
    seen = []
    for back in range(8):
        rows = ["bbbbbbbbbbb", "-", "-", "-", "-", "-", "-", "rrrrrrrrrrr"]
        for row, pawn in ((7 - back, "r"), (back, "b")):
            rows[row] = rows[row].replace("-", "") + pawn
        both = points(Position.parse("/".join(rows)), EDITIONS[edition])
        assert both.red == both.black
        seen.append(both.red - 55)
    assert tuple(seen) == worth


@ALL
def test_points_as_they_stand_are_there_at_any_time(edition: str) -> None:
    state = play(State.initial(Edition.parse(edition)), "0-1")
    worth = state.edition.row_points
    assert state.points.red == 5 * worth[7] + 2 * worth[6] + sum(worth[1:6])


@ALL
def test_more_points_win_and_equal_points_are_a_draw(edition: str) -> None:
    ahead = turn(edition, "red", "bbbbbbbbbbbb/-/-/-/-/-/r/rrrrrrrrrrr")
    level = turn(edition, "red", "bbbbbbbbbbb/b/-/-/-/-/r/rrrrrrrrrrr")
    assert ahead.outcome is not None
    assert level.outcome is not None
    assert (ahead.outcome.winner, level.outcome.winner) == (Color.BLACK, None)


# Matches


def test_the_loser_starts_the_next_game() -> None:
    assert Match(3, Color.RED).with_result(Color.RED).starter is Color.BLACK
    assert Match(3, Color.RED).with_result(Color.BLACK).starter is Color.RED


def test_after_a_draw_the_other_player_starts() -> None:
    assert Match(5, Color.RED).with_result(Color.BLACK).with_result(None).starter is Color.BLACK


@pytest.mark.parametrize(
    ("text", "is_over", "winner"),
    [
        ("best of 1, red first", False, None),
        ("best of 1, red first: black", True, Color.BLACK),
        ("best of 1, red first: draw", True, None),
        ("best of 3, red first: red", False, None),
        ("best of 3, red first: red, red", True, Color.RED),
        ("best of 3, red first: red, draw", False, None),
        ("best of 3, red first: red, draw, draw", True, Color.RED),
        ("best of 3, black first: red, black, draw", True, None),
        ("best of 5, black first: red, draw, red, draw", True, Color.RED),
    ],
)
def test_a_match_is_over_when_the_lead_cannot_be_caught_up(text: str, is_over: bool, winner: Color | None) -> None:
    match = Match.parse(text)
    assert (match.is_over, match.winner) == (is_over, winner)
