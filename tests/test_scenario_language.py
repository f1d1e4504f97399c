"""The language of scenarios: what it reads, what it says about a line that means nothing, and how time passes in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import Color, Edition
from firmware import cli
from firmware.events import ActionAccepted
from simulator.commands import COMMANDS
from simulator.expectations import SUBJECTS
from simulator.faults import FaultKind
from simulator.scenario import WORDS, Beginning, Movement, Scenario
from simulator.stage import Failure, Performance, perform
from simulator.words import ScenarioError


def failure_of(text: str) -> Failure | None:
    return perform(Scenario.parse(text, "a scenario"))


def there(text: str) -> str:
    """What was there where the last expectation of the text does not hold."""
    failure = failure_of(text)
    assert failure is not None
    assert failure.line.number == len(text.splitlines())
    return failure.there


# Reading


STEPS = [
    "lift red 0",
    "lift black 7.3 slowly",
    "lift red 4 astray",
    "place 1",
    "place black 4.2",
    "place 4 askew",
    "place red 7 between",
    "place 4.5 slowly",
    "hover 3",
    "hover red 3.2 4mm",
    "slide red 1 3",
    "slide black 6.5 4.0",
    "bump 4",
    "bump red 4.0",
    "bump black 4.5 4.2",
    "knock red 3",
    "knock 3.0",
    "sweep 2 3 4",
    "clear",
    "clear 2 3",
    "take red",
    "aside",
    "aside black",
    "setup",
    "wait 500ms",
    "press done",
    "hold new",
    "fault unplug",
    "fault stuck 3.2",
    "fault corrupt once",
    "fault clear",
    "lift red 0, place 1, wait 20ms",
    "slide red 0 1 & lift black 7, place 6",
]


@pytest.mark.parametrize("text", STEPS)
def test_the_text_of_a_step_reads_back_to_an_equal_step(text: str) -> None:
    (line,) = Scenario.parse(text, "").lines
    assert str(line.content) == text
    assert Scenario.parse(str(line.content), "").lines == (line,)


def test_remarks_and_empty_lines_count_as_lines_but_do_nothing() -> None:
    scenario = Scenario.parse("# nothing\n\nlift red 0  # a pawn\n", "")
    assert [(line.number, line.text) for line in scenario.lines] == [(3, "lift red 0")]


def test_how_it_begins_reads_back() -> None:
    beginning = Beginning(
        Edition.parse("zen+aggressive"), Color.BLACK, 3, digital=True, empty=True, seed=7, noise_levels=40
    )
    assert Scenario.parse(str(beginning), "").beginning == beginning


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("jump red 0", "there is no step 'jump'; steps are lift, place"),
        ("lift", "a colour is missing at the end"),
        ("lift green 0", "a colour is one of red, black; not 'green'"),
        ("lift red 8", "a row is a number from 0 to 7"),
        ("lift red 3.6", "row 3 has the slots 3.0 to 3.5; there is no 3.6"),
        ("lift red 0 quickly", "'quickly' is too much at the end"),
        ("lift red 0,", "a step is missing at the end"),
        ("place 3.2 between", "has a row, not a slot"),
        ("lift red 3.2 astray", "has a row, not a slot"),
        ("hover 3 high", "a height is written like 4mm"),
        ("bump 4 5.1", "a bump ends on a slot of its own row"),
        ("sweep", "a row is missing at the end"),
        ("wait soon", "a time is written like 500ms or 2s, not 'soon'"),
        ("wait 5", "a time is written like 500ms or 2s, not '5'"),
        ("press start", "a key is one of new, back, done, hint; not 'start'"),
        ("fault gremlin", "there is no fault 'gremlin'"),
        ("fault stuck", "stuck needs a slot"),
        ("edition golden", "there is no 'golden'"),
        ("best-of 2", "an odd number of games"),
        ("position rr/bb", "a position has 8 rows"),
        ("board round", "a board is digital or empty, not 'round'"),
        ("noise -1", "noise is 0 levels or more"),
        ("expect", "what is expected is missing at the end"),
        ("expect peace", "nothing is known of 'peace'; expect one of turn, row"),
        ("expect turn red", "a phase is missing at the end"),
        ("expect turn red follow-up", "the distance is missing at the end"),
        ("expect row 1 black 1 red 2", "after the row come red, a number, black, a number"),
        ("expect row 1 red two black 1", "the count of red is a whole number, not 'two'"),
        ("expect rejected rudeness", "a reason is one of"),
        ("expect accepted", "actions are missing at the end"),
        ("expect accepted 0-1", "does not say whose it is"),
        ("expect question why", "a question is one of bonus"),
        ("expect doubt 3 dead", "a slot is doubted"),
        ("expect event miracle", "there is no event 'miracle'"),
        ("expect no turn red opening", "'no' goes with event and light"),
        ("expect light 3 pink", "a look is one of turn, movable"),
        ("expect state zen", "too few words"),
        ("expect match best of 2", "a match is written like"),
    ],
)
def test_a_line_that_means_nothing_is_named_with_what_is_wrong(line: str, complaint: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        Scenario.parse(f"# a remark\n{line}", "evening.txt")
    assert str(caught.value).startswith(f"evening.txt, line 2, {line!r}: ")
    assert complaint in str(caught.value)


def test_how_it_begins_is_said_before_all_steps_and_once() -> None:
    with pytest.raises(ScenarioError, match="line 2, 'edition zen': edition says how the scenario begins"):
        Scenario.parse("lift red 0\nedition zen", "")
    with pytest.raises(ScenarioError, match="line 2, 'first black': first is said a second time"):
        Scenario.parse("first red\nfirst black", "")
    with pytest.raises(ScenarioError, match="line 2, 'board digital': board is said a second time"):
        Scenario.parse("board digital\nboard digital", "")


# Performing


def test_an_expectation_that_does_not_hold_says_what_was_there() -> None:
    opened = "lift red 0\nplace 1\n"
    assert there(opened + "expect turn black opening") == "turn red follow-up 2"
    assert there(opened + "expect row 1 red 1 black 1") == "row 1 red 2 black 1"
    assert there(opened + "expect accepted nothing") == "accepted red:0-1"
    assert there(opened + "expect rejected backwards") == "nothing was rejected"
    assert there(opened + "expect stage asking") == "stage playing"
    assert there(opened + "expect question turn") == "question nothing"
    assert there(opened + "expect in-hand 0") == "in-hand nothing"
    assert there(opened + "expect doubt 0.0 dead") == "doubt nothing"
    assert there(opened + "expect over red 1 black 1") == "the game is not over"
    assert there(opened + "expect match best of 1, red first") == "match nothing"
    assert there(opened + "expect actions 2") == "1 actions, red:0-1"
    assert there(opened + "expect event sensors-lost").startswith("events ")
    assert there(opened + "expect no event action-accepted").startswith("events action-accepted")
    assert there(opened + "expect light 1 distance 3").startswith("light 1 distance 2")
    assert there(opened + "expect no light 0 turn").startswith("light 0 turn")
    assert there(opened + "expect key-refused back") == "the key back was not refused"
    assert there(opened + "lift red 0\nexpect quiet") == "pawns in hand from row 0"
    assert there("lift red 3\nplace 2\nexpect quiet") == "a pawn from row 3 stands wrong in row 2"
    assert there("lift red 3\nplace 2\nexpect rejected row-full") == "rejected backwards"


def test_what_hands_cannot_do_ends_the_scenario_at_its_line() -> None:
    assert there("place 1") == "no pawn is in hand"
    assert there("lift red 7") == "no red pawn is in row 7"
    assert there("lift red 0 astray") == "no red pawn is astray in row 0"


def test_accepted_starts_anew_with_each_expectation_of_it() -> None:
    assert failure_of("lift red 0\nplace 1\nexpect accepted red:0-1\nexpect accepted nothing") is None


def test_of_steps_joined_by_a_comma_only_the_end_is_seen() -> None:
    performance = Performance(Beginning())
    performance.do(movement("lift red 0, place 1, lift red 1, place 3"))
    accepted = [(now, event) for now, event in performance.events if isinstance(event, ActionAccepted)]
    assert len(accepted) == 2
    assert len({now for now, _ in accepted}) == 1


def test_two_hands_move_at_the_same_time() -> None:
    one, two = Performance(Beginning()), Performance(Beginning())
    one.do(movement("slide red 0.1 1, slide red 0.2 2"))
    two.do(movement("slide red 0.1 1 & slide red 0.2 2"))
    assert two.now < one.now
    assert two.session.game.state == one.session.game.state


def test_after_a_movement_the_board_has_settled_and_after_a_wait_only_that_time_has_passed() -> None:
    performance = Performance(Beginning())
    before = performance.now
    performance.do(movement("wait 500ms"))
    assert performance.now == pytest.approx(before + 0.5)
    performance.do(movement("lift red 0"))
    assert performance.session.deadline is None


def test_the_same_scenario_is_the_same_every_time() -> None:
    runs = []
    for _ in range(2):
        performance = Performance(Beginning(seed=3, noise_levels=60))
        performance.do(movement("sweep 2 3"))
        performance.do(movement("wait 2s"))
        runs.append((performance.events, performance.now))
    assert runs[0] == runs[1]


def movement(text: str) -> Movement:
    (line,) = Scenario.parse(text, "").lines
    assert isinstance(line.content, Movement)
    return line.content


# The command


def test_the_command_says_which_line_of_which_file_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("expect turn red opening")
    bad.write_text("lift red 0\nexpect in-hand 1")
    assert cli.main(COMMANDS, "simulate", ["simulate", "--script", str(good)]) == 0
    assert cli.main(COMMANDS, "simulate", ["simulate", "--script", str(good), str(bad)]) == 1
    printed = capsys.readouterr().out
    assert f"{bad}, line 2: expect in-hand 1\n    there was: in-hand 0\n" in printed


@pytest.mark.parametrize("content", [b"\xff\xfe", b"jump", b"", b"edition zen  # and nothing else"])
def test_the_command_refuses_what_is_no_scenario(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.txt"
    path.write_bytes(content)
    assert cli.main(COMMANDS, "simulate", ["simulate", "--script", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_the_command_refuses_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(COMMANDS, "simulate", ["simulate", "--script", str(tmp_path / "none.txt")]) == 2
    assert "cannot be read" in capsys.readouterr().err


# The page


PAGE = (Path(__file__).parent.parent / "docs" / "scenarios.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", WORDS)
def test_the_page_has_every_word_that_a_line_can_begin_with(word: str) -> None:
    assert re.search(rf"`{word}\b", PAGE)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_page_has_everything_that_can_be_expected(subject: str) -> None:
    assert re.search(rf"`{subject}\b", PAGE.partition("## What must be so")[2])


@pytest.mark.parametrize("kind", FaultKind, ids=lambda kind: kind.value)
def test_the_page_has_every_fault(kind: FaultKind) -> None:
    assert f"`{kind.value}`" in PAGE
