"""How a page pairs its device: it asks the board to show a code, sends what was typed, and is given its secret.

The secret is a cookie that no script can read and that the browser sends to no request that another website caused.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import Annotated

import msgspec
from aiohttp import web

from firmware.guard.devices import PAIRED_FOR_S
from firmware.guard.guard import Guard
from firmware.guard.pairing import CODE_S, NoCode, TooSoon
from firmware.guard.visit import COOKIE, VISITOR

logger = logging.getLogger(__name__)

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
        self._is_lit = False

    def add_to(self, application: web.Application) -> None:
        application.router.add_get("/pair", self._standing)
        application.router.add_post("/pair", self._guess)
        application.router.add_delete("/pair", self._part)
        application.router.add_post("/pair/code", self._show_code)
        application.router.add_delete("/pair/devices", self._part_with_all)

    async def _standing(self, request: web.Request) -> web.Response:
        visitor = request[VISITOR]
        return _answer({"mayAct": visitor.may_act, "isPaired": self._guard.is_paired(visitor.asked)})

    async def _show_code(self, request: web.Request) -> web.Response:
        try:
            code = self._guard.pairing.show(time.monotonic())
        except TooSoon as error:
            return _not_yet(error)
        if self._hiding is None:
            logger.info("the code for pairing is %s", code)
            self._is_lit = self._guard.told(code)
            self._hiding = asyncio.get_running_loop().call_later(CODE_S, self._hide_code)
        return _answer({"isLit": self._is_lit})

    async def _guess(self, request: web.Request) -> web.Response:
        try:
            guess = _decode(await request.read(), type=Guess)
            is_right = self._guard.pairing.guess(guess.code, time.monotonic())
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
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
        await self._save()
        answer = _answer({"mayAct": True})
        answer.set_cookie(COOKIE, token, max_age=PAIRED_FOR_S, httponly=True, samesite="Strict")
        return answer

    async def _part(self, request: web.Request) -> web.Response:
        token = request[VISITOR].asked.token
        if token is not None and self._guard.devices.know(token):  # the disk is not for everybody to write on
            self._guard.devices.forget(token)
            await self._save()
        return _parted()

    async def _part_with_all(self, request: web.Request) -> web.Response:
        visitor = request[VISITOR]
        if not visitor.may_act:
            return _answer({"error": "this device is not paired"}, status=403)
        logger.info("all devices were parted with, from %s", visitor.asked.peer)
        self._guard.devices.forget_all()
        await self._save()
        return _parted()

    async def _save(self) -> None:
        await asyncio.to_thread(self._guard.devices.save)

    def _hide_code(self) -> None:
        if self._hiding is not None:
            self._hiding.cancel()
            self._hiding = None
            self._guard.told(None)


def _parted() -> web.Response:
    answer = _answer({})
    answer.del_cookie(COOKIE, httponly=True, samesite="Strict")
    return answer


def _answer(content: dict[str, object], status: int = 200) -> web.Response:
    return web.json_response(content, status=status, headers={"Cache-Control": "no-store"})


def _not_yet(error: TooSoon) -> web.Response:
    wait_s = math.ceil(error.wait_s)
    answer = _answer({"error": "not yet", "waitS": wait_s}, status=429)
    answer.headers["Retry-After"] = str(wait_s)
    return answer
