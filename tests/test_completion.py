"""Completion: what the Tab key offers is what the program knows, and bash itself reads it so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware.cli import build_parser
from firmware.completion import FILES, script, words_of
from simulator.__main__ import DEFAULT, PROGRAM, main

PARSER = build_parser(PROGRAM, DEFAULT)
SHELLS = ("bash", "zsh", "fish")
ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_in_the_script(shell: str) -> None:
    text = script(shell, PARSER)
    for command in words_of(PARSER):
        assert command.name in text
        for option in command.options:
            for flag in option.flags:
                assert (flag if shell != "fish" else flag.lstrip("-")) in text, (command.name, flag)
    assert {command.name for command in PROGRAM} == {command.name for command in words_of(PARSER)}


def test_what_may_follow_an_option_is_known() -> None:
    doctor = next(command for command in words_of(PARSER) if command.name == "doctor")
    values = {option.flags[0]: option.values for option in doctor.options}
    assert (values["--config"], values["--json"], values["--seed"]) == (FILES, None, ())


def complete(line: str) -> list[str]:
    """What bash offers at the end of the line."""
    bash = shutil.which("bash")
    if not bash:
        pytest.skip("there is no bash here")
    words = line.split(" ")
    asked = f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _linja"
    program = f'{script("bash", PARSER)}\n{asked}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    result = subprocess.run([bash, "--norc", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stderr == ""
    return result.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("linja doc", ["doctor"]),
        ("linja doctor --s", ["--slots", "--simulated", "--seed"]),
        ("linja completion ", ["bash", "zsh", "fish"]),
        ("linja completion z", ["zsh"]),
        ("linja doctor --seed ", []),
        ("linja draw READM", ["README.md"]),
        ("linja doctor --config pyproj", ["pyproject.toml"]),
        ("linja nonsense ", []),
    ],
)
def test_bash_offers_what_fits(line: str, offered: list[str]) -> None:
    assert complete(line) == offered


def test_the_command_prints_the_script(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["linja", "completion", "fish"])
    assert main() == 0
    assert capsys.readouterr().out == script("fish", PARSER)
