"""The simulated board: magnets and levels, faults by name, sensors in virtual time, lights and panel."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import pytest

from hardware.calibration import Calibration, Classifier
from hardware.errors import SensorLost
from hardware.interface import Button, Frame, KeyEvent, Reading, SensorFault, Snapshot, Touch, Tune
from hardware.layout import BoardSettings, Layout
from simulator.board import SimulatedBoard, calibrated
from simulator.faults import Fault, FaultError, FaultKind
from simulator.magnets import HallSensors
from simulator.table import Table

RED, BLACK, EMPTY, UNSURE = Reading.RED, Reading.BLACK, Reading.EMPTY, Reading.UNSURE
LAYOUT = Layout.of(BoardSettings())
HERE = LAYOUT.slot(3, 2)
NEXT = LAYOUT.slot(3, 3)
X_MM, Y_MM = LAYOUT.centres_mm[HERE]


def quiet_levels(*places: tuple[float, float, float], color: Reading = RED) -> list[int]:
    """How far each level is from its baseline with pawns at these places, without noise."""
    table = Table(LAYOUT)
    hall = HallSensors(table, noise_levels=0.0)
    for place in places:
        table.move(table.take(color), *place)
    return [level - baseline for level, baseline in zip(hall.levels(), hall.baselines, strict=True)]


def set_up_board(seed: int = 0) -> SimulatedBoard:
    board = SimulatedBoard(LAYOUT, seed)
    board.table.set_up()
    return board


def seen(board: SimulatedBoard, now: float = 0.0) -> Snapshot:
    snapshot = board.sensors.sample(now)
    assert snapshot is not None
    return snapshot


# Magnets


def test_red_lifts_the_level_of_its_slot_and_black_lowers_it() -> None:
    assert quiet_levels((X_MM, Y_MM, 0))[HERE] > 10000
    assert quiet_levels((X_MM, Y_MM, 0), color=BLACK)[HERE] < -10000


def test_a_pawn_is_felt_less_the_further_it_is_from_the_centre() -> None:
    felt = [quiet_levels((X_MM + off_mm, Y_MM, 0))[HERE] for off_mm in (0, 2, 4, 6, 8, 10)]
    assert felt == sorted(set(felt), reverse=True)


def test_a_pawn_is_felt_less_the_higher_it_is_held() -> None:
    felt = [quiet_levels((X_MM, Y_MM, height_mm))[HERE] for height_mm in (0, 1, 3, 8, 20, 80)]
    assert felt == sorted(set(felt), reverse=True)
    assert felt[-1] == 0


def test_a_neighbour_leaks_a_little_and_a_far_pawn_nothing() -> None:
    levels = quiet_levels((X_MM, Y_MM, 0))
    assert 20 < abs(levels[NEXT]) < 400
    assert levels[LAYOUT.slot(6, 2)] == 0


def test_pawns_add_up() -> None:
    both = quiet_levels((X_MM, Y_MM, 0), (X_MM + 32, Y_MM, 0))
    table = Table(LAYOUT)
    first, second = list(table.pawns)[:2]
    hall = HallSensors(table, noise_levels=0.0)
    table.move(first, X_MM, Y_MM)
    alone = hall.levels()
    table.move(first, 500, 500)
    table.move(second, X_MM + 32, Y_MM)
    other = hall.levels()
    summed = [a + b - 2 * c for a, b, c in zip(alone, other, hall.baselines, strict=True)]
    assert both == summed


def test_what_is_remembered_of_moving_pawns_is_what_a_fresh_look_finds() -> None:
    table = Table(LAYOUT, seed=4)
    table.set_up()
    followed = HallSensors(table, noise_levels=0.0)
    for _ in table.slide(RED, 0, 6):
        followed.levels()
    list(table.sweep([2, 3, 7]))
    assert followed.levels() == HallSensors(table, noise_levels=0.0).levels()


def test_a_sensor_saturates() -> None:
    table = Table(LAYOUT, magnet_spread=0.0)
    for pawn in table.pawns[:12]:
        table.move(pawn, X_MM, Y_MM)
    level = HallSensors(table).levels()[HERE]
    assert 64000 < level <= 65535
    snapshot = Classifier(Calibration.default(LAYOUT)).classify(HallSensors(table).levels())
    assert SensorFault("saturated", HERE) in snapshot.faults


def test_noise_trembles_by_as_much_as_was_asked_for() -> None:
    hall = HallSensors(Table(LAYOUT), noise_levels=100.0)
    off = [level - base for _ in range(50) for level, base in zip(hall.levels(), hall.baselines, strict=True)]
    assert 80 < math.sqrt(sum(level * level for level in off) / len(off)) < 120


def test_the_same_seed_gives_the_same_levels() -> None:
    def scans(seed: int) -> list[list[int]]:
        table = Table(LAYOUT, seed)
        table.set_up()
        hall = HallSensors(table, seed)
        return [hall.levels() for _ in range(5)]

    assert scans(3) == scans(3)
    assert scans(3) != scans(4)


@pytest.mark.parametrize("seed", range(20))
def test_boards_of_any_spread_can_be_calibrated_and_read_right(seed: int) -> None:
    board = set_up_board(seed)
    for _ in range(20):
        snapshot = seen(board)
        assert snapshot.readings == board.table.readings()
        assert min(snapshot.sureness) >= 60


@pytest.mark.parametrize("seed", range(20))
def test_boards_of_any_spread_are_read_right_by_the_default_thresholds(seed: int) -> None:
    board = SimulatedBoard(LAYOUT, seed, calibration=Calibration.default(LAYOUT))
    board.table.set_up()
    assert seen(board).readings == board.table.readings()


def test_a_pawn_that_stands_badly_is_weak_or_unsure() -> None:
    board = SimulatedBoard(LAYOUT)
    pawn = board.table.take(RED)
    found = []
    for off_mm in (0.0, 5.0, 6.5, 16.0):
        board.table.move(pawn, X_MM + off_mm, Y_MM)
        found.append((seen(board).readings[HERE], seen(board).sureness[HERE]))
    assert found == [(RED, 100), (RED, 30), (UNSURE, 0), (EMPTY, 100)]


def test_a_pawn_held_just_above_a_slot_is_not_read_as_standing_there() -> None:
    board = SimulatedBoard(LAYOUT)
    board.table.move(board.table.take(BLACK), X_MM, Y_MM, 6.0)
    assert seen(board).readings[HERE] in (EMPTY, UNSURE)


@pytest.mark.parametrize("seed", range(20))
def test_a_knocked_pawn_is_never_read_as_one_of_the_other_colour(seed: int) -> None:
    board = set_up_board(seed)
    board.table.knock(3, color=RED, rolls_mm=4.0)
    assert seen(board).readings.count(BLACK) == 12


# Faults


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("unplug", Fault(FaultKind.UNPLUG)),
        ("stuck 3.2", Fault(FaultKind.STUCK, HERE)),
        ("weak 0.17 once", Fault(FaultKind.WEAK, 17, once=True)),
        ("swapped 3.2 0.17", Fault(FaultKind.SWAPPED, HERE, other=17)),
    ],
)
def test_a_fault_reads_back_from_its_text(text: str, fault: Fault) -> None:
    assert Fault.parse(text, LAYOUT) == fault
    assert fault.text(LAYOUT) == text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a fault has a name: unplug, silent"),
        ("explode", "no fault 'explode': faults are unplug, silent, corrupt, noise, stuck SLOT"),
        ("stuck", "stuck needs a slot such as 3.2, not ''"),
        ("stuck here", "stuck needs a slot such as 3.2, not 'here'"),
        ("dead 3.9", "dead 3.9: row 3 has no slot 9"),
        ("dead 8.0", "dead 8.0: there is no row 8"),
        ("unplug 3.2", "after unplug comes nothing or 'once', not '3.2'"),
        ("weak 3.2 twice", "after weak SLOT comes nothing or 'once', not 'twice'"),
    ],
)
def test_a_fault_that_does_not_exist_is_refused_and_breaks_nothing(text: str, complaint: str) -> None:
    board = SimulatedBoard(LAYOUT)
    with pytest.raises(FaultError, match=complaint):
        board.faults.command(text)
    assert board.faults.active == ()


def test_every_fault_says_in_a_line_what_it_does() -> None:
    assert all(kind.summary and kind.usage.startswith(kind.value) for kind in FaultKind)


def test_a_stuck_sensor_goes_on_seeing_a_pawn_that_is_lifted() -> None:
    board = set_up_board()
    slot = LAYOUT.slot(4, 0)
    assert seen(board).readings[slot] is RED
    board.faults.command("stuck 4.0")
    board.table.lift(RED, 4, 0)
    assert seen(board).readings[slot] is RED
    board.faults.command("clear")
    assert seen(board).readings[slot] is EMPTY


def test_a_sensor_stuck_again_is_stuck_at_what_it_reads_then() -> None:
    board = set_up_board()
    board.faults.command("stuck 4.0")
    assert seen(board).readings[LAYOUT.slot(4, 0)] is RED
    board.faults.command("clear")
    board.table.clear()
    seen(board)
    board.faults.command("stuck 4.0")
    assert seen(board).readings[LAYOUT.slot(4, 0)] is EMPTY


def test_a_dead_sensor_is_a_fault_of_its_slot_and_of_no_other() -> None:
    board = set_up_board()
    board.faults.command("dead 3.2")
    snapshot = seen(board)
    assert snapshot.faults == (SensorFault("saturated", HERE),)
    assert [slot for slot, reading in enumerate(snapshot.readings) if reading is UNSURE] == [HERE]


def test_a_weak_sensor_still_sees_its_pawn_but_is_less_sure() -> None:
    board = set_up_board()
    board.faults.command("weak 4.0")
    snapshot = seen(board)
    assert snapshot.readings == board.table.readings()
    assert snapshot.sureness[LAYOUT.slot(4, 0)] < 50


def test_noise_makes_levels_tremble_and_no_reading_wrong() -> None:
    board = set_up_board()
    board.faults.command("noise")
    scans = [seen(board) for _ in range(50)]
    lowest, highest = (pick(scan.levels[HERE] for scan in scans) for pick in (min, max))
    assert highest - lowest > 1000
    assert {scan.readings for scan in scans} == {board.table.readings()}


def test_silence_brings_nothing_until_it_is_cleared() -> None:
    board = set_up_board()
    board.faults.command("silent")
    assert [board.sensors.sample(now) for now in (0.0, 1.0, 2.0)] == [None, None, None]
    board.faults.command("clear")
    assert seen(board).readings == board.table.readings()


def test_a_damaged_message_is_silence() -> None:
    board = set_up_board()
    board.faults.command("corrupt")
    heard = [board.sensors.sample(0.0) for _ in range(50)]
    assert 5 < heard.count(None) < 45


@pytest.mark.parametrize("fault", ["silent once", "corrupt once"])
def test_a_fault_that_acts_once_spoils_one_scan_and_no_more(fault: str) -> None:
    board = set_up_board()
    board.faults.command(fault)
    assert [board.sensors.sample(0.0) is None for _ in range(4)] == [True, False, False, False]


def test_slow_messages_arrive_late_and_in_order() -> None:
    board = set_up_board()
    board.faults.command("slow")
    heard = []
    for tick in range(70):
        if tick == 10:
            board.table.lift(RED, 4)
        snapshot = board.sensors.sample(tick / 100)
        heard.append(snapshot and snapshot.readings[LAYOUT.slot(4, 0)])
    assert heard[:29] == [None] * 29
    arrived = [reading for reading in heard if reading]
    assert arrived == [RED] * 10 + [EMPTY] * (len(arrived) - 10)
    assert EMPTY in arrived


def test_after_slowness_nothing_old_arrives() -> None:
    board = set_up_board()
    board.faults.command("slow")
    for tick in range(10):
        board.sensors.sample(tick / 100)
    board.faults.command("clear")
    board.table.lift(RED, 4)
    assert seen(board, 1.0).readings == board.table.readings()
    board.faults.command("slow")
    assert board.sensors.sample(2.0) is None


def test_an_unplugged_board_is_lost_until_it_is_plugged_in_again() -> None:
    board = set_up_board()
    board.faults.command("unplug")
    for now in (0.0, 1.0):
        with pytest.raises(SensorLost, match="unplugged"):
            board.sensors.sample(now)
    board.table.lift(RED, 4)
    board.faults.command("clear")
    assert seen(board).readings == board.table.readings()


@pytest.mark.parametrize("fault", ["reset", "unplug once"])
def test_a_short_loss_is_told_once_and_the_board_comes_back_by_itself(fault: str) -> None:
    board = set_up_board()
    board.faults.command(fault)
    with pytest.raises(SensorLost):
        board.sensors.sample(0.0)
    assert seen(board).readings == board.table.readings()


def test_after_a_loss_no_reading_leans_on_what_was_seen_before_it() -> None:
    board = SimulatedBoard(LAYOUT, noise_levels=0.0)
    pawn = board.table.take(RED)
    for off_mm in (0.0, 5.75):
        board.table.move(pawn, X_MM + off_mm, Y_MM)
        assert seen(board).readings[HERE] is RED
    board.faults.command("reset")
    with pytest.raises(SensorLost):
        board.sensors.sample(0.0)
    assert seen(board).readings[HERE] is UNSURE


# Sensors in real time, on a clock that goes further with each look at it


class Ticking:
    def __init__(self, step_s: float) -> None:
        self.now = 0.0
        self._step_s = step_s

    def __call__(self) -> float:
        self.now += self._step_s
        return self.now


def ticking_board(step_s: float = 0.01) -> tuple[SimulatedBoard, Ticking]:
    clock = Ticking(step_s)
    board = SimulatedBoard(LAYOUT, clock=clock)
    board.table.set_up()
    assert board.sensors.read(0.0) is not None
    return board, clock


def test_at_rest_a_snapshot_comes_five_times_a_second() -> None:
    board, clock = ticking_board(0.04)
    start = clock.now
    assert board.sensors.read(1.0) is not None
    assert 0.15 < clock.now - start < 0.25


def test_while_nothing_moves_nothing_is_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    board, _ = ticking_board(0.04)
    monkeypatch.setattr(board.hall, "levels", lambda: pytest.fail("the sensors were scanned"))
    assert board.sensors.read(0.1) is None


def test_a_fault_that_strikes_one_scan_is_over_with_the_next() -> None:
    board, clock = ticking_board()
    board.faults.command("weak 4.0 once")
    start = clock.now
    struck, after = board.sensors.read(1.0), board.sensors.read(1.0)
    assert struck is not None
    assert after is not None
    assert struck.sureness != after.sureness
    assert clock.now - start < 0.08


@pytest.mark.parametrize("stir", [lambda board: board.table.lift(RED, 4), lambda board: board.faults.command("unplug")])
def test_a_board_at_rest_is_woken_by_hands_and_by_what_breaks(
    stir: Callable[[SimulatedBoard], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simulator.board.REST_S", 3600.0)
    board = SimulatedBoard(LAYOUT)
    board.table.set_up()
    board.sensors.read(0.0)
    rests = threading.Event()
    told: list[object] = []

    def read() -> None:
        rests.set()
        try:
            told.append(board.sensors.read(3600.0))
        except SensorLost as loss:
            told.append(loss)

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    rests.wait()
    stir(board)
    reading.join()
    assert told != [None]


def test_a_change_is_reported_with_the_next_scan() -> None:
    board, clock = ticking_board()
    start = clock.now
    board.table.lift(RED, 4)
    snapshot = board.sensors.read(1.0)
    assert snapshot is not None
    assert snapshot.readings == board.table.readings()
    assert clock.now - start < 0.05


def test_a_loss_is_told_at_once_and_from_then_on_when_the_callers_time_is_up() -> None:
    board, clock = ticking_board()
    board.faults.command("unplug")
    told = []
    for _ in range(2):
        start = clock.now
        with pytest.raises(SensorLost, match="unplugged"):
            board.sensors.read(0.5)
        told.append(clock.now - start)
    assert told[0] < 0.05
    assert told[1] > 0.45


# Lights, panel, the whole


def test_lights_keep_the_frames_that_changed_something() -> None:
    lights = SimulatedBoard(LAYOUT).lights
    lit = Frame(bytes([9, 8, 7]) * LAYOUT.pixel_count)
    for frame in (lit, lit, Frame.dark(LAYOUT.pixel_count), lit):
        lights.show(frame)
    dark = Frame.dark(LAYOUT.pixel_count)
    assert list(lights.frames) == [dark, lit, dark, lit]
    lights.close()
    lights.close()
    assert lights.frame == dark


def test_a_frame_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a frame of 3 pixels for a board of 216"):
        SimulatedBoard(LAYOUT).lights.show(Frame.dark(3))


def test_the_panel_tells_what_fingers_do_in_order() -> None:
    panel = SimulatedBoard(LAYOUT).panel
    panel.press(Button.DONE)
    panel.release(Button.DONE)
    panel.hold(Button.NEW)
    events = [panel.read(0) for _ in range(5)]
    assert events == [
        KeyEvent(Button.DONE, Touch.PRESSED),
        KeyEvent(Button.DONE, Touch.RELEASED),
        KeyEvent(Button.NEW, Touch.PRESSED),
        KeyEvent(Button.NEW, Touch.HELD),
        None,
    ]


def test_fingers_cannot_release_a_key_that_is_up_nor_press_one_that_is_down() -> None:
    panel = SimulatedBoard(LAYOUT).panel
    with pytest.raises(ValueError, match="the key hint is not down"):
        panel.release(Button.HINT)
    panel.press(Button.HINT)
    with pytest.raises(ValueError, match="the key hint is down already"):
        panel.press(Button.HINT)


def test_the_panel_remembers_its_tunes() -> None:
    panel = SimulatedBoard(LAYOUT).panel
    panel.play(Tune.READY)
    panel.play(Tune.BONUS)
    assert list(panel.tunes) == [Tune.READY, Tune.BONUS]


def test_a_calibration_made_on_a_board_fits_that_board_and_not_another() -> None:
    assert calibrated(LAYOUT, 3) == calibrated(LAYOUT, 3)
    assert calibrated(LAYOUT, 3) != calibrated(LAYOUT, 4)


def test_a_closed_board_cannot_be_read() -> None:
    board = SimulatedBoard(LAYOUT)
    board.close()
    board.close()
    with pytest.raises(SensorLost, match="closed"):
        board.sensors.read(0.0)


def test_two_sensors_whose_wires_are_exchanged_read_each_others_pawns() -> None:
    board = SimulatedBoard(LAYOUT)
    board.faults.command("swapped 3.2 3.3")
    board.table.move(board.table.take(Reading.RED), *LAYOUT.centres_mm[HERE])
    snapshot = board.sensors.sample(0.0)
    assert snapshot
    assert [snapshot.readings[slot] for slot in (HERE, HERE + 1)] == [Reading.EMPTY, Reading.RED]


def test_a_reversed_sensor_takes_red_for_black() -> None:
    board = SimulatedBoard(LAYOUT)
    board.faults.command("reversed 3.2")
    board.table.move(board.table.take(Reading.RED), *LAYOUT.centres_mm[HERE])
    snapshot = board.sensors.sample(0.0)
    assert snapshot
    assert snapshot.readings[HERE] is Reading.BLACK


@pytest.mark.parametrize("text", ["swapped 3.2", "swapped 3.2 3.2", "swapped 3.2 9.9", "reversed"])
def test_a_fault_of_two_sensors_needs_two(text: str) -> None:
    with pytest.raises(FaultError):
        Fault.parse(text, LAYOUT)
