"""Sensors straight on GPIO: wiring, settling, believing and losing. What every board promises is in the contract."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import GpioError, SensorLost
from hardware.gpio_sensors import RETRY_S, GpioSensors, GpioSensorSettings
from hardware.interface import Reading, Snapshot
from hardware.layout import BoardSettings, Layout
from hardware.panel import PanelSettings
from hardware.pins import check_pins
from hardware.pixels import PixelSettings
from tests.rigs.gpio import Circuit

SLOTS = 72
POLL_S = GpioSensorSettings().poll_ms / 1000


def connect(board: BoardSettings | None = None, **settings: Any) -> tuple[Circuit, GpioSensors]:
    wiring = GpioSensorSettings(**settings)
    layout = Layout.of(board or BoardSettings())
    circuit = Circuit(wiring, layout.multiplexer_channels)
    return circuit, GpioSensors(layout, wiring, circuit.pins, clock=lambda: circuit.now, sleep=circuit.sleep)


def another(circuit: Circuit) -> GpioSensors:
    """A second driver on the same pins."""
    return GpioSensors(
        Layout.of(BoardSettings()), GpioSensorSettings(), circuit.pins, clock=lambda: circuit.now, sleep=circuit.sleep
    )


def unplug(circuit: Circuit, sensors: GpioSensors, timeout: float = 0) -> None:
    circuit.plugged = False
    with pytest.raises(SensorLost):
        sensors.read(timeout)


def occupied(snapshot: Snapshot | None) -> list[int]:
    assert snapshot is not None
    assert set(snapshot.readings) <= {Reading.EMPTY, Reading.OCCUPIED}
    return [slot for slot, reading in enumerate(snapshot.readings) if reading is Reading.OCCUPIED]


@given(wiring=st.permutations(range(80)), pawns=st.sets(st.integers(0, SLOTS - 1)))
def test_a_pawn_is_found_on_its_slot_however_the_board_is_wired(wiring: list[int], pawns: set[int]) -> None:
    circuit, sensors = connect(BoardSettings(channels=tuple(wiring[:SLOTS])))
    circuit.magnets = {wiring[slot] for slot in pawns}
    assert occupied(sensors.read(0)) == sorted(pawns)
    sensors.close()


def test_channels_without_a_slot_are_not_looked_at() -> None:
    circuit, sensors = connect()
    circuit.magnets = {72, 79}
    assert occupied(sensors.read(0)) == []


def test_multiplexers_of_another_size_will_do() -> None:
    board = BoardSettings(multiplexers=10, multiplexer_channels=8)
    circuit, sensors = connect(board, select=(0, 1, 2), inputs=tuple(range(10, 20)))
    circuit.magnets = {0, 9, 71}
    assert occupied(sensors.read(0)) == [0, 9, 71]


def test_sensors_with_a_pin_each_need_no_select_line() -> None:
    board = BoardSettings(inner_slots=1, start_slots=2, start_ranks=1, multiplexers=10, multiplexer_channels=1)
    circuit, sensors = connect(board, select=(), inputs=tuple(range(10, 20)))
    circuit.magnets = {0, 7}
    assert occupied(sensors.read(0)) == [0, 7]
    circuit.magnets = {9}
    assert occupied(sensors.read(0)) == [9]


def test_an_output_is_given_the_time_it_needs_after_a_change_of_address() -> None:
    circuit, sensors = connect(settle_us=300)
    circuit.magnets = {5}
    assert occupied(sensors.read(0)) == [5]


def test_one_select_line_changes_at_a_time() -> None:
    circuit, sensors = connect()
    sensors.read(0)
    written = sum(line.writes for line in circuit.lines)
    sensors.read(0)
    assert sum(line.writes for line in circuit.lines) - written == 16


def test_the_first_read_tells_how_the_board_stands_and_the_next_only_what_changed() -> None:
    circuit, sensors = connect()
    circuit.magnets = {3}
    assert occupied(sensors.read(0)) == [3]
    assert sensors.read(0) is None
    circuit.magnets = {4}
    assert occupied(sensors.read(0)) == [4]


def test_a_slot_is_beyond_doubt_and_has_no_level() -> None:
    snapshot = connect()[1].read(0)
    assert snapshot is not None
    assert snapshot.sureness == (100,) * SLOTS
    assert snapshot.levels == ()


def test_a_read_in_which_nothing_changes_ends_at_its_time_out_and_rests_between_scans() -> None:
    circuit, sensors = connect()
    sensors.read(0)
    started, reads = circuit.now, circuit.reads
    assert sensors.read(10 * POLL_S) is None
    assert circuit.now == pytest.approx(started + 10 * POLL_S, abs=POLL_S / 10)
    assert circuit.reads - reads <= 11 * SLOTS


def test_what_one_scan_sees_and_the_next_does_not_is_not_believed() -> None:
    circuit, sensors = connect()
    sensors.read(0)
    circuit.inverted = range(circuit.reads + 10, circuit.reads + 12)
    assert sensors.read(0) is None
    assert circuit.reads == 4 * SLOTS


def test_a_loss_is_raised_at_once_and_again_at_each_time_out() -> None:
    circuit, sensors = connect()
    sensors.read(0)
    circuit.plugged = False
    lost_at = circuit.now
    with pytest.raises(SensorLost, match=r"^the sensors on GPIO cannot be read: no such device$"):
        sensors.read(60)
    assert circuit.now - lost_at < POLL_S
    with pytest.raises(SensorLost):
        sensors.read(2.0)
    assert circuit.now - lost_at == pytest.approx(2.0, abs=POLL_S)


def test_a_board_that_comes_back_within_a_read_is_reported_by_it_though_nothing_moved() -> None:
    circuit, sensors = connect()
    circuit.magnets = {1}
    sensors.read(0)
    unplug(circuit, sensors)
    circuit.plugged = True
    assert occupied(sensors.read(10 * RETRY_S)) == [1]


def test_a_second_loss_is_raised_at_once_like_the_first() -> None:
    circuit, sensors = connect()
    unplug(circuit, sensors)
    circuit.plugged = True
    sensors.read(0)
    lost_at = circuit.now
    unplug(circuit, sensors, timeout=60)
    assert circuit.now - lost_at < POLL_S


@pytest.mark.parametrize("reads", [1, 30, SLOTS])
def test_a_board_lost_in_the_middle_of_a_scan_is_read_right_when_it_is_back(reads: int) -> None:
    nothing_at_address_0 = [channel for channel in range(80) if channel % 16]
    circuit, sensors = connect(BoardSettings(channels=tuple(nothing_at_address_0[:SLOTS])))
    circuit.magnets = {nothing_at_address_0[slot] for slot in (0, 20, 71)}
    circuit.cut_at = reads
    with pytest.raises(SensorLost):
        sensors.read(0)
    circuit.plugged = True
    assert occupied(sensors.read(0)) == [0, 20, 71]


def test_pins_that_cannot_be_given_back_do_not_hide_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit, sensors = connect()
    sensors.read(0)
    give_back = circuit.pins.release_pins
    refusals = iter([OSError("stuck")] * 9)  # once for each pin

    def refuse(*arguments: Any) -> None:
        for refused in refusals:
            raise refused
        give_back(*arguments)

    monkeypatch.setattr(circuit.pins, "release_pins", refuse)
    circuit.plugged = False
    with pytest.raises(SensorLost, match="no such device"):
        sensors.read(0)


def test_the_pins_of_a_lost_board_are_let_go() -> None:
    circuit, sensors = connect()
    sensors.read(0)
    unplug(circuit, sensors)
    circuit.plugged = True
    assert occupied(another(circuit).read(0)) == []


def test_pins_that_something_else_holds_are_a_loss_until_they_are_free() -> None:
    circuit, sensors = connect()
    other = another(circuit)
    other.read(0)
    with pytest.raises(SensorLost, match="in use"):
        sensors.read(0)
    other.close()
    assert occupied(sensors.read(0)) == []


def test_closed_sensors_say_so() -> None:
    _, sensors = connect()
    sensors.close()
    with pytest.raises(SensorLost, match=r"^the sensors are closed$"):
        sensors.read(0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"select": (17, 27, 22, 24)}, "GPIO 24 is used twice: by select line 3 and by multiplexer 0"),
        ({"inputs": (24, 25, 4, 20, 30)}, "multiplexer 4 is on GPIO 30, but the pins are GPIO 0 to 27"),
        ({"settle_us": 0}, "settle_us is 0: it must be at least 1"),
        ({"poll_ms": -1}, "poll_ms is -1: it must be at least 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(GpioError) as refused:
        GpioSensorSettings(**settings)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"inputs": (24, 25, 4, 20)}, "inputs names 4 pins, but the board has 5 multiplexers"),
        ({"select": (17, 27, 22)}, "3 select lines reach 8 channels, but a multiplexer has 16"),
    ],
)
def test_a_wiring_that_does_not_reach_every_channel_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(GpioError) as refused:
        connect(**settings)
    assert str(refused.value) == message


def test_settings_from_a_file_are_checked_alike() -> None:
    with pytest.raises(msgspec.ValidationError, match="poll_ms is 0"):
        msgspec.convert({"poll_ms": 0}, GpioSensorSettings)


def test_the_parts_of_a_board_as_designed_share_no_pin() -> None:
    pixels = {"pixels on a pin": PixelSettings().pin, "pixels on the bus": 10}
    check_pins(GpioSensorSettings().pins | PanelSettings().pins | pixels)
