"""From levels to readings, how a calibration is measured, and how it is kept."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.calibration import Calibration, Classifier, SensorLevels
from hardware.calibration_file import load, load_or_default, save
from hardware.calibration_run import LEAST_SCANS, CalibrationRun, Flaw
from hardware.errors import CalibrationError
from hardware.interface import Reading, SensorFault
from hardware.layout import BoardSettings, Layout

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = Layout.of(BoardSettings())
SLOT = LAYOUT.slot(3, 2)
EMPTY, RED, BLACK, UNSURE = Reading.EMPTY, Reading.RED, Reading.BLACK, Reading.UNSURE
BASELINE = 32768
PAWN = 13000


def board_with(level: int) -> list[int]:
    """Levels of a board that is empty but for one slot."""
    levels = [BASELINE] * LAYOUT.slot_count
    levels[SLOT] = level
    return levels


def readings_of(*shares: float) -> list[Reading]:
    """What the slot reads as its level wanders through these shares of a good pawn."""
    classifier = Classifier(Calibration.default(LAYOUT))
    return [classifier.classify(board_with(round(BASELINE + share * PAWN))).readings[SLOT] for share in shares]


# Classifying


def test_a_level_above_the_baseline_is_red_and_below_is_black() -> None:
    assert readings_of(0.0, 1.0, -1.0, 0.0) == [EMPTY, RED, BLACK, EMPTY]


def test_every_other_slot_of_the_board_stays_what_it_was() -> None:
    snapshot = Classifier(Calibration.default(LAYOUT)).classify(board_with(BASELINE + PAWN))
    assert snapshot.readings.count(EMPTY) == LAYOUT.slot_count - 1


def test_a_level_between_nothing_and_a_pawn_is_unsure() -> None:
    assert readings_of(0.35, -0.35) == [UNSURE, UNSURE]


def test_a_pawn_that_trembles_at_the_threshold_keeps_its_reading() -> None:
    assert readings_of(1.0, 0.42, 0.46, 0.44, 0.42) == [RED] * 5
    assert readings_of(0.35, 0.44, 0.46, 0.44, 0.48) == [UNSURE] * 5


def test_an_empty_slot_that_trembles_at_the_threshold_keeps_its_reading() -> None:
    assert readings_of(0.0, 0.24, 0.26, 0.24, 0.28) == [EMPTY] * 5


def test_a_level_that_clearly_passes_the_threshold_changes_the_reading() -> None:
    assert readings_of(1.0, 0.40, 0.20, 0.30, 0.50, 0.0) == [RED, UNSURE, EMPTY, UNSURE, RED, EMPTY]


def test_sureness_falls_with_the_strength_of_the_pawn() -> None:
    classifier = Classifier(Calibration.default(LAYOUT))
    shares = (1.0, 0.68, 0.52, 0.35)
    sureness = [classifier.classify(board_with(round(BASELINE + s * PAWN))).sureness[SLOT] for s in shares]
    assert sureness == sorted(set(sureness), reverse=True)
    assert (sureness[0], sureness[-1]) == (100, 0)


def test_a_noisier_sensor_gets_a_wider_margin() -> None:
    quiet = SensorLevels(baseline=BASELINE, noise=10, red=BASELINE + PAWN, black=BASELINE - PAWN)
    noisy = SensorLevels(baseline=BASELINE, noise=250, red=BASELINE + PAWN, black=BASELINE - PAWN)
    board = Classifier(Calibration("", (quiet, noisy)))
    assert board.classify([BASELINE + PAWN] * 2).readings == (RED, RED)
    assert board.classify([BASELINE + round(0.40 * PAWN)] * 2).readings == (UNSURE, RED)


def test_however_noisy_a_sensor_is_a_pawn_leaves_it_only_through_doubt() -> None:
    board = Classifier(Calibration("", (SensorLevels(baseline=32000, noise=290, red=36500, black=27500),)))
    seen = [board.classify([level]).readings[0] for level in range(36500, 31999, -10)]
    assert list(dict.fromkeys(seen)) == [RED, UNSURE, EMPTY]


@pytest.mark.parametrize("level", [0, 65535])
def test_a_level_at_the_rails_is_no_pawn_but_a_fault_of_that_slot(level: int) -> None:
    snapshot = Classifier(Calibration.default(LAYOUT)).classify(board_with(level))
    assert snapshot.readings[SLOT] is UNSURE
    assert snapshot.faults == (SensorFault("saturated", SLOT),)


def test_the_snapshot_carries_the_levels_and_the_faults_of_the_scanner() -> None:
    fault = SensorFault("adc stuck")
    snapshot = Classifier(Calibration.default(LAYOUT)).classify(board_with(40000), (fault,))
    assert snapshot.levels == tuple(board_with(40000))
    assert snapshot.faults == (fault,)


def test_a_fault_that_the_scanner_reports_too_is_told_once() -> None:
    fault = SensorFault("saturated", SLOT)
    assert Classifier(Calibration.default(LAYOUT)).classify(board_with(0), (fault,)).faults == (fault,)


def test_levels_for_another_number_of_slots_are_refused() -> None:
    with pytest.raises(ValueError, match="71 levels for a board of 72 slots"):
        Classifier(Calibration.default(LAYOUT)).classify([BASELINE] * 71)


@given(st.lists(st.integers(0, 65535), min_size=1, max_size=20))
def test_memory_never_makes_a_reading_that_a_fresh_look_contradicts(levels: list[int]) -> None:
    remembering = Classifier(Calibration.default(LAYOUT))
    for level in levels:
        kept = remembering.classify(board_with(level)).readings[SLOT]
        fresh = Classifier(Calibration.default(LAYOUT)).classify(board_with(level)).readings[SLOT]
        assert kept is fresh or UNSURE in (kept, fresh)


# Measuring

PAWNS = [RED, BLACK, EMPTY] * (LAYOUT.slot_count // 3)
SHIFT = {RED: PAWN, BLACK: -PAWN, EMPTY: 0}


def measured_run(
    noise: dict[int, float] | None = None,
    baselines: dict[int, int] | None = None,
    pawns: dict[int, int] | None = None,
) -> CalibrationRun:
    """A run over a board of one spread; the arguments say which slots differ, and how."""
    rng = random.Random(7)
    run = CalibrationRun(LAYOUT, PAWNS)
    slots = range(LAYOUT.slot_count)
    still = [(baselines or {}).get(slot, BASELINE + 20 * slot) for slot in slots]
    shift = [(pawns or {}).get(slot, SHIFT[PAWNS[slot]]) for slot in slots]
    trembling = [(noise or {}).get(slot, 40.0) for slot in slots]
    for _ in range(LEAST_SCANS):
        run.add_empty([round(rng.gauss(still[slot], trembling[slot])) for slot in slots])
        run.add_occupied([round(rng.gauss(still[slot] + shift[slot], trembling[slot])) for slot in slots])
    return run


def test_a_run_finds_baseline_noise_and_both_polarities() -> None:
    sensor = measured_run(pawns={3: 9000}).finish("b1").sensors[3]
    assert sensor.baseline == pytest.approx(BASELINE + 60, abs=40)
    assert 20 < sensor.noise < 70
    assert sensor.red - sensor.baseline == pytest.approx(9000, abs=60)
    assert sensor.baseline - sensor.black == pytest.approx(9000, abs=100), "a linear sensor is the same to both poles"


def test_a_slot_without_a_pawn_takes_the_median_strength() -> None:
    sensor = measured_run(pawns={0: 18000}).finish("b1").sensors[2]
    assert sensor.red - sensor.baseline == pytest.approx(PAWN, abs=60)
    assert sensor.baseline - sensor.black == pytest.approx(PAWN, abs=60)


@pytest.mark.parametrize(
    ("run", "slot", "flaw"),
    [
        (measured_run(noise={5: 700.0}), 5, Flaw.NOISY),
        (measured_run(baselines={7: 90}), 7, Flaw.OFF_CENTRE),
        (measured_run(baselines={8: 11000}), 8, Flaw.OFF_CENTRE),
        (measured_run(pawns={3: 5000}), 3, Flaw.WEAK),
        (measured_run(pawns={3: 100}), 3, Flaw.MISSING),
        (measured_run(pawns={4: PAWN}), 4, Flaw.REVERSED),
        (measured_run(pawns={2: -PAWN}), 2, Flaw.UNEXPECTED),
    ],
)
def test_what_cannot_be_right_is_refused_and_named_by_slot(run: CalibrationRun, slot: int, flaw: Flaw) -> None:
    assert [(found.slot, found.flaw) for found in run.flaws()] == [(slot, flaw)]
    with pytest.raises(CalibrationError, match=rf"slot {LAYOUT.name(slot)}: {flaw.value}"):
        run.finish("b1")


def test_a_bad_sensor_is_told_before_the_pawns_are_set_up() -> None:
    run = measured_run(noise={5: 700.0}, baselines={7: 90, 8: 65000})
    assert [(found.slot, found.flaw) for found in run.empty_flaws()] == [
        (5, Flaw.NOISY),
        (7, Flaw.OFF_CENTRE),
        (8, Flaw.OFF_CENTRE),
    ]


def test_all_flaws_are_told_at_once() -> None:
    run = measured_run(noise={5: 700.0}, pawns={3: 100, 4: PAWN})
    assert [found.slot for found in run.flaws()] == [3, 4, 5]


def test_too_few_scans_are_refused() -> None:
    run = CalibrationRun(LAYOUT, PAWNS)
    run.add_empty([BASELINE] * LAYOUT.slot_count)
    with pytest.raises(CalibrationError, match="1 scans of the empty board are too few"):
        run.finish("b1")
    assert 0 < run.empty_progress < 1


def test_a_plan_without_one_of_the_colours_is_refused() -> None:
    with pytest.raises(CalibrationError, match="no black one is planned"):
        CalibrationRun(LAYOUT, [RED] * LAYOUT.slot_count)


# Keeping


def a_calibration() -> Calibration:
    return measured_run().finish("e66118604b5a2137")


def test_a_saved_calibration_reads_back_equal(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "calibration.toml"
    save(a_calibration(), path, LAYOUT)
    assert load(path, LAYOUT, "e66118604b5a2137") == a_calibration()
    assert [file.name for file in path.parent.iterdir()] == [path.name], "no draft stays behind"


def test_saving_that_fails_leaves_the_old_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "calibration.toml"
    save(a_calibration(), path, LAYOUT)
    before = path.read_bytes()

    def disk_full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", disk_full)
    with pytest.raises(CalibrationError, match="No space left"):
        save(Calibration.default(LAYOUT), path, LAYOUT)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("version = 1", "version = 2", "version 2, and this program reads version 1"),
        ("version = 1", "version = [", "damaged"),
        ("version = 1", f"version = {'9' * 5000}", "damaged: Exceeds the limit"),
        ("version = 1", "", "damaged.*version"),
        ('board = "e6', 'board = "ff', "made for board 'ff6118604b5a2137', not for 'e66118604b5a2137'"),
        ('layout = "', 'layout = "0', "wired as 0"),
        ('"3.2" = {', '"3.7" = {', "slot 3.2 is missing"),
        ("[slots]\n", '[slots]\n"8.0" = { baseline = 32768, noise = 1, red = 45000, black = 20000 }\n', "no slot 8.0"),
        ('"3.2" = { baseline = ', '"3.2" = { baseline = 9', r"damaged: Expected `int` <= 65535.*slots"),
        ('"3.2" = { baseline = 3', '"3.2" = { baseline = 1', r"slot 3\.2 has black \d+, baseline 1\d+, red"),
        ('"3.2" = { baseline', '"3.2" = { base', "damaged.*base"),
        ("noise = ", "noise = 9", "noise of 9"),
        (", red = 46", ", red = 34", r"slot 0\.\d+ has a pawn less than 4000 from its baseline"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_what_is_wrong(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    path = tmp_path / "calibration.toml"
    save(a_calibration(), path, LAYOUT)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(CalibrationError, match=complaint):
        load(path, LAYOUT, "e66118604b5a2137")


@given(cut=st.integers(0, 100))
def test_a_file_that_was_cut_short_is_refused(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "calibration.toml"
    save(Calibration.default(LAYOUT), path, LAYOUT)
    text = path.read_bytes()
    path.write_bytes(text[: len(text) * cut // 101])
    with pytest.raises(CalibrationError):
        load(path, LAYOUT)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(CalibrationError, match="damaged"):
        load(path, LAYOUT)


def test_a_calibration_for_other_wiring_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save(a_calibration(), path, LAYOUT)
    rewired = Layout.of(BoardSettings(channels=tuple(reversed(range(72)))))
    with pytest.raises(CalibrationError, match="made for slots wired as"):
        load(path, rewired)


def test_without_a_usable_file_the_default_thresholds_are_used_and_why_is_told(tmp_path: Path) -> None:
    calibration, problem = load_or_default(tmp_path / "calibration.toml", LAYOUT)
    assert calibration == Calibration.default(LAYOUT)
    assert problem == f"there is no calibration at {tmp_path / 'calibration.toml'}"


def test_with_a_usable_file_there_is_nothing_to_tell(tmp_path: Path) -> None:
    save(a_calibration(), tmp_path / "c.toml", LAYOUT)
    assert load_or_default(tmp_path / "c.toml", LAYOUT) == (a_calibration(), None)


# A board that is not wired as it was planned

SWAPPED = (1, 0, *range(2, LAYOUT.slot_count))


def crossed() -> Calibration:
    """The first two sensors are exchanged, and the third is mounted face down."""
    typical = Calibration.default(LAYOUT).sensors[0]
    face_down = SensorLevels(baseline=BASELINE, noise=25, red=BASELINE - PAWN, black=BASELINE + PAWN)
    sensors = (typical, typical, face_down, *[typical] * (LAYOUT.slot_count - 3))
    return Calibration("b1", sensors, SWAPPED)


def test_a_reversed_sensor_reads_a_pawn_in_its_true_colour() -> None:
    classifier = Classifier(crossed())
    levels = [BASELINE] * LAYOUT.slot_count
    seen = []
    for share in (0.0, 1.0, 0.35, -0.35, -1.0):
        levels[2] = round(BASELINE + share * PAWN)
        snapshot = classifier.classify(levels)
        seen.append((snapshot.readings[2], snapshot.sureness[2]))
    assert seen == [(EMPTY, 100), (BLACK, 100), (UNSURE, 0), (UNSURE, 0), (RED, 100)]


def test_found_wiring_reads_back_and_rewires_the_layout(tmp_path: Path) -> None:
    save(crossed(), tmp_path / "c.toml", LAYOUT)
    calibration = load(tmp_path / "c.toml", LAYOUT)
    assert calibration == crossed()
    assert calibration.wired(LAYOUT).channels == SWAPPED
    assert Calibration.default(LAYOUT).wired(LAYOUT) == LAYOUT


@pytest.mark.parametrize(
    ("new", "complaint"),
    [
        ("channels = [1, 0, 2,", "names 73 of 72 slots"),
        ("channels = [1, 1,", "channel 1 has two slots"),
        ("channels = [1, 80,", "no channel 80"),
        ("channels = [1, -1,", "no channel -1"),
        ('channels = [1, "0",', "damaged"),
    ],
)
def test_wiring_that_cannot_be_is_refused(tmp_path: Path, new: str, complaint: str) -> None:
    path = tmp_path / "c.toml"
    save(crossed(), path, LAYOUT)
    text = path.read_text()
    assert "channels = [1, 0," in text
    path.write_text(text.replace("channels = [1, 0,", new))
    with pytest.raises(CalibrationError, match=complaint):
        load(path, LAYOUT)
