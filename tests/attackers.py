"""Attackers, and a board worth attacking behind the guard, on a real server.

Only this machine's own address can be had in a test, and whoever sits there may do everything. A neighbour in the
network is played by a request that says to have been passed on by somebody, which the guard treats alike.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from aiohttp import web

from firmware.guard.checks import CHECKS, Check, asks_for_a_plain_path
from firmware.guard.devices import Devices
from firmware.guard.door import Door
from firmware.guard.guard import Guard
from firmware.guard.limits import USUAL, Limits
from firmware.guard.middleware import guarded, heard, open_socket
from firmware.guard.pairing import Pairing
from firmware.guard.visit import VISITOR

SOMEBODY = "1.1 somebody"
EVIL = "http://evil.example"
SECRET = "the secret"
CODE = "111119"
WITHOUT_LIMITS = Limits(
    connections=10**6,
    connections_each=10**6,
    connections_per_s=1e6,
    connection_burst=10**6,
    requests_per_s=1e6,
    request_burst=10**6,
    request_bytes=10**6,
    watchers=10**6,
    watchers_each=10**6,
    players=10**6,
    watcher_messages_per_s=1e6,
    player_messages_per_s=1e6,
    message_burst=10**6,
    message_bytes=10**6,
)


@dataclass
class Board:
    """Something worth attacking: it can be pressed, and its files are served by a careless hand."""

    folder: Path
    port: int = 0
    pressed: int = 0
    heard: list[str] = field(default_factory=list)
    told: list[str | None] = field(default_factory=list)

    @classmethod
    def made_in(cls, folder: Path) -> Board:
        """A board whose files lie in a folder of their own, with a secret inside it and one beside it."""
        page = folder / "page"
        page.mkdir()
        (page / "page.txt").write_text("the page")
        (page / ".hidden").write_text(SECRET)
        (folder / "secret.txt").write_text(SECRET)
        return cls(page)

    def tell(self, code: str | None) -> bool:
        self.told.append(code)
        return True

    def application(self) -> web.Application:
        application = web.Application()
        application.router.add_get("/link", self._link)
        application.router.add_route("*", "/press", self._press)
        application.router.add_get("/files/{path:.*}", self._file)
        application.router.add_get("/broken", self._break)
        application.router.add_get("/left", self._notice_that_they_left)
        return application

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    async def _press(self, request: web.Request) -> web.Response:
        if not request[VISITOR].may_act:
            raise web.HTTPForbidden
        await request.read()
        self.pressed += 1
        return web.Response()

    async def _break(self, request: web.Request) -> web.Response:
        raise ZeroDivisionError

    async def _notice_that_they_left(self, request: web.Request) -> web.Response:
        raise ConnectionResetError

    async def _file(self, request: web.Request) -> web.Response:
        try:
            return web.Response(text=(self.folder / request.match_info["path"]).read_text())
        except OSError:
            raise web.HTTPNotFound from None

    async def _link(self, request: web.Request) -> web.WebSocketResponse:
        socket = open_socket(request, closing_s=0.1, heartbeat_s=30.0)
        await socket.prepare(request)
        async for message in heard(request, socket):
            self.heard.append(str(message.data))
            if message.data == "press" and request[VISITOR].may_act:
                self.pressed += 1
            await socket.send_str(f"{self.pressed} pressed")
        return socket


@dataclass(frozen=True)
class Attacker:
    """Somebody with a network connection, and nothing that a browser would hold them back with."""

    board: Board
    session: aiohttp.ClientSession

    @contextlib.asynccontextmanager
    async def link(self, **headers: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        said = {"Origin": self.board.url, **headers}
        async with self.session.ws_connect(f"{self.board.url}/link", headers=said, max_msg_size=0) as socket:
            yield socket

    async def ask(self, method: str, path: str, data: bytes = b"", **headers: str) -> int:
        return (await self.answer(method, path, data, **headers)).status

    async def answer(self, method: str, path: str, data: bytes = b"", **headers: str) -> aiohttp.ClientResponse:
        said = {"Origin": self.board.url, **headers}
        async with self.session.request(method, f"{self.board.url}{path}", headers=said, data=data or None) as answer:
            await answer.read()
            return answer

    async def say(self, raw: str) -> str:
        """The whole answer to exactly these bytes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.board.port)
        try:
            writer.write(raw.replace("\n", "\r\n").encode(errors="surrogateescape"))
            return (await reader.read()).decode()
        finally:
            writer.close()


def get(path: str, attacker: Attacker) -> str:
    return f"GET {path} HTTP/1.1\nHost: {attacker.board.host}\nConnection: close\n\n"


async def is_served(attacker: Attacker) -> bool:
    with contextlib.suppress(ConnectionError):
        return "200 OK" in await attacker.say(get("/files/page.txt", attacker))
    return False


async def content(
    attacker: Attacker, method: str, path: str, data: bytes = b"", **headers: str
) -> tuple[int, dict[str, object]]:
    answer = await attacker.answer(method, path, data, **headers)
    return answer.status, await answer.json()


def guess(code: str) -> bytes:
    return f'{{"code": "{code}"}}'.encode()


Attack = Callable[[Attacker], Awaitable[bool]]
"""Whether it succeeds."""
MakeGuard = Callable[[Devices, Callable[[str | None], bool]], Guard]


def standing(
    *,
    limits: Limits = USUAL,
    without: Check | None = None,
    kind: type[Guard] = Guard,
    pairing: type[Pairing] = Pairing,
) -> MakeGuard:
    checks = tuple(check for check in CHECKS if check is not without)

    def make(devices: Devices, told: Callable[[str | None], bool]) -> Guard:
        return kind([], devices, pairing=pairing(lambda: CODE), limits=limits, checks=checks, told=told)

    return make


NO_PATH = standing(without=asks_for_a_plain_path)
FULL = standing()


def under(board: Board, make: MakeGuard, attack: Attack) -> bool:
    """Whether an attack on the board succeeds."""

    async def run() -> bool:
        guard = make(Devices(board.folder.parent / "devices.json"), board.tell)
        door = Door(guarded(board.application(), guard), guard.limits, closing_s=0.1)
        board.port = await door.open("127.0.0.1", 0)
        try:
            # Cookies are kept by hand: the test says what an attacker has.
            async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
                return await attack(Attacker(board, session))
        finally:
            await door.close()

    return asyncio.run(run())
