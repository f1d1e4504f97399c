"""Guided calibration: it finds how the board is wired, tells what ails, and can be stopped and resumed."""

from __future__ import annotations

import random
from itertools import pairwise
from math import dist
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.calibrate import draft
from firmware.calibrate.guide import Guide, Mark, Phase
from firmware.calibrate.light import LOOKS, GuidingLight
from firmware.calibrate.walk import Answer, path
from firmware.calibrate.words import place_in_words, request
from firmware.palette import PaletteSettings
from hardware.calibration import Classifier
from hardware.calibration_file import load, save
from hardware.layout import ROWS, BoardSettings, Layout
from hardware.plan import Plan
from tests.bench import PLANNED, Bench

SLOTS = range(PLANNED.slot_count)


def slot(name: str) -> int:
    row, place = name.split(".")
    return PLANNED.slot(int(row), int(place))


def marked(guide: Guide, mark: Mark) -> list[str]:
    return [PLANNED.name(each) for each, shown in guide.marks().items() if shown is mark]


def reversed_of(guide: Guide) -> set[int]:
    assert guide.calibration
    return {each for each, sensor in enumerate(guide.calibration.sensors) if sensor.reversed}


# The true wiring


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_a_board_with_a_tenth_of_its_channels_swapped_or_reversed_ends_in_its_true_wiring(seed: int) -> None:
    rng = random.Random(seed)
    wrong = rng.sample(SLOTS, 8)
    swapped, face_down = wrong[:4], set(wrong[4:])
    faults = [f"swapped {PLANNED.name(a)} {PLANNED.name(b)}" for a, b in (swapped[:2], swapped[2:])]
    faults += [f"reversed {PLANNED.name(each)}" for each in face_down]
    bench = Bench(seed, faults=faults, magnet_spread=rng.uniform(0, 0.15), noise_levels=rng.uniform(5, 60))
    guide = bench.follow()
    true = list(PLANNED.channels)
    for a, b in (swapped[:2], swapped[2:]):
        true[a], true[b] = true[b], true[a]
    assert guide.calibration
    assert guide.calibration.channels == tuple(true)
    assert reversed_of(guide) == face_down


@settings(max_examples=4)
@given(seed=st.integers(0, 10**6))
def test_wires_in_any_order_at_all_are_found_and_pawns_are_then_read_right(seed: int) -> None:
    wires = random.Random(seed).sample(range(PLANNED.channel_count), PLANNED.slot_count)
    bench = Bench(seed, wires=wires)
    guide = bench.follow()
    assert guide.calibration
    layout = guide.calibration.wired(PLANNED)
    assert layout.channels == tuple(wires)
    bench.table.clear()
    bench.table.set_up()
    levels = bench.levels()
    snapshot = Classifier(guide.calibration).classify([levels[channel] for channel in layout.channels])
    assert snapshot.readings == bench.table.readings()
    assert min(snapshot.sureness) >= 70


def test_the_pawn_that_walks_may_itself_be_upside_down() -> None:
    bench = Bench(3, faults=["reversed 2.2"])
    bench.hands.walker.strength *= -1
    bench.follow(until=[Phase.RED])
    bench.hands.walker.strength *= -1
    guide = bench.follow()
    assert reversed_of(guide) == {slot("2.2")}


# What ails is named, and its place is lit


@pytest.mark.parametrize("ailment", ["dead", "saturated", "stuck", "noisy"])
def test_a_sensor_that_ails_is_told_before_anything_is_asked(ailment: str) -> None:
    guide = Bench(faults=[f"{ailment} 4.1"]).follow()
    assert [(PLANNED.name(each.slot), each.name) for each in guide.troubles] == [("4.1", ailment)]
    assert marked(guide, Mark.AILING) == ["4.1"]
    assert guide.calibration is None


def test_a_weak_sensor_is_told_after_a_second_look() -> None:
    guide = Bench(faults=["weak 4.1"]).follow()
    assert [(PLANNED.name(each.slot), each.name) for each in guide.troubles] == [("4.1", "weak")]


def test_a_sensor_that_feels_nothing_can_be_passed_over_and_is_told() -> None:
    bench = Bench()
    bench.follow(until=[Phase.WALK])
    deaf = slot("0.2")
    bench.faults.command("stuck 0.2")
    while bench.guide.target != deaf:
        bench.hands.obey(bench.guide)
        bench.scan()
    bench.hands.obey(bench.guide)
    bench.scan(16)
    assert request(bench.guide, PLANNED).endswith("Now no pawn is felt.")
    bench.guide.skip()
    guide = bench.follow()
    assert [(PLANNED.name(each.slot), each.name) for each in guide.troubles] == [("0.2", "silent")]


def test_a_pawn_that_was_left_on_the_board_is_lit_until_it_is_taken_off() -> None:
    bench = Bench()
    bench.table.move(bench.hands.walker, *PLANNED.centres_mm[slot("5.4")])
    bench.scan(5)
    assert marked(bench.guide, Mark.TAKE_OFF) == ["5.4"]
    assert "There is one on 5.4" in request(bench.guide, PLANNED)
    bench.table.clear()
    bench.scan(5)
    assert bench.guide.phase is Phase.WALK


