"""The door: listens for an application, and lets in no more connections than there is room for, nor faster than it may.

Beyond that they are cut off before a word is read, so that a thousand of them take no descriptor from the board itself.
A connection that says nothing, takes too long to say it, or does not take its answer is cut off too.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from firmware.guard.checks import plain_address
from firmware.guard.limits import Address, Limits, Paces, neighbour

logger = logging.getLogger(__name__)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a mistake is ours: those of visitors are answered, and would else fill the log for the asking."""
    # The last: an answer that repeats what they said, which was no text.
    theirs = (HttpProcessingError, web.RequestPayloadError, ConnectionError, UnicodeEncodeError)
    return not (record.exc_info and isinstance(record.exc_info[1], theirs))


logger.addFilter(_is_ours)
logging.getLogger("aiohttp.websocket").setLevel(logging.ERROR)  # it warns of what visitors write into their requests


class Door:
    """Open from `open` to `close`."""

    def __init__(self, application: web.Application, limits: Limits, *, closing_s: float) -> None:
        self._limits = limits
        self._paces = Paces(limits.connections_per_s, limits.connection_burst)
        self._runner = web.AppRunner(
            application,
            access_log=None,
            logger=logger,
            shutdown_timeout=closing_s,
            keepalive_timeout=limits.idle_s,
            lingering_time=limits.lingering_s,
        )
        self._listening: asyncio.Server | None = None

    async def open(self, address: str, port: int) -> int:
        """Listen, and return the port: with port 0, any that is free. Raises `OSError`."""
        await self._runner.setup()
        loop = asyncio.get_running_loop()
        try:
            self._listening = await loop.create_server(lambda: _Threshold(self._enter), address, port)
        except OSError:
            await self._runner.cleanup()
            raise
        bound: int = self._listening.sockets[0].getsockname()[1]
        return bound

    async def close(self) -> None:
        """Let nobody in any more, and finish with those who are."""
        if self._listening is not None:
            self._listening.close()
        await self._runner.cleanup()

    def _enter(self, transport: asyncio.Transport) -> None:
        server, peer = self._runner.server, _peer(transport)
        if server is None or peer is None or not self._has_room(server, peer):
            transport.abort()
            return
        _bound_the_wait(transport, self._limits.idle_s)
        visit = server()
        transport.set_protocol(visit)
        visit.connection_made(transport)

    def _has_room(self, server: web.Server, peer: Address) -> bool:
        if not self._paces.keeps(peer, asyncio.get_running_loop().time()):
            return False
        inside = [_peer(visit.transport) for visit in server.connections if visit.transport is not None]
        same = sum(other is not None and neighbour(other) == neighbour(peer) for other in inside)
        return len(inside) < self._limits.connections and same < self._limits.connections_each


class _Threshold(asyncio.Protocol):
    """A connection that is not in yet."""

    def __init__(self, enter: Callable[[asyncio.Transport], None]) -> None:
        self._enter = enter

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._enter(transport)


def _peer(transport: asyncio.BaseTransport) -> Address | None:
    """Who is at the other end; None: they had gone before they could be asked."""
    peer = transport.get_extra_info("peername")
    return plain_address(peer[0]) if peer else None


def _bound_the_wait(transport: asyncio.Transport, longest_s: float) -> None:
    """Let the system cut off whoever does not take what is sent to them. Only Linux can."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(1000 * longest_s))
