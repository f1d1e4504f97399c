"""The page that pairs a device: it asks the board to show a code, sends what was typed, and is given a secret.

The secret is a cookie that no script can read and that the browser sends to no request that another website caused.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import msgspec
from aiohttp import web

from firmware.guard.devices import PAIRED_FOR_S
from firmware.guard.guard import Guard
from firmware.guard.pairing import CODE_S, NoCode, TooSoon
from firmware.guard.visit import COOKIE, VISITOR

logger = logging.getLogger(__name__)

FOLDER = Path(__file__).parent / "page"

_decode = msgspec.json.decode
Code = Annotated[str, msgspec.Meta(pattern="^[1-9]{6}$")]


class Guess(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was typed."""

    code: Code


class PairingRoutes:
    """`/pair` and what is below it."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._hiding: asyncio.TimerHandle | None = None

    def add_to(self, application: web.Application) -> None:
        application.router.add_get("/pair", _file("pair.html", "text/html"))
        application.router.add_get("/pair/pair.css", _file("pair.css", "text/css"))
        application.router.add_get("/pair/pair.js", _file("pair.js", "text/javascript"))
        application.router.add_get("/pair/words.js", _file("words.js", "text/javascript"))
        application.router.add_post("/pair", self._guess)
        application.router.add_delete("/pair", self._part)
        application.router.add_post("/pair/code", self._show_code)

    async def _show_code(self, request: web.Request) -> web.Response:
        try:
            code = self._guard.pairing.show(time.monotonic())
        except TooSoon as error:
            return _not_yet(error)
        if self._hiding is None:
            logger.info("the code for pairing is %s", code)
            self._guard.told(code)
            self._hiding = asyncio.get_running_loop().call_later(CODE_S, self._hide_code)
        return _answer({"digits": len(code)})

    async def _guess(self, request: web.Request) -> web.Response:
        try:
            guess = _decode(await request.read(), type=Guess)
            is_right = self._guard.pairing.guess(guess.code, time.monotonic())
        except msgspec.DecodeError as error:
            return _answer({"error": str(error)}, status=400)
        except NoCode:
            return _answer({"error": "the board shows no code"}, status=409)
        except TooSoon as error:
            return _not_yet(error)
        if self._guard.pairing.shown(time.monotonic()) is None:
            self._hide_code()
        who = request[VISITOR].asked.peer
        if not is_right:
            logger.warning("a wrong code for pairing came from %s", who)
            return _answer({"error": "that is not the code"}, status=403)
        logger.info("a device at %s was paired", who)
        return await self._paired()

    async def _paired(self) -> web.Response:
        token = self._guard.devices.pair()
        await asyncio.to_thread(self._guard.devices.save)
        answer = _answer({"mayAct": True})
        answer.set_cookie(COOKIE, token, max_age=PAIRED_FOR_S, httponly=True, samesite="Strict")
        return answer

    async def _part(self, request: web.Request) -> web.Response:
        token = request[VISITOR].asked.token
        if token is not None:
            self._guard.devices.forget(token)
            await asyncio.to_thread(self._guard.devices.save)
        answer = _answer({})
        answer.del_cookie(COOKIE, httponly=True, samesite="Strict")
        return answer

    def _hide_code(self) -> None:
        if self._hiding is not None:
            self._hiding.cancel()
            self._hiding = None
            self._guard.told(None)


def _file(name: str, content_type: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    content = (FOLDER / name).read_bytes()

    async def serve(request: web.Request) -> web.Response:
        headers = {"Cache-Control": "no-cache"}
        return web.Response(body=content, content_type=content_type, charset="utf-8", headers=headers)

    return serve


def _answer(content: dict[str, object], status: int = 200) -> web.Response:
    return web.json_response(content, status=status, headers={"Cache-Control": "no-store"})


def _not_yet(error: TooSoon) -> web.Response:
    wait_s = math.ceil(error.wait_s)
    answer = _answer({"error": "not yet", "waitS": wait_s}, status=429)
    answer.headers["Retry-After"] = str(wait_s)
    return answer
