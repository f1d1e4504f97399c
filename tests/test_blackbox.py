"""The black box: what was recorded is replayed to the same events, in little room, whatever becomes of the files."""

from __future__ import annotations

import gzip
import math
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import RULE_SETS, Action, Color, Edition, Game, Match, State
from firmware.advice import LEVEL_NUMBERS, Advice, Computer, Ranked, Wish
from firmware.blackbox import (
    BlackBox,
    BlackBoxError,
    Circumstances,
    Content,
    Entry,
    Happened,
    Tick,
    entries,
    export,
    replay,
    ring,
)
from firmware.blackbox.decode import Decoder
from firmware.blackbox.encode import Encoder
from firmware.blackbox.format import DEADBAND_LEVELS, US
from firmware.blackbox.frames import MAGIC, framed
from firmware.blackbox.ring import LEAST_BYTES, RETRY_S, ring_files
from firmware.config import GameSettings
from firmware.events import Event, GameStarted
from firmware.inputs import Input, Loss, NewGame, PlayFrom
from firmware.session import Session
from firmware.settle import SettleSettings
from hardware.calibration import Calibration
from hardware.interface import Button, KeyEvent, Reading, SensorFault, Snapshot, Touch
from hardware.layout import BoardSettings, Layout
from simulator import stage
from simulator.players import TirelessGame
from simulator.scenario import Scenario

BOARD = BoardSettings()
LAYOUT = Layout.of(BOARD)
START = Circumstances(at=1_700_000_000.0, board=BOARD, game=GameSettings(), settle=SettleSettings())
SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*.txt"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "blackbox"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


def recorder(folder: Path, total_bytes: int = LEAST_BYTES, start: Circumstances = START) -> BlackBox:
    return BlackBox(folder, lambda: start, print, total_bytes)


def exported(folder: Path) -> Path:
    path = folder.parent / "export.box"
    with path.open("wb") as file:
        export(folder, file)
    return path


def snapshot(reading: Reading = Reading.EMPTY, level: int = 32768, *faults: SensorFault) -> Snapshot:
    slots = LAYOUT.slot_count
    return Snapshot((reading,) * slots, (100,) * slots, (level,) * slots, faults)


class RecordedSession(Session):
    """A session with a black box, as the service has it: inputs are recorded before, events after."""

    box: BlackBox
    whole_us = True
    """Whether its clock counts microseconds; else anything that a float can be."""

    def recorded(self, what: Input | Tick, now: float, heard: Callable[[float], list[Event]]) -> list[Event]:
        now = (math.floor(now * US) + 1) / US if self.whole_us else now
        self.box.record(now, what)
        events = heard(now)
        for event in events:
            self.box.record(now, event)
        return events

    def see(self, snapshot: Snapshot, now: float) -> list[Event]:
        see = super().see
        return self.recorded(snapshot, now, lambda now: see(snapshot, now))

    def lose(self, why: str, now: float) -> list[Event]:
        lose = super().lose
        return self.recorded(Loss(why), now, lambda now: lose(why, now))

    def touch(self, key: KeyEvent, now: float) -> list[Event]:
        touch = super().touch
        return self.recorded(key, now, lambda now: touch(key, now))

    def hear(self, advice: Advice, now: float) -> list[Event]:
        hear = super().hear
        return self.recorded(advice, now, lambda now: hear(advice, now))

    def tick(self, now: float) -> list[Event]:
        return self.recorded(Tick(), now, super().tick)


@pytest.fixture
def recording(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[BlackBox]]:
    """Every session on the stage has a black box, all in one folder."""
    boxes: list[BlackBox] = []

    def make(
        layout: Layout,
        settings: GameSettings,
        settle: SettleSettings,
        now: float,
        game: Game | None,
        match: Match | None,
    ) -> Session:
        session = RecordedSession(layout, settings, settle, now, game, match)
        calibration = Calibration.default(layout)
        session.box = BlackBox(
            folder, lambda: Circumstances.of(session, BOARD, settle, calibration, at=0.0), print, 16 * LEAST_BYTES
        )
        boxes.append(session.box)
        return session

    monkeypatch.setattr(stage, "Session", make)
    yield boxes
    for box in boxes:
        box.close()


