"""History, taking back and playing again, and the record."""

from __future__ import annotations

import pytest

from engine import Action, BadText, Color, Edition, Game, Match, Position
from engine.drawing import describe, draw_board, draw_count
from tests.positions import turn

RECORD = """\
Linja record 1
edition zen+aggressive
first black

  1 black 7-6 +5-3
  2 red   6-7 black:*4-3
  3 black 1-0 done
"""

FINISHED = """\
Linja record 1
start zen red opening bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr

  1 red   3-4 +6-7 done

result a draw, red 50 black 56, passed
"""


def played(words: str, first: Color = Color.RED) -> Game:
    game = Game.new(Edition.parse("zen"), first)
    for word in words.split():
        game = game.play(Action.parse(word, game.state.to_move))
    return game


def test_a_record_is_as_a_person_would_write_it() -> None:
    game = Game.new(Edition.parse("zen+aggressive"), Color.BLACK)
    for text in ("black:7-6", "black:+5-3", "red:6-7", "black:*4-3", "black:1-0", "black:done"):
        game = game.play(Action.parse(text))
    assert str(game) == RECORD
    assert Game.parse(RECORD) == game


def test_a_record_may_be_untidy_and_have_remarks() -> None:
    untidy = (
        RECORD.replace("  1 black", "# opening round\n1 black").replace("\n\n", "\n\n\n").replace("7-6 ", "7-6    ")
    )
    assert Game.parse(untidy) == Game.parse(RECORD)


def test_a_result_that_the_actions_do_not_give_is_refused() -> None:
    with pytest.raises(BadText, match="the actions say otherwise: result black wins, red 49 black 56, passed"):
        Game.parse(FINISHED)


def test_a_game_that_did_not_begin_with_the_setup_reads_back() -> None:
    game = Game.from_state(turn("zen", "red", "bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr"))
    game = game.play(Action.parse("red:3-4")).play(Action.parse("red:+6-7")).play(Action.parse("red:done"))
    assert Game.parse(str(game)) == game


def test_turns_gather_the_actions_of_one_player() -> None:
    game = played("0-1 +0-2 7-6 done 6-7")
    assert [(turn.number, str(turn.player), len(turn.actions)) for turn in game.turns] == [
        (1, "red", 2),
        (2, "black", 2),
        (3, "red", 1),
    ]


def test_what_was_taken_back_can_be_played_again_in_part() -> None:
    game = played("0-1 +0-2 7-6 done 6-7").undo(4)
    assert len(game.actions) == 1
    assert [str(action) for action in game.redo(2).actions] == ["red:0-1", "red:+0-2", "black:7-6"]


def test_playing_the_same_action_again_keeps_the_rest_that_was_taken_back() -> None:
    game = played("0-1 +0-2 7-6").undo(3)
    assert game.play(Action.parse("red:0-1")) == game.redo()


def test_playing_something_else_forgets_what_was_taken_back() -> None:
    game = played("0-1 +0-2 7-6").undo(3).play(Action.parse("red:1-2"))
    assert game.undone == ()


def test_a_match_reads_back() -> None:
    match = Match(5, Color.BLACK).with_result(None).with_result(Color.RED)
    assert str(match) == "best of 5, black first: draw, red"
    assert Match.parse(str(match)) == match
    assert Match.parse("best of 1, red first") == Match(1, Color.RED)


def test_the_board_is_drawn_with_blacks_start_line_at_the_top() -> None:
    rows = draw_board(Position.setup()).splitlines()[::2]
    assert [row.split() for row in rows] == [
        ["7", "B", "B", "B", "B", "B", "B"],
        *([str(row), "R", "B"] for row in range(6, 0, -1)),
        ["0", "R", "R", "R", "R", "R", "R"],
    ]


def test_the_count_names_every_row_with_pawns_and_what_they_are_worth() -> None:
    count = draw_count(Position.parse("bbbbbb/bbbb/bb/r/-/rrr/rrr/rrrrr"), Edition.parse("zen"))
    assert count.splitlines() == [
        "red",
        "  row 7 (goal)  5 x  5 =  25",
        "  row 6         3 x  3 =   9",
        "  row 5         3 x  2 =   6",
        "  row 3         1 x -1 =  -1",
        "  in all                  39",
        "black",
        "  row 0 (goal)  6 x  5 =  30",
        "  row 1         4 x  3 =  12",
        "  row 2         2 x  2 =   4",
        "  in all                  46",
    ]


@pytest.mark.parametrize(
    ("edition", "actions", "sentence"),
    [
        ("zen", "", "Red: move a pawn one row forward."),
        ("zen", "0-1", "Red: move any pawn 2 rows forward, or leave it."),
        ("bonus", "0-1", "Red: move any pawn 2 rows forward."),
        ("zen", "6-7", "Red: a bonus: move one of your pawns one row, forward or back, or leave it."),
        ("zen+aggressive", "6-7", "Red: a bonus: move any pawn one row, forward or back, or leave it."),
    ],
)
def test_what_is_expected_is_said_in_one_sentence(edition: str, actions: str, sentence: str) -> None:
    game = Game.new(Edition.parse(edition))
    for word in actions.split():
        game = game.play(Action.parse(word, Color.RED))
    assert describe(game.state) == sentence


def test_how_a_game_ended_is_said_in_one_sentence() -> None:
    over = turn("zen", "red", "bbbbbbbbbbbb/-/-/-/-/-/r/rrrrrrrrrrr")
    assert describe(over) == "Game over, the colours have passed: black wins, red 58, black 60."