def test_a_pawn_that_is_held_just_above_the_empty_board_spoils_no_baseline() -> None:
    bench, where = Bench(), slot("5.4")
    bench.table.move(bench.hands.walker, *PLANNED.centres_mm[where], 4.2)
    bench.scan(0.8)
    assert bench.guide.progress > 0, "it is too far to be taken for a pawn on the board"
    guide = bench.follow()
    assert guide.calibration
    assert guide.calibration.sensors[where].baseline == pytest.approx(bench.hall.baselines[where], abs=30)


@pytest.mark.parametrize(
    ("factor", "mark", "words"),
    [
        (-1.0, Mark.UPSIDE_DOWN, "Slot 0.5: the pawn is upside down"),
        (0.3, Mark.WEAK, "Slot 0.5: the pawn is too weak"),
        (0.0, Mark.PLACE_RED, "Slot 0.5: no pawn is felt: it is not there yet, or it is demagnetised"),
    ],
)
def test_a_bad_pawn_is_lit_where_it_stands_until_a_good_one_takes_its_place(
    factor: float, mark: Mark, words: str
) -> None:
    bench = Bench(1)
    bench.follow(until=[Phase.RED])
    bad = [pawn for pawn in bench.table.pawns if pawn.color is bench.hands.walker.color][5]
    good_strength = bad.strength
    bad.strength *= factor
    bench.hands.obey(bench.guide)
    bench.scan(3)
    assert bench.guide.phase is Phase.RED
    assert marked(bench.guide, mark) == ["0.5"]
    assert len(marked(bench.guide, Mark.ANSWERED)) == 11
    assert words in request(bench.guide, PLANNED)
    bad.strength = good_strength
    bench.table.move(bad, bad.place.x_mm, bad.place.y_mm)
    assert bench.follow().phase is Phase.DONE


# People


def walking(seed: int = 0, answers: int = 10) -> Bench:
    bench = Bench(seed)
    bench.follow(answers=answers)
    return bench


def put(bench: Bench, where: int, seconds: float) -> None:
    bench.table.move(bench.hands.walker, *PLANNED.centres_mm[where], 80.0)
    bench.scan(0.2)
    bench.table.move(bench.hands.walker, *PLANNED.centres_mm[where])
    bench.scan(seconds)


def test_a_pawn_that_stays_where_it_was_answers_nothing() -> None:
    bench = walking()
    target, answers = bench.guide.target, dict(bench.guide.answers)
    bench.scan(20)
    assert (bench.guide.target, bench.guide.answers) == (target, answers)


def test_a_pawn_on_a_slot_that_has_answered_is_shown_and_may_be_moved_on() -> None:
    bench = walking()
    target, done = bench.guide.target, path(PLANNED)[3]
    put(bench, done, 1.0)
    assert marked(bench.guide, Mark.SEEN) == [PLANNED.name(done)]
    assert target is not None
    put(bench, target, 1.0)
    assert bench.guide.answers[target].channel == PLANNED.channels[target]
    assert bench.guide.answers[done].channel == PLANNED.channels[done]


def test_a_slot_that_was_answered_from_the_wrong_place_is_asked_again() -> None:
    bench = walking()
    asked, neighbour = path(PLANNED)[10], path(PLANNED)[11]
    put(bench, neighbour, 1.0)
    assert bench.guide.answers[asked].channel == PLANNED.channels[neighbour], "so far it cannot know"
    put(bench, neighbour, 4.0)
    assert bench.guide.answers[neighbour].channel == PLANNED.channels[neighbour]
    assert bench.guide.target == asked
    put(bench, asked, 1.0)
    assert bench.follow().phase is Phase.DONE


def test_of_two_pawns_neither_counts() -> None:
    bench = walking()
    other = next(pawn for pawn in bench.table.pawns if pawn is not bench.hands.walker)
    target = bench.guide.target
    assert target is not None
    bench.table.move(other, *PLANNED.centres_mm[slot("6.3")])
    put(bench, target, 5.0)
    assert len(bench.guide.answers) == 10
    assert "more than one pawn" in request(bench.guide, PLANNED)


def test_the_last_slot_can_be_done_again() -> None:
    bench = walking()
    last = path(PLANNED)[9]
    bench.guide.back()
    assert bench.guide.target == last
    assert bench.follow().phase is Phase.DONE


def test_a_pawn_that_passes_over_slots_answers_only_where_it_stops() -> None:
    bench = walking()
    target = bench.guide.target
    assert target is not None
    start, end = (PLANNED.centres_mm[each] for each in (slot("7.17"), target))
    bench.table.move(bench.hands.walker, *start)
    bench.scan(0.1)
    for _ in bench.table.carry(bench.hands.walker, *end, mm_per_s=150):
        bench.scan()
    bench.scan(1.0)
    assert bench.guide.answers[target].channel == PLANNED.channels[target]
    assert len(bench.guide.answers) == 11


# Stopped and resumed


