"""What `Sensors` promises, on every rig there is: with simulated, virtual and real hardware behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.errors import SensorLost
from hardware.interface import Reading, Snapshot
from hardware.layout import BoardSettings, Layout
from tests.rigs import RIGS, Rig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LAYOUT = Layout.of(BoardSettings())
PATIENCE = 200
"""Reads before a test gives up; each returns within `TIMEOUT_S`."""
TIMEOUT_S = 0.1


def on_rigs_with(*verbs: str) -> pytest.MarkDecorator:
    """Runs a test on every rig that lacks none of these verbs."""
    kinds = [kind for kind in RIGS if kind.lacks.isdisjoint(verbs)]
    params = [pytest.param(kind, id=kind.name, marks=kind.marks) for kind in kinds]
    return pytest.mark.parametrize("rig", params, indirect=True)


@pytest.fixture
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig: Rig = request.param.build(tmp_path)
    yield rig
    rig.close()


def snapshots(rig: Rig) -> Iterator[Snapshot]:
    """What the sensors report, whatever they lose and however long they say nothing."""
    for _ in range(PATIENCE):
        try:
            snapshot = rig.sensors.read(TIMEOUT_S)
        except SensorLost:
            continue
        if snapshot:
            yield snapshot
    pytest.fail(f"what the test waits for did not come within {PATIENCE} reads")


def first(rig: Rig, wanted: Callable[[Snapshot], bool]) -> Snapshot:
    return next(snapshot for snapshot in snapshots(rig) if wanted(snapshot))


def board(rig: Rig, **pawns: Reading) -> tuple[Reading, ...]:
    """What the rig must read with these pawns: `board(rig, s3=Reading.RED)`."""
    readings = [Reading.EMPTY] * LAYOUT.slot_count
    for slot, color in pawns.items():
        readings[int(slot[1:])] = rig.reads(color)
    return tuple(readings)


def until_lost(rig: Rig) -> None:
    for _ in range(PATIENCE):
        rig.sensors.read(TIMEOUT_S)


@on_rigs_with()
def test_an_empty_board_is_reported_empty(rig: Rig) -> None:
    assert next(snapshots(rig)).readings == board(rig)


@on_rigs_with()
@pytest.mark.parametrize("color", [Reading.RED, Reading.BLACK])
@pytest.mark.parametrize("slot", [0, 17, 18, 40, LAYOUT.slot_count - 1])
def test_a_placed_pawn_is_reported_where_it_stands(rig: Rig, slot: int, color: Reading) -> None:
    rig.place(slot, color)
    found = first(rig, lambda snapshot: snapshot.readings[slot] is not Reading.EMPTY)
    assert found.readings == board(rig, **{f"s{slot}": color})
    assert len(found.sureness) == LAYOUT.slot_count


@on_rigs_with()
def test_a_lifted_pawn_is_reported_gone(rig: Rig) -> None:
    rig.place(20, Reading.RED)
    first(rig, lambda snapshot: snapshot.readings == board(rig, s20=Reading.RED))
    rig.lift(20)
    assert first(rig, lambda snapshot: snapshot.readings[20] is Reading.EMPTY).readings == board(rig)


@on_rigs_with()
def test_pawns_are_reported_in_the_order_in_which_they_were_placed(rig: Rig) -> None:
    # From the last slot down, for a scan goes up: one that is under way sees no later pawn without the earlier ones.
    order = (70, 53, 37, 21, 4)
    reported = iter(snapshots(rig))
    seen = [next(reported)]
    for slot in order:
        rig.place(slot, Reading.BLACK)
        seen.append(next(reported))
    while seen[-1].readings[order[-1]] is Reading.EMPTY:
        seen.append(next(reported))
    standing = [[slot for slot in order if snapshot.readings[slot] is not Reading.EMPTY] for snapshot in seen]
    assert standing == sorted(standing, key=len)
    assert all(tuple(slots) == order[: len(slots)] for slots in standing)


@on_rigs_with("silence")
def test_silence_returns_nothing_by_its_timeout(rig: Rig) -> None:
    next(snapshots(rig))
    rig.silence()
    while rig.sensors.read(0.01):
        pass
    assert rig.sensors.read(0.01) is None


@on_rigs_with("noise")
def test_noise_never_yields_a_wrong_snapshot(rig: Rig) -> None:
    rig.place(9, Reading.RED)
    rig.place(60, Reading.BLACK)
    true = board(rig, s9=Reading.RED, s60=Reading.BLACK)
    first(rig, lambda snapshot: snapshot.readings == true)
    heard: list[Snapshot | None] = []
    for _ in range(20):
        rig.noise()
        heard.append(rig.sensors.read(TIMEOUT_S))
    for snapshot in filter(None, heard):
        assert all(reading in (truth, Reading.UNSURE) for reading, truth in zip(snapshot.readings, true, strict=True))
    rig.lift(9)
    first(rig, lambda snapshot: snapshot.readings == board(rig, s60=Reading.BLACK))


@on_rigs_with("unplug")
def test_loss_raises_sensor_lost(rig: Rig) -> None:
    next(snapshots(rig))
    rig.unplug()
    with pytest.raises(SensorLost):
        until_lost(rig)
    with pytest.raises(SensorLost):
        rig.sensors.read(0.01)


@on_rigs_with("unplug", "replug")
@pytest.mark.parametrize("times", [1, 3])
def test_after_coming_back_the_first_snapshot_is_true(rig: Rig, times: int) -> None:
    rig.place(0, Reading.RED)
    first(rig, lambda snapshot: snapshot.readings == board(rig, s0=Reading.RED))
    for slot in range(1, 1 + times):
        rig.unplug()
        with pytest.raises(SensorLost):
            until_lost(rig)
        rig.lift(slot - 1)
        rig.place(slot, Reading.BLACK)
        rig.replug()
        assert next(snapshots(rig)).readings == board(rig, **{f"s{slot}": Reading.BLACK})


@on_rigs_with()
def test_closing_twice_is_harmless(rig: Rig) -> None:
    next(snapshots(rig))
    rig.sensors.close()
    rig.sensors.close()


@on_rigs_with()
def test_sensors_that_were_never_read_can_be_closed(rig: Rig) -> None:
    rig.sensors.close()
