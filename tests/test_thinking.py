"""The process that thinks: it answers, is told when its thoughts are no longer wanted, is replaced when it fails, and
never outlives the service."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from engine import EDITIONS, RULE_SETS, Color, Edition, State
from firmware import thought
from firmware.advice import Advice, Wish, check
from firmware.config import GameSettings, Settings
from firmware.events import ComputerChose, Event
from firmware.service import Service
from firmware.thinking import PROGRAM, Thinking, thinking
from firmware.thought import Consider
from simulator.board import SimulatedBoard

START = State.initial(EDITIONS["zen"])
OTHER = State.initial(EDITIONS["classic"], Color.BLACK)
FULL_STRENGTH = 5
ANSWERS = ((7, "red:0-1"), (1, "red:6-7"), (1, "red:5-6"))
"""Numbers and lines of an answer to a wish that nobody had, the answer to the first wish, and that answer again."""


def program(text: str) -> Sequence[str]:
    """A program that stands in for the one that thinks."""
    return (sys.executable, "-c", text)


class Listener:
    """What thinking has to say, and when it paused."""

    def __init__(self) -> None:
        self.advice: asyncio.Queue[Advice] = asyncio.Queue()
        self.told: asyncio.Queue[str] = asyncio.Queue()
        self.pauses: list[float] = []

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await asyncio.sleep(0)


@asynccontextmanager
async def thoughts(command: Sequence[str] = PROGRAM) -> AsyncIterator[tuple[Thinking, Listener]]:
    listener = Listener()
    thinking = Thinking(listener.advice.put_nowait, listener.told.put_nowait, command, listener.pause)
    running = asyncio.create_task(thinking.run())
    try:
        yield thinking, listener
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


@pytest.mark.parametrize("edition", RULE_SETS, ids=str)
def test_a_wish_is_answered_with_advice_that_can_be_followed(edition: Edition) -> None:
    async def think() -> None:
        async with thoughts() as (thinking, listener):
            for level in (1, None):
                wish = Wish(State.initial(edition), level)
                thinking.want(wish)
                advice = await listener.advice.get()
                assert advice.wish == wish
                check(advice)

    asyncio.run(think())


def test_a_newer_wish_ends_the_thoughts_about_the_one_before() -> None:
    async def think() -> None:
        async with thoughts() as (thinking, listener):
            for _ in range(5):
                thinking.want(Wish(START, FULL_STRENGTH))
                thinking.want(Wish(OTHER, 1))
                assert (await listener.advice.get()).wish == Wish(OTHER, 1)
                thinking.want(None)
            assert listener.advice.empty()

    asyncio.run(think())


def test_nothing_is_heard_about_a_wish_that_was_given_up() -> None:
    async def think() -> None:
        async with thoughts() as (thinking, listener):
            thinking.want(Wish(START, 1))
            await listener.advice.get()
            thinking.want(Wish(OTHER, 1))
            thinking.want(None)
            thinking.want(Wish(START, 2))
            assert (await listener.advice.get()).wish == Wish(START, 2)

    asyncio.run(think())


def test_a_process_that_dies_in_thought_is_told_of_and_replaced(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    dies_once = program(
        f"import os, pathlib, sys\n"
        f"if not (mark := pathlib.Path({str(mark)!r})).exists():\n"
        f"    mark.touch(); sys.stdin.readline(); os._exit(3)\n"
        f"{PROGRAM[-1]}"
    )

    async def think() -> None:
        async with thoughts(dies_once) as (thinking, listener):
            thinking.want(Wish(START, 1))
            assert await listener.told.get() == "the computer's thinking has stopped (exit code 3): it begins anew"
            assert (await listener.advice.get()).wish == Wish(START, 1)

    asyncio.run(think())


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("nonsense", "malformed"),
        ('{"number": 1}', "missing required field"),
        ('{"number": 1, "advice": {"line": ["red:0-2"]}}', "too far"),
        ('{"number": 1, "advice": {"line": ["green"]}}', "an action is written like"),
        ('{"number": 1, "advice": {}}', "must choose an action"),
        ("x" * 200, "malformed"),
    ],
)
def test_an_answer_that_makes_no_sense_is_told_of_and_never_heeded(answer: str, complaint: str) -> None:
    talks = program(f"import sys; sys.stdin.readline(); print({answer!r}, flush=True); sys.stdin.read()")

    async def think() -> None:
        async with thoughts(talks) as (thinking, listener):
            thinking.want(Wish(START, 1))
            assert complaint in await listener.told.get()
            assert listener.advice.empty()

    asyncio.run(think())


def test_answers_with_another_number_are_not_heard() -> None:
    answers = "".join(f'{{"number": {number}, "advice": {{"line": ["{line}"]}}}}\n' for number, line in ANSWERS)
    talks = program(f"import sys; sys.stdin.readline(); print({answers!r}, end='', flush=True); sys.stdin.read()")

    async def think() -> None:
        async with thoughts(talks) as (thinking, listener):
            thinking.want(Wish(START, 1))
            advice = await listener.advice.get()
            assert [str(action) for action in advice.line] == ["red:6-7"]

    asyncio.run(think())


def test_what_cannot_be_started_is_tried_again_less_and_less_often(tmp_path: Path) -> None:
    async def think() -> None:
        async with thoughts([str(tmp_path / "none")]) as (thinking, listener):
            thinking.want(Wish(START, 1))
            for _ in range(10):
                assert "cannot be started" in await listener.told.get()
            pauses = listener.pauses[:9]
            assert pauses == sorted(pauses)
            assert pauses[0] < 1 < pauses[-1] <= 60

    asyncio.run(think())


def test_no_process_is_started_before_there_is_something_to_think_about(tmp_path: Path) -> None:
    started = tmp_path / "started"
    notes = program(f"import pathlib; pathlib.Path({str(started)!r}).touch(); {PROGRAM[-1]}")

    async def think() -> None:
        async with thoughts(notes) as (thinking, listener):
            thinking.want(None)
            await asyncio.sleep(0)
            assert not started.exists()
            thinking.want(Wish(START, 1))
            await listener.advice.get()
            assert started.exists()

    asyncio.run(think())


def test_the_process_ends_with_its_input_even_deep_in_thought() -> None:
    """Whatever ends the service ends its pipes: so it needs not be told."""
    process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    process.stdin.write(thought.encode(Consider(1, str(START), FULL_STRENGTH, 3600.0)) + b"\n")
    process.stdin.close()
    assert process.wait() == 0
    assert process.stdout
    assert process.stdout.read() == b""
    process.stdout.close()


def test_the_process_is_gone_when_its_service_has_stopped(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    notes = program(f"import os, pathlib; pathlib.Path({str(note)!r}).write_text(str(os.getpid())); {PROGRAM[-1]}")
    settings = Settings(game=GameSettings(computer="red", level=1))
    board = SimulatedBoard(settings.layout)
    board.table.set_up()

    async def serve() -> list[Event]:
        service = Service(settings, board.sensors, board.lights, board.panel)
        chosen: list[Event] = []

        def hear(event: Event) -> None:
            if isinstance(event, ComputerChose):
                chosen.append(event)
                service.stop()

        service.on_event.append(hear)
        async with thinking(service, pytest.fail, notes):
            await service.run()
        return chosen

    (chosen,) = asyncio.run(serve())
    assert isinstance(chosen, ComputerChose)
    assert chosen.action in START.legal_actions()
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)
