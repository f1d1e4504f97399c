"""A calibration from the first word to the file: stopped, lost and resumed, with nothing damaged on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.calibrate.draft import draft_path
from firmware.calibrate.guide import Guide, Phase
from firmware.calibrate.session import CalibrationSession, Ending
from firmware.config import Settings
from firmware.person import TerminalPerson
from firmware.progress import Bar
from hardware.calibration import Calibration
from hardware.calibration_file import load, save
from hardware.layout import Layout
from hardware.scanner_protocol import RawMode, encode
from simulator.__main__ import main
from simulator.cable import Cable
from simulator.patient import SimulatedPatient, SimulatedPerson

SETTINGS = Settings()
LAYOUT = SETTINGS.layout


class Impatient(SimulatedPerson):
    """Has had enough after so many slots, or trips over the cable."""

    def __init__(self, patient: SimulatedPatient, answers: int, trips: bool = False) -> None:
        self._patient = patient
        self._person = patient.person
        self._answers = answers
        self._trips = trips

    def follow(self, guide: Guide, layout: Layout) -> bool:
        if len(guide.answers) >= self._answers:
            if not self._trips:
                return False
            self._patient.faults.command("unplug")
        return self._person.follow(guide, layout)


def board(*faults: str, answers: int | None = None, trips: bool = False) -> SimulatedPatient:
    patient = SimulatedPatient(SETTINGS, 4, faults)
    if answers is not None:
        patient.person = Impatient(patient, answers, trips)
    return patient


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An older calibration."""
    path = tmp_path / "calibration.toml"
    save(Calibration.default(LAYOUT), path, LAYOUT)
    return path


def test_the_old_calibration_stays_until_the_new_one_is_complete(file: Path) -> None:
    before = file.read_bytes()
    assert CalibrationSession(board("reversed 2.2", answers=20), file).run() is Ending.STOPPED
    assert file.read_bytes() == before
    assert draft_path(file).exists()
    session = CalibrationSession(board("reversed 2.2"), file)
    assert session.run() is Ending.COMPLETE
    calibration = load(file, LAYOUT)
    assert [LAYOUT.name(slot) for slot, sensor in enumerate(calibration.sensors) if sensor.reversed] == ["2.2"]
    assert not draft_path(file).exists()


def test_one_that_was_stopped_goes_on_where_it_was(file: Path) -> None:
    CalibrationSession(board(answers=20), file).run()
    asked: list[int | None] = []
    patient = board(answers=21)
    follow = patient.person.follow

    def noting(guide: Guide, layout: Layout) -> bool:
        asked.append(guide.target)
        return follow(guide, layout)

    patient.person.follow = noting  # type: ignore[method-assign]
    CalibrationSession(patient, file).run()
    slots = list(dict.fromkeys(slot for slot in asked if slot is not None))
    assert len(slots) == 3, "the last slot once more, for the pawn may be another one, the next, and the one after"


def test_anew_means_from_the_start(file: Path) -> None:
    CalibrationSession(board(answers=20), file).run()
    session = CalibrationSession(board(answers=0), file, anew=True)
    session.run()
    assert session.guide
    assert session.guide.answers == {}


def test_a_scanner_that_is_lost_on_the_way_costs_nothing(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(OSError, match="unplugged"):
        CalibrationSession(board("swapped 0.0 0.1", answers=30, trips=True), file).run()
    assert file.read_bytes() == before
    session = CalibrationSession(board("swapped 0.0 0.1"), file)
    assert session.run() is Ending.COMPLETE
    assert load(file, LAYOUT).channels[:3] == (1, 0, 2)


def test_a_board_that_must_be_mended_first_keeps_its_old_calibration(file: Path) -> None:
    before = file.read_bytes()
    assert CalibrationSession(board("dead 3.3"), file).run() is Ending.FLAWED
    assert file.read_bytes() == before


@pytest.mark.parametrize(("fault", "why"), [("silent", "no scanner answers"), ("unplug", "unplugged")])
def test_without_a_scanner_there_is_nothing_to_calibrate(fault: str, why: str, file: Path) -> None:
    with pytest.raises(OSError, match=why):
        CalibrationSession(board(fault), file).run()


# At the terminal


class Script:
    """Lines that are typed, one a look."""

    def __init__(self, *lines: str | None) -> None:
        self._lines = list(lines)

    def poll(self) -> str | None:
        return self._lines.pop(0) if self._lines else None

    def wait(self) -> str:
        return self.poll() or ""


def test_the_terminal_tells_what_to_do_and_takes_keys(capsys: pytest.CaptureFixture[str]) -> None:
    guide = Guide(LAYOUT, "b")
    person = TerminalPerson(Bar(), Script(None, None, "s", "b", "q"))
    assert person.follow(guide, LAYOUT)
    assert "Take every pawn off the board" in capsys.readouterr().out
    patient = SimulatedPatient(SETTINGS)
    patient.person = person  # type: ignore[assignment]
    session = CalibrationSession(patient, Path("nowhere"))
    assert session.run() is Ending.STOPPED
    assert session.guide
    assert session.guide.phase is Phase.EMPTY, "the keys of the walk mean nothing before it"


def test_calibrate_tells_what_it_found_and_saves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.toml"
    faults = ["--fault", "swapped 1.0 1.1", "--fault", "reversed 5.5"]
    monkeypatch.setattr("sys.argv", ["linja", "calibrate", "--simulated", "--output", str(file), *faults])
    assert main() == 0
    assert capsys.readouterr().out.splitlines() == [
        "The calibration is complete: 72 sensors.",
        "Wired otherwise than planned, and known now: 1.0, 1.1.",
        "Mounted face down, and known now: 5.5.",
    ]
    assert load(file, LAYOUT).sensors[LAYOUT.slot(5, 5)].reversed


def test_an_interruption_costs_nothing_and_leaves_the_scanner_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.toml"
    said: list[bytes] = []
    follow, write = SimulatedPerson.follow, Cable.write

    def interrupted(person: SimulatedPerson, guide: Guide, layout: Layout) -> bool:
        if len(guide.answers) == 5:
            raise KeyboardInterrupt
        return follow(person, guide, layout)

    def noted(cable: Cable, data: bytes) -> None:
        said.append(data)
        write(cable, data)

    monkeypatch.setattr(SimulatedPerson, "follow", interrupted)
    monkeypatch.setattr(Cable, "write", noted)
    monkeypatch.setattr("sys.argv", ["linja", "calibrate", "--simulated", "--output", str(file)])
    assert main() == 130
    assert capsys.readouterr().out == "Stopped after 5 slots; linja calibrate goes on from here.\n"
    assert draft_path(file).exists()
    assert said[-1] == encode(RawMode(False))


def test_calibrate_says_what_must_be_mended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["linja", "calibrate", "--simulated", "--fault", "noisy 5.5"])
    assert main() == 1
    assert "slot 5.5 is noisy" in capsys.readouterr().out
