"""What the documents say is so: their examples run, their numbers are the engine's, their links lead somewhere.

A fenced block is tested by what it is called or begins with: `python` is a session with prompts, `console` a session
with `$ linja ...` and what that prints (`...` stands for anything), `sh` is commands alone, `imports` says who may
import whom, and a block that begins with `Linja record` is a record. A console session finds the last record above it
as game.txt.
"""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine import EDITIONS, RULE_SETS, Edition, Game, Position, State
from engine.drawing import draw_board
from firmware import cli
from simulator.__main__ import PROGRAM
from tests.test_rules import COUNTS, sequences

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/**/*.md")])
EACH_DOCUMENT = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
RULES = ROOT / "docs" / "rules.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[[^\]\n]*\]\((?P<path>[^):#\s]*)(?:#(?P<heading>[^)\s]+))?\)")  # not to other sites
LINJA = re.compile(r"(?:uv run |sudo )?(?:linja|\./run|py run)(?: (?P<arguments>.*))?")
RECORD = "Linja record"


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block."""

    language: str
    text: str


def fences(document: Path) -> Iterator[Fence]:
    for match in FENCE.finditer(document.read_text(encoding="utf-8")):
        yield Fence(match["language"], match["text"])


def prose(document: Path) -> str:
    return FENCE.sub("", document.read_text(encoding="utf-8"))


def lines_that_start_with(start: str, document: Path) -> int:
    return sum(line.startswith(start) for line in document.read_text(encoding="utf-8").splitlines())


def headings(document: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def table(document: Path, first_cell: str) -> dict[str, list[int]]:
    """The numbers of the table that begins with `first_cell`, by the first cell of each line."""
    text = document.read_text(encoding="utf-8").replace("\N{MINUS SIGN}", "-").replace("`", "")
    (lines,) = re.findall(rf"^\| {first_cell} \|.*\n\| ---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = (line.strip("| ").split(" | ") for line in lines.splitlines())
    return {name: [int(cell) for cell in cells] for name, *cells in rows}


def commands(document: Path) -> Iterator[str]:
    """Everything that is shown to be typed."""
    yield from SPAN.findall(prose(document))
    for fence in fences(document):
        if fence.language == "sh":
            yield from fence.text.splitlines()
        if fence.language == "console":
            yield from (line.removeprefix("$ ") for line in fence.text.splitlines() if line.startswith("$ "))


def arguments_to_linja(document: Path) -> Iterator[list[str]]:
    for command in commands(document):
        if shown := LINJA.fullmatch(command):
            arguments = shlex.split(shown["arguments"] or "", comments=True)
            if arguments[:1] not in (["test"], ["lint"]):  # those are for `run` itself
                yield arguments


def is_known(arguments: list[str]) -> bool:
    parsed_only = [replace(command, run=lambda chosen: 0) for command in PROGRAM]
    try:
        return cli.main(parsed_only, "simulate", arguments) == 0
    except SystemExit as exit_:  # from the argument parser: after help, or a complaint
        return exit_.code == 0


@EACH_DOCUMENT
def test_python_examples_give_what_is_shown(document: Path) -> None:
    session = "".join("\n" * 2 + fence.text for fence in fences(document) if fence.language == "python")
    example = doctest.DocTestParser().get_doctest(session, {}, document.name, str(document), 0)
    report: list[str] = []
    results = doctest.DocTestRunner().run(example, out=report.append)
    assert results.failed == 0, "".join(report)
    assert results.attempted == lines_that_start_with(">>> ", document)


@EACH_DOCUMENT
def test_records_read_back(document: Path) -> None:
    games = [Game.parse(fence.text) for fence in fences(document) if fence.text.startswith(RECORD)]
    assert [Game.parse(str(game)) for game in games] == games


@EACH_DOCUMENT
def test_console_examples_print_what_is_shown(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown, printed = [], []
    for fence in fences(document):
        if fence.text.startswith(RECORD):
            Path("game.txt").write_text(fence.text, encoding="utf-8")
        if fence.language == "console":
            command, output = fence.text.removeprefix("$ linja ").split("\n", 1)
            cli.main(PROGRAM, "simulate", shlex.split(command))
            shown.append(output)
            printed.append("".join(capsys.readouterr()))
    matches = doctest.OutputChecker().check_output
    unlike = [pair for pair in zip(shown, printed, strict=True) if not matches(*pair, doctest.ELLIPSIS)]
    assert unlike == []
    assert len(shown) == lines_that_start_with("$ ", document)


@EACH_DOCUMENT
def test_every_command_shown_is_one_that_linja_knows(document: Path) -> None:
    assert [shlex.join(arguments) for arguments in arguments_to_linja(document) if not is_known(arguments)] == []


@EACH_DOCUMENT
def test_links_within_the_project_lead_somewhere(document: Path) -> None:
    for link in LINK.finditer(SPAN.sub("", prose(document))):
        target = document.parent / link["path"] if link["path"] else document
        assert target.exists(), link[0]
        assert not link["heading"] or link["heading"] in map(anchor, headings(target)), link[0]


def test_the_table_of_action_counts_is_the_engines() -> None:
    counts = table(RULES, "depth")
    assert counts == COUNTS  # to depth 5; test_rules holds these against the engine
    for name, shown in counts.items():
        start = State.initial(Edition.parse(name))
        assert shown[:4] == [sequences(start, depth) for depth in range(1, 5)], name
    assert set(counts) == set(map(str, RULE_SETS))


def test_the_table_of_points_is_the_engines() -> None:
    worth = table(RULES, "rows from the goal")
    assert {name: tuple(worth[name]) for name in EDITIONS} == {
        name: edition.row_points for name, edition in EDITIONS.items()
    }


def test_the_drawing_of_the_setup_is_the_programs() -> None:
    assert draw_board(Position.setup()) + "\n" in [fence.text for fence in fences(RULES)]


def test_every_section_of_the_tests_of_the_rules_is_a_heading_of_the_rules() -> None:
    sections = re.findall(r"^# (.+)$", (ROOT / "tests" / "test_rules.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections
    assert [section for section in sections if section not in headings(RULES)] == []


def test_imports_go_in_the_direction_that_the_architecture_shows() -> None:
    (shown,) = (fence.text for fence in fences(ARCHITECTURE) if fence.language == "imports")
    allowed = {
        importer: set(imported) for importer, *imported in (re.findall(r"\w+", line) for line in shown.splitlines())
    }
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for folder in allowed
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in imported_folders(path)
        if name in {*allowed, "tests"} - allowed[folder] - {folder}
    ]
    assert wrong == []


def imported_folders(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
