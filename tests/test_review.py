"""A game looked back at: exact where it can be, fair to whoever played well, and told as text and as JSON."""

from __future__ import annotations

import io
import json
import random
from functools import cache
from pathlib import Path

import pytest

from engine import EDITIONS, RULE_SETS, Action, Color, Edition, Game, Position, State
from engine.turns import whole_turns
from firmware import cli
from firmware.review import Looker, ReviewedTurn, Verdict, reviewed, summary, turning_points
from firmware.solutions import Searches
from simulator.__main__ import PROGRAM
from tests.journals import finished_game

NEAR_THE_END = "bbbbbb/bbbb/b/rb/-/rr/rrrr/rrrrr"


def searches() -> Searches:
    """Without any solved game."""
    return Searches(Path("nowhere"), pytest.fail)


def near_the_end(edition: Edition, rng: random.Random) -> Game:
    """A game of which little is left, played on by chance."""
    game = Game.from_state(State.at(edition, Position.parse(NEAR_THE_END), Color.RED))
    while game.state.outcome is None:
        game = game.play(rng.choice(game.state.legal_actions()))
    return game


@cache
def margin(state: State) -> float:
    """By how many points red ends ahead when both play their best: by trying everything."""
    if state.outcome is not None:
        return state.outcome.points.red - state.outcome.points.black
    ends = [margin(end) for _, end in whole_turns(state)]
    return max(ends) if state.to_move is Color.RED else min(ends)


def exact(state: State) -> Verdict:
    """A judge that tries everything."""
    if state.outcome is not None:
        return Verdict(margin(state), (), True)
    ahead = state.to_move.forward
    line, end = max(whole_turns(state), key=lambda turn: ahead * margin(turn[1]))
    return Verdict(margin(end), line, True)


@pytest.mark.parametrize("seed", range(20))
def test_near_the_end_what_was_given_away_is_what_trying_everything_says(seed: int) -> None:
    game = near_the_end(EDITIONS["classic"], random.Random(seed))
    found = [*reviewed(game, Looker(searches(), depth=20))]
    for turn, true in zip(found, reviewed(game, exact), strict=True):
        assert (turn.number, turn.before, turn.after, turn.loss) == (true.number, true.before, true.after, true.loss)
        assert turn.is_exact


@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_a_review_agrees_with_itself_and_with_the_rules(edition: Edition) -> None:
    game = finished_game(edition, random.Random(str(edition)))
    turns = [*reviewed(game, Looker(searches(), depth=2))]
    assert [turn.number for turn in turns] == [turn.number for turn in game.turns]
    assert tuple(action for turn in turns for action in turn.actions) == game.actions
    outcome = game.state.outcome
    assert outcome
    assert turns[-1].after in (outcome.points.red - outcome.points.black, 0)
    start = 0
    for turn in turns:
        assert turn.loss >= 0
        assert turn.loss == pytest.approx(turn.player.forward * (turn.before - turn.after))
        assert bool(turn.better) == (turn.loss > 0)
        state = game.states[start]
        assert not turn.better or turn.better in {line for line, _ in whole_turns(state)}
        start += len(turn.actions)


def test_who_plays_the_best_turn_gives_nothing_away() -> None:
    shared = searches()
    state = State.initial(EDITIONS["zen"])
    line = Looker(shared, depth=2)(state).line
    game = Game.from_state(state)
    for action in line:
        if game.state.to_move is Color.RED:
            game = game.play(action)
    (turn,) = reviewed(game, Looker(shared, depth=2))
    assert (turn.loss, turn.better) == (0, ())


def test_a_review_can_begin_later() -> None:
    game = finished_game(EDITIONS["zen"], random.Random(1))
    whole = [*reviewed(game, Looker(searches(), depth=1))]
    assert [*reviewed(game, Looker(searches(), depth=1), 3)] == whole[3:]


def test_play_without_end_is_a_draw_whatever_the_points() -> None:
    state = State.parse("zen red over repetition bbbbbb/bbbbbb/-/rr/rr/rr/rrr/rrr")
    assert state.points.red != state.points.black
    assert Looker(searches())(state) == Verdict(0.0, (), is_exact=True)


