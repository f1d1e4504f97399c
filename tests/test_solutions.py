"""Solved games at hand are used for turns, hints and reviews; files that cannot be are told of and done without."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine import EDITIONS, Action, Game, State
from engine.placement import FULL_SIZE, Opponents
from engine.search import Search
from engine.turns import whole_turns
from firmware import cli
from firmware.advice import Wish
from firmware.review import Looker, reviewed
from firmware.solutions import Searches, solution_file
from firmware.thought import consider
from simulator.__main__ import PROGRAM
from tests.test_solved import SETUP, SMALL, small_lines, write

ZEN, CLASSIC = EDITIONS["zen"], EDITIONS["classic"]
START = State.initial(ZEN)
MARGIN = 7


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game of zen that is solved as far as its first turns: red, who begins, loses by seven."""
    lines = {SETUP: [MARGIN] * Opponents(FULL_SIZE, SETUP).count}
    for _, end in whole_turns(START):
        lines.setdefault(end.position.red, [-MARGIN] * Opponents(FULL_SIZE, end.position.red).count)
    write(solution_file(ZEN, tmp_path), ZEN, FULL_SIZE, lines)
    return tmp_path


def is_exact(searches: Searches, state: State = START) -> bool:
    return searches.use(state.edition, lambda search: search.think(state, nodes=1).is_exact)


def test_the_solved_game_is_asked_where_there_is_one(folder: Path) -> None:
    searches = Searches(folder, pytest.fail)
    assert is_exact(searches)
    hint = searches.use(ZEN, lambda search: consider(Wish(START), search, Random(0), lambda: True))
    assert {ranked.margin for ranked in hint.ranked} == {-MARGIN}
    assert hint.is_exact
    assert not is_exact(searches, State.initial(CLASSIC))
    assert is_exact(searches)
    searches.close()


def test_a_review_is_exact_with_it(folder: Path) -> None:
    game = Game.from_state(START).play(Action.parse("red:0-1")).play(Action.parse("red:done"))
    (turn,) = reviewed(game, Looker(Searches(folder, pytest.fail)))
    assert (turn.before, turn.after, turn.loss, turn.is_exact) == (-MARGIN, -MARGIN, 0, True)


def test_without_a_file_one_searches(tmp_path: Path) -> None:
    assert not is_exact(Searches(tmp_path, pytest.fail))


@pytest.mark.parametrize("kept_bytes", [0, 10, 1000])
def test_a_file_that_is_not_whole_is_told_of_once_and_done_without(kept_bytes: int, folder: Path) -> None:
    path = solution_file(ZEN, folder)
    path.write_bytes(path.read_bytes()[:kept_bytes])
    told: list[str] = []
    searches = Searches(folder, told.append)
    assert [is_exact(searches) for _ in range(3)] == [False, False, False]
    (sentence,) = told
    assert str(path) in sentence
    assert sentence.endswith("; it is done without")


def test_a_file_about_another_game_is_told_of_and_done_without(tmp_path: Path) -> None:
    write(solution_file(ZEN, tmp_path), ZEN, SMALL, small_lines(lambda mover, opponent: 0))
    write(solution_file(CLASSIC, tmp_path), ZEN, FULL_SIZE, {})
    told: list[str] = []
    searches = Searches(tmp_path, told.append)
    assert not is_exact(searches)
    assert not is_exact(searches, State.initial(CLASSIC))
    assert ["smaller board" in told[0], "is about zen, not classic" in told[1]] == [True, True]


def test_damage_that_is_met_in_the_middle_is_told_of_and_the_thought_is_thought_again(folder: Path) -> None:
    told: list[str] = []
    searches = Searches(folder, told.append)
    later = State.parse("zen red opening rrrrr/rrb/rbbb/rb/rb/rb/rb/bbbb")
    assert is_exact(searches)
    assert not is_exact(searches, later)
    assert not is_exact(searches)
    (sentence,) = told
    assert "damaged" in sentence


def test_analyse_takes_them_from_any_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game.from_state(START).play(Action.parse("red:0-1")).play(Action.parse("red:done"))
    record = folder / "game.txt"
    record.write_text(str(game))
    assert cli.main(PROGRAM, "analyse", ["analyse", "--solutions", str(folder), str(record)]) == 0
    printed = capsys.readouterr().out
    assert f"black {MARGIN}.0" in printed
    assert "estimated" not in printed


def test_what_is_found_by_search_stays_found_while_the_edition_does() -> None:
    searches = Searches(Path("nowhere"), pytest.fail)
    same: list[Search] = []
    for _ in range(2):
        searches.use(ZEN, same.append)
    assert same[0] is same[1]
