"""The commands around what was played: the games in the journal, as files and in numbers, and the black box."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from firmware.cli import Command, CommandFailed, takes_a_journal
from firmware.places import black_box_folder, journal_file

if TYPE_CHECKING:
    from firmware.journal import Archive, EditionStatistics, Entry, KeptGame


def kept_game(number: int, journal: Path | None) -> KeptGame:
    """A game in the journal."""
    with _archive(journal) as archive:
        return archive.load(number)


@contextmanager
def _archive(journal: Path | None) -> Iterator[Archive]:
    from firmware.journal import Archive, JournalError

    try:
        with Archive.open(journal or journal_file()) as archive:
            yield archive
    except JournalError as error:
        raise CommandFailed(str(error)) from error


# linja games


def _games(arguments: argparse.Namespace) -> int:
    with _archive(arguments.journal) as archive:
        for line in _statistics_table(archive.statistics()) if arguments.statistics else _games_table(archive.games()):
            print(line)
    return 0


def _games_table(games: Iterable[Entry]) -> Iterator[str]:
    yield f"{'game':>5}  {'began':16}  {'edition':16}  {'first':5}  {'turns':>5}  result"
    for game in games:
        began = "" if game.began is None else f"{datetime.fromtimestamp(game.began):%Y-%m-%d %H:%M}"
        opponent = f"computer {game.computer}" if game.computer else ""
        remarks = [game.match or "", opponent, "imported" if game.imported else ""]
        line = f"{game.number:5}  {began:16}  {game.edition:16}  {game.first:5}  {game.turns:5}  {_result(game)}"
        yield "; ".join([line, *filter(None, remarks)])


def _result(game: Entry) -> str:
    if game.ending is None:
        return "not finished"
    verdict = f"{game.winner} wins" if game.winner else "a draw"
    return f"{verdict}, red {game.red} black {game.black}, {game.ending}"


def _statistics_table(editions: Iterable[EditionStatistics]) -> Iterator[str]:
    yield (
        f"{'edition':16}  {'games':>5}  {'red won':>7}  {'black won':>9}  {'drawn':>5}  {'starter won':>11}"
        f"  {'mean red':>8}  {'mean black':>10}  {'mean turns':>10}"
    )
    for each in editions:
        yield (
            f"{each.edition:16}  {each.games:5}  {each.red_wins:7}  {each.black_wins:9}  {each.draws:5}"
            f"  {each.starter_wins:11}  {each.mean_red:8.1f}  {each.mean_black:10.1f}  {each.mean_turns:10.1f}"
        )


def _configure_games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--statistics", action="store_true", help="the finished games in numbers, for each edition")
    takes_a_journal(parser)


# linja export, linja import


def _export(arguments: argparse.Namespace) -> int:
    from firmware.game_files import json_of, text_of

    with _archive(arguments.journal) as archive:
        numbers = arguments.numbers or [entry.number for entry in archive.games()]
        games = (archive.load(number) for number in numbers)
        pieces = json_of(games) if arguments.json else text_of(games)
        if arguments.output is None:
            sys.stdout.writelines(pieces)
        else:
            with _new_file(arguments.output) as file:
                file.writelines(piece.encode() for piece in pieces)
    return 0


@contextmanager
def _new_file(path: Path) -> Iterator[BinaryIO]:
    """A file that was not there before, and is not there afterwards if anything goes wrong."""
    try:
        file = path.open("xb")
    except FileExistsError:
        raise CommandFailed(f"{path} is there already, and nothing is overwritten: name another file") from None
    except OSError as error:
        raise CommandFailed(f"{path} cannot be written: {error.strerror or error}") from error
    try:
        with file:
            yield file
    except BaseException as error:
        path.unlink()
        if isinstance(error, OSError):
            raise CommandFailed(f"{path} cannot be written: {error.strerror or error}") from error
        raise


def _configure_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("numbers", metavar="N", type=int, nargs="*", help="numbers of games; else all")
    parser.add_argument("--json", action="store_true", help="JSON with times and matches, instead of records as text")
    parser.add_argument("--output", metavar="FILE", type=Path, help="a new file, instead of standard output")
    takes_a_journal(parser)


def _import(arguments: argparse.Namespace) -> int:
    from firmware.game_files import MOST_BYTES, GameFileError, games_in
    from firmware.journal import JournalError, merge

    path: Path = arguments.file
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CommandFailed(f"{path} is larger than {MOST_BYTES // 1024**2} MB")
        games = list(games_in(path.read_bytes()))  # before the journal is touched
        merged = merge(arguments.journal or journal_file(), games)
    except OSError as error:
        raise CommandFailed(f"{path} cannot be read: {error.strerror or error}") from error
    except GameFileError as error:
        raise CommandFailed(f"{path}: {error}; nothing was imported") from error
    except JournalError as error:
        raise CommandFailed(str(error)) from error
    for number in merged.known:
        print(f"game {number} was in the journal already")
    print(f"imported: {', '.join(map(str, merged.added)) or 'nothing'}")
    return 0


def _configure_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="records as text, or JSON, as linja export writes them")
    takes_a_journal(parser)


# linja blackbox


def _blackbox(arguments: argparse.Namespace) -> int:
    from firmware.blackbox import export
    from firmware.blackbox.ring import ring_files

    folder = arguments.folder or black_box_folder()
    if not ring_files(folder):
        raise CommandFailed(f"there is no recording in {folder}")
    with _new_file(arguments.file) as file:
        export(folder, file)
    print(f"{arguments.file}: {arguments.file.stat().st_size:,} bytes")
    return 0


def _configure_blackbox(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", metavar="export", choices=["export"], help="write the recording of the last hours as one file"
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a new file")
    parser.add_argument("--folder", metavar="FOLDER", type=Path, help="another black box than that of this computer")


COMMANDS = (
    Command("games", "List the games in the journal.", _games, _configure_games),
    Command("export", "Write games of the journal as text or JSON.", _export, _configure_export),
    Command("import", "Check games in a file and add them to the journal.", _import, _configure_import),
    Command("blackbox", "Export what the board has recorded, for a bug report.", _blackbox, _configure_blackbox),
)
