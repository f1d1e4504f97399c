"""A web server with a stand-in behind it, in a loop of its own: browsers are driven from the test's thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from firmware.guard.guard import Guard
from firmware.web.server import WebServer
from tests.stand_in import StandIn, make_guard

T = TypeVar("T")


class Served:
    """Started when entered, stopped when left; `stop` and `start` in between are a restart of the service."""

    def __init__(self, host: StandIn | None = None, guard: Guard | None = None) -> None:
        self.host = host or StandIn()
        self.guard = guard or make_guard()
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="web server")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> Served:
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def start(self) -> None:
        self.run(self._start())

    def stop(self) -> None:
        self.run(self.server.stop())

    async def _start(self) -> None:
        self.server = WebServer(self.host, self.guard)
        self.host.on_change = self.server.refresh
        self.host.on_frame = self.server.show
        self.host.on_tune = self.server.play
        self.host.on_event = self.server.tell
        self.host.on_review = self.server.review
        self.port = await self.server.start("127.0.0.1", self.port)

    def run(self, coroutine: Any) -> Any:
        """Run something in the server's loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def change(self, act: Callable[[StandIn], T]) -> T:
        """Let something happen at the board."""
        done: Future[T] = Future()

        def happen() -> None:
            done.set_result(act(self.host))

        self._loop.call_soon_threadsafe(happen)
        return done.result()

    def wait_until(self, holds: Callable[[StandIn], bool]) -> None:
        """Let the server go on until this holds at the board."""
        while not self.change(holds):
            pass


class Serve(Protocol):
    """Serves a stand-in until the test is over."""

    def __call__(self, host: StandIn | None = None, guard: Guard | None = None) -> Served: ...


def main() -> None:
    """Serve until the program is stopped: `python -m tests.serving PORT`, for looking at the page by hand."""
    import sys

    served = Served()
    served.port = int(sys.argv[1])
    with served:
        print(served.address, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
