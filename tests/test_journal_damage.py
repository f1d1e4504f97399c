"""The journal when its file is damaged: it is put aside and kept, what can be read of it is saved, and play begins."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine import EDITIONS, RULE_SETS, Action, Color, Game
from firmware.journal import Archive, Journal, JournalError
from tests.journals import AT, finished_game, games_at, hasty, play, some_actions

ZEN = EDITIONS["zen"]
PAGE_BYTES = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "linja.db"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


def opened(path: Path, told: list[str]) -> closing[Journal]:
    """A journal that has had the time to save everything."""
    journal = Journal.open(path, told.append, hasty)
    while journal.has_work:
        journal.catch_up()
    return closing(journal)


def a_journal_of(path: Path, games: list[Game], *, log_left: bool = False) -> None:
    """Journals the games; with `log_left` as a pulled plug leaves it, the last of it still in the log."""
    with opened(path, []) as journal:
        for game in games:
            assert all(play(journal, journal.begin(game.start.edition, game.start.to_move, at=AT), game.actions))
        parts = [(file, file.read_bytes()) for file in (path, path.with_name("linja.db-wal"))]
    if log_left:
        for file, content in parts:
            file.write_bytes(content)


def is_beginning(game: Game, games: list[Game]) -> bool:
    return any(whole.start == game.start and whole.actions[: len(game.actions)] == game.actions for whole in games)


def the_board_can_be_played(path: Path) -> None:
    with opened(path, []) as journal:
        assert all(play(journal, journal.begin(ZEN, Color.RED, at=AT), (Action.parse("red:0-1"),)))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"not a database" * 100, "file is not a database"),
        (b"S", "file is not a database"),
        (b"SQLite format 3\0" + bytes(84), "not a database"),
    ],
)
def test_a_file_that_is_no_journal_is_put_aside_as_it_was(content: bytes, why: str, path: Path) -> None:
    path.write_bytes(content)
    told: list[str] = []
    with opened(path, told) as journal:
        assert journal.current() is None
    assert told[0].startswith(f"the journal {path} is damaged (")
    assert why in told[0]
    assert told[0].endswith("it was put aside as linja.db.damaged-1")
    assert path.with_name("linja.db.damaged-1").read_bytes() == content
    the_board_can_be_played(path)


def test_what_was_put_aside_before_is_never_overwritten(path: Path) -> None:
    for content in (b"first", b"second", b"third"):
        path.write_bytes(content)
        with opened(path, []):
            pass
    aside = [path.with_name(f"linja.db.damaged-{number}").read_bytes() for number in (1, 2, 3)]
    assert aside == [b"first", b"second", b"third"]


def test_a_file_of_another_program_or_version_is_put_aside_and_not_touched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (address)")
    content = path.read_bytes()
    told: list[str] = []
    with opened(path, told):
        pass
    assert "it is not a journal of this program" in told[0]
    assert path.with_name("linja.db.damaged-1").read_bytes() == content
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 7")
    with opened(path, told):
        pass
    assert "it has version 7, and this program reads version 1" in told[2]
    assert path.with_name("linja.db.damaged-2").exists()


def overwritten(path: Path, old: bytes, new: bytes) -> bytes:
    """A journal of one game in which these bytes were replaced, as it lies there then."""
    a_journal_of(path, [Game.new(ZEN).play(Action.parse("red:0-1"))])
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))
    return path.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"SQLite format 3\0\x10\0\2\2", b"SQLite format 3\0\x10\0\3\2", "unsupported file format"),
        (b"CREATE TABLE games", b"CREATE TABLE gamez", ""),
        (b"red INTEGER", b"rod INTEGER", "its table games is not as it should be"),
        (b"INTEGER PRIMARY KEY", b"INTEGER DEFAULT   1", "its table games is not as it should be"),
        (b"INTEGER NOT NULL,\n    number", b"INTEGER N\xd4T NULL,\n    number", ""),
        (b"CREATE TABLE games", b"CREATE \xa1\xa1\xa1 games", "no text"),
    ],
    ids=["a format to come", "another table", "another column", "no key", "no word", "no text"],
)
def test_a_journal_whose_description_of_itself_is_damaged_is_put_aside(
    old: bytes, new: bytes, why: str, path: Path
) -> None:
    content, told = overwritten(path, old, new), list[str]()
    with opened(path, told):
        assert why in told[0]
    assert path.with_name("linja.db.damaged-1").read_bytes() == content
    the_board_can_be_played(path)


def test_an_empty_file_with_a_page_too_many_is_put_aside(path: Path) -> None:
    with closing(sqlite3.connect(path)) as empty:
        empty.execute("PRAGMA journal_mode = WAL")
        empty.execute("PRAGMA user_version = 0")
    content = bytearray(path.read_bytes() + bytes(PAGE_BYTES))
    content[28:32] = (2).to_bytes(4)  # pages in the file
    path.write_bytes(content)
    told: list[str] = []
    with opened(path, told):
        assert "Page 2 is never used" in told[0] or "never used" in told[0]
    the_board_can_be_played(path)
    assert len(games_at(path)) == 1


def test_reading_a_damaged_journal_says_so_and_changes_nothing(path: Path) -> None:
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(JournalError, match=r"the journal .*linja\.db cannot be read: file is not a database"):
        Archive.open(path)
    assert [file.name for file in path.parent.iterdir()] == ["linja.db"]


@pytest.mark.parametrize("damage", ["zeros", "noise", "cut"])
def test_whatever_page_is_torn_the_other_games_are_saved_and_nothing_is_invented(
    damage: str, path: Path, rng: random.Random
) -> None:
    games = [finished_game(rng.choice(RULE_SETS), rng) for _ in range(20)]
    a_journal_of(path, games)
    whole = path.read_bytes()
    saved = []
    for start in range(0, len(whole), PAGE_BYTES):
        torn = {
            "zeros": bytes(PAGE_BYTES) + whole[start + PAGE_BYTES :],
            "noise": rng.randbytes(PAGE_BYTES) + whole[start + PAGE_BYTES :],
            "cut": rng.randbytes(rng.randrange(PAGE_BYTES)),
        }[damage]
        folder = path.parent / str(start)
        folder.mkdir()
        damaged = folder / "linja.db"
        damaged.write_bytes(whole[:start] + torn)
        told: list[str] = []
        with opened(damaged, told):
            pass
        assert "is damaged" in told[0]
        assert (folder / "linja.db.damaged-1").read_bytes() == whole[:start] + torn
        kept = games_at(damaged)
        assert all(is_beginning(game, games) for game in kept)
        saved.append(len(set(kept) & set(games)))
        the_board_can_be_played(damaged)
    # The first pages hold the tables' roots. Of the others each holds the actions of a few games.
    assert saved[0] == 0
    assert saved[-1] >= len(games) - 4
    assert damage == "cut" or sorted(saved)[len(saved) // 2] >= len(games) - 4


def test_games_that_are_saved_keep_their_numbers_and_the_interrupted_one_goes_on(
    path: Path, rng: random.Random
) -> None:
    begun = Game.new(ZEN, Color.BLACK)
    for action in some_actions(begun, 12, rng):
        begun = begun.play(action)
    games = [*(finished_game(ZEN, rng) for _ in range(12)), begun]
    a_journal_of(path, games)
    content = bytearray(path.read_bytes())
    middle = len(content) // PAGE_BYTES // 2 * PAGE_BYTES
    content[middle : middle + PAGE_BYTES] = bytes(PAGE_BYTES)
    path.write_bytes(content)
    told: list[str] = []
    with opened(path, told) as journal:
        kept = journal.current()
        assert kept is not None
        assert kept.game == begun
    with Archive.open(path) as archive:
        found = [(number, archive.find(game)) for number, game in enumerate(games, start=1)]
    assert all(now in (None, before) for before, now in found)
    assert sum(now is None for _, now in found) in range(1, 5)
    assert f"of the damaged journal {path}.damaged-1, 13 games with" in told[1]
    assert told[1].endswith("not or not whole")


def test_a_log_that_is_cut_anywhere_leaves_a_legal_beginning(path: Path, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng)]
    a_journal_of(path, games, log_left=True)
    log = path.with_name("linja.db-wal")
    file, logged = path.read_bytes(), log.read_bytes()
    lengths = []
    for _ in range(40):
        path.write_bytes(file)
        log.write_bytes(logged[: rng.randrange(len(logged))])
        with opened(path, []) as journal:
            kept = journal.current()
            lengths.append(len(kept.game.actions) if kept else 0)
        assert all(is_beginning(game, games) for game in games_at(path))
    assert len(set(lengths)) > 10


def test_a_log_with_a_torn_end_leaves_a_legal_beginning(path: Path, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng)]
    a_journal_of(path, games, log_left=True)
    log = path.with_name("linja.db-wal")
    file, logged = path.read_bytes(), log.read_bytes()
    for _ in range(40):
        path.write_bytes(file)
        torn = rng.randrange(len(logged) // 2, len(logged))
        log.write_bytes(logged[:torn] + rng.randbytes(len(logged) - torn))
        told: list[str] = []
        with opened(path, told):
            pass
        assert told == []
        (kept,) = games_at(path)
        assert is_beginning(kept, games)
        assert len(kept.actions) > 10


def test_the_log_of_a_damaged_file_is_put_aside_with_it(path: Path, rng: random.Random) -> None:
    a_journal_of(path, [finished_game(ZEN, rng)], log_left=True)
    logged = path.with_name("linja.db-wal").read_bytes()
    path.write_bytes(rng.randbytes(PAGE_BYTES))
    with opened(path, []):
        pass
    assert path.with_name("linja.db.damaged-1-wal").read_bytes() == logged
    the_board_can_be_played(path)


def test_a_file_that_is_destroyed_in_play_costs_none_of_the_game_that_is_played(path: Path, rng: random.Random) -> None:
    game = finished_game(ZEN, rng)
    a_journal_of(path, [finished_game(ZEN, rng) for _ in range(5)])
    told: list[str] = []

    def forgetful(path: Path) -> sqlite3.Connection:
        connection = hasty(path)
        connection.execute("PRAGMA cache_size = 1")  # so that it has to look at the file
        return connection

    with closing(Journal.open(path, told.append, forgetful)) as journal:
        key = journal.begin(ZEN, Color.RED, at=AT)
        assert all(play(journal, key, game.actions[:50]))
        for file in (path, path.with_name("linja.db-wal")):
            file.write_bytes(rng.randbytes(file.stat().st_size))
        assert all(play(journal, key, game.actions[50:], after=50))
    assert "it was put aside as linja.db.damaged-1" in told[0]
    assert games_at(path) == [game]


def test_a_plug_that_is_pulled_before_the_damaged_file_was_read_loses_nothing(path: Path, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng) for _ in range(3)]
    a_journal_of(path, games)
    path.rename(path.with_name("linja.db.damaged-1"))  # put aside, and then the plug
    told: list[str] = []
    for _ in range(2):
        with opened(path, told):
            pass
        assert games_at(path) == games
    count = sum(len(game.actions) for game in games)
    assert told == [f"of the damaged journal {path}.damaged-1, 3 games with {count} actions could be read and kept"]


def test_of_a_game_that_two_damaged_files_have_the_newer_one_counts(path: Path, rng: random.Random) -> None:
    game = finished_game(ZEN, rng)
    with opened(path, []) as journal:
        play(journal, journal.begin(ZEN, Color.RED, at=AT), game.actions[:10])
    for after in (10, 30):
        with closing(hasty(path)) as connection:
            connection.execute("PRAGMA user_version = 0")
        with opened(path, []) as journal:
            kept = journal.current()
            assert kept is not None
            assert len(kept.game.actions) == after
            play(journal, kept.key, game.actions[after : after + 20], after=after)


def test_a_large_journal_is_saved_in_pieces_and_play_begins_with_the_newest(path: Path, rng: random.Random) -> None:
    begun = Game.new(ZEN).play(Action.parse("red:0-1"))
    games = [*(finished_game(ZEN, rng) for _ in range(60)), begun]
    a_journal_of(path, games)
    with closing(hasty(path)) as connection:
        connection.execute("PRAGMA user_version = 0")
    told: list[str] = []
    with closing(Journal.open(path, told.append, hasty)) as journal:
        kept = journal.current()
        assert kept is not None
        assert kept.game == begun
        assert 0 < len(games_at(path)) < 30
        play(journal, kept.key, (Action.parse("red:done"),), after=1)
        assert journal.has_work
    with closing(Journal.open(path, told.append, hasty)) as journal:  # and on after a stop
        while journal.has_work:
            assert journal.catch_up()
    assert games_at(path) == [*games[:-1], begun.play(Action.parse("red:done"))]
    count = sum(len(game.actions) for game in games)
    assert told[1:] == [
        f"of the damaged journal {path}.damaged-1, 61 games with {count} actions could be read and kept"
    ]


def test_a_game_that_is_begun_before_all_is_saved_comes_after_what_is_saved_later(
    path: Path, rng: random.Random
) -> None:
    a_journal_of(path, [finished_game(ZEN, rng), Game.new(ZEN).play(Action.parse("red:0-1"))])
    with closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO actions VALUES (100, 0, 'red:0-1', 0)")  # of a game that is not there
        other.commit()
    path.write_bytes(path.read_bytes().replace(b"SQLite format 3\0\x10\0\2\2", b"SQLite format 3\0\x10\0\3\2"))
    newest = Game.new(ZEN, Color.BLACK).play(Action.parse("black:7-6"))
    with closing(Journal.open(path, print, hasty)) as journal:
        assert journal.has_work
        play(journal, journal.begin(ZEN, Color.BLACK, at=AT), newest.actions)
        while journal.has_work:
            journal.catch_up()
    assert len(games_at(path)) == 3
    with opened(path, []) as journal:
        kept = journal.current()
        assert kept is not None
        assert kept.game == newest


def test_a_game_whose_rows_are_damaged_is_kept_up_to_there(path: Path, rng: random.Random) -> None:
    repeating = Game.new(ZEN)
    for text in ("red:0-1", "red:done", "black:7-6", "black:done", "red:0-1", "red:done"):
        repeating = repeating.play(Action.parse(text))
    games = [*(finished_game(ZEN, rng) for _ in range(3)), repeating]
    a_journal_of(path, games)
    with closing(hasty(path)) as connection:
        connection.execute("DELETE FROM actions WHERE game = 4 AND number < 4")  # the rest would make sense by itself
        connection.execute("UPDATE actions SET action = 'red:7-0' WHERE game = 1 AND number = 10")
        connection.execute("DELETE FROM actions WHERE game = 2 AND number = 20")
        connection.execute("UPDATE games SET edition = 'chess' WHERE number = 3")
        connection.execute("PRAGMA user_version = 2")
    told: list[str] = []
    with opened(path, told):
        pass
    assert [game.actions for game in games_at(path)] == [games[0].actions[:10], games[1].actions[:20], ()]
    assert told[1].endswith("3 games with 30 actions could be read and kept, 4 games not or not whole")
