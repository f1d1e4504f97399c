"""Input that makes no sense raises a named error that says what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from engine import (
    Action,
    BadColor,
    BadEdition,
    BadInput,
    BadMatch,
    BadPosition,
    BadRow,
    BadText,
    Color,
    Edition,
    Game,
    Kind,
    Match,
    NoSuchPawn,
    NothingToUndo,
    Position,
    State,
)

SETUP = "rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb"
LONE = (12, 0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("row", [-1, 8, 1.0, "1", None, True])
def test_a_row_that_is_not_on_the_board_is_refused(row: Any) -> None:
    state = State.initial(Edition.parse("zen"))
    with pytest.raises(BadRow, match="there is no row"):
        state.judge(Color.RED, row, 1)
    with pytest.raises(BadRow, match="there is no row"):
        state.judge(Color.RED, 0, row)
    with pytest.raises(BadRow, match="there is no row"):
        Action(Kind.OPENING, Color.RED, row, 1)


def test_a_colour_that_is_none_is_refused() -> None:
    bad: Any = "red"
    with pytest.raises(BadColor, match="not 'red'"):
        State.initial(Edition.parse("zen")).judge(bad, 0, 1)
    with pytest.raises(BadColor, match="not 'red'"):
        State.initial(Edition.parse("zen"), bad)


def test_an_error_quotes_no_more_than_anybody_would_read() -> None:
    with pytest.raises(BadText) as refused:
        Game.parse("A" * 10_000)
    assert str(refused.value).startswith("a record begins with the line 'Linja record 1'; this begins with 'AAA")
    assert len(str(refused.value)) < 500


def test_a_turn_with_a_number_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(BadText, match="a turn is written as number, player and actions"):
        Game.parse(f"Linja record 1\nedition zen\nfirst red\n\n{'9' * 5000} red 0-1\n")


def test_a_pawn_that_is_not_there_is_refused() -> None:
    with pytest.raises(NoSuchPawn, match="no black pawn in row 0"):
        State.initial(Edition.parse("zen")).judge(Color.BLACK, 0, 1)
    with pytest.raises(NoSuchPawn, match="no red pawn in row 7"):
        State.initial(Edition.parse("zen")).apply(Action.parse("red:7-6"))


def test_something_that_is_no_action_is_refused() -> None:
    bad: Any = "red:0-1"
    with pytest.raises(BadInput, match="an Action is expected"):
        State.initial(Edition.parse("zen")).apply(bad)
    with pytest.raises(BadInput, match="a decline moves no pawn"):
        Action(Kind.DECLINE, Color.RED, 0, 1)


@pytest.mark.parametrize(
    ("red", "black", "wrong"),
    [
        (LONE[:7], LONE, "red has counts for 7 rows"),
        ((11, *LONE[1:]), LONE, "red has 11 pawns on the board; it must be 12"),
        (LONE, (13, *LONE[1:]), "black has 13 pawns"),
        ((13, -1, *LONE[2:]), LONE, "red cannot have -1 pawns in row 1"),
        ((12.0, *LONE[1:]), LONE, "red cannot have 12.0 pawns in row 0"),
        ((8, 4, *LONE[2:]), (9, 3, *LONE[2:]), "row 1 holds 7 pawns; an inner row has room for 6"),
    ],
)
def test_a_position_that_no_game_allows_is_refused(red: Any, black: Any, wrong: str) -> None:
    with pytest.raises(BadPosition, match=wrong):
        Position(red, black)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "has 1"),
        ("rrrrrr/rb/rb", "8 rows with a stroke between"),
        ("rrrrrr/rb/rb/rx/rb/rb/rb/bbbbbb", "row 3 of a position .* not as 'rx'"),
        ("rrrrrr/rb/rb//rrb/rb/rb/bbbbbbb", "row 3 of a position .* not as ''"),
    ],
)
def test_a_position_that_does_not_parse_says_where(text: str, wrong: str) -> None:
    with pytest.raises(BadText, match=wrong):
        Position.parse(text)


@pytest.mark.parametrize(
    ("text", "error", "wrong"),
    [
        ("", BadText, "too few words"),
        (f"chess red opening {SETUP}", BadEdition, "there is no 'chess'"),
        (f"zen green opening {SETUP}", BadText, "not 'green'"),
        (f"zen red middle {SETUP}", BadText, "phase is one of .* not 'middle'"),
        (f"zen red opening {SETUP} soon", BadText, "ends in 'soon'"),
        (f"zen red opening {SETUP} since", BadText, "ends in 'since'"),
        (f"zen red opening {SETUP} since {SETUP}", BadText, "red or black"),
        (f"zen red follow-up {SETUP}", BadText, "1 to 5 rows"),
        ("zen red follow-up 2", BadText, "too few words|no position"),
        (f"zen red follow-up 6 {SETUP}", BadText, "not '6'"),
        (f"zen red follow-up 2 {SETUP}", BadText, "the start of this turn is missing"),
        (f"zen red follow-up 2 {SETUP} since {SETUP}:black", BadText, "the start of this turn is missing"),
        (f"zen red opening {SETUP} again", BadText, "no second turn"),
        (f"zen red opening {SETUP} ending", BadText, "would be over"),
        (f"classic red bonus {SETUP}", BadText, "classic has no bonus"),
        (f"classic red opening {SETUP} since {SETUP}:red", BadText, "no position repeats"),
        ("zen red opening bbbbbbbbbbbb/-/-/-/-/-/r/rrrrrrrrrrr", BadText, "the colours have passed"),
        ("zen red opening rrrrrrrrrrrr/bbbbbb/-/-/-/-/-/bbbbbb", BadText, "red has no legal opening"),
        ("zen red over passed", BadText, "reason and the position"),
        (f"zen red over tired {SETUP}", BadText, "ending is one of .* not 'tired'"),
    ],
)
def test_a_state_that_no_game_comes_to_is_refused(text: str, error: type[Exception], wrong: str) -> None:
    with pytest.raises(error, match=wrong):
        State.parse(text)


@pytest.mark.parametrize("text", ["", "0-1", "red", "red:0-8", "red:0", "red:0-1-2", "RED:0-1", "red:!0-1", "red: 0-1"])
def test_an_action_that_does_not_parse_is_refused(text: str) -> None:
    with pytest.raises(BadText, match=r"(an|the) action"):
        Action.parse(text)


@pytest.mark.parametrize(
    ("text", "error"), [("", BadEdition), ("zen+", BadText), ("zen+kind", BadText), ("classic+aggressive", BadEdition)]
)
def test_an_edition_that_does_not_exist_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        Edition.parse(text)


@pytest.mark.parametrize(
    ("text", "error", "wrong"),
    [
        ("", BadText, "best of 3"),
        ("best of 2, red first", BadMatch, "an odd number of games"),
        ("best of 0, red first", BadMatch, "an odd number of games"),
        ("best of 3, red first: green", BadText, "not 'green'"),
        ("best of 3, red first: red, red, red", BadMatch, "over after 2 games; there cannot be 3"),
    ],
)
def test_a_match_that_cannot_be_is_refused(text: str, error: type[Exception], wrong: str) -> None:
    with pytest.raises(error, match=wrong):
        Match.parse(text)


@pytest.mark.parametrize("count", [-1, 1, 7])
def test_a_game_refuses_to_take_back_or_play_again_what_is_not_there(count: int) -> None:
    with pytest.raises(NothingToUndo, match="cannot be taken back: the game has 0"):
        Game.new().undo(count)
    with pytest.raises(NothingToUndo, match="cannot be played again: 0 were taken back"):
        Game.new().redo(count)


HEAD = "Linja record 1\nedition zen\nfirst red\n"


@pytest.mark.parametrize(
    ("record", "wrong"),
    [
        ("", "this is empty"),
        ("Linja record 2\n", "begins with 'Linja record 2'"),
        (
            "Linja record 1\nedition zen\n",
            "heading of the record: it has the lines edition and first, or the line start alone",
        ),
        ("Linja record 1\nedition zen\nedition zen\n", "line 3 of the record says edition a second time"),
        ("Linja record 1\nedition go\nfirst red\n", "there is no 'go'"),
        (HEAD + "1 red", "line 4 .* number, player and actions"),
        (HEAD + "2 red 0-1", "line 4 .* this is turn 1, not turn 2"),
        (HEAD + "1 black 7-6", "line 4 .* black is not to move at '7-6': it is red's turn"),
        (HEAD + "1 red 0-1 done 7-6", "line 4 .* red is not to move at '7-6'"),
        (HEAD + "1 red 0-2", "line 4 .* too far"),
        (HEAD + "1 red 0-9", "line 4 .* not '0-9'"),
        (HEAD + "\n# a remark\n1 red 0-1 # another\n2 black 7-6", "line 7 .* black is not to move"),
        (HEAD + "result red wins, red 1 black 0, passed", "line 4 .* the game is not over"),
    ],
)
def test_a_record_that_does_not_read_says_which_line_is_wrong(record: str, wrong: str) -> None:
    with pytest.raises(BadText, match=wrong):
        Game.parse(record)
