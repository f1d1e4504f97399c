"""The journal on a disk that fails: play goes on, a warning says so once, and what is missing is caught up in order."""

from __future__ import annotations

import random
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from engine import EDITIONS, Action, Color
from firmware.journal import Journal, store
from tests.journals import AT, HastyConnection, finished_game, games_at, hasty, play

ZEN = EDITIONS["zen"]
OPENING, DECLINED = Action.parse("red:0-1"), Action.parse("red:done")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "linja.db"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


class Disk:
    """Connections to a disk that fails when it is told to."""

    def __init__(self) -> None:
        self.statements = 0
        self.strikes: Callable[[int, str], str] = lambda statement, sql: ""
        """What is wrong with a statement, by its number and text; `late` is wrong after it was carried out."""

    def connect(self, path: Path) -> sqlite3.Connection:
        disk = self

        class Connection(HastyConnection):
            def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
                disk.statements += 1
                wrong = disk.strikes(disk.statements, sql)
                if wrong and not wrong.startswith("late"):
                    raise sqlite3.OperationalError(wrong)
                cursor = super().execute(sql, *values)
                if wrong:
                    raise sqlite3.OperationalError(wrong)
                return cursor

        return sqlite3.connect(path, isolation_level=None, factory=Connection)


SCRIPT: tuple[Callable[[Journal, list[str]], object], ...] = (
    lambda journal, keys: keys.append(journal.begin(ZEN, Color.RED, at=AT)),
    lambda journal, keys: journal.accept(keys[-1], 0, OPENING, at=AT),
    lambda journal, keys: journal.accept(keys[-1], 1, DECLINED, at=AT),
    lambda journal, keys: journal.take_back(keys[-1], 1),
    lambda journal, keys: journal.accept(keys[-1], 1, Action.parse("red:+0-2"), at=AT),
    lambda journal, keys: keys.append(journal.begin(ZEN, Color.BLACK, at=AT)),
    lambda journal, keys: journal.accept(keys[-1], 0, Action.parse("black:7-6"), at=AT),
)


def script_states() -> list[list[list[str]]]:
    """What may stand in the file while the script runs: the actions of each game after each step."""
    red, black = ["red:0-1", "red:+0-2"], ["black:7-6"]
    return [[], [[]], [red[:1]], [["red:0-1", "red:done"]], [red], [red, []], [red, black]]


def run_script(journal: Journal, path: Path) -> None:
    keys: list[str] = []
    for step in SCRIPT:
        step(journal, keys)
        with closing(sqlite3.connect(path)) as other, suppress(sqlite3.OperationalError):  # no tables yet
            numbers = other.execute("SELECT number FROM games ORDER BY number").fetchall()
            query = "SELECT action FROM actions WHERE game = ? ORDER BY number"
            standing = [[text for (text,) in other.execute(query, number)] for number in numbers]
            assert standing in script_states()


def statements_of_the_script(tmp_path: Path) -> int:
    disk = Disk()
    with closing(Journal.open(tmp_path / "count.db", print, disk.connect)) as journal:
        run_script(journal, tmp_path / "count.db")
    return disk.statements


@pytest.mark.parametrize("wrong", ["disk I/O error", "late: disk I/O error"])
def test_each_kind_of_write_may_fail_once_and_nothing_is_lost_or_there_twice(wrong: str, tmp_path: Path) -> None:
    statements = statements_of_the_script(tmp_path)
    assert statements > 40
    for failing in range(1, statements + 1):
        disk, told, path = Disk(), list[str](), tmp_path / f"{failing}.db"
        disk.strikes = lambda statement, sql, failing=failing: wrong if statement == failing else ""  # type: ignore[misc]
        with closing(Journal.open(path, told.append, disk.connect)) as journal:
            run_script(journal, path)
            assert journal.catch_up()
        actions = [[str(action) for action in game.actions] for game in games_at(path)]
        assert actions == script_states()[-1], f"statement {failing}"
        assert len(told) in (0, 2), told


@pytest.mark.parametrize("kind", ["BEGIN", "INSERT INTO games", "DELETE", "INSERT INTO actions", "COMMIT"])
def test_play_goes_on_while_one_kind_of_write_fails_and_is_caught_up(kind: str, path: Path, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng) for _ in range(5)]
    disk, told = Disk(), list[str]()
    with closing(Journal.open(path, told.append, disk.connect)) as journal:
        assert all(play(journal, journal.begin(ZEN, Color.RED, at=AT), games[0].actions))
        disk.strikes = lambda statement, sql: "disk I/O error" if sql.startswith(kind) else ""
        for game in games[1:4]:
            assert not any(play(journal, journal.begin(ZEN, Color.RED, at=AT), game.actions))
        assert told == [f"{journal.trouble}: the game goes on, and is kept in memory until it can be"]
        disk.strikes = lambda statement, sql: ""
        assert all(play(journal, journal.begin(ZEN, Color.RED, at=AT), games[4].actions))
        assert journal.trouble is None
    assert told[1:] == [f"the journal {path} can be written again, and nothing is missing in it"]
    assert games_at(path) == games


