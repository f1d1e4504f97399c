"""The guard before an aiohttp application: `guarded` puts every check in front of whatever the application does.

An application asks `request[VISITOR]` whether somebody may act, opens WebSockets with `open_socket`, and listens to
them with `heard`, which holds them to the limits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from firmware.guard.checks import Asked, Refusal
from firmware.guard.guard import Guard, TooMany
from firmware.guard.headers import HEADERS
from firmware.guard.limits import Limits
from firmware.guard.pairing_routes import PairingRoutes
from firmware.guard.visit import VISITOR, asked_of

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_GUARD = web.AppKey("guard", Guard)
_WORDS = {
    Refusal.NO_TEXT: "The board does not understand this.",
    Refusal.NOT_OUR_NAME: "The board does not go by this name. Its names are in the section [web] of the settings.",
    Refusal.OTHER_WEBSITE: "Only the board's own page may ask for this.",
    Refusal.NO_SUCH_METHOD: "The board knows no such request.",
    Refusal.NO_PLAIN_PATH: "There is nothing here.",
}


def guarded(application: web.Application, guard: Guard) -> web.Application:
    """Put the guard before an application, and the pairing of devices into it."""
    application[_GUARD] = guard
    application.middlewares.insert(0, _admit)
    application.on_response_prepare.append(_add_headers)
    PairingRoutes(guard).add_to(application)
    return application


def open_socket(request: web.Request, *, closing_s: float, heartbeat_s: float) -> web.WebSocketResponse:
    """A WebSocket that takes no message beyond the limit. It is for `heard`, which answers its pings."""
    return web.WebSocketResponse(
        timeout=closing_s,
        heartbeat=heartbeat_s,
        compress=False,
        autoping=False,
        max_msg_size=request.app[_GUARD].limits.message_bytes,
    )


async def heard(request: web.Request, socket: web.WebSocketResponse) -> AsyncIterator[WSMessage]:
    """What a page says, for as long as it keeps the pace; one that does not is cut off."""
    pace = request.app[_GUARD].pace_of_messages(request[VISITOR], time.monotonic())
    async for message in socket:
        if not pace.keeps(time.monotonic()):
            await socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too fast")
            return
        if message.type is WSMsgType.PING:
            await socket.pong(message.data)
        elif message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            yield message


@web.middleware
async def _admit(request: web.Request, handler: Handler) -> web.StreamResponse:
    guard, asked = request.app[_GUARD], asked_of(request)
    if no := _no(guard, asked) or await _take_in(request, guard.limits):
        # Whoever is sent away has to knock again, and the door counts how often.
        no.force_close()
        return no
    visitor = guard.let_in(asked)
    request[VISITOR] = visitor
    if not asked.is_socket:
        return await handler(request)
    try:
        with guard.seat(visitor):
            return await handler(request)
    except TooMany:
        return web.Response(status=503, text="Too many pages are open.", headers={"Retry-After": "30"})


def _no(guard: Guard, asked: Asked) -> web.Response | None:
    if refusal := guard.refuse(asked):
        return web.Response(status=refusal.value, text=_WORDS[refusal])
    if not guard.keeps_pace(asked, time.monotonic()):
        return web.Response(status=429, text="That is too much at once.", headers={"Retry-After": "1"})
    return None


async def _take_in(request: web.Request, limits: Limits) -> web.Response | None:
    """Read what comes with a request, whole, before anybody looks at it; or say what is wrong with it."""
    if not request.body_exists:
        return None
    is_plain = request.content_length is not None and "Content-Encoding" not in request.headers
    if not is_plain or (request.content_length or 0) > limits.request_bytes:
        return web.Response(status=413, text="What comes with a request must be short and plain, and say its length.")
    try:
        async with asyncio.timeout(limits.idle_s):
            await request.read()
    except TimeoutError:
        return web.Response(status=408, text="That took too long.")
    except web.RequestPayloadError:
        return web.Response(status=400, text="That is not what it says to be.")
    return None


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
    response.headers.pop("Server", None)  # it would name versions
