"""The builder's pages: their drawings are the program's, their commands run, and their tables name what there is."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from firmware import cli
from firmware.config import Settings
from firmware.drawing_files import drawings_of
from firmware.settings_file import parse
from simulator.__main__ import DEFAULT, PROGRAM
from simulator.faults import FaultKind
from tests.test_docs import ROOT, arguments_to_linja, fences

BUILD = ROOT / "docs" / "build"
PAGES = sorted(BUILD.glob("*.md"))
LAYOUT = Settings().layout
COMMANDS = sorted({shlex.join(arguments) for page in PAGES for arguments in arguments_to_linja(page) if arguments})
ONLY_ON_A_BOARD = ("play", "install")


def test_the_drawings_in_the_documents_are_those_of_the_board_as_designed() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in (BUILD / "drawings").iterdir()}
    assert kept == drawings_of(Settings()), "linja draw docs/build/drawings makes them anew"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_builders_pages_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a newcomer would type it, in an empty folder; what needs a board runs on a simulated one."""
    monkeypatch.chdir(tmp_path)
    Path("linja.toml").write_text('[pixels]\nkind = "none"\n', encoding="utf-8")
    arguments = shlex.split(command)
    if arguments[0] in ("doctor", "calibrate") and not {"--simulated", "--help"} & set(arguments):
        arguments.append("--simulated")
    commands = [replace(each, run=lambda _: 0) if each.name in ONLY_ON_A_BOARD else each for each in PROGRAM]
    try:
        code = cli.main(commands, DEFAULT, arguments)
    except SystemExit as exit_:  # after help
        code = int(exit_.code or 0)
    broken = "--fault" in arguments and not any("swapped 1.0" in word for word in arguments)
    assert code == int(broken)
    assert capsys.readouterr().out or arguments[0] in ONLY_ON_A_BOARD


def test_the_settings_shown_can_be_used() -> None:
    shown = [fence.text for page in PAGES for fence in fences(page) if fence.language == "toml"]
    assert shown
    for text in shown:
        parse(text, "shown")


def test_every_fault_that_can_be_injected_is_in_the_table() -> None:
    text = (BUILD / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `([a-z]+(?: SLOT)*)` \|", text, re.MULTILINE)
    assert sorted(shown) == sorted(kind.usage for kind in FaultKind if kind is not FaultKind.RESET)


def test_the_slots_of_each_multiplexer_are_those_of_the_layout() -> None:
    text = (BUILD / "steps.md").read_text(encoding="utf-8")
    shown = {
        int(number): (first, last) for number, first, last in re.findall(r"^\| (\d) \| (\S+) to (\S+) \|", text, re.M)
    }
    for multiplexer, ends in shown.items():
        own = [slot for slot, channel in enumerate(LAYOUT.channels) if channel // 16 == multiplexer]
        assert ends == (LAYOUT.name(own[0]), LAYOUT.name(own[-1]))
    assert sorted(shown) == [1, 2, 3, 4]