# Replaying


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_a_recorded_session_is_replayed_to_the_same_events(
    scenario: Path, folder: Path, recording: list[BlackBox]
) -> None:
    assert stage.perform(Scenario.read(scenario)) is None
    recording[-1].close()
    steps = list(replay(exported(folder)))
    assert [step for step in steps if step.differs] == []
    assert sum(len(step.recorded) for step in steps) > 0


@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_whole_games_in_one_recording_are_replayed_to_the_same_events(
    edition: Edition, folder: Path, recording: list[BlackBox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordedSession, "whole_us", False)
    for seed in (1, 2):
        TirelessGame(edition, seed).play()  # whether they are understood is for others to test
        recording[-1].close()
    steps = list(replay(exported(folder)))
    assert [step for step in steps if step.differs] == []
    assert all(step.in_step for step in steps)
    assert sum(event.startswith("ActionAccepted") for step in steps for event in step.replayed) > 40


def test_a_difference_is_noticed(folder: Path) -> None:
    box = recorder(folder)
    box.record(1.0, snapshot())
    box.record(1.0, GameStarted(RULE_SETS[0], Color.RED))
    box.close()
    (step,) = replay(exported(folder))
    assert step.differs
    assert step.recorded == ("GameStarted(edition=classic, first=red)",)
    assert step.replayed == ()


@pytest.fixture
def long_session(folder: Path, recording: list[BlackBox], monkeypatch: pytest.MonkeyPatch) -> None:
    """One that fills several files, because they are small."""
    monkeypatch.setattr(ring, "FILES", 1024)
    monkeypatch.setattr(ring, "SPARE_BYTES", 1024)
    there_and_back = "slide red 0 1\nwait 1s\nslide red 1 0\nwait 1s\n"
    assert stage.perform(Scenario.parse(f"edition zen\nfirst red\n{20 * there_and_back}", "there and back")) is None
    recording[-1].close()


@pytest.mark.usefixtures("long_session")
def test_a_recording_whose_beginning_is_gone_comes_into_step_and_stays_in_it(folder: Path) -> None:
    whole = list(replay(exported(folder)))
    files = ring_files(folder)
    assert len(files) > 2
    files[0].unlink()
    steps = list(replay(exported(folder)))
    assert [step for step in steps if step.differs] == []
    assert 0 < sum(step.in_step for step in steps) < len(steps) < len(whole)
    assert steps[-1].in_step


@pytest.mark.usefixtures("long_session")
def test_a_file_missing_in_the_middle_begins_another_session_and_no_difference(folder: Path) -> None:
    files = ring_files(folder)
    assert len(files) > 2
    files[1].unlink()
    steps = list(replay(exported(folder)))
    assert [step for step in steps if step.differs] == []
    assert not all(step.in_step for step in steps)


# In and out


def decoded(made: list[bytes]) -> list[Entry]:
    decoder = Decoder()
    return [entry for record in made for entry in decoder.decode(record)]


def encoded(written: list[tuple[float, Content]]) -> list[bytes]:
    encoder = Encoder()
    made = [record for now, what in written for record in encoder.encode(now, what)]
    return made + encoder.flush()


SMALL = Circumstances(
    at=0.0,
    board=BoardSettings(inner_slots=2, start_slots=4, multiplexers=2),
    game=GameSettings(),
    settle=SettleSettings(),
)
SLOTS = SMALL.layout.slot_count

times = st.one_of(
    st.integers(0, 10**9).map(lambda ms: ms / 1000),
    st.integers(0, 10**12).map(lambda us: us / 1_000_000),
    st.floats(0, 1e9),
)
snapshots = st.builds(
    lambda readings, sureness, levels, faults: Snapshot(tuple(readings), tuple(sureness), tuple(levels), tuple(faults)),
    st.lists(st.sampled_from(Reading), min_size=SLOTS, max_size=SLOTS),
    st.lists(st.integers(0, 100), min_size=SLOTS, max_size=SLOTS),
    st.one_of(st.just([]), st.lists(st.integers(0, 65535), min_size=SLOTS, max_size=SLOTS)),
    st.lists(st.builds(SensorFault, st.text(), st.one_of(st.none(), st.integers(0, SLOTS - 1))), max_size=2),
)
computers = st.one_of(st.none(), st.builds(Computer, st.sampled_from(Color), st.sampled_from(LEVEL_NUMBERS)))


def advice_on(state: State, level: int | None) -> Advice:
    actions = state.legal_actions()
    ranked = () if level else tuple(Ranked(action, place / 4) for place, action in enumerate(actions))
    return Advice(Wish(state, level), ranked, tuple(actions[:1]) if level else (), is_exact=level is None)


contents = st.one_of(
    snapshots,
    st.builds(Loss, st.text()),
    st.builds(KeyEvent, st.sampled_from(Button), st.sampled_from(Touch)),
    st.builds(NewGame, st.sampled_from(RULE_SETS), st.sampled_from(Color), st.sampled_from((0, 1, 3, 99)), computers),
    st.builds(PlayFrom, st.sampled_from(RULE_SETS).map(State.initial)),
    st.builds(advice_on, st.sampled_from(RULE_SETS).map(State.initial), st.sampled_from([None, 1, 5])),
    st.just(Tick()),
    st.builds(Happened, st.text()),
    st.just(SMALL),
)


@given(st.lists(st.tuples(times, contents), max_size=30))
def test_whatever_is_encoded_is_decoded_at_its_exact_time(written: list[tuple[float, Content]]) -> None:
    written = [(0.0, SMALL), *written]
    read = decoded(encoded(written))
    assert [(entry.now, entry.what) for entry in read] == written
    for (_, what), entry in zip(written, read, strict=True):
        if isinstance(what, Snapshot):
            assert isinstance(entry.what, Snapshot)
            assert entry.what.sureness == what.sureness
            apart = [abs(a - b) for a, b in zip(entry.what.levels, what.levels, strict=True)]
            assert max(apart, default=0) <= DEADBAND_LEVELS


def test_a_board_at_rest_costs_about_a_byte_a_scan(rng: random.Random) -> None:
    at_rest = snapshot()
    scans: list[tuple[float, Content]] = [(0.0, START)]
    now_ms = 0
    for _ in range(5 * 3600):
        now_ms += 200 + rng.choice((0, 0, 0, 1, -1))
        levels = tuple(level + rng.randint(-75, 75) for level in at_rest.levels)
        scans.append((now_ms / 1000, Snapshot(at_rest.readings, at_rest.sureness, levels)))
    made = encoded(scans)
    assert sum(len(framed(record)) for record in made[2:]) < 1.2 * len(scans)
    assert [entry.now for entry in decoded(made)] == [now for now, _ in scans]


@given(st.lists(times, min_size=1, max_size=700))
def test_beats_come_back_at_their_exact_times(at: list[float]) -> None:
    at_rest = snapshot()
    written: list[tuple[float, Content]] = [(0.0, START), (0.0, at_rest), *((now, at_rest) for now in at)]
    made = encoded([*written, (at[-1], Tick())])
    assert [entry.now for entry in decoded(made)] == [0.0, 0.0, *at, at[-1]]
    assert len(made) <= 3 + len(at) // 300 + 1


def test_snapshots_that_were_one_object_are_one_again(rng: random.Random) -> None:
    first, other = snapshot(), snapshot(Reading.RED)
    moved = Snapshot(first.readings, first.sureness, (40000,) * LAYOUT.slot_count)
    anew, again = (Snapshot(first.readings, tuple(sure for sure in first.sureness)) for _ in range(2))
    read = [
        entry.what
        for entry in decoded(
            encoded([(0.0, START), *enumerate((first, first, moved, other, anew, anew, again), start=1)])
        )
        if isinstance(entry.what, Snapshot)
    ]
    pairs = [(before.sureness is after.sureness) for before, after in pairwise(read)]
    assert pairs == [True, True, False, False, True, False]
    assert read[2].levels == moved.levels


def test_garbage_is_an_error_and_never_more(rng: random.Random) -> None:
    made = encoded([(0.0, START), (1.0, snapshot()), (2.0, snapshot(Reading.RED)), (2.2, Loss("out")), (3.5, Tick())])
    for _ in range(3000):
        records = [bytearray(record) for record in made]
        for _ in range(rng.randint(1, 5)):
            torn = rng.choice(records[1:])
            torn[rng.randrange(len(torn))] = rng.randrange(256)
        try:
            decoded([bytes(record) for record in records])
        except ValueError as error:
            assert str(error)  # noqa: PT017 - either answer will do


# The ring


def keys(count: int, start: int = 0) -> Iterator[tuple[float, KeyEvent]]:
    for number in range(start, start + count):
        yield number / 10, KeyEvent(Button.HINT, Touch.PRESSED if number % 2 else Touch.RELEASED)


def losses(count: int, start: int = 0) -> Iterator[tuple[float, Loss]]:
    """Long ones, to fill files."""
    for number in range(start, start + count):
        yield number / 10, Loss(f"{number:0400}")


def test_the_ring_stays_within_its_bounds_and_keeps_the_newest(folder: Path) -> None:
    box = recorder(folder)
    for now, loss in losses(7_000):
        box.record(now, loss)
    box.close()
    sizes = [file.stat().st_size for file in ring_files(folder)]
    assert LEAST_BYTES / 2 < sum(sizes) <= LEAST_BYTES
    read = [entry for entry in entries(exported(folder)) if isinstance(entry.what, Loss)]
    assert [(entry.now, entry.what) for entry in read] == list(losses(len(read), start=7_000 - len(read)))


def test_a_smaller_bound_holds_for_what_was_recorded_with_a_larger_one(folder: Path) -> None:
    box = recorder(folder, 4 * LEAST_BYTES)
    for now, loss in losses(12_000):
        box.record(now, loss)
    box.close()
    assert sum(file.stat().st_size for file in ring_files(folder)) > LEAST_BYTES
    box = recorder(folder, LEAST_BYTES)
    for now, loss in losses(1_000):
        box.record(now, loss)
    box.close()
    assert sum(file.stat().st_size for file in ring_files(folder)) <= LEAST_BYTES


def test_beats_across_many_files_are_all_there_and_each_file_stands_alone(folder: Path) -> None:
    box = recorder(folder)
    at_rest = snapshot()
    written: list[tuple[float, Content]] = []
    for _ in range(1500):
        written += [(0.0, Loss("x" * 400)), *((0.0, at_rest) for _ in range(6))]
    written = [(number / 5, what) for number, (_, what) in enumerate(written)]
    for now, what in written:
        assert isinstance(what, Loss | Snapshot)
        box.record(now, what)
    box.close()
    everything = [(entry.now, entry.what) for entry in entries(exported(folder))]
    assert [(now, what) for now, what in everything if not isinstance(what, Circumstances)] == written
    assert len(ring_files(folder)) > 10
    assert all(isinstance(next(entries(file)).what, Circumstances) for file in ring_files(folder))


def test_many_starts_share_a_file(folder: Path) -> None:
    for number in range(5):
        box = recorder(folder)
        box.record(number, Tick())
        box.close()
    (file,) = ring_files(folder)
    assert [entry.now for entry in entries(file) if entry.what == Tick()] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("lost", range(1, len(framed(b"kttt.."))))
def test_a_torn_end_costs_only_the_last_record(lost: int, folder: Path) -> None:
    box = recorder(folder)
    for now, key in keys(10):
        box.record(now, key)
    box.close()
    (file,) = ring_files(folder)
    file.write_bytes(file.read_bytes()[:-lost])
    box = recorder(folder)
    box.record(9.9, Tick())
    box.close()
    read = list(entries(exported(folder)))
    assert [entry.now for entry in read if isinstance(entry.what, KeyEvent)] == [now for now, _ in keys(10)][:-1]
    assert read[-1] == Entry(9.9, Tick())


def test_a_long_torn_end_is_cut_off(folder: Path, rng: random.Random) -> None:
    for now in (1.0, 2.0):
        box = recorder(folder)
        box.record(now, Tick())
        box.close()
        (file,) = ring_files(folder)
        file.write_bytes(file.read_bytes() + rng.randbytes(10_000))
    box = recorder(folder)
    box.record(3.0, Tick())
    box.close()
    assert [entry.now for entry in entries(file) if entry.what == Tick()] == [1.0, 2.0, 3.0]


def test_what_was_recorded_survives_a_kill(folder: Path) -> None:
    box = recorder(folder)
    for now, key in keys(100):
        box.record(now, key)
    # Nothing is closed, and nobody is asked.
    assert sum(isinstance(entry.what, KeyEvent) for entry in entries(exported(folder))) == 100
    box.close()


def test_a_file_in_the_ring_that_is_garbage_is_left_out_and_not_written_to(folder: Path) -> None:
    folder.mkdir()
    (folder / "00000007.box").write_bytes(b"garbage")
    (folder / "notes.box").write_bytes(b"not ours")
    box = recorder(folder)
    box.record(1.0, Tick())
    box.close()
    assert [file.name for file in ring_files(folder)] == ["00000007.box", "00000008.box"]
    assert (folder / "00000007.box").read_bytes() == b"garbage"
    assert [entry.what for entry in entries(exported(folder))] == [START, Tick()]


def test_a_disk_that_fails_costs_a_sentence_and_recording_goes_on_when_it_is_back(folder: Path) -> None:
    folder.write_text("a file is in the way")
    told: list[str] = []
    box = BlackBox(folder, lambda: START, told.append, LEAST_BYTES)
    for now in (0.0, 1.0, RETRY_S - 1):
        box.record(now, Tick())
    folder.unlink()
    box.record(2 * RETRY_S, Tick())
    box.record(2 * RETRY_S, GameStarted(RULE_SETS[0], Color.RED))
    box.close()
    assert told == [
        f"the black box in {folder} cannot record (File exists); play goes on",
        f"the black box in {folder} records again",
    ]
    start, *rest = entries(exported(folder))
    assert isinstance(start.what, Circumstances)
    assert start.what.entries_before == 3
    assert len(rest) == 2


def test_a_write_that_fails_half_way_leaves_no_half_record(folder: Path) -> None:
    resource = pytest.importorskip("resource", reason="only there can a file be kept from growing")
    told: list[str] = []
    box = BlackBox(folder, lambda: START, told.append, LEAST_BYTES)
    for now, key in keys(5):
        box.record(now, key)
    (file,) = ring_files(folder)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 3, limits[1]))
    try:
        box.record(0.5, Tick())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    box.record(RETRY_S + 1, Tick())
    box.close()
    assert len(told) == 2
    assert [entry.now for entry in entries(exported(folder)) if isinstance(entry.what, KeyEvent)] == [
        now for now, _ in keys(5)
    ]


