"""Looking back at a game beside the service: in a process, turn by turn, and only at the game that is asked for."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from engine import EDITIONS, Game
from firmware.looking_back import PROGRAM, LookingBack
from firmware.review import Looker, ReviewedTurn, reviewed
from firmware.solutions import Searches
from tests.journals import finished_game


def a_game(seed: int = 0) -> Game:
    """A game whose last turns are looked at quickly."""
    return finished_game(EDITIONS["classic"], random.Random(seed))


Told = tuple[Game, Sequence[ReviewedTurn]]


def looking(
    script: Callable[[LookingBack, asyncio.Queue[Told], asyncio.Queue[str]], Awaitable[None]],
    program: Sequence[str] = PROGRAM,
) -> None:
    async def run() -> None:
        told: asyncio.Queue[Told] = asyncio.Queue()
        warnings: asyncio.Queue[str] = asyncio.Queue()
        back = LookingBack(lambda game, turns: told.put_nowait((game, turns)), warnings.put_nowait, program)
        try:
            await script(back, told, warnings)
        finally:
            await back.close()

    asyncio.run(run())


def test_a_game_is_told_of_turn_by_turn_as_the_review_has_it() -> None:
    game = a_game()
    few = game.undo(len(game.actions) - sum(len(turn.actions) for turn in game.turns[:3]))

    async def script(back: LookingBack, told: asyncio.Queue[Told], warnings: asyncio.Queue[str]) -> None:
        back.look(few)
        heard = [await told.get() for _ in few.turns]
        assert [len(turns) for _, turns in heard] == [1, 2, 3]
        assert heard[-1] == (few, tuple(reviewed(few, Looker(Searches(Path("nowhere"))))))

    looking(script)


def test_another_game_ends_the_look_at_the_one_before() -> None:
    first, second = a_game(1), a_game(2)

    async def script(back: LookingBack, told: asyncio.Queue[Told], warnings: asyncio.Queue[str]) -> None:
        back.look(first)
        await told.get()
        back.look(second)
        while not told.empty():
            told.get_nowait()
        assert (await told.get())[0] is second
        assert warnings.empty()

    looking(script)


def test_asking_again_for_the_same_game_changes_nothing() -> None:
    game = a_game()

    async def script(back: LookingBack, told: asyncio.Queue[Told], warnings: asyncio.Queue[str]) -> None:
        back.look(game)
        assert len((await told.get())[1]) == 1
        back.look(game)
        assert len((await told.get())[1]) == 2

    looking(script)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("import os; os._exit(4)", "exit code 4"), ("print('nonsense')", "it makes no sense")],
)
def test_a_process_that_fails_is_told_of_and_can_be_asked_again(text: str, complaint: str) -> None:
    game = a_game()

    async def script(back: LookingBack, told: asyncio.Queue[Told], warnings: asyncio.Queue[str]) -> None:
        for _ in range(2):
            back.look(game)
            assert complaint in await warnings.get()
        assert told.empty()

    looking(script, (sys.executable, "-c", text))


def test_what_cannot_be_started_is_told_of(tmp_path: Path) -> None:
    async def script(back: LookingBack, told: asyncio.Queue[Told], warnings: asyncio.Queue[str]) -> None:
        back.look(a_game())
        assert "cannot be started" in await warnings.get()

    looking(script, [str(tmp_path / "none")])