def test_a_calibration_that_was_stopped_goes_on_with_any_pawn_and_ends_in_the_true_wiring(tmp_path: Path) -> None:
    faults = ["swapped 0.3 0.4", "swapped 5.1 6.2", "reversed 1.1", "reversed 6.0"]
    first = Bench(5, faults=faults)
    first.follow(answers=30)
    draft.save(first.guide.answers, tmp_path / "d", PLANNED, "bench")
    second = Bench(5, faults=faults, known=draft.load(tmp_path / "d", PLANNED, "bench"))
    assert len(second.guide.answers) == 30
    second.hands.walker.strength *= -0.9
    second.follow(until=[Phase.RED])
    second.hands.walker.strength /= -0.9
    guide = second.follow()
    assert guide.calibration
    whole = Bench(5, faults=faults).follow().calibration
    assert whole
    assert guide.calibration.channels == whole.channels
    assert reversed_of(guide) == {slot("1.1"), slot("6.0")}


def test_a_board_that_was_rewired_in_between_is_walked_from_the_start() -> None:
    first = walking(5, 30)
    wires = (*PLANNED.channels[1:], PLANNED.channels[0])
    second = Bench(5, wires=wires, known=first.guide.answers)
    guide = second.follow()
    assert guide.calibration
    assert guide.calibration.channels == wires


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:50],
        lambda text: text.replace('"version": 1', '"version": 2'),
        lambda text: text.replace("bench", "bank"),
        lambda text: text.replace('"0.1"', '"9.1"'),
        lambda text: text.replace('"layout": "', '"layout": "0'),
        lambda text: "\x00",
    ],
)
def test_a_draft_that_cannot_be_used_is_none(spoil: object, tmp_path: Path) -> None:
    answers = {0: Answer(3, 13000.0), 1: Answer(4, -12000.5)}
    draft.save(answers, tmp_path / "d", PLANNED, "bench")
    assert draft.load(tmp_path / "d", PLANNED, "bench") == answers
    assert callable(spoil)
    (tmp_path / "d").write_text(spoil((tmp_path / "d").read_text()))
    assert draft.load(tmp_path / "d", PLANNED, "bench") == {}
    assert draft.load(tmp_path / "not there", PLANNED, "bench") == {}


def test_what_was_found_is_kept_with_the_calibration(tmp_path: Path) -> None:
    guide = Bench(2, faults=["swapped 3.1 3.2", "reversed 4.4"]).follow()
    assert guide.calibration
    save(guide.calibration, tmp_path / "c.toml", PLANNED)
    assert load(tmp_path / "c.toml", PLANNED, "bench") == guide.calibration


# Light and words

LIGHT = GuidingLight(PLANNED, PaletteSettings())
ALL_ON_S = 0.5 / LOOKS[Mark.ASKED].per_s


def test_the_light_over_every_slot_is_its_own_and_beside_it() -> None:
    plan = Plan(PLANNED)
    places = [place for strip in range(ROWS + 2) for place in plan.pixels_mm(strip)]
    seen = set()
    for each in SLOTS:
        frame = LIGHT.frame({each: Mark.ASKED}, ALL_ON_S)
        lit = [pixel for pixel in range(PLANNED.pixel_count) if any(frame.pixels[3 * pixel : 3 * pixel + 3])]
        seen.add(tuple(lit))
        x, y = PLANNED.centres_mm[each]
        row, left, right = (places[pixel] for pixel in lit)
        assert abs(row[0] - x) <= 12
        assert abs(left[1] - y) <= 4
        assert left[1] == right[1]
        assert dist(row, (x, y)) < 45
    assert len(seen) == PLANNED.slot_count


def test_every_mark_can_be_told_from_every_other_by_hue_or_rhythm() -> None:
    assert len({(look.hue, look.per_s) for look in LOOKS.values()}) == len(LOOKS) == len(Mark)


def test_progress_never_goes_back_while_a_person_follows() -> None:
    bench, seen = Bench(), [0.0]
    for _ in range(1000):
        bench.hands.obey(bench.guide)
        bench.scan()
        seen.append(bench.guide.progress)
        LIGHT.frame(bench.guide.marks(), bench.now)
        assert request(bench.guide, PLANNED)
    assert seen == sorted(seen)
    assert bench.follow().progress == 1.0


def test_a_place_is_told_as_a_person_sees_it() -> None:
    assert place_in_words(PLANNED, slot("3.2")) == "row 3, third from the left"
    assert place_in_words(PLANNED, slot("0.9")) == "row 0, rank 2 of 2 from below, first from the left"
    assert place_in_words(PLANNED, slot("7.9")) == "row 7, rank 1 of 2 from below, first from the left"


def test_the_walk_visits_every_slot_once_with_short_steps() -> None:
    for layout in (PLANNED, Layout.of(BoardSettings(inner_slots=1, start_slots=2, start_ranks=1))):
        assert sorted(path(layout)) == list(range(layout.slot_count))
    steps = [dist(PLANNED.centres_mm[a], PLANNED.centres_mm[b]) for a, b in pairwise(path(PLANNED))]
    assert max(steps) < 70
