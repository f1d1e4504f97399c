"""The solver: small games in full, the end of the full game in part, each as brute force has it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine import RULE_SETS, BadSolution, Color, Edition, Position, State
from engine.placement import FULL_SIZE, Geometry
from engine.solved import Solved
from engine.turns import whole_turns
from tests.late_positions import ROWS_TO_GO, late_starts, margins
from tests.small_game import End, SmallGame
from tests.small_game import Position as SmallPosition
from tests.test_against_naive import random_position

pytest.importorskip("numba", reason="the solver needs numpy and numba, which are not there")

from engine.solve import Levels, solve

TINY = Geometry(rows=3, pawns=2, room=2)
SMALL = (Geometry(rows=4, pawns=3, room=2), Geometry(rows=5, pawns=3, room=3), Geometry(rows=7, pawns=2, room=1))

pytestmark = pytest.mark.timeout(600)  # the first test waits for the compiler
each_rule_set = pytest.mark.parametrize("edition", RULE_SETS, ids=str)


def seen_by(player: Color, position: Position) -> SmallPosition:
    red, black = position.red, position.black[::-1]
    return (red, black) if player is Color.RED else (black, red)


class Interrupted(Exception):
    pass


class Watched:
    """Sees the progress of a solve, and interrupts it when it has seen so much."""

    def __init__(self, patience: int = 1000) -> None:
        self._patience = patience

    def __call__(self, share: float, words: str) -> None:
        assert 0 <= share <= 1
        assert words
        self._patience -= 1
        if not self._patience:
            raise Interrupted


def solved(edition: Edition, geometry: Geometry, path: Path) -> Solved:
    solve(edition, path, 2, Watched(), geometry)
    return Solved.open(path)


@each_rule_set
@pytest.mark.parametrize("geometry", SMALL, ids=str)
def test_a_small_game_is_solved_as_brute_force_does(edition: Edition, geometry: Geometry, tmp_path: Path) -> None:
    expected = SmallGame(edition, geometry).margins()
    with solved(edition, geometry, tmp_path / "game") as game:
        assert {position: game.between(*position) for position in expected} == expected
        game.verify()


@each_rule_set
def test_the_small_games_rules_are_the_engines_rules(edition: Edition, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    game = SmallGame(edition, FULL_SIZE)
    for _ in range(40):
        state = State.at(edition, random_position(rng), rng.choice(list(Color)))
        if state.outcome is None:
            ends = {
                End(None, points.of(state.to_move) - points.of(state.to_move.opponent))
                if end.outcome and (points := end.outcome.points)
                else End(seen_by(state.to_move.opponent, end.position))
                for _, end in whole_turns(state)
            }
            assert set(game.turn_ends(*seen_by(state.to_move, state.position))) == ends, state


@each_rule_set
def test_all_late_positions_of_the_full_game_are_worth_what_brute_force_says(edition: Edition) -> None:
    starts = late_starts(edition)
    with Levels(edition, FULL_SIZE, 2) as levels:
        for level in range(levels.last, levels.last - ROWS_TO_GO - 1, -1):
            levels.solve(level)
        found = {
            (state.position, state.to_move): levels.margin(*seen_by(state.to_move, state.position)) for state in starts
        }
    assert found == margins(starts)


def margin_by_the_rules(game: SmallGame, position: SmallPosition, before: tuple[SmallPosition, ...] = ()) -> int:
    """Brute force with a history: the third time that a position stands at the start of a player's turn is a draw.

    Which player's turn it is can be told by how many turns ago a position was there.
    """
    if before[-2::-2].count(position) == 2:
        return 0
    history = (*before, position)
    return max(
        end.margin
        if end.position is None
        else -margin_by_the_rules(game, end.position, history if progress(end.position) == progress(position) else ())
        for end in game.turn_ends(*position)
    )


def progress(position: SmallPosition) -> int:
    return sum(row * pawns for counts in position for row, pawns in enumerate(counts))


@each_rule_set
def test_play_without_end_is_worth_what_the_rule_of_repetition_makes_it(edition: Edition, tmp_path: Path) -> None:
    game = SmallGame(edition, TINY)
    expected = {position: margin_by_the_rules(game, position) for position in game.positions()}
    with solved(edition, TINY, tmp_path / "game") as table:
        assert {position: table.between(*position) for position in expected} == expected


@each_rule_set
def test_an_interrupted_solve_goes_on_where_it_was_and_ends_alike(edition: Edition, tmp_path: Path) -> None:
    solved(edition, SMALL[0], tmp_path / "at once").close()
    path = tmp_path / "in parts"
    for patience in (3, 9, 20):
        with pytest.raises(Interrupted):
            solve(edition, path, 2, Watched(patience), SMALL[0])
        assert not path.exists()
    solved(edition, SMALL[0], path).close()
    assert path.read_bytes() == (tmp_path / "at once").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["at once", "in parts"]


@pytest.mark.parametrize("cut", [1, 30])
def test_a_level_that_was_half_written_is_done_again(cut: int, tmp_path: Path) -> None:
    edition, part = RULE_SETS[0], tmp_path / "game.part"
    with pytest.raises(Interrupted):
        solve(edition, tmp_path / "game", 2, Watched(9), SMALL[0])
    part.write_bytes(part.read_bytes()[:-cut])
    expected = SmallGame(edition, SMALL[0]).margins()
    with solved(edition, SMALL[0], tmp_path / "game") as game:
        assert {position: game.between(*position) for position in expected} == expected


def test_what_was_kept_of_another_game_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        solve(RULE_SETS[0], tmp_path / "game", 2, Watched(3), SMALL[0])
    before = (tmp_path / "game.part").read_bytes()
    with pytest.raises(BadSolution, match=r"game.part: it was kept of another game"):
        solve(RULE_SETS[1], tmp_path / "game", 2, Watched(), SMALL[0])
    assert (tmp_path / "game.part").read_bytes() == before
