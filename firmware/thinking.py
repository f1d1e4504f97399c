"""The computer's thoughts beside a service: in a process that is started when first needed, told when its thoughts are
no longer wanted, and replaced when it fails.

The loop only writes and reads short lines, so no light waits for a thought. Every answer goes to the session with the
wish that it is for, and the session knows whether that is still its wish.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from engine import LinjaError
from firmware import thought
from firmware.advice import Advice, Wish, check
from firmware.service import Service
from firmware.thought import Consider, Enough, Request

HINT_S = 1.0
TURN_S = 3.0
"""How long the computer thinks about its turn at most; a level that does not look far has seen enough before."""
LONGEST_LINE_BYTES = 2**20
LONGEST_PAUSE_S = 30.0

_ROOT = str(Path(__file__).parent.parent)


def program_of(module: str) -> tuple[str, ...]:
    """How the `main` of a module of ours is run in a process of its own, wherever we were started from."""
    return sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {_ROOT!r}); from {module} import main; main()"


PROGRAM = program_of("firmware.thought")


async def ended(process: Process) -> None:
    """Comes back when the process is gone and nothing of its pipes is left."""
    with suppress(ProcessLookupError):
        process.kill()
    if process.stdin:
        process.stdin.close()
    await process.communicate()


class Thinking:
    """One process, or none. All methods are for the loop that `run` runs in."""

    def __init__(
        self,
        heard: Callable[[Advice], None],
        tell: Callable[[str], None],
        program: Sequence[str] = PROGRAM,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._heard, self._tell = heard, tell
        self._program = program
        self._pause = pause
        self._wish: Wish | None = None
        self._number = 0
        self._process: Process | None = None
        self._needed = asyncio.Event()
        self._failures = 0
        self._seen_off: asyncio.Task[None] | None = None
        """The end of the last process, which nothing cancels."""

    def want(self, wish: Wish | None) -> None:
        """Think about this from now on, or about nothing; whatever was thought about before is dropped."""
        if wish == self._wish:
            return
        self._wish = wish
        self._number += 1
        if wish is not None:
            self._needed.set()
        self._ask()

    async def run(self) -> None:
        """Keep a process for as long as there is something to think about; until cancelled, and then none is left."""
        try:
            await self._keep_thinking()
        finally:
            if self._seen_off is not None:
                await self._seen_off

    async def _keep_thinking(self) -> None:
        while True:
            await self._needed.wait()
            why = await self._think()
            self._needed.clear()
            if self._wish is not None:
                self._failures += 1
                self._needed.set()
                self._tell(f"the computer's thinking has stopped ({why}): it begins anew")
                await self._pause(min(2.0 ** (self._failures - 2), LONGEST_PAUSE_S))

    async def _think(self) -> str:
        """From the start of a process to its end, which is none of our doing; why it ended."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._program, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE_BYTES
            )
        except OSError as error:
            return f"it cannot be started: {error.strerror or error}"
        self._process = process
        try:
            self._ask()
            assert process.stdout
            async for line in process.stdout:
                self._hear(line)
            return f"exit code {await process.wait()}"
        except (ValueError, LinjaError) as error:
            return f"it makes no sense: {error}"
        finally:
            self._process = None
            self._seen_off = asyncio.create_task(ended(process))
            await asyncio.shield(self._seen_off)

    def _ask(self) -> None:
        if self._process is None or self._process.stdin is None:
            return
        request: Request = Enough()
        if self._wish is not None:
            level = self._wish.level
            seconds = HINT_S if level is None else TURN_S
            request = Consider(self._number, str(self._wish.state), level, seconds)
        self._process.stdin.write(thought.encode(request) + b"\n")

    def _hear(self, line: bytes) -> None:
        answer = thought.decode_answer(line)
        if answer.number != self._number or self._wish is None:
            return
        advice = answer.advice.about(self._wish)
        check(advice)
        self._failures = 0
        self._heard(advice)


@asynccontextmanager
async def thinking(
    service: Service, tell: Callable[[str], None], program: Sequence[str] = PROGRAM
) -> AsyncIterator[None]:
    """Beside a service: whatever its session wishes to be thought about is."""
    thoughts = Thinking(service.hear, tell, program)

    def look() -> None:
        thoughts.want(service.session.wish)

    service.on_change.append(look)
    task = asyncio.create_task(thoughts.run())
    try:
        yield
    finally:
        service.on_change.remove(look)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
