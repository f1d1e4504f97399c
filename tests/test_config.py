"""The settings: what is wrong is named with its place, what is right reads back, the page about them is complete."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import settings_file
from firmware.config import GameSettings, SensorSettings, Settings, SettingsError
from hardware.layout import BoardSettings
from hardware.panel import PanelSettings
from hardware.pixels import PixelSettings
from simulator.__main__ import main

PAGE = (Path(__file__).parent.parent / "docs" / "settings.md").read_text(encoding="utf-8")
EVERYTHING_ELSEWHERE = """\
[game]
edition = "bonus"
aggressive = true
first = "black"
best_of = 5

[settle]
place_ms = 80

[sensors]
kind = "gpio"
port = "/dev/tty \\"of\\" mine\\\\"

[board]
mirrored = ["row 1", "score black"]
channels = [{}]

[pixels]
kind = "spi"
pin = 5

[panel]
buzzer = 26
""".format(", ".join(map(str, range(72, 0, -1))))


def linja(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["linja", *map(str, arguments)])
    return main()


# What is in force


def test_without_a_file_everything_is_as_the_board_is_described() -> None:
    assert settings_file.parse("", "nothing") == Settings()
    assert Settings().layout.slot_count == 72
    assert Settings().game.rules.name == "zen"


def test_a_file_changes_what_it_names_and_nothing_else() -> None:
    settings = settings_file.parse(EVERYTHING_ELSEWHERE, "a file")
    assert settings.game == GameSettings(edition="bonus", aggressive=True, first="black", best_of=5)
    assert settings.settle.place_ms == 80
    assert settings.settle.lift_ms == Settings().settle.lift_ms
    assert settings.layout.channels[0] == 72
    assert settings.light == Settings().light


def test_settings_written_down_read_back() -> None:
    settings = settings_file.parse(EVERYTHING_ELSEWHERE, "a file")
    assert settings_file.parse(settings_file.text(settings), "itself") == settings
    assert settings_file.parse(settings_file.text(Settings()), "itself") == Settings()


@given(port=st.text(st.characters(blacklist_categories=["Cs"])))
def test_any_text_in_a_setting_reads_back(port: str) -> None:
    settings = Settings(sensors=SensorSettings(port=port))
    assert settings_file.parse(settings_file.text(settings), "itself") == settings


def test_settings_are_found_where_the_system_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file.read() == Settings()
    path = tmp_path / "linja" / "linja.toml"
    path.parent.mkdir()
    path.write_text('[game]\nfirst = "black"\n')
    assert settings_file.read().game.first == "black"


@pytest.mark.parametrize("unusable", ["", "relative/folder"])
def test_a_place_that_is_no_place_is_left_aside(unusable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", unusable)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert settings_file.default_path() == tmp_path / ".config" / "linja" / "linja.toml"


# What is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[game]\n\nedition = "zenn"', "line 3: game.edition: 'zenn' is none of classic, bonus, zen"),
        ("[game]\nbest_of = 2", "line 2: game.best_of is 2: a match is the best of 1, 3, 5 and so on; 0 is no match"),
        ('[game]\nbest_of = "a"', "line 2: game.best_of: Expected `int`, got `str`"),
        ('game.best_of = "a"', "line 1: game.best_of: Expected `int`, got `str`"),
        ('# [game]\n[settle]\n[game]\n  edition="classic"\n  aggressive=true', "line 5: game.aggressive is true, but "),
        ("[game]\ncolour = 2", "line 2: game.colour: there is no such setting; [game] has edition, aggressive, first"),
        ('[game]\n"a\\nb" = 2', 'the file: game."a\\nb": there is no such setting'),
        ("[gamer]\nfirst = 1", "line 1: gamer: there is no such section; sections are game, settle, board"),
        ("first = 1", "line 1: first: there is no such section"),
        ("game = 3", "line 1: game: Expected `object`, got `int`"),
        ('[board]\nchannels = [\n  1, "2"]', "line 2: board.channels[1]: Expected `int`, got `str`"),
        ("[board]\nrow_pixels = 40", "line 1: board: the strips have 440 pixels, more than the 216 on the chain"),
        ("[light]\nlimit_ma = 1", "line 2: light.limit_ma is 1, but 216 pixels of a chain of 216 draw up to"),
        ("[settle]\nlift_ms = nan", "line 2: settle.lift_ms is nan: it must be from 0 to 10000"),
        (
            '[sensors]\nkind = "gpio"\n[board]\nmultiplexers = 6',
            "gpio_sensors.inputs names 5 pins, but the board has 6",
        ),
        ("[panel]\nnew = 6", "line 1: panel: GPIO 6 is used twice: by key new and by key back"),
        ("[panel]\nnew = 18", "the file: pins: GPIO 18 is used twice: by the chain of pixels and by key new"),
        ("[pixels]\npin = 99", "the file: pins: the chain of pixels is on GPIO 99, but the pins are GPIO 0 to 27"),
        ("[game", "the file: this is not TOML: "),
        ("[game]\nfirst = 1\nfirst = 2", "the file: this is not TOML: "),
        ("a = " + "[" * 10_000, "the file: this is not TOML: "),
        ("a = " + "1" * 10_000, "the file: this is not TOML: "),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as refused:
        settings_file.parse(text, "the file")
    assert str(refused.value).startswith("the file")
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("pixels", "sensors", "panel", "clash"),
    [
        (PixelSettings(pin=17), "gpio", PanelSettings(), "GPIO 17 is used twice: by select line 0 and by the chain"),
        (PixelSettings(kind="spi"), "gpio", PanelSettings(hint=10), "by MOSI of the SPI bus and by key hint"),
        (PixelSettings(kind="none"), "gpio", PanelSettings(buzzer=25), "by multiplexer 1 and by the buzzer"),
    ],
)
def test_a_pin_used_by_two_parts_is_named(
    pixels: PixelSettings, sensors: str, panel: PanelSettings, clash: str
) -> None:
    with pytest.raises(SettingsError, match=clash):
        Settings(pixels=pixels, sensors=msgspec.convert({"kind": sensors}, SensorSettings), panel=panel)


def test_parts_that_are_not_there_use_no_pins() -> None:
    settings = Settings(
        pixels=PixelSettings(kind="none", pin=5), sensors=SensorSettings(), panel=PanelSettings(kind="none")
    )
    assert settings.pins == {}
    assert "key new" in Settings().pins
    assert "select line 0" not in Settings().pins


def test_an_error_quotes_no_more_than_anybody_would_read() -> None:
    with pytest.raises(SettingsError) as refused:
        settings_file.parse(f"[game]\n{'e' * 10_000} = 1\n", "linja.toml")
    assert str(refused.value).startswith("linja.toml, line 2: game.eeee")
    assert len(str(refused.value)) < 500


def test_settings_made_in_code_are_checked_alike() -> None:
    with pytest.raises(SettingsError, match="board: channel 3 is used twice"):
        Settings(board=BoardSettings(channels=(3,) * 72))


def test_no_garbage_in_place_of_settings_gives_anything_but_an_error(request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    refused = 0
    for _ in range(2000):
        text = list(EVERYTHING_ELSEWHERE)
        for _ in range(rng.randint(1, 8)):
            text[rng.randrange(len(text))] = rng.choice([*'[]"\\=.,#\n\r\t 019abn{}', "\0", "é", "\u2028"])
        try:
            settings_file.parse("".join(text), "the file")
        except SettingsError:
            refused += 1
    assert refused


# The command


def test_config_prints_what_is_in_force_so_that_it_reads_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(EVERYTHING_ELSEWHERE)
    assert linja(monkeypatch, "config", "--config", path) == 0
    printed = capsys.readouterr().out
    assert settings_file.parse(printed, "printed") == settings_file.read(path)
    assert 'first = "black"' in printed.splitlines()


def test_check_says_that_good_settings_can_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(EVERYTHING_ELSEWHERE)
    assert linja(monkeypatch, "config", "--check", path) == 0
    assert capsys.readouterr().out == f"{path} can be used.\n"


@pytest.mark.parametrize("option", ["--check", "--config"])
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"\xff", "it is not text in UTF-8"),
        (b"[game]\nfirst = 1\n", "line 2: game.first: "),
    ],
)
def test_bad_settings_are_a_sentence_and_exit_code_2(
    option: str,
    content: bytes | None,
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    assert linja(monkeypatch, "config", option, path) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"linja config: {path}")
    assert wrong in captured.err
    assert len(captured.err.splitlines()) == 1


# The page


def documented() -> dict[str, dict[str, str]]:
    """Key and default of every line of the page's tables, by section."""
    sections = re.findall(r"^## \[(\w+)\]\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return {name: dict(re.findall(r"^\| `(\w+)` \| `(.*?)` \| .+ \|$", text, re.MULTILINE)) for name, text in sections}


def test_the_page_lists_every_setting_with_its_default() -> None:
    defaults = Settings()
    assert documented() == {
        section: {
            key: settings_file.value(getattr(getattr(defaults, section), key))
            for key in getattr(defaults, section).__struct_fields__
        }
        for section in defaults.__struct_fields__
    }


def test_the_example_on_the_page_can_be_used() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    settings = settings_file.parse(example, "the page")
    assert settings != Settings()
