"""Who the computer is outlasts a restart, a damaged journal and one from before it played; and how one names it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine import EDITIONS, Action, Color, State
from firmware import cli
from firmware.advice import Computer, Wish
from firmware.config import GameSettings, Settings
from firmware.journal import Archive, Journal
from firmware.keeping import Keeping
from firmware.service import Service
from simulator.__main__ import PROGRAM
from simulator.board import SimulatedBoard
from tests.journals import AT, hasty, play

ZEN = EDITIONS["zen"]
BLACK = Computer(Color.BLACK, 4)
OPENING = (Action.parse("red:0-1"),)


def journal(path: Path) -> Journal:
    return Journal.open(path, pytest.fail, hasty)


def begun(path: Path, computer: Computer | None, start: State | None = None) -> None:
    """A game with one action, in the journal."""
    with closing(journal(path)) as kept:
        play(kept, kept.begin(ZEN, Color.RED, at=AT, computer=computer, start=start), OPENING)


def resumed(path: Path, computer: Computer | None = None, game: GameSettings | None = None) -> Service:
    settings = Settings(game=game or GameSettings())
    board = SimulatedBoard(settings.layout)
    with closing(Keeping(path, pytest.fail, computer)) as keeping:
        return Service(settings, board.sensors, board.lights, board.panel, interrupted=keeping.interrupted)


@pytest.mark.parametrize("computer", [None, BLACK])
def test_an_interrupted_game_goes_on_against_whom_it_was_played(computer: Computer | None, tmp_path: Path) -> None:
    begun(tmp_path / "linja.db", computer)
    service = resumed(tmp_path / "linja.db", game=GameSettings(computer="red", level=1))
    assert service.session.computer == computer


def test_the_computer_thinks_on_in_the_turn_that_was_interrupted(tmp_path: Path) -> None:
    begun(tmp_path / "linja.db", Computer(Color.RED, 2))
    service = resumed(tmp_path / "linja.db")
    assert service.session.wish == Wish(service.game.state, 2)


def test_a_computer_that_is_named_at_the_start_takes_its_seat_in_the_interrupted_game_for_good(tmp_path: Path) -> None:
    begun(tmp_path / "linja.db", None)
    assert resumed(tmp_path / "linja.db", BLACK).session.computer == BLACK
    assert resumed(tmp_path / "linja.db").session.computer == BLACK


def test_a_journal_from_before_the_computer_played_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "linja.db"
    begun(path, BLACK)
    with closing(sqlite3.connect(path)) as older:
        older.execute("DROP TABLE computers")
    with Archive.open(path) as archive:
        assert archive.load(1).computer is None
    assert resumed(path).session.computer is None
    begun(path, BLACK)
    assert resumed(path).session.computer == BLACK


def test_nonsense_in_place_of_the_computer_costs_only_the_computer(tmp_path: Path) -> None:
    begun(tmp_path / "linja.db", BLACK)
    with closing(sqlite3.connect(tmp_path / "linja.db")) as broken:
        broken.execute("UPDATE computers SET computer = 'blue 99'")
        broken.commit()
    service = resumed(tmp_path / "linja.db")
    assert service.session.computer is None
    assert service.game.actions == OPENING


def test_the_computer_is_salvaged_from_a_damaged_journal(tmp_path: Path) -> None:
    path = tmp_path / "linja.db"
    begun(path, BLACK)
    with closing(sqlite3.connect(path)) as damaged:
        damaged.execute("PRAGMA user_version = 99")
    told: list[str] = []
    with closing(Journal.open(path, told.append, hasty)) as kept:
        found = kept.current()
    assert found
    assert (found.game.actions, found.computer) == (OPENING, BLACK)


def test_a_game_that_began_in_the_middle_is_kept_so(tmp_path: Path) -> None:
    start = State.parse("zen red opening rrrrr/rrb/rb/rb/rb/rb/rb/bbbbbb")
    begun(tmp_path / "linja.db", BLACK, start)
    assert resumed(tmp_path / "linja.db").game.start == start


# The command


@pytest.mark.parametrize("command", ["play", "simulate"])
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--level", "4"], "add --computer"),
        (["--computer", "black", "--level", "6"], "the levels are 1 to 5; there is no level 6"),
    ],
)
def test_an_opponent_that_cannot_be_is_a_sentence(
    command: str, arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "linja.toml"
    settings.touch()
    assert cli.main(PROGRAM, command, [command, "--config", str(settings), *arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_arguments_go_before_settings(tmp_path: Path) -> None:
    path = tmp_path / "linja.toml"
    path.write_text('[game]\ncomputer = "red"\nlevel = 2\n')
    parser = cli.build_parser(PROGRAM, "play")

    def read(*more: str) -> tuple[Computer | None, Computer | None]:
        settings, given = cli.read_game_settings(parser.parse_args(["play", "--config", str(path), *more]))
        return settings.game.opponent, given

    assert read() == (Computer(Color.RED, 2), None)
    assert read("--level", "5") == (Computer(Color.RED, 5),) * 2
    assert read("--computer", "black") == (Computer(Color.BLACK, 2),) * 2
