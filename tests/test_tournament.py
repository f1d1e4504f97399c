"""Tournaments: fair pairings, games that count for the right player, and a command that says what is wrong."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from engine import EDITIONS, RULE_SETS, Color, Edition, State
from engine.turns import whole_turns
from simulator.__main__ import main
from simulator.tournament.games import Pairing, Result, pairings, play
from simulator.tournament.players import BadPlayer, Entrant
from simulator.tournament.standing import Standing, table
from tests.positions import turn

GREEDY, TWO_TURNS = Entrant("greedy"), Entrant("two-turns")
ZEN = EDITIONS["zen"]


def linja(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["linja", *arguments])
    return main()


def test_every_four_games_are_all_sides_with_all_starters() -> None:
    games = list(pairings([GREEDY, TWO_TURNS], [ZEN], 4, 7))
    assert Counter((game.red, game.first) for game in games) == Counter(
        (entrant, color) for entrant in (GREEDY, TWO_TURNS) for color in Color
    )
    assert all({game.red, game.black} == {GREEDY, TWO_TURNS} for game in games)


def test_everybody_meets_everybody_in_every_edition() -> None:
    entrants = [GREEDY, TWO_TURNS, Entrant("level1")]
    games = list(pairings(entrants, RULE_SETS, 2, 0))
    met = Counter((game.edition, frozenset((game.red, game.black))) for game in games)
    assert len(met) == 3 * len(RULE_SETS)
    assert {*met.values()} == {2}


@pytest.mark.parametrize("name", ["level1", "level4", "full:300n", "full:0.001s", "depth2", "greedy", "two-turns"])
@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_every_player_plays_legal_turns_to_the_end(name: str, edition: Edition) -> None:
    played = play(Pairing(edition, Entrant(name), GREEDY, Color.RED, 1))
    assert played.turns > 10


@pytest.mark.parametrize("name", ["greedy", "two-turns", "level2", "full:500n"])
def test_a_seed_makes_the_same_game_again(name: str) -> None:
    game = Pairing(ZEN, Entrant(name), GREEDY, Color.BLACK, 5)
    assert play(game) == play(game)


def test_the_greedy_player_has_most_points_after_its_turn() -> None:
    state = State.initial(ZEN)
    line = GREEDY.player(0).turn(state)
    after = dict(whole_turns(state))
    assert after[line].points.red == max(end.points.red for end in after.values())


def test_two_turns_sees_an_answer_that_the_greedy_player_does_not() -> None:
    state = turn("classic", "red", "bbbbbbb/-/rr/rbbbb/b/-/rr/rrrrrrr")
    greedy, two_turns = (state_after(state, entrant) for entrant in (GREEDY, TWO_TURNS))
    assert greedy.points.red > two_turns.points.red
    assert best_answer(greedy) > best_answer(two_turns)


def state_after(state: State, entrant: Entrant) -> State:
    for action in entrant.player(0).turn(state):
        state = state.apply(action)
    return state


def best_answer(state: State) -> int:
    return max(end.points.black - end.points.red for _, end in whole_turns(state))


@pytest.mark.parametrize("name", ["level", "level9", "full:", "full:1", "full:-1s", "depth0", "depth", "Greedy", ""])
def test_a_player_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises((BadPlayer, ValueError), match="level"):
        Entrant(name)


def test_wins_and_margins_count_for_the_player_who_made_them() -> None:
    standing = Standing()
    standing.expect(ZEN, GREEDY, TWO_TURNS)
    as_red = Pairing(ZEN, GREEDY, TWO_TURNS, Color.RED, 0)
    as_black = Pairing(ZEN, TWO_TURNS, GREEDY, Color.RED, 0)
    for result in (
        Result(as_red, Color.RED, 8, 30),
        Result(as_black, Color.BLACK, -4, 30),
        Result(as_black, Color.RED, 3, 30),
        Result(as_red, None, 0, 30),
    ):
        standing.add(result)
    (tally,) = standing.tallies
    assert (tally.one, tally.won, tally.drawn, tally.lost, tally.margin) == (GREEDY, 2, 1, 1, 9)
    assert tally.score == 0.625
    assert "62.5 %" in list(table([tally]))[1]


def test_the_command_prints_the_table_for_a_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert linja(monkeypatch, "tournament", "greedy", "two-turns", "--edition", "bonus", "--games", "2", "--json") == 0
    (tally,) = json.loads(capsys.readouterr().out)
    assert (tally["edition"], tally["players"]) == ("bonus", ["greedy", "two-turns"])
    assert tally["won"] + tally["drawn"] + tally["lost"] == 2


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["greedy"], "two or more players"),
        (["greedy", "greedy"], "each of them named once"),
        (["greedy", "chess"], "not 'chess'"),
        (["greedy", "level1", "--edition", "gold"], "there is no 'gold'"),
    ],
)
def test_a_tournament_that_cannot_be_held_is_a_sentence_and_exit_code_2(
    arguments: list[str], wrong: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert linja(monkeypatch, "tournament", *arguments) == 2
    assert wrong in capsys.readouterr().err


def test_an_interrupted_tournament_prints_what_was_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(games: list[Pairing]) -> object:
        yield play(games[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("simulator.tournament.games.play_all", interrupted)
    assert linja(monkeypatch, "tournament", "greedy", "two-turns", "--edition", "zen", "--games", "9") == 130
    captured = capsys.readouterr()
    assert "Interrupted" in captured.err
    assert len(captured.out.splitlines()) == 3
