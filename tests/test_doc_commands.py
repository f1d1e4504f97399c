"""Every command in the documents is run: as a newcomer would type it, in a folder that has the files it names.

Those of the builder's pages have a test of their own. What takes hours is run by the tests that `ELSEWHERE` names, what
serves until it is interrupted is started and interrupted, and what is not ours has to be listed here.
"""

from __future__ import annotations

import importlib.util
import random
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine import EDITIONS
from firmware import cli
from firmware.blackbox import BlackBox, Circumstances, Tick
from firmware.config import GameSettings
from firmware.places import black_box_folder, journal_file
from firmware.settle import SettleSettings
from hardware.layout import BoardSettings
from simulator.__main__ import DEFAULT, PROGRAM
from tests import test_build_pages
from tests.journals import AT, finished_game
from tests.test_archive_commands import journal_of
from tests.test_docs import DOCUMENTS, LINJA, ROOT, SPAN, arguments_to_linja, fences, prose

COMMANDS = {shlex.join(arguments) for document in DOCUMENTS for arguments in arguments_to_linja(document)}
SERVING = {"", "simulate", "simulate --computer black --level 4"}
ELSEWHERE = {
    "bench": "test_bench.py",
    "install": "test_install.py",
    "play": "test_play.py",
    "soak": "test_soak.py",
    "solve": "test_solve_command.py",
}
BRIEFLY = {"tournament": ["--games", "1"], "simulate --hands": ["--hands", "1"], "analyse": ["--depth", "1"]}
FOR_OTHER_PROGRAMS = (
    *("pip install", "pipx install", "uv tool install", "sudo systemctl", "systemctl", "journalctl", "sudo rm"),
    *("mpremote", ".venv/bin/python -m ", "../../.venv/bin/python -c "),
)
FOR_RUN_ITSELF = re.compile(r"\./run (?:test|lint)\b.*")
A_SCENARIO = "lift red 0\nplace 1\nexpect turn red follow-up 2\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """With a record and settings in it; and this computer has played 14 games and recorded something."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(request.node.name)
    games = [finished_game(EDITIONS["zen"], rng) for _ in range(14)]
    journal_of(journal_file(), *games)
    start = Circumstances(at=AT, board=BoardSettings(), game=GameSettings(), settle=SettleSettings())
    box = BlackBox(black_box_folder(), lambda: start, print)
    box.record(1.0, Tick())
    box.close()
    for name in ("game.txt", "RECORD"):
        Path(name).write_text(str(games[0].undo(len(games[0].actions) - 6)), encoding="utf-8")
    Path("linja.toml").touch()
    return tmp_path


def prepare(command: str) -> None:
    """Put the file there that this command reads and another one would have made."""
    match command.split():
        case ["import", name]:
            cli.main(PROGRAM, DEFAULT, ["export", "--output", name])
        case ["simulate", "--script", name]:
            Path(name).write_text(A_SCENARIO, encoding="utf-8")
        case ["simulate", "--replay", name]:
            cli.main(PROGRAM, DEFAULT, ["blackbox", "export", name])
        case [*_, "--solutions", name]:
            Path(name).mkdir()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", sorted(COMMANDS - set(test_build_pages.COMMANDS) - SERVING))
def test_every_command_of_the_documents_runs(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(command)
    capsys.readouterr()
    briefly = next((less for start, less in BRIEFLY.items() if command.startswith(start)), [])
    commands = [replace(each, run=lambda _: 0) if each.name in ELSEWHERE else each for each in PROGRAM]
    assert cli.main(commands, DEFAULT, [*shlex.split(command), *briefly]) == 0
    printed = capsys.readouterr()
    assert printed.out or "--output" in command or command.split()[0] in ELSEWHERE
    assert "Traceback" not in printed.err


@pytest.mark.parametrize("command", sorted(SERVING))
def test_every_command_that_serves_says_where_and_ends_with_ctrl_c(command: str, folder: Path) -> None:
    assert command in COMMANDS
    (folder / "linja.toml").write_text("[web]\nport = 65535\n", encoding="utf-8")
    line = [sys.executable, "-m", "simulator", *command.split(), "--no-browser", "--config", str(folder / "linja.toml")]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert re.search(r"http://127\.0\.0\.1:\d+/", program.stdout.readline())
        program.send_signal(signal.SIGINT)
        _, complaint = program.communicate(timeout=30)
    assert program.returncode == 0
    assert "Traceback" not in complaint


@pytest.mark.parametrize("command", sorted(ELSEWHERE))
def test_what_is_run_elsewhere_has_a_file_of_tests(command: str) -> None:
    assert command in {each.name for each in PROGRAM}
    assert (ROOT / "tests" / ELSEWHERE[command]).exists()


def test_every_other_line_to_type_is_for_another_program_that_is_known() -> None:
    lines = [
        line
        for document in DOCUMENTS
        for fence in fences(document)
        if fence.language == "sh"
        for line in fence.text.splitlines()
    ]
    ours = [line for line in lines if LINJA.fullmatch(line) or FOR_RUN_ITSELF.fullmatch(line)]
    assert ours
    assert [line for line in lines if line not in ours and not line.startswith(FOR_OTHER_PROGRAMS)] == []


def test_every_module_that_is_to_be_run_by_name_is_there() -> None:
    named = {
        module
        for document in DOCUMENTS
        for command in SPAN.findall(prose(document))
        for module in re.findall(r"^\.venv/bin/python -m ([\w.]+)", command)
    }
    assert {"tests.screenshots", "tests.dragging"} <= named
    assert [module for module in sorted(named) if importlib.util.find_spec(module) is None] == []


def test_the_scanner_is_flashed_with_all_its_files() -> None:
    scanner = ROOT / "firmware" / "scanner"
    lines = [
        line for fence in fences(scanner / "README.md") if fence.language == "sh" for line in fence.text.splitlines()
    ]
    copies = [shlex.split(line)[2:-1] for line in lines if line.startswith("mpremote cp ")]
    assert len(copies) == 2
    program = {path.name for path in scanner.glob("*.py")}
    assert [set(names) for names in copies] == [program, program]
