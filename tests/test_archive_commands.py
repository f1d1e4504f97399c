"""The commands around the journal, as a person meets them: the list, one game, export, import, statistics."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine import EDITIONS, RULE_SETS, Action, Color, Game, Match
from firmware.blackbox import BlackBox, Circumstances, Tick, entries
from firmware.config import GameSettings
from firmware.game_files import GameFileError, games_in, json_of, text_of
from firmware.journal import Archive, Journal, KeptGame
from firmware.settle import SettleSettings
from hardware.layout import BoardSettings
from simulator.__main__ import main
from tests.journals import AT, finished_game, games_at, hasty, play

ZEN = EDITIONS["zen"]
HEAD = '"format": "linja games", "version": 1, '

Linja = Callable[..., tuple[int, str, str]]


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the journal of this computer is."""
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "linja" / "linja.db"


@pytest.fixture
def linja(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Linja:
    """Runs a command: its exit code, what it printed and what it complained about."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["linja", *map(str, arguments)])
        code = main()
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def journal_of(path: Path, *games: Game, match: Match | None = None) -> None:
    with closing(Journal.open(path, print, hasty)) as journal:
        for game in games:
            play(journal, journal.begin(game.start.edition, game.start.to_move, match, at=AT), game.actions)


def test_the_list_has_a_line_for_each_game(path: Path, linja: Linja, rng: random.Random) -> None:
    red, black = (finished_game(ZEN, rng, winner=color) for color in Color)
    begun = Game.new(EDITIONS["classic"], Color.BLACK).play(Action.parse("black:7-6"))
    journal_of(path, red, black)
    journal_of(path, begun, match=Match.parse("best of 3, red first: red"))
    code, out, err = linja("games")
    heading, *lines = out.splitlines()
    assert (code, err) == (0, "")
    assert heading.split() == ["game", "began", "edition", "first", "turns", "result"]
    for number, (game, line) in enumerate(zip((red, black), lines, strict=False), start=1):
        record = str(game).rpartition("result ")[2].strip()
        assert line.split()[0] == str(number)
        assert line.endswith(f"zen               red    {len(game.turns):5}  {record}")
    assert lines[2].endswith("classic           black      1  not finished; best of 3, red first: red")


def test_a_game_of_the_journal_is_shown_and_counted_by_its_number(path: Path, linja: Linja, rng: random.Random) -> None:
    game = finished_game(ZEN, rng)
    journal_of(path, finished_game(ZEN, rng), game)
    code, shown, _ = linja("show", 2)
    assert code == 0
    assert shown.startswith(str(game))
    record = path.parent / "game.txt"
    record.write_text(str(game))
    assert linja("score", 2) == linja("score", record)


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_what_is_exported_is_imported_elsewhere_as_it_was(
    option: tuple[str, ...], path: Path, linja: Linja, rng: random.Random
) -> None:
    games = [finished_game(edition, rng, first) for edition in RULE_SETS for first in Color]
    journal_of(path, *games, Game.new(ZEN).play(Action.parse("red:0-1")))
    file, elsewhere = path.parent / "games", path.parent / "other.db"
    assert linja("export", *option, "--output", file) == (0, "", "")
    assert linja("import", file, "--journal", elsewhere) == (
        0,
        "imported: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n",
        "",
    )
    assert games_at(elsewhere) == games_at(path)
    with Archive.open(elsewhere) as archive:
        assert all(entry.imported for entry in archive.games())
        assert {entry.began for entry in archive.games()} == ({AT} if option else {None})


def test_an_export_of_some_games_has_just_those(path: Path, linja: Linja, rng: random.Random) -> None:
    games = [finished_game(ZEN, rng) for _ in range(3)]
    journal_of(path, *games)
    assert linja("export", 3, 1) == (0, f"{games[2]}\n{games[0]}", "")
    document = json.loads(linja("export", "--json", 2)[1])
    assert [game["actions"] for game in document["games"]] == [list(map(str, games[1].actions))]


def test_an_imported_game_is_not_the_one_to_go_on_with(path: Path, linja: Linja) -> None:
    begun = Game.new(ZEN).play(Action.parse("red:0-1"))
    journal_of(path, begun)
    record = path.parent / "game.txt"
    record.write_text(str(begun.play(Action.parse("red:done"))))
    linja("import", record)
    with closing(Journal.open(path, print, hasty)) as journal:
        kept = journal.current()
        assert kept is not None
        assert kept.game == begun


def test_the_same_game_is_not_imported_twice(path: Path, linja: Linja, rng: random.Random) -> None:
    game, other = finished_game(ZEN, rng), finished_game(ZEN, rng)
    journal_of(path, game)
    file = path.parent / "games.txt"
    file.write_text(f"{game}\n{other}\n{other}")
    said = "game 1 was in the journal already\ngame 2 was in the journal already\nimported: 2\n"
    assert linja("import", file) == (0, said, "")
    assert linja("import", file)[1].endswith("imported: nothing\n")
    assert games_at(path) == [game, other]


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "a record begins with the line 'Linja record 1'; this is empty"),
        (b"\xff\xfe\x00", "it is neither JSON nor text"),
        (b"Linja record 1\nedition zen\nfirst red\n1 red 0-2\n", "line 4 of the record, '1 red 0-2': too far"),
        (
            b"Linja record 1\nedition zen\nfirst red\n1 red 0-1\n\nLinja record 1\nedition go\n",
            "game 2, from line 6 on: the heading of the record",
        ),
        (b"{", "it is not a file of games: Input data was truncated"),
        (b"{}", "it is not a file of games: Object missing required field `format`"),
        (b'{"format": "linja games", "version": 2, "games": []}', "Invalid enum value 2 - at `$.version`"),
        (f'{{{HEAD}"games": [{{"edition": "zen"}}]}}'.encode(), "missing required field `first` - at `$.games[0]`"),
        (
            f'{{{HEAD}"games": [{{"edition": "zen", "first": "red", "actions": ["red:0-1", "red:+0-5"]}}]}}'.encode(),
            "game 1: action 2, 'red:+0-5': too far",
        ),
        (
            f'{{{HEAD}"games": [{{"edition": "zen", "first": "red", "actions": [], "result": "a draw"}}]}}'.encode(),
            "game 1: its result is 'a draw', but its actions say 'that it is not over'",
        ),
        (
            f'{{{HEAD}"games": [{{"edition": "zen", "first": "red", "actions": [], "match": "best"}}]}}'.encode(),
            "game 1: a match is written like",
        ),
        (b"[" * 100_000, "a record begins with"),
        (b'{"a":' + b"[" * 100_000, "it is not a file of games"),
    ],
)
def test_an_import_that_is_wrong_names_the_place_and_changes_nothing(
    content: bytes, wrong: str, path: Path, linja: Linja, rng: random.Random
) -> None:
    games = [finished_game(ZEN, rng)]
    journal_of(path, *games)
    file = path.parent / "wrong"
    file.write_bytes(content)
    code, out, err = linja("import", file)
    assert (code, out) == (2, "")
    assert err.startswith(f"linja import: {file}: ")
    assert wrong in err
    assert err.endswith("; nothing was imported\n")
    assert games_at(path) == games
    elsewhere = path.parent / "elsewhere.db"
    assert linja("import", file, "--journal", elsewhere)[0] == 2
    assert not elsewhere.exists()


def test_one_wrong_game_among_many_means_that_none_is_imported(path: Path, linja: Linja, rng: random.Random) -> None:
    file = path.parent / "games.txt"
    file.parent.mkdir()
    file.write_text(f"{finished_game(ZEN, rng)}\n{finished_game(ZEN, rng)}\n{Game.new(ZEN)}1 red 0-7\n")
    assert linja("import", file)[0] == 2
    assert not path.exists()


def test_what_cannot_be_done_is_a_sentence_and_exit_code_2(path: Path, linja: Linja, rng: random.Random) -> None:
    assert linja("games") == (2, "", f"linja games: there is no journal at {path}\n")
    assert linja("show", 1) == (2, "", f"linja show: there is no journal at {path}\n")
    journal_of(path, finished_game(ZEN, rng))
    assert linja("show", 2) == (2, "", f"linja show: the journal {path} has no game 2\n")
    assert linja("show", 10**30)[2] == f"linja show: the journal {path} has no game {10**30}\n"
    missing = path.parent / "missing"
    assert linja("import", missing)[2] == f"linja import: {missing} cannot be read: No such file or directory\n"
    assert "is there already, and nothing is overwritten" in linja("export", "--output", path)[2]
    assert "No such file or directory" in linja("export", "--output", missing / "games")[2]
    assert linja("export", 1, 7, "--output", missing)[2] == f"linja export: the journal {path} has no game 7\n"
    assert not missing.exists()
    path.write_bytes(b"not a database" * 100)
    assert linja("import", path.parent / "x")[0] == 2
    damaged = path.parent / "game.txt"
    damaged.write_text(str(Game.new(ZEN)))
    assert linja("import", damaged)[2] == (
        f"linja import: the journal {path} is damaged (file is not a database): nothing was changed\n"
    )
    assert linja("games")[2] == f"linja games: the journal {path} cannot be read: file is not a database\n"


def test_statistics_have_a_line_for_each_edition(path: Path, linja: Linja, rng: random.Random) -> None:
    won, lost = (finished_game(ZEN, rng, winner=color) for color in Color)
    journal_of(path, won, lost, won, finished_game(EDITIONS["classic"], rng))
    code, out, _ = linja("games", "--statistics")
    _, classic, zen = out.splitlines()
    assert code == 0
    assert classic.split()[:2] == ["classic", "1"]
    assert zen.split()[:6] == ["zen", "3", "2", "1", "0", "2"]
    assert zen.split()[-1] == f"{(2 * len(won.turns) + len(lost.turns)) / 3:.1f}"


def test_any_game_is_the_same_after_either_kind_of_file(rng: random.Random) -> None:
    start = Game.parse(
        "Linja record 1\nstart zen red opening bbbbbbbbbbb/-/-/rb/r/r/r/rrrrrrrr\n\n1 red 3-4 +6-7 done\n"
    )
    match = Match.parse("best of 5, black first: black, draw")
    kept = [
        KeptGame("a", start, match, began=AT, ended=AT + 0.25),
        *(KeptGame("b", finished_game(edition, rng), began=AT) for edition in RULE_SETS),
        KeptGame("c", Game.new(ZEN, Color.BLACK)),
    ]
    text, document = "".join(text_of(kept)), "".join(json_of(kept))
    assert [game.game for game in games_in(text.encode())] == [game.game for game in kept]
    read = list(games_in(document.encode()))
    assert [(game.game, game.match, game.began, game.ended) for game in read] == [
        (game.game, game.match, game.began, game.ended) for game in kept
    ]


def test_no_garbage_in_place_of_games_is_more_than_an_error(rng: random.Random) -> None:
    kept = [KeptGame("a", finished_game(ZEN, rng), began=AT, ended=AT)]
    for good in ("".join(text_of(kept)).encode(), "".join(json_of(kept)).encode()):
        for _ in range(300):
            content = bytearray(good)
            for _ in range(rng.randint(1, 6)):
                content[rng.randrange(len(content))] = rng.randrange(256)
            try:
                list(games_in(bytes(content)))
            except GameFileError as error:
                assert str(error)  # noqa: PT017 - either answer will do


def test_the_recording_of_the_black_box_is_exported_as_one_file(path: Path, linja: Linja) -> None:
    folder, report = path.parent / "blackbox", path.parent / "report.box"
    assert linja("blackbox", "export", report) == (2, "", f"linja blackbox: there is no recording in {folder}\n")
    start = Circumstances(at=AT, board=BoardSettings(), game=GameSettings(), settle=SettleSettings())
    box = BlackBox(folder, lambda: start, print)
    box.record(1.0, Tick())
    box.close()
    code, out, _ = linja("blackbox", "export", report)
    assert (code, out) == (0, f"{report}: {report.stat().st_size:,} bytes\n")
    assert [entry.what for entry in entries(report)] == [start, Tick()]
    assert "is there already" in linja("blackbox", "export", report)[2]
