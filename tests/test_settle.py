"""Noisy snapshots become still ones: what counts, and when."""

from __future__ import annotations

import pytest

from firmware.settle import Settle, SettleSettings
from hardware.interface import Reading, SensorFault, Snapshot

E, R, B, U = Reading.EMPTY, Reading.RED, Reading.BLACK, Reading.UNSURE
SETTINGS = SettleSettings(lift_ms=20, place_ms=50, doubt_ms=1000)


def seen(*readings: Reading, sureness: int = 100, faults: tuple[SensorFault, ...] = ()) -> Snapshot:
    return Snapshot(readings, (sureness,) * len(readings), (), faults)


def test_a_placement_counts_after_the_longer_time_and_a_lift_after_the_shorter() -> None:
    settle = Settle(1, SETTINGS)
    assert not settle.feed(seen(R), 0.0)
    assert not settle.due(0.049)
    assert settle.due(0.051)
    assert settle.still == (R,)
    assert not settle.feed(seen(E), 1.0)
    assert not settle.due(1.019)
    assert settle.due(1.021)
    assert settle.still == (E,)


def test_the_deadline_is_when_the_next_change_will_have_settled() -> None:
    settle = Settle(2, SETTINGS)
    assert settle.deadline is None
    settle.feed(seen(R, E), 0.0)
    settle.feed(seen(R, B), 0.01)
    assert settle.deadline == pytest.approx(0.05)
    settle.due(0.05)
    assert settle.deadline == pytest.approx(0.06)


def test_a_change_that_goes_back_in_time_never_counts() -> None:
    settle = Settle(1, SETTINGS)
    settle.feed(seen(R), 0.0)
    settle.feed(seen(E), 0.04)
    assert not settle.due(9.0)
    assert settle.still == (E,)


def test_a_pawn_slid_across_slots_settles_only_where_it_stops() -> None:
    settle = Settle(3, SETTINGS)
    now, changes = 0.0, []
    for slot in range(3):
        for sureness in (30, 70, 100, 70, 30) if slot < 2 else (30, 70, 100, 100, 100, 100, 100, 100):
            readings = [E, E, E]
            readings[slot] = R
            now += 0.02
            if settle.feed(Snapshot(tuple(readings), (sureness,) * 3), now):
                changes.append(settle.still)
    assert changes == [(E, E, R)]


def test_while_a_slot_is_unsure_what_it_held_stands_until_the_doubt_has_lasted() -> None:
    settle = Settle(1, SETTINGS)
    settle.feed(seen(R), 0.0)
    settle.due(0.1)
    settle.feed(seen(U, sureness=0), 0.2)
    assert not settle.due(1.1)
    assert settle.still == (R,)
    assert settle.due(1.21)
    assert settle.still == (U,)


def test_a_slot_whose_sensor_is_broken_is_unsure_at_once() -> None:
    settle = Settle(1, SETTINGS)
    settle.feed(seen(R), 0.0)
    settle.due(0.1)
    assert settle.feed(seen(U, sureness=0, faults=(SensorFault("saturated", 0),)), 0.2)
    assert settle.still == (U,)


def test_the_first_sight_of_the_board_is_still() -> None:
    settle = Settle(2, SETTINGS)
    settle.begin_with(seen(R, E))
    assert not settle.feed(seen(R, E), 0.0)
    assert settle.still == (R, E)


def test_what_was_about_to_change_is_forgotten_when_the_sensors_are_lost() -> None:
    settle = Settle(1, SETTINGS)
    settle.feed(seen(R), 0.0)
    settle.forget()
    assert not settle.due(9.0)
    assert settle.still == (E,)


@pytest.mark.parametrize("key", ["lift_ms", "place_ms", "doubt_ms"])
@pytest.mark.parametrize("value", [-1, 10_001, float("nan")])
def test_a_settle_time_out_of_range_is_refused_by_name(key: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{key} is .*from 0 to 10000"):
        SettleSettings(**{key: value})
