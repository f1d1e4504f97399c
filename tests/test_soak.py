"""A share of each trial of `linja soak`, and that the trials notice what they are there to notice."""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from engine import Action, Game
from firmware.events import ActionAccepted, ActionsTakenBack, GameStarted, SetUpAsked
from firmware.journal import Journal
from simulator.__main__ import main
from simulator.soak import cable, crowd, day, disk, fuzz, kills, torn
from simulator.soak.ledger import Ledger
from simulator.soak.long_day import Taken
from simulator.soak.talk import Announced, Told
from simulator.soak.trial import Finding
from simulator.soak.wal import confirmed_bytes
from tests.journals import AT

ROOT = Path(__file__).parents[1]


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    return random.Random(request.config.getoption("randomly_seed")).randrange(1_000_000)


def show(share: float, words: str) -> None:
    assert 0 <= share <= 1
    assert words


@pytest.fixture
def _terminals() -> None:
    pytest.importorskip("tty", reason="this system has no pseudo-terminals")


@pytest.mark.usefixtures("_terminals")
def test_a_cable_that_is_pulled_and_a_scanner_that_restarts_cost_nothing(tmp_path: Path, seed: int) -> None:
    finding = cable.run(4, seed, tmp_path, show)
    assert finding.wrong == ()
    assert finding.figures[:2] == ("4 times unplugged", "4 resets")


@pytest.mark.usefixtures("_terminals")
def test_a_killed_service_has_lost_nothing_that_it_showed_and_goes_on(tmp_path: Path, seed: int) -> None:
    finding = kills.run(4, seed, tmp_path, show)
    assert finding.wrong == ()
    assert finding.figures[0] == "4 kills"


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_garbage_of_every_kind_is_answered_and_harms_nothing(kind: str, tmp_path: Path, seed: int) -> None:
    module = importlib.import_module(f"simulator.soak.fuzz_{kind}")
    finding = fuzz.try_garbage(module, 150, random.Random(seed), tmp_path, show)
    assert finding.wrong == ()
    assert finding.figures[0].startswith("150 (")


class Victim:
    """Stands in for a part of the board that does not do what it must."""

    def __init__(self, answer: Callable[[bytes], str | None]) -> None:
        self._answer = answer

    def valid(self) -> list[bytes]:
        return [b"valid"]

    @contextlib.contextmanager
    def victim(self, folder: Path) -> Iterator[Callable[[bytes], str | None]]:
        yield self._answer


@pytest.mark.parametrize(
    ("answer", "flaw"),
    [
        (lambda piece: " ", "the answer is empty"),
        (lambda piece: "A" * 5000, "the answer has 5000 characters"),
        (lambda piece: str(int("no number")), "ValueError: invalid literal"),
    ],
)
def test_an_unclear_answer_and_a_crash_are_noticed(
    answer: Callable[[bytes], str | None], flaw: str, tmp_path: Path
) -> None:
    finding = fuzz.try_garbage(Victim(answer), 100, random.Random(1), tmp_path, show)
    assert len(finding.wrong) == fuzz.MOST_WRONG
    assert all(sentence.startswith(flaw) for sentence in finding.wrong)


def test_a_hang_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "HANGS_S", 0.0)

    def never(piece: bytes) -> str | None:
        while True:
            pass

    finding = fuzz.try_garbage(Victim(never), 1, random.Random(1), tmp_path, show)
    assert [sentence.partition(":")[0] for sentence in finding.wrong] == ["it hangs"]


