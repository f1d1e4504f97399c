"""The oracle itself: it gives the known answers, and reads the rulings that random games seldom reach."""

import random

import pytest

from tests.naive import Move, NaiveGame, naive_perft, standing

RULE_SETS = [("classic", False), ("bonus", False), ("bonus", True), ("zen", False), ("zen", True)]
RED_DECLINES: Move = ("decline", "red", None, None)


def played(game: NaiveGame, *moves: Move) -> NaiveGame:
    for move in moves:
        game = game.after(move)
    return game


@pytest.mark.parametrize("first", ["red", "black"])
@pytest.mark.parametrize(
    ("edition", "aggressive", "sequences"),
    [
        ("classic", False, [7, 43, 301, 1849, 10361]),
        ("bonus", False, [7, 50, 374, 2663, 16943]),
        ("bonus", True, [7, 63, 518, 4140, 29714]),
        ("zen", False, [7, 56, 416, 3269, 21048]),
        ("zen", True, [7, 69, 560, 4880, 35285]),
    ],
)
def test_the_known_numbers_of_action_sequences_come_out(
    edition: str, aggressive: bool, first: str, sequences: list[int]
) -> None:
    game = NaiveGame(edition, aggressive, first)
    depths = {"red": 5, "black": 3}[first]  # black's game is the mirror image: a glance is enough
    assert [naive_perft(game, depth) for depth in range(1, depths + 1)] == sequences[:depths]


def test_the_score_picture_of_the_classic_booklet_comes_out() -> None:
    game = NaiveGame("classic", pawns=standing((0, 0, 0, 0, 1, 3, 3, 5), (6, 4, 2, 0, 0, 0, 0, 0)))
    assert game.result() == ("black", 41, 46, "passed")


@pytest.mark.parametrize("edition", ["bonus", "zen"])
def test_the_score_picture_of_the_newer_booklets_comes_out(edition: str) -> None:
    game = NaiveGame(edition, pawns=standing((0, 0, 0, 1, 0, 3, 3, 5), (6, 4, 2, 0, 0, 0, 0, 0)))
    assert game.result() == ("black", 39, 46, "passed")


def test_pawns_far_behind_tell_the_editions_apart() -> None:
    points = {edition: NaiveGame(edition).points() for edition in ("classic", "bonus", "zen")}
    assert points == {"classic": (6, 6), "bonus": (-30, -30), "zen": (-3, -3)}


def test_two_red_and_two_black_pawns_give_a_distance_of_four() -> None:
    game = NaiveGame("zen", pawns=standing((6, 1, 1, 2, 0, 1, 1, 0), (0, 1, 1, 2, 1, 1, 0, 6)))
    assert game.after(("opening", "red", 2, 3)).distance == 4


def test_classic_gives_another_full_turn_for_an_empty_row_but_only_once() -> None:
    game = NaiveGame("classic", pawns=standing((6, 2, 0, 0, 0, 0, 0, 4), (4, 1, 0, 0, 1, 0, 0, 6)))
    second = played(game, ("opening", "red", 0, 1), ("follow-up", "red", 0, 3))
    assert (second.to_move, second.phase) == ("red", "opening")
    third = played(second, ("opening", "red", 0, 1), ("follow-up", "red", 1, 5))
    assert (third.to_move, third.phase) == ("black", "opening")


def test_an_empty_goal_earns_no_further_turn_in_classic() -> None:
    game = NaiveGame("classic", pawns=standing((6, 1, 1, 1, 1, 1, 1, 0), (6, 1, 1, 1, 1, 1, 1, 0)))
    assert played(game, ("opening", "red", 0, 1), ("follow-up", "red", 5, 7)).to_move == "black"


def test_an_opening_into_the_goal_gives_a_follow_up_of_one_in_classic_and_a_bonus_elsewhere() -> None:
    home = {edition: NaiveGame(edition).after(("opening", "red", 6, 7)) for edition in ("classic", "bonus", "zen")}
    assert (home["classic"].phase, home["classic"].distance) == ("follow-up", 1)
    assert (home["bonus"].phase, home["zen"].phase) == ("bonus", "bonus")


def test_only_the_exact_distance_into_the_goal_earns_a_bonus() -> None:
    opened = NaiveGame("bonus").after(("opening", "red", 0, 1))
    assert opened.after(("follow-up", "red", 5, 7)).phase == "bonus"
    assert opened.after(("follow-up", "red", 6, 7)).phase == "opening"


