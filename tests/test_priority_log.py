"""The log says to systemd's journal how urgent each line is, and to nobody else."""

from __future__ import annotations

import io
import logging
import os
from pathlib import Path

import pytest

from firmware.priority_log import handler


def logged(path: Path, environment: dict[str, str], level: int, text: str) -> str:
    with path.open("w", encoding="utf-8") as stream:
        handler(stream, environment).handle(logging.LogRecord("linja", level, "", 0, text, (), None))
    return path.read_text(encoding="utf-8")


def journal_stream(path: Path) -> dict[str, str]:
    path.touch()
    status = os.stat(path)
    return {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}


@pytest.mark.parametrize(
    ("level", "text", "line"),
    [
        (logging.DEBUG, "a slot settled", "<7>a slot settled\n"),
        (logging.INFO, "game started", "<6>game started\n"),
        (logging.WARNING, "the disk is full", "<4>the disk is full\n"),
        (logging.ERROR, "first\nsecond", "<3>first\n<3>second\n"),
        (logging.CRITICAL, "it is over", "<2>it is over\n"),
        (25, "between the two", "<5>between the two\n"),
    ],
)
def test_the_journal_is_told_the_urgency_of_each_line(tmp_path: Path, level: int, text: str, line: str) -> None:
    path = tmp_path / "journal"
    assert logged(path, journal_stream(path), level, text) == line


def test_people_are_told_the_words_alone(tmp_path: Path) -> None:
    elsewhere = journal_stream(tmp_path / "journal")
    for environment in ({}, elsewhere):
        assert logged(tmp_path / "terminal", environment, logging.WARNING, "the disk is full") == "the disk is full\n"


def test_a_stream_that_is_no_file_is_not_the_journal() -> None:
    stream = io.StringIO()
    handler(stream, {}).handle(logging.LogRecord("linja", logging.INFO, "", 0, "game started", (), None))
    assert stream.getvalue() == "game started\n"