def test_hours_of_play_take_no_more_of_the_machine(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("this system does not show its processes as files")
    monkeypatch.setattr(day, "HOUR_S", 40.0)
    monkeypatch.setattr(day, "MOST_GROWTH", 0.5)  # everything is used for the first time
    finding = day.run(2, seed, tmp_path, show)
    assert finding.wrong == ()
    assert finding.figures[0] == "2 hours of 40 s"


def test_whatever_grows_in_a_day_is_noticed() -> None:
    usual = Taken(0, 50_000_000, 14, 5, 4, 1000, 1000, games=0, actions=0)
    more = {"memory_bytes": 53_000_000, "descriptors": 15, "threads": 6, "tasks": 5, "ring_bytes": 2**20 + 1}
    hours = [usual, usual, *(msgspec.structs.replace(usual, **{key: value}) for key, value in more.items()), usual]
    wrong = [sentence.split()[-1] for sentence in day._wrong(hours)]
    assert wrong == ["%", "start", "start", "start", "1048576"]


@pytest.mark.usefixtures("_terminals")
@pytest.mark.parametrize("trouble", disk.TROUBLES[3::5], ids=lambda trouble: trouble.name)
def test_play_goes_on_while_writes_fail_and_all_is_kept(
    trouble: disk.Trouble, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if trouble.is_real:
        pytest.importorskip("resource", reason="this system does not limit files")
    monkeypatch.setattr(disk, "TROUBLES", (trouble,))
    monkeypatch.setattr(disk, "MOST_TURNS", 1)
    assert disk.run(1, seed, tmp_path, show).wrong == ()


@pytest.mark.usefixtures("_terminals")
def test_torn_files_cost_nothing_that_was_confirmed_and_play_goes_on(tmp_path: Path, seed: int) -> None:
    finding = torn.run(3, seed, tmp_path, show)
    assert finding.wrong == ()
    assert finding.figures[0] == "1 times torn behind what was confirmed"


def test_a_log_counts_up_to_its_last_whole_transaction(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "linja.db", print)
    key = journal.begin(START.start.edition, START.start.to_move, at=AT)
    before = tmp_path.joinpath("linja.db-wal").read_bytes()
    journal.accept(key, 0, OPENING, at=AT)
    after = tmp_path.joinpath("linja.db-wal").read_bytes()
    journal.close()
    assert 0 < len(before) < len(after)
    for log in (before, after[: len(before) + 1], after[:-1], before + b"noise" * 2000):
        assert confirmed_bytes(log) == len(before)
    assert confirmed_bytes(after) == len(after)
    assert confirmed_bytes(b"") == 0


@pytest.mark.usefixtures("_terminals")
def test_a_crowd_is_let_in_or_not_and_the_light_is_measured(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "MOVES", 2)
    monkeypatch.setattr(crowd, "MOST_S", 3600.0)
    finding = crowd.run(20, seed, tmp_path, show)
    assert finding.wrong == ()
    assert finding.figures[:2] == ("20 clients", "2 moves")


# The ledger


OPENING, FOLLOW_UP = Action.parse("red:0-1"), Action.parse("red:+5-7")
START = Game.new()


def test_what_was_taken_back_may_be_gone_from_the_journal(tmp_path: Path) -> None:
    ledger = ledger_of_two_actions()
    ledger.hear(Told(ActionAccepted(FOLLOW_UP)))
    ledger.hear(Announced((ActionsTakenBack(1),), START))
    ledger.hear(Told(ActionsTakenBack(1)))
    assert ledger.differs(journal_of(tmp_path / "linja.db", OPENING)) is None


def ledger_of_two_actions() -> Ledger:
    """One action was told, and another was announced."""
    ledger = Ledger()
    for event in (GameStarted(START.start.edition, START.start.to_move), ActionAccepted(OPENING)):
        ledger.hear(Announced((event,), START))
        ledger.hear(Told(event))
    ledger.hear(Announced((ActionAccepted(FOLLOW_UP),), START))
    return ledger


def journal_of(path: Path, *actions: Action) -> Path:
    with contextlib.closing(Journal.open(path, print)) as journal:
        key = journal.begin(START.start.edition, START.start.to_move, at=AT)
        for number, action in enumerate(actions):
            journal.accept(key, number, action, at=AT)
    return path


@pytest.mark.parametrize("actions", [(OPENING,), (OPENING, FOLLOW_UP)])
def test_a_journal_may_have_what_was_told_and_what_was_announced(actions: tuple[Action, ...], tmp_path: Path) -> None:
    assert ledger_of_two_actions().differs(journal_of(tmp_path / "linja.db", *actions)) is None


@pytest.mark.parametrize("actions", [(), (Action.parse("red:0-1"), Action.parse("red:+0-2"))], ids=["lost", "invented"])
def test_a_journal_without_what_was_told_or_with_something_else_is_noticed(
    actions: tuple[Action, ...], tmp_path: Path
) -> None:
    wrong = ledger_of_two_actions().differs(journal_of(tmp_path / "linja.db", *actions))
    assert wrong is not None
    assert wrong.endswith("and was to have red:0-1")


def test_games_that_were_set_up_and_not_begun_leave_no_trace(tmp_path: Path) -> None:
    path, ledger = tmp_path / "linja.db", Ledger()
    start = GameStarted(START.start.edition, START.start.to_move)
    for events in ((start,), (ActionAccepted(OPENING),), (SetUpAsked(), start), (ActionAccepted(OPENING),)):
        ledger.hear(Announced(events, START))
        for event in events:
            ledger.hear(Told(event))
    for _ in range(3):
        for event in (SetUpAsked(), start):
            ledger.hear(Announced((event,), START))
            ledger.hear(Told(event))
    for actions in ((OPENING,), (OPENING,), ()):
        journal_of(path, *actions)
    assert ledger.differs(path) is None
    assert ledger.differs(path, newest=None) is None


# The command


def test_the_command_says_what_it_found_and_with_which_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["linja", "soak", "journal", "--times", "1", "--seed", "4"])
    monkeypatch.setattr("signal.signal", lambda *_: None)
    assert main() == 0
    promise, found = capsys.readouterr().out.splitlines()
    assert promise.startswith("journal: the program that writes the journal killed")
    assert found.startswith("    as promised: 1 kills, ")
    assert "(seed 4, " in found


def test_without_a_name_all_trials_run(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def tried(name: str) -> object:
        ran.append(name.rpartition(".")[2])
        return SimpleNamespace(PROMISE="", TIMES=1, run=lambda *_: Finding((), ()))

    monkeypatch.setattr("sys.argv", ["linja", "soak"])
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("importlib.import_module", tried)
    assert main() == 0
    assert ran == ["cable", "kills", "journal", "fuzz", "day", "disk", "torn", "crowd"]


@pytest.mark.usefixtures("_terminals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_trial_leaves_nothing_behind(how: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "simulator", "soak", "kills", "--times", "100000"]
    place = os.environ | {"TMPDIR": str(tmp_path)}
    with (
        subprocess.Popen(command, cwd=ROOT, env=place, stderr=subprocess.PIPE) as soak,
        contextlib.ExitStack() as at_the_end,
    ):
        at_the_end.callback(soak.kill)  # a test that fails waits for nobody
        while not (services := services_in(tmp_path)):
            assert soak.poll() is None
        soak.send_signal(how)
        _, complaints = soak.communicate()
    assert soak.returncode == 130, complaints.decode()
    assert len(services) == 1
    assert services_in(tmp_path) == []
    assert [*tmp_path.iterdir()] == []


def services_in(folder: Path) -> list[str]:
    """The numbers of the processes that have a journal open in this folder."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not show its processes as files")
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            files = [file.readlink() for file in (process / "fd").iterdir()]
            if any(folder in file.parents and file.name == "linja.db" for file in files):
                found.append(process.name)
    return found
