"""A finished game looked back at while the board goes on: in a process of its own, turn by turn, for the page.

The process gets the record of the game, writes a line of JSON for each turn, and ends. Nobody waits for it.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress

import msgspec

from engine import Action, Color, Game, LinjaError
from firmware.places import state_folder
from firmware.review import Looker, ReviewedTurn, reviewed
from firmware.solutions import Searches
from firmware.thinking import ended, program_of
from firmware.thought import be_modest

PROGRAM = program_of("firmware.looking_back")


class TurnText(msgspec.Struct, frozen=True):
    """A reviewed turn in JSON: colours and actions as text."""

    number: int
    player: str
    actions: tuple[str, ...]
    before: float
    after: float
    loss: float
    better: tuple[str, ...]
    is_exact: bool

    @classmethod
    def of(cls, turn: ReviewedTurn) -> TurnText:
        return cls(
            turn.number,
            str(turn.player),
            tuple(map(str, turn.actions)),
            turn.before,
            turn.after,
            turn.loss,
            tuple(map(str, turn.better)),
            turn.is_exact,
        )

    @property
    def turn(self) -> ReviewedTurn:
        """`LinjaError` where a text makes no sense."""
        return ReviewedTurn(
            self.number,
            Color.parse(self.player),
            tuple(map(Action.parse, self.actions)),
            self.before,
            self.after,
            self.loss,
            tuple(map(Action.parse, self.better)),
            self.is_exact,
        )


_decode = msgspec.json.Decoder(TurnText).decode

Told = Callable[[Game, Sequence[ReviewedTurn]], None]


class LookingBack:
    """Looks back at one game at a time. All methods are for the loop that it was made in."""

    def __init__(self, told: Told, tell: Callable[[str], None], program: Sequence[str] = PROGRAM) -> None:
        self._told, self._tell, self._program = told, tell, program
        self._game: Game | None = None
        self._current: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        """Those that are not over: the current one, others that were told to stop, and processes that are seen off."""

    def look(self, game: Game) -> None:
        """From now on tell of this game, turn by turn; of another that was looked at, no more."""
        if game is self._game:
            return
        self.stop()
        self._game = game
        self._current = self._begun(self._look(game))

    def stop(self) -> None:
        if self._current is not None:
            self._current.cancel()
        self._game = self._current = None

    async def close(self) -> None:
        """Stop, and wait until nothing of it is left."""
        self.stop()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begun(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _look(self, game: Game) -> None:
        turns: list[ReviewedTurn] = []
        try:
            process = await asyncio.create_subprocess_exec(*self._program, stdin=PIPE, stdout=PIPE)
        except OSError as error:
            self._fail(f"it cannot be started: {error.strerror or error}")
            return
        try:
            assert process.stdin
            assert process.stdout
            process.stdin.write(str(game).encode())
            process.stdin.close()
            async for line in process.stdout:
                turns.append(_decode(line).turn)
                self._told(game, tuple(turns))
            if len(turns) < len(game.turns):
                self._fail(f"exit code {await process.wait()}")
        except (ValueError, LinjaError) as error:
            self._fail(f"it makes no sense: {error}")
        finally:
            self._begun(ended(process))  # whatever else is cancelled, this is not

    def _fail(self, why: str) -> None:
        self._game = None  # whoever asks again may have more luck
        self._tell(f"looking back at the game has stopped ({why})")


def main() -> None:
    """Review the game whose record is the input."""
    be_modest()
    game = Game.parse(sys.stdin.buffer.read().decode())
    with suppress(BrokenPipeError):
        for turn in reviewed(game, Looker(Searches(state_folder()))):
            sys.stdout.buffer.write(msgspec.json.encode(TurnText.of(turn)) + b"\n")
            sys.stdout.buffer.flush()
