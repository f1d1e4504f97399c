"""The journal: what was accepted is on disk, and stays there, whatever happens to the program, the disk or the file."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine import EDITIONS, RULE_SETS, Action, Color, Edition, Game, IllegalAction, Match
from firmware.journal import Archive, Journal, JournalError, KeptGame, NoJournal, NoSuchGame
from firmware.journal.file import connect
from tests.journals import AT, finished_game, hasty, play, some_actions

ZEN = EDITIONS["zen"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "linja.db"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


class Told(list[str]):
    """What the journal said."""

    def __call__(self, sentence: str) -> None:
        self.append(sentence)


def untold(sentence: str) -> None:
    raise AssertionError(f"the journal had something to say: {sentence}")


def opened(path: Path, tell: Callable[[str], None] = untold) -> closing[Journal]:
    return closing(Journal.open(path, tell, hasty))


def actions(text: str) -> tuple[Action, ...]:
    return tuple(map(Action.parse, text.split()))


def play_whole(journal: Journal, game: Game, match: Match | None = None) -> str:
    key = journal.begin(game.start.edition, game.start.to_move, match, at=AT)
    assert all(play(journal, key, game.actions))
    return key


def after_a_pulled_plug(path: Path) -> KeptGame | None:
    """What is there when the journal that was writing is neither closed nor asked."""
    copy = path.parent / "after"
    copy.mkdir()
    for part in ("", "-wal"):
        (copy / f"{path.name}{part}").write_bytes((path.parent / f"{path.name}{part}").read_bytes())
    with opened(copy / path.name) as after:
        return after.current()


# What is played


def test_an_action_is_in_the_file_when_accept_returns(path: Path, rng: random.Random) -> None:
    game = finished_game(ZEN, rng)
    with opened(path) as journal, closing(connect(path)) as other:
        key = journal.begin(ZEN, Color.RED, at=AT)
        for number, action in enumerate(game.actions):
            assert journal.accept(key, number, action, at=AT)
            rows = other.execute("SELECT action FROM actions ORDER BY number").fetchall()
            assert [text for (text,) in rows] == [str(action) for action in game.actions[: number + 1]]


@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_an_interrupted_game_goes_on_where_it_was_in_the_middle_of_a_turn_too(
    edition: Edition, path: Path, rng: random.Random
) -> None:
    game = Game.new(edition, Color.BLACK)
    for action in some_actions(game, 9, rng):
        game = game.play(action)
    match = Match.parse("best of 3, red first: black")
    with opened(path) as journal:
        play_whole(journal, game, match)
        kept = after_a_pulled_plug(path)
    assert kept is not None
    assert kept.game == game
    assert kept.match == match
    assert kept.began == AT


def test_a_game_that_was_found_again_is_played_on(path: Path, rng: random.Random) -> None:
    played = finished_game(ZEN, rng).actions
    with opened(path) as journal:
        play(journal, journal.begin(ZEN, Color.RED, at=AT), played[:5])
    with opened(path) as journal:
        kept = journal.current()
        assert kept is not None
        play(journal, kept.key, played[5:], after=5)
    with Archive.open(path) as archive:
        assert [entry.number for entry in archive.games()] == [1]
        assert archive.load(1).game.actions == played


def test_what_was_taken_back_is_gone_and_another_action_takes_its_place(path: Path) -> None:
    with opened(path) as journal:
        key = journal.begin(ZEN, Color.RED, at=AT)
        play(journal, key, actions("red:0-1 red:+0-2 black:7-6"))
        assert journal.take_back(key, 2)
        play(journal, key, actions("red:done"), after=1)
    with opened(path) as journal:
        kept = journal.current()
        assert kept is not None
        assert [str(action) for action in kept.game.actions] == ["red:0-1", "red:done"]


def test_declines_that_only_the_opponents_move_had_said_are_known_again(path: Path) -> None:
    with opened(path) as journal:
        key = journal.begin(ZEN, Color.RED, at=AT)
        journal.accept(key, 0, Action.parse("red:0-1"), at=AT)
        journal.accept(key, 1, Action.parse("red:done"), at=AT, implied=True)
        journal.accept(key, 2, Action.parse("black:7-6"), at=AT)
        journal.accept(key, 3, Action.parse("black:done"), at=AT, implied=True)
        journal.take_back(key, 1)
    with opened(path) as journal:
        kept = journal.current()
        assert kept is not None
        assert kept.implied == {1}


def test_a_finished_game_is_not_gone_on_with(path: Path, rng: random.Random) -> None:
    with opened(path) as journal:
        play_whole(journal, finished_game(ZEN, rng))
    with opened(path) as journal:
        assert journal.current() is None


def test_a_finished_game_is_found_again_while_its_match_goes_on(path: Path, rng: random.Random) -> None:
    game = finished_game(ZEN, rng, winner=Color.RED)
    with opened(path) as journal:
        play_whole(journal, game, Match.parse("best of 3, red first: black"))
    with opened(path) as journal:
        kept = journal.current()
        assert kept is not None
        assert kept.game == game
        play_whole(journal, game, Match.parse("best of 3, red first: red"))
    with opened(path) as journal:
        assert journal.current() is None


def test_a_finished_game_whose_end_is_taken_back_is_no_longer_over(path: Path, rng: random.Random) -> None:
    game = finished_game(ZEN, rng)
    with opened(path) as journal:
        journal.take_back(play_whole(journal, game), 1)
    with opened(path) as journal, Archive.open(path) as archive:
        kept = journal.current()
        assert kept is not None
        assert kept.game.actions == game.actions[:-1]
        assert kept.ended is None
        assert [entry.ending for entry in archive.games()] == [None]


def test_a_game_that_was_set_up_and_never_played_leaves_no_trace(path: Path) -> None:
    with opened(path) as journal:
        journal.begin(ZEN, Color.RED, at=AT)
        journal.begin(EDITIONS["classic"], Color.BLACK, at=AT)
        kept = journal.current()
    assert kept is not None
    assert kept.game == Game.new(EDITIONS["classic"], Color.BLACK)
    with Archive.open(path) as archive:
        assert [(entry.number, entry.edition) for entry in archive.games()] == [(1, "classic")]


def test_accepting_the_same_action_twice_is_harmless(path: Path) -> None:
    opening = actions("red:0-1")
    with opened(path) as journal:
        key = journal.begin(ZEN, Color.RED, at=AT)
        play(journal, key, opening)
        play(journal, key, opening)
    with Archive.open(path) as archive:
        assert archive.load(1).game.actions == opening


def test_an_action_that_does_not_follow_is_refused_and_nothing_changes(path: Path) -> None:
    with opened(path) as journal:
        key = journal.begin(ZEN, Color.RED, at=AT)
        play(journal, key, actions("red:0-1"))
        with pytest.raises(JournalError, match="action 2 of a game that has 1 actions"):
            journal.accept(key, 2, Action.parse("red:done"), at=AT)
        with pytest.raises(JournalError, match="action 0 of a game that has 1 actions"):
            journal.accept(key, 0, Action.parse("red:1-2"), at=AT)
        with pytest.raises(IllegalAction):
            journal.accept(key, 1, Action.parse("red:+0-4"), at=AT)
        with pytest.raises(NoSuchGame, match="no game with the key 'other'"):
            journal.accept("other", 1, Action.parse("red:done"), at=AT)
    with Archive.open(path) as archive:
        assert len(archive.load(1).game.actions) == 1


def test_nothing_is_accepted_before_the_disk_has_it(path: Path) -> None:
    connections: list[sqlite3.Connection] = []

    def watched(path: Path) -> sqlite3.Connection:
        connections.append(connect(path))
        return connections[-1]

    with closing(Journal.open(path, untold, watched)):
        full = 2
        assert connections[-1].execute("PRAGMA synchronous").fetchone() == (full,)
        assert connections[-1].execute("PRAGMA journal_mode").fetchone() == ("wal",)


# Reading


def test_the_list_names_every_game_and_how_it_ended(path: Path, rng: random.Random) -> None:
    games = [finished_game(edition, rng) for edition in RULE_SETS]
    with opened(path) as journal:
        for game in games:
            play_whole(journal, game)
        play(journal, journal.begin(ZEN, Color.BLACK, at=AT), actions("black:7-6"))
        with Archive.open(path) as archive:
            entries = list(archive.games())
            assert [archive.load(entry.number).game for entry in entries[:-1]] == games
    outcomes = [game.state.outcome for game in games]
    assert [(entry.edition, entry.turns) for entry in entries[:-1]] == [
        (str(game.start.edition), len(game.turns)) for game in games
    ]
    assert [(entry.winner, entry.red, entry.black, entry.ending) for entry in entries] == [
        *(
            (str(o.winner) if o.winner else None, o.points.red, o.points.black, o.reason.value)
            for o in outcomes
            if o is not None
        ),
        (None, None, None, None),
    ]


def test_statistics_count_the_finished_games_of_each_edition(path: Path, rng: random.Random) -> None:
    games = [finished_game(edition, rng, first=first) for edition in RULE_SETS[:2] for first in Color for _ in range(4)]
    with opened(path) as journal:
        for game in games:
            play_whole(journal, game)
        play(journal, journal.begin(ZEN, Color.BLACK, at=AT), actions("black:7-6"))
    with Archive.open(path) as archive:
        bonus, classic = archive.statistics()
    assert (bonus.edition, classic.edition) == ("bonus", "classic")
    mine = [game for game in games if game.start.edition.name == "classic"]
    outcomes = [(game.start.to_move, game.state.outcome) for game in mine if game.state.outcome]
    assert classic.games == 8
    assert classic.red_wins == sum(outcome.winner is Color.RED for _, outcome in outcomes)
    assert classic.black_wins == sum(outcome.winner is Color.BLACK for _, outcome in outcomes)
    assert classic.draws == sum(outcome.winner is None for _, outcome in outcomes)
    assert classic.starter_wins == sum(outcome.winner is first for first, outcome in outcomes)
    assert classic.mean_red == pytest.approx(sum(outcome.points.red for _, outcome in outcomes) / 8)
    assert classic.mean_black == pytest.approx(sum(outcome.points.black for _, outcome in outcomes) / 8)
    assert classic.mean_turns == pytest.approx(sum(len(game.turns) for game in mine) / 8)


def test_the_same_game_is_found_and_another_is_not(path: Path, rng: random.Random) -> None:
    game, other = finished_game(ZEN, rng), finished_game(ZEN, rng)
    with opened(path) as journal:
        play_whole(journal, game)
    with Archive.open(path) as archive:
        assert archive.find(game) == 1
        assert archive.find(other) is None
        assert archive.find(game.undo(1)) is None


def test_a_game_of_the_same_length_and_points_is_not_taken_for_the_same(path: Path) -> None:
    with opened(path) as journal:
        play(journal, journal.begin(ZEN, Color.RED, at=AT), actions("red:0-1"))
    with Archive.open(path) as archive:
        assert archive.find(Game.new(ZEN).play(Action.parse("red:1-2"))) is None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_journal_of_somebody_else_can_be_read(path: Path) -> None:
    with opened(path) as journal:
        play(journal, journal.begin(ZEN, Color.RED, at=AT), actions("red:0-1"))
    path.parent.chmod(0o555)
    try:
        with Archive.open(path) as archive:
            assert archive.load(1).game.actions == actions("red:0-1")
    finally:
        path.parent.chmod(0o755)


def test_a_game_that_is_not_there_is_named(path: Path) -> None:
    with pytest.raises(NoJournal, match=r"there is no journal at .*linja\.db"):
        Archive.open(path)
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as killed_while_it_made_the_journal:
        killed_while_it_made_the_journal.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(NoJournal, match=r"there is no journal at .*linja\.db"):
        Archive.open(path)
    with opened(path):
        pass
    with Archive.open(path) as archive, pytest.raises(NoSuchGame, match=r"linja\.db has no game 7"):
        archive.load(7)


def test_an_action_in_the_file_that_is_against_the_rules_is_named(path: Path) -> None:
    with opened(path) as journal:
        play(journal, journal.begin(ZEN, Color.RED, at=AT), actions("red:0-1 red:+0-2"))
    with closing(connect(path)) as tampering:
        tampering.execute("UPDATE actions SET action = 'red:+0-5' WHERE number = 1")
    with Archive.open(path) as archive, pytest.raises(JournalError, match="action 2 of game 1 makes no sense: too far"):
        archive.load(1)
    told = Told()
    with opened(path, told) as journal:
        kept = journal.current()
        assert kept is not None
        assert [str(action) for action in kept.game.actions] == ["red:0-1"]
        play(journal, kept.key, actions("red:done"), after=1)
    assert "action 2 of game 1 makes no sense" in told[0]
    with Archive.open(path) as archive:
        assert [str(action) for action in archive.load(1).game.actions] == ["red:0-1", "red:done"]


def test_one_game_with_damaged_letters_hides_no_other(path: Path, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng) for _ in range(2)]
    with opened(path) as journal:
        for game in games:
            play(journal, journal.begin(ZEN, game.start.to_move, at=AT), game.actions)
    with closing(connect(path)) as tampering:
        tampering.execute("UPDATE games SET first = CAST(x'ff6564' AS TEXT) WHERE number = 1")
    with Archive.open(path) as archive:
        assert [entry.number for entry in archive.games()] == [1, 2]
        assert archive.load(2).game == games[1]
        with pytest.raises(JournalError, match="game 1 makes no sense"):
            archive.load(1)
