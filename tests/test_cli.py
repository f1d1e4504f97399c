"""The command as a person meets it: what it prints and its exit code."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine import Game
from simulator.__main__ import main

FINISHED = """\
Linja record 1
start zen red opening bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr

  1 red   3-4 +6-7 done
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "a game.txt"
    path.write_text(FINISHED, encoding="utf-8")
    return path


def linja(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["linja", *map(str, arguments)])
    return main()


def test_score_prints_the_count_row_by_row(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert linja(monkeypatch, "score", record) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "  row 7 (goal)  9 x  5 =  45" in printed
    assert printed[-1] == "Game over, the colours have passed: black wins, red 49, black 56."


def test_score_of_an_unfinished_game_says_that_it_is_not_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "begun"
    path.write_text(str(Game.new()), encoding="utf-8")
    assert linja(monkeypatch, "score", path) == 0
    assert "as they stand; the colours have 8 rows to go." in capsys.readouterr().out


def test_show_prints_a_record_that_reads_back_and_the_board(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert linja(monkeypatch, "show", record) == 0
    printed = capsys.readouterr().out
    text, _, board = printed.partition("\n\n 7 ")
    assert Game.parse(text) == Game.parse(FINISHED)
    assert board.split()[:9] == list("RRRRRRRRR")


@pytest.mark.parametrize("command", ["show", "score"])
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "a record begins with"),
        (b"\xff\xfe", "it is not text"),
        (b"Linja record 1\nedition zen\nfirst red\n1 red 0-2\n", "line 4 of the record, '1 red 0-2': too far"),
    ],
)
def test_a_record_that_cannot_be_read_is_a_sentence_and_exit_code_2(
    command: str,
    content: bytes | None,
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "record"
    if content is not None:
        path.write_bytes(content)
    assert linja(monkeypatch, command, path) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert wrong in captured.err
    assert len(captured.err.splitlines()) == 1


def test_no_garbage_in_place_of_a_record_gives_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(request.node.name)
    good = FINISHED.encode()
    path = tmp_path / "record"
    for _ in range(500):
        content = bytearray(good)
        for _ in range(rng.randint(1, 8)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path.write_bytes(content)
        assert linja(monkeypatch, "score", path) in (0, 2)


def test_an_unknown_command_is_answered_with_those_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        linja(monkeypatch, "chess")
    assert exit_.value.code == 2
    assert "invalid choice: 'chess'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "game.txt", "again"], "linja show: error: unrecognized arguments: again"),
        (["games", "--loud"], "linja games: error: unrecognized arguments: --loud"),
        (["--loud"], "linja simulate: error: unrecognized arguments: --loud"),
        (["export", "first"], "linja export: error: argument N: a whole number is needed, not 'first'"),
        (["soak", "--times", "0"], "linja soak: error: argument --times: a number of 1 or more is needed, not '0'"),
        (["blackbox"], "linja blackbox: error: the following arguments are required: export, FILE"),
    ],
)
def test_a_line_that_cannot_be_understood_is_answered_by_the_command_that_was_meant(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        linja(monkeypatch, *arguments)
    assert exit_.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["doctor", "--fault", "dead 3.2"], "linja doctor: --fault is for a simulated board: add --simulated"),
        (["doctor", "--seed", "0"], "linja doctor: --seed is for a simulated board: add --simulated"),
        (["calibrate", "--output", "mine"], "linja calibrate: --output is for a simulated board: add --simulated"),
        (["simulate", "--edition", "classic"], "linja simulate: --edition is for --hands;"),
        (["simulate", "--digital"], "linja simulate: --digital is for --hands;"),
        (
            ["analyse", "nothing", "--solutions", "nowhere"],
            "linja analyse: --solutions nowhere: there is no such folder",
        ),
        (["show", "empty"], "linja show: empty: a record begins with the line 'Linja record 1'; this is empty"),
        (["draw", "empty"], "linja draw: empty cannot be written to: File exists"),
        (
            ["calibrate", "--simulated", "--output", "."],
            "linja calibrate: the calibration cannot be written to .: that is",
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_not_passed_over(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").touch()
    assert linja(monkeypatch, *arguments) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(said)
    assert "Errno" not in sentence


def test_options_without_a_command_are_those_of_the_command_without_a_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert linja(monkeypatch, "--script", "nowhere") == 2
    assert capsys.readouterr().err.startswith("linja simulate: nowhere cannot be read")
