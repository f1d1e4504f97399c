"""The solved game, as it is read: what a file says, and that no file is believed that is foreign or damaged."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from engine import EDITIONS, RULE_SETS, Action, BadInput, BadSolution, Color, Edition, Ending, Position, State
from engine.exact import judge
from engine.placement import FULL_SIZE, Geometry, Opponents
from engine.solved import Solved
from engine.solved_file import HEADER_BYTES, PLACE, Header
from engine.turns import goes_on, whole_turns
from tests.late_positions import late_starts, margin_in, margins, worth_of_line
from tests.positions import legal, play, turn
from tests.small_game import Counts, SmallGame

ZEN = EDITIONS["zen"]
SMALL = Geometry(rows=4, pawns=3, room=2)
SETUP: Counts = (6, 1, 1, 1, 1, 1, 1, 0)

each_rule_set = pytest.mark.parametrize("edition", RULE_SETS, ids=str)


def write(path: Path, edition: Edition, geometry: Geometry, lines: Mapping[Counts, list[int]]) -> Path:
    """A file in which only some lines have anything in them."""
    begin = Header(edition, geometry, 0, 0).lines_begin
    places, body = bytearray(), bytearray()
    for counts in geometry.all_counts():
        line = zlib.compress(array("b", lines[counts]).tobytes()) if counts in lines else b""
        places += PLACE.pack(begin + len(body), len(line))
        body += line
    header = Header(edition, geometry, begin + len(body), zlib.crc32(places))
    path.write_bytes(header.pack() + places + body)
    return path


def small_lines(margin: Callable[[Counts, Counts], int]) -> dict[Counts, list[int]]:
    """The lines of all movers of the small game, in the order in which their opponents are counted off."""
    positions = sorted(SmallGame(ZEN, SMALL).positions())
    lines: dict[Counts, list[int]] = {}
    for mover, opponent in positions:
        lines.setdefault(mover, []).append(margin(mover, opponent))
    return lines


@pytest.fixture
def small_file(tmp_path: Path) -> Path:
    lines = small_lines(lambda mover, opponent: 0)
    return write(tmp_path / "small.solved", ZEN, SMALL, lines)


def test_every_margin_is_found_where_it_was_put(tmp_path: Path) -> None:
    def margin(mover: Counts, opponent: Counts) -> int:
        return (SMALL.number(mover) * 20 + SMALL.number(opponent)) % 241 - 120

    path = write(tmp_path / "small.solved", ZEN, SMALL, small_lines(margin))
    with Solved.open(path) as solved:
        for position in SmallGame(ZEN, SMALL).positions():
            assert solved.between(*position) == margin(*position), position


@pytest.mark.parametrize("geometry", [SMALL, Geometry(5, 4, 3), Geometry(3, 2, 4)], ids=str)
def test_opponents_are_counted_off_without_a_gap(geometry: Geometry) -> None:
    by_mover: dict[Counts, list[Counts]] = {}
    for mover, opponent in SmallGame(ZEN, geometry).positions():
        by_mover.setdefault(mover, []).append(opponent)
    for mover, opponents in by_mover.items():
        counted = Opponents(geometry, mover)
        assert [counted.place(opponent) for opponent in sorted(opponents)] == list(range(counted.count)), mover


def test_placements_are_numbered_without_a_gap() -> None:
    numbers = [FULL_SIZE.number(counts) for counts in FULL_SIZE.all_counts()]
    assert numbers == list(range(50_388)) == list(range(FULL_SIZE.placements))


@pytest.mark.parametrize("player", Color)
def test_a_margin_is_for_the_player_to_move_whatever_the_colour(player: Color, tmp_path: Path) -> None:
    opponents = Opponents(FULL_SIZE, SETUP)
    line = [0] * opponents.count
    line[opponents.place(SETUP)] = 7
    ahead = (6, 1, 1, 1, 1, 1, 0, 1)
    line[opponents.place(ahead)] = -9
    path = write(tmp_path / "zen.solved", ZEN, FULL_SIZE, {SETUP: line})
    sides = {player: SETUP, player.opponent: ahead}
    position = Position(sides[Color.RED], sides[Color.BLACK][::-1])
    with Solved.open(path) as solved:
        assert solved.margin(State.initial(ZEN, player)) == 7
        assert solved.margin(State.at(ZEN, position, player)) == -9


def test_a_game_that_is_over_is_worth_its_points_or_nothing_if_it_was_drawn(small_file: Path, tmp_path: Path) -> None:
    over = turn("zen", "red", "bbbbbb/bbbbb/b/-/-/r/rr/rrrrrrrrr")
    assert over.outcome
    margin = over.outcome.points.red - over.outcome.points.black
    assert margin
    repeated = State.parse("zen red over repetition rrrrr/rb/rb/rb/rb/rrb/rb/bbbbbb")
    assert repeated.outcome
    assert repeated.outcome.reason is Ending.REPETITION
    assert repeated.points.red != repeated.points.black
    with Solved.open(write(tmp_path / "zen.solved", ZEN, FULL_SIZE, {})) as solved:
        assert solved.margin(over) == margin
        assert solved.margin(repeated) == 0


def test_the_table_is_asked_only_for_what_it_knows(small_file: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "zen.solved", ZEN, FULL_SIZE, {})
    with Solved.open(path) as solved:
        with pytest.raises(BadInput, match=r"start of a turn, not zen red follow-up 2"):
            solved.margin(play(State.initial(ZEN), "0-1"))
        with pytest.raises(BadInput, match=r"zen.solved is about zen, not classic"):
            solved.margin(State.initial(EDITIONS["classic"]))
        with pytest.raises(BadInput, match="the game is over"):
            solved.judge(turn("zen", "red", "bbbbbb/bbbbb/b/-/-/r/rr/rrrrrrrrr"))
    with Solved.open(small_file) as solved, pytest.raises(BadInput, match=r"a smaller board"):
        solved.margin(State.initial(ZEN))


def refusal(path: Path) -> str:
    with pytest.raises(BadSolution) as refused:
        Solved.open(path).verify()
    return str(refused.value).replace(str(path), "FILE")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "FILE: this is not the file of a solved game"),
        (b"Linja record 1\n", "FILE: this is not the file of a solved game"),
        (b"Linja solved", "FILE: the file breaks off in its header"),
    ],
)
def test_a_foreign_file_is_refused(content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert refusal(path) == complaint


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere") == "FILE cannot be read: No such file or directory"


def test_another_version_is_named(small_file: Path) -> None:
    data = bytearray(small_file.read_bytes())
    data[12] = 9
    small_file.write_bytes(data)
    assert refusal(small_file) == "FILE: the file has version 9 of the format; this program reads version 1"


def test_damage_in_any_byte_is_seen(small_file: Path) -> None:
    whole = small_file.read_bytes()
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 0x10
        small_file.write_bytes(data)
        assert refusal(small_file).startswith("FILE"), place


@pytest.mark.parametrize("length", [HEADER_BYTES, -1])
def test_a_file_that_breaks_off_is_refused(length: int, small_file: Path) -> None:
    small_file.write_bytes(small_file.read_bytes()[:length])
    assert refusal(small_file).endswith("it is not whole")


def states_of_turn(start: State) -> list[State]:
    """The start of a turn and every state in it."""
    states = [start]
    for state in states:
        states += [after for action in state.legal_actions() if goes_on(after := state.apply(action))]
    return states


@each_rule_set
def test_every_action_in_any_phase_is_worth_the_best_that_the_rest_of_the_turn_leads_to(edition: Edition) -> None:
    starts = late_starts(edition)
    margin = partial(margin_in, margins(starts))
    for start in starts[::97]:
        for state in states_of_turn(start):
            thought = judge(state, margin)
            best: dict[Action, int] = {}
            for line, end in whole_turns(state):
                worth = margin(end) * (1 if end.to_move is state.to_move else -1)
                best[line[0]] = max(best.get(line[0], -1000), worth)
            assert {judged.action: judged.margin for judged in thought.judged} == best
            assert thought.best.margin == max(best.values())
            assert thought.is_exact
            for judged in thought.judged:
                assert worth_of_line(state, judged.line, margin) == judged.margin


def test_who_is_ahead_gains_ground_rather_than_go_round_in_a_circle() -> None:
    state = turn("zen", "red", "bbbbbbbbbbb/-/-/-/-/-/r/rrrrrrrrrrrb")
    assert {"*7-6", "done"} == legal(play(state, "6-7"))
    assert best_turn(state, lambda end: -5) == "6-7 done"
    assert best_turn(state, lambda end: 5) == "6-7 *7-6"


def best_turn(state: State, margin: Callable[[State], int]) -> str:
    return " ".join(action.short(state.to_move) for action in judge(state, margin).best.line)