# Files from elsewhere


def test_an_export_is_one_file_that_needs_nothing_else(folder: Path) -> None:
    calibration = Calibration.default(LAYOUT)
    match = Match.parse("best of 3, black first: red")
    game = Game.new()
    for text in ("red:0-1", "red:done", "black:7-6"):
        game = game.play(Action.parse(text))
    settle = SettleSettings(lift_ms=33)
    session = Session(LAYOUT, GameSettings(edition="classic"), settle, 0.0, game, match, frozenset({1}))
    start = Circumstances.of(session, BOARD, settle, calibration, at=5.0)
    box = recorder(folder, start=start)
    box.record(1.0, Tick())
    box.close()
    first = next(entries(exported(folder))).what
    assert isinstance(first, Circumstances)
    assert first == start
    assert first.calibration == calibration
    assert first.settle == settle
    again = first.session(0.0)
    assert (again.game, again.match, again.implied_declines) == (game, match, frozenset({1}))


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "it does not begin as a recording does"),
        (b"Linja record 1\n", "it does not begin as a recording does"),
        (MAGIC + b"\x05\x00", "it breaks off at byte 18"),
        (MAGIC + framed(b"\x07\x00")[:-1], "it breaks off at byte 18"),
        (MAGIC + framed(b"\x07\x00")[:-1] + b"x", "it is damaged at byte 18"),
        (MAGIC + b"\xff" * 100, "it is damaged at byte 18"),
        (MAGIC + framed(b"\x07\x00"), "makes no sense before byte 28: it does not begin with the circumstances"),
        (MAGIC + framed(b""), "it ends in the middle of a number"),
        (MAGIC + framed(b"\x63\x00"), "99 is not a valid Kind"),
        (MAGIC + framed(b"\x81" + bytes(8) + b"{}"), "Object missing required field `at`"),
        (gzip.compress(MAGIC, mtime=0)[:-1], "it is packed, and damaged"),
        (gzip.compress(MAGIC, mtime=0)[:-8] + bytes(8), "it is packed, and damaged"),
        (b"\x1f\x8b" + bytes(100), "it is packed, and damaged"),
    ],
)
def test_a_file_that_is_no_recording_or_damaged_is_named(content: bytes, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "report.box"
    path.write_bytes(content)
    with pytest.raises(BlackBoxError, match=r"report\.box") as error:
        list(entries(path))
    assert wrong in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BlackBoxError, match=r"report\.box cannot be read: No such file"):
        list(replay(tmp_path / "report.box"))
