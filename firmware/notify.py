"""What the service tells systemd: that it is ready, that it is well, that it stops. Without systemd, nothing.

A loop that still turns is not a service that is well: it may wait for ever for a disk. So the watchdog is fed only
after the service has gone round once more, from taking in what came to showing it.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress

MEALS = 3
"""How often the watchdog is fed in the time after which it bites."""


class Notifier:
    """The line to systemd, if the program was started by it."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self.watchdog_s = _watchdog_s(environment)
        """After how long without food the watchdog bites; None: there is none."""

    def ready(self) -> None:
        self._say("READY=1")

    def feed(self) -> None:
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def _say(self, what: str) -> None:
        if not self._address:
            return
        # A name that begins with @ is one in the kernel instead of in a folder.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        # Whoever does not listen cannot be helped, and a game does not end for it.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(address)
            line.send(what.encode())


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    meant_for = environment.get("WATCHDOG_PID", str(os.getpid()))
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isdecimal() and meant_for == str(os.getpid()) else None


@asynccontextmanager
async def watched(
    go_round: Callable[[], Awaitable[None]],
    notifier: Notifier,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncIterator[None]:
    """Keep systemd informed beside a service. `go_round` comes back when the service has gone round once more."""
    informing = asyncio.create_task(_inform(go_round, notifier, pause))
    try:
        yield
    finally:
        notifier.stopping()
        informing.cancel()
        with suppress(asyncio.CancelledError):
            await informing


async def _inform(
    go_round: Callable[[], Awaitable[None]], notifier: Notifier, pause: Callable[[float], Awaitable[None]]
) -> None:
    await go_round()
    notifier.ready()
    while notifier.watchdog_s is not None:
        await go_round()
        notifier.feed()
        await pause(notifier.watchdog_s / MEALS)
