"""`linja solve`: what it says about a file, right, wrong, or none at all."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from engine import EDITIONS, Edition
from engine.placement import FULL_SIZE, Opponents
from engine.solved_file import PLACE, Header
from firmware import cli
from firmware.solve_command import COMMANDS

CLASSIC = EDITIONS["classic"]


def run(*arguments: str) -> int:
    return cli.main(COMMANDS, "solve", ["solve", *arguments])


def write_flat(path: Path, edition: Edition) -> None:
    """A file in which every position is worth nothing; that is wrong nearly everywhere."""
    begin = Header(edition, FULL_SIZE, 0, 0).lines_begin
    places, lines = bytearray(), bytearray()
    known: dict[int, bytes] = {}
    for counts in FULL_SIZE.all_counts():
        opponents = Opponents(FULL_SIZE, counts).count if max(counts[1:-1]) <= FULL_SIZE.room else 0
        if opponents not in known:
            known[opponents] = PLACE.pack(begin + len(lines), len(line := zlib.compress(bytes(opponents))))
            lines += line
        places += known[opponents]
    path.write_bytes(Header(edition, FULL_SIZE, begin + len(lines), zlib.crc32(places)).pack() + places + lines)


def test_a_wrong_margin_is_told_with_the_turn_that_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "classic.solved"
    write_flat(path, CLASSIC)
    assert run("classic", "--file", str(path), "--check", "100") == 1
    told = capsys.readouterr().out
    assert told.startswith("classic ")
    assert " is said to be worth 0, but " in told


def test_a_file_of_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.solved"
    write_flat(path, CLASSIC)
    assert run("zen", "--file", str(path), "--check", "1") == cli.EXIT_BAD_INPUT
    assert "some.solved is about classic, not zen" in capsys.readouterr().err


def test_a_file_that_is_there_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("zen+aggressive.solved").write_text("precious")
    assert run("zen+aggressive") == cli.EXIT_BAD_INPUT
    assert "zen+aggressive.solved is there already" in capsys.readouterr().err
    assert Path("zen+aggressive.solved").read_text() == "precious"


def test_an_edition_that_does_not_exist_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("chess") == cli.EXIT_BAD_INPUT
    assert "there is no 'chess'" in capsys.readouterr().err
