"""The benches run, measure everything they are to measure, and say so where they cannot. No test asserts a time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine import RULE_SETS
from firmware.cli import CommandFailed
from simulator.__main__ import main
from simulator.bench import figures, hardware, page, processor, referee, search
from tests.rigs.pico import micropython


def linja(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["linja", *arguments])
    return main()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """As little as possible of everything."""
    for module, few in (
        (hardware, {"SCANS": 5, "FRAMES_A_SITUATION": 1, "RANDOM_FRAMES": 2, "FIRMWARE_S": 0}),
        (search, {"SECONDS": 0.01, "MIDDLES": 1, "FIRST_THOUGHTS": 2, "FILLING_NODES": 1_000}),
        (referee, {"ROUNDS": 1, "ACTIONS_A_ROUND": 2, "CALM_S": 0, "REST_S": 0}),
        (page, {"VIEWERS": 1, "MEASURED_S": 0}),
    ):
        for name, value in few.items():
            monkeypatch.setattr(module, name, value)


def test_percentiles_are_times_that_were_measured() -> None:
    times_s = [0.003, 0.001, 0.002, 0.004]
    assert [figures.within(times_s, percent) for percent in (1, 25, 50, 51, 99, 100)] == [
        0.001,
        0.001,
        0.002,
        0.003,
        0.004,
        0.004,
    ]


def test_a_line_has_its_figures_in_milliseconds_and_the_target() -> None:
    shown = figures.line("a name", [0.0015], (50, 99), "2 ms")
    assert shown.split() == ["a", "name", "p50", "1.500", "ms", "p99", "1.500", "ms", "(target", "2", "ms)"]


def test_the_bench_names_the_processor_and_its_part(
    short: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hardware, "MICROPYTHON_TESTS", "tests.of.somebody_else")
    assert linja(monkeypatch, "bench", "hardware") == 0
    first, _, part, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("Python 3.")
    assert processor() in first
    assert part == "hardware"


def test_the_hardware_is_measured_from_byte_to_snapshot_and_from_frame_to_byte(
    short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware, "MICROPYTHON_TESTS", "tests.of.somebody_else")
    names = [line[: figures.WIDTH].rstrip() for line in hardware.report()]
    assert names[:4] == [
        "bytes to a snapshot of 72 slots",
        "216 pixels to light, frames of play",
        "and on to the bytes of neopixel",
        "and on to the bytes of SPI",
    ]


def test_the_search_is_measured_in_every_rule_set_and_its_memory_at_last(short: None) -> None:
    _, *lines = search.report()
    names = [str(edition) for edition in RULE_SETS]
    assert [line.split()[0] for line in lines[:5]] == names
    assert [line[: figures.WIDTH].rstrip() for line in lines[5:10]] == [
        f"first usable action, {name}" for name in names
    ]
    assert lines[10].startswith("memory of a search, 64 MiB allowed")


def test_the_firmware_is_measured_where_micropython_is(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    micropython()
    rate, heap = list(hardware.report())[-2:]
    assert rate.endswith(" a second")
    assert heap.endswith(" bytes")


@pytest.mark.parametrize(
    ("tests", "command", "said"),
    [
        ("tests.of.somebody_else", "micropython", "start this from a checkout"),
        ("tests.rigs.pico", None, "there is no micropython command here"),
    ],
)
def test_where_the_firmware_cannot_run_a_line_says_so(
    tests: str, command: str | None, said: str, short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware, "MICROPYTHON_TESTS", tests)
    monkeypatch.setattr(shutil, "which", lambda name, path=None: command)
    assert said in list(hardware.report())[-1]


def test_the_referee_is_measured_from_byte_and_hand_to_light_at_rest_and_while_the_computer_thinks(
    short: None,
) -> None:
    pytest.importorskip("tty", reason="this system has no pseudo-terminals")
    names = [line[: figures.WIDTH].rstrip() for line in referee.report()]
    assert names == [
        "bytes at the port to a frame at the lights",
        "a lift to its light, 20 ms to settle included",
        "a placement to its light, 50 ms to settle included",
        "processor at rest, in a game",
        "memory of the whole service",
        "a lift to its light, while the computer thinks",
        "a placement to its light, while it thinks",
    ]


def test_the_page_is_measured_with_the_service_alone_and_with_a_simulated_board(short: None) -> None:
    measured = [line[: figures.WIDTH].rstrip().split(": ") for line in page.report()]
    assert measured == [
        [board, what]
        for board in ("service alone", "linja simulate")
        for what in (
            "moving light, to each of 1 viewers",
            "processor meanwhile",
            "stopping with these pages open",
        )
    ]


def test_a_service_that_cannot_be_measured_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "linja.toml"
    monkeypatch.setattr(referee, "SERVED", "simulator.bench.no_such_thing")
    service = referee.Served(missing, lambda: None)
    with pytest.raises(CommandFailed, match="has ended"):
        service.light_of("GameStarted")
    service.close()