# Turning points


def turn(number: int, before: float, after: float, player: Color = Color.RED) -> ReviewedTurn:
    loss = player.forward * (before - after)
    return ReviewedTurn(number, player, (), before, after, loss, (), is_exact=False)


def test_costly_turns_and_those_that_change_the_winner_are_turning_points() -> None:
    turns = [
        turn(1, 5, 3),
        turn(2, 5, 2),
        turn(3, 0.5, -0.6),
        turn(4, -0.1, 0.1, Color.BLACK),
        turn(5, -1, 0.5, Color.BLACK),
    ]
    assert [each.number for each in turning_points(turns)] == [2, 3, 5]


def test_of_many_turning_points_the_costliest_are_told_in_their_order() -> None:
    assert [each.number for each in turning_points(turn(n, n, 0) for n in range(3, 11))] == [6, 7, 8, 9, 10]


def test_the_summary_adds_up_what_each_colour_made_of_all_games() -> None:
    game = finished_game(EDITIONS["zen"], random.Random(4), winner=Color.BLACK)
    red, black = summary([(game, [turn(1, 4, 0), turn(2, 0, 1, Color.BLACK)]), (game, [turn(1, 1, 0)])])
    assert (red.won, red.turns, red.lost_points, red.turning_points, red.mean_loss) == (0, 2, 5, 2, 2.5)
    assert (black.won, black.turns, black.lost_points) == (2, 1, 1)


# The command


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(str(finished_game(EDITIONS["zen"], random.Random(7))))
    return path


def analyse(*arguments: object) -> int:
    return cli.main(PROGRAM, "analyse", ["analyse", *map(str, arguments)])


def test_the_text_has_a_line_for_every_turn_and_names_the_turning_points(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyse("--depth", 1, record) == 0
    lines = capsys.readouterr().out.splitlines()
    game = Game.parse(record.read_text())
    assert lines[0].startswith(f"{record}: zen, ")
    for turn, line in zip(game.turns, lines[2:], strict=False):
        assert line.startswith(f"{turn.number:4}  {turn.player!s:6}  {turn.actions[0].short(turn.player)}")
    assert any("turned it" in line for line in lines)
    assert sum("gave away" in line and " a turn." in line for line in lines) == 2


def test_the_json_reads_back_with_legal_turns(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse("--depth", 1, "--json", record, record) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["format"], document["version"], len(document["games"])) == ("linja analysis", 1, 2)
    game = Game.parse(record.read_text())
    (one, other) = document["games"]
    assert one == other
    assert [Action.parse(text) for turn in one["turns"] for text in turn["actions"]] == list(game.actions)
    assert set(one["turning_points"]) <= {turn["number"] for turn in one["turns"] if turn["loss"] >= 1}
    assert document["summary"]["red"]["turns"] == 2 * sum(turn["player"] == "red" for turn in one["turns"])


def test_several_games_in_one_file_or_several_files_get_a_summary(
    record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = record.read_text()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{content}\n{content}".encode())))
    assert analyse("--depth", 1, "-", record) == 0
    printed = capsys.readouterr().out
    assert "-, game 2: zen" in printed
    assert "In all 3 games, 3 finished" in printed


def test_a_game_that_is_not_finished_or_not_begun_is_looked_at_as_far_as_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in (Game.new(), Game.new().play(Action.parse("red:0-1"))):
        path = tmp_path / "game.txt"
        path.write_text(str(game))
        assert analyse("--depth", 1, path) == 0
        assert "not finished" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "complaint"), [("nonsense", "a record begins with"), (None, "cannot be read"), (b"\xff", "neither")]
)
def test_what_is_no_record_is_a_sentence(
    content: str | bytes | None, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.txt"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert analyse(path) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize("depth", ["0", "10", "deep"])
def test_a_depth_that_cannot_be_is_refused(depth: str, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        analyse("--depth", depth, record)
    assert "a depth is 1 to 9 turns" in capsys.readouterr().err