def test_a_file_that_may_not_grow_is_caught_up_when_it_may(path: Path, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng) for _ in range(6)]
    most_pages, told = [8], list[str]()

    def small(path: Path) -> sqlite3.Connection:
        connection = hasty(path)
        connection.execute(f"PRAGMA max_page_count = {most_pages[0]}")
        return connection

    with closing(Journal.open(path, told.append, small)) as journal:
        written = [play(journal, journal.begin(ZEN, Color.RED, at=AT), game.actions) for game in games]
        assert all(written[0])
        assert not any(written[-1])
        most_pages[0] = 1000
        assert journal.catch_up()
    assert len(told) == 2
    assert "(database or disk is full)" in told[0]
    assert games_at(path) == games


def test_a_journal_that_may_only_be_read_still_says_which_game_was_interrupted(path: Path, rng: random.Random) -> None:
    game = finished_game(ZEN, rng)
    with closing(Journal.open(path, print, hasty)) as journal:
        play(journal, journal.begin(ZEN, Color.RED, at=AT), game.actions[:9])
    may_write, told = [False], list[str]()

    def read_only(path: Path) -> sqlite3.Connection:
        return hasty(path) if may_write[0] else sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)

    with closing(Journal.open(path, told.append, read_only)) as journal:
        kept = journal.current()
        assert kept is not None
        assert kept.game.actions == game.actions[:9]
        assert not any(play(journal, kept.key, game.actions[9:], after=9))
        assert "attempt to write a readonly database" in told[0]
        may_write[0] = True
    assert games_at(path) == [game]


@pytest.mark.parametrize("blocked", ["a file for a folder", "a folder for a file"])
def test_a_place_that_cannot_hold_a_journal_costs_a_warning_and_no_game(
    blocked: str, tmp_path: Path, rng: random.Random
) -> None:
    game = finished_game(ZEN, rng)
    path = tmp_path / "state" / "linja.db"
    in_the_way = path.parent
    if blocked == "a folder for a file":
        path.parent.mkdir()
        in_the_way = path
        path.mkdir()
    else:
        path.parent.write_text("")
    told: list[str] = []
    with closing(Journal.open(path, told.append, hasty)) as journal:
        assert journal.current() is None
        assert not any(play(journal, journal.begin(ZEN, Color.RED, at=AT), game.actions))
        assert f"the journal {path} cannot be written" in told[0]
        in_the_way.rename(tmp_path / "out of the way")
    assert games_at(path) == [game]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk takes root")
    yield folder
    subprocess.run(["umount", folder], check=True)


def fill(file: Path) -> None:
    with suppress(OSError), file.open("wb", buffering=0) as filling:
        while filling.write(bytes(512)):
            pass


@pytest.mark.parametrize("log_left", [True, False])
def test_a_disk_that_is_full_from_the_start_still_gives_the_interrupted_game(
    log_left: bool, small_disk: Path, rng: random.Random
) -> None:
    game, path = finished_game(ZEN, rng), small_disk / "linja.db"
    journal = Journal.open(path, print)
    play(journal, journal.begin(ZEN, Color.RED, at=AT), game.actions[:9])
    logged = path.with_name("linja.db-wal").read_bytes()
    journal.close()
    if log_left:  # as after a pulled plug
        path.with_name("linja.db-wal").write_bytes(logged)
    fill(small_disk / "film")
    told: list[str] = []
    with closing(Journal.open(path, told.append)) as journal:
        kept = journal.current()
        assert kept is not None
        fill(small_disk / "another film")  # reading it has tidied up, which made a little room
        assert not any(play(journal, kept.key, game.actions[9:], after=9))
        (small_disk / "film").unlink()
        assert journal.catch_up()
        assert len(told) == 2
    assert games_at(path) == [game]


def test_a_disk_that_fills_up_in_play_loses_nothing(small_disk: Path, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng) for _ in range(8)]
    path, told = small_disk / "linja.db", list[str]()
    fill(small_disk / "film")
    with closing(Journal.open(path, told.append)) as journal:
        for game in games:
            key = journal.begin(ZEN, Color.RED, at=AT)
            play(journal, key, game.actions[:20])
            (small_disk / "film").unlink()
            play(journal, key, game.actions[20:40], after=20)
            fill(small_disk / "film")
            play(journal, key, game.actions[40:], after=40)
        assert journal.trouble is not None
        (small_disk / "film").unlink()
    assert games_at(path) == games


def test_a_disk_that_stays_broken_costs_bounded_memory_and_the_oldest_game(
    path: Path, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_GAMES_IN_MEMORY", 3)
    games = [finished_game(ZEN, rng) for _ in range(5)]
    disk, told = Disk(), list[str]()
    with closing(Journal.open(path, told.append, disk.connect)) as journal:
        disk.strikes = lambda statement, sql: "disk I/O error"
        for game in games:
            play(journal, journal.begin(ZEN, Color.RED, at=AT), game.actions)
        disk.strikes = lambda statement, sql: ""
    assert games_at(path) == games[2:]
    assert [sentence.partition("\n")[2] for sentence in told[1:3]] == list(map(str, games[:2]))