def test_a_full_row_is_crossed_and_no_pawn_stops_in_it() -> None:
    game = NaiveGame("bonus", pawns=standing((3, 1, 3, 1, 0, 0, 0, 4), (4, 1, 3, 0, 0, 0, 0, 4)))
    assert ("opening", "red", 1, 2) not in game.moves()
    assert game.after(("opening", "red", 0, 1)).moves() == {
        ("follow-up", "red", 1, 3),
        ("follow-up", "red", 2, 4),
        ("follow-up", "red", 3, 5),
    }


def test_only_the_aggressive_bonus_touches_the_opponent_and_never_a_pawn_that_is_home() -> None:
    pawns = standing((4, 0, 0, 0, 0, 0, 1, 7), (10, 1, 0, 0, 0, 0, 0, 1))
    mild, aggressive = (
        NaiveGame("zen", option, pawns=pawns).after(("opening", "red", 6, 7)) for option in (False, True)
    )
    own: set[Move] = {("bonus", "red", 0, 1), ("bonus", "red", 7, 6), RED_DECLINES}
    assert mild.moves() == own
    assert aggressive.moves() == own | {("bonus", "black", 1, 0), ("bonus", "black", 1, 2), ("bonus", "black", 7, 6)}


def test_classic_ends_between_two_actions_and_the_others_after_the_turn() -> None:
    pawns = standing((0, 0, 0, 1, 1, 0, 0, 10), (11, 0, 0, 1, 0, 0, 0, 0))
    ended, unfinished = (
        NaiveGame(edition, pawns=pawns).after(("opening", "red", 3, 4)) for edition in ("classic", "bonus")
    )
    assert ended.result() == ("black", 52, 56, "passed")
    assert unfinished.moves() == {("follow-up", "red", 4, 5), RED_DECLINES}
    assert unfinished.after(RED_DECLINES).phase == "over"


def test_a_bonus_that_mixes_the_colours_again_does_not_revive_the_game() -> None:
    game = NaiveGame("bonus", pawns=standing((0, 0, 0, 0, 0, 0, 1, 11), (11, 0, 0, 0, 0, 0, 1, 0)))
    mixed = played(game, ("opening", "red", 6, 7), ("bonus", "red", 7, 6))
    assert mixed.result() == ("red", 58, 52, "passed")


def test_a_player_who_cannot_open_passes() -> None:
    game = NaiveGame("zen", pawns=standing((6, 6, 0, 0, 0, 0, 0, 0), (0, 0, 6, 0, 6, 0, 0, 0)))
    assert (game.to_move, game.phase) == ("black", "opening")


@pytest.mark.parametrize(("edition", "aggressive"), RULE_SETS)
def test_the_game_ends_when_nobody_can_open(edition: str, aggressive: bool) -> None:
    game = NaiveGame(edition, aggressive, pawns=standing((0, 6, 0, 0, 0, 0, 0, 6), (6, 0, 6, 0, 0, 0, 0, 0)))
    result = game.result()
    assert result is not None
    assert (result[0], result[3]) == ("black", "blocked")


def test_the_third_time_a_position_stands_for_the_same_player_is_a_draw_whatever_the_points() -> None:
    there_and_back: list[Move] = [
        ("opening", "red", 6, 7),
        ("bonus", "red", 7, 6),
        ("opening", "black", 1, 0),
        ("bonus", "black", 0, 1),
    ]
    game = NaiveGame("zen", pawns=standing((6, 1, 1, 1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 1, 1, 5)))
    twice = played(game, *there_and_back, *there_and_back[:3])
    assert twice.result() is None
    assert twice.after(there_and_back[3]).result() == (None, -3, 3, "repetition")


def test_what_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="not legal"):
        NaiveGame("zen").after(("opening", "red", 0, 2))


@pytest.mark.parametrize(("edition", "aggressive"), RULE_SETS)
def test_random_games_keep_their_pawns_and_end(edition: str, aggressive: bool) -> None:
    for _ in range(10):
        game = NaiveGame(edition, aggressive)
        while moves := sorted(game.moves(), key=str):
            stood = game.counts()
            later = game.after(random.choice(moves))
            assert game.counts() == stood
            red, black = later.counts()
            assert (sum(red), sum(black)) == (12, 12)
            assert max(map(sum, zip(red[1:7], black[1:7], strict=True))) <= 6
            game = later
        assert game.result() is not None
