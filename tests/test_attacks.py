"""Attacks on a page behind the guard, on a real server. Each fails; and each succeeds once its guard is taken out,
which shows that it is that guard which stops it.

Only this machine's own address can be had in a test, and whoever sits there may do everything. A neighbour in the
network is played by a request that says to have been passed on by somebody, which the guard treats alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiohttp
import pytest
from aiohttp import WSMsgType, web

from firmware.guard.checks import (
    CHECKS,
    Asked,
    Check,
    asks_by_our_name,
    asks_for_a_plain_path,
    comes_from_our_page,
    uses_a_known_method,
)
from firmware.guard.devices import Devices
from firmware.guard.door import Door
from firmware.guard.guard import Guard
from firmware.guard.headers import HEADERS
from firmware.guard.limits import USUAL, Limits
from firmware.guard.middleware import guarded, heard, open_socket
from firmware.guard.pairing import Pairing
from firmware.guard.visit import COOKIE, VISITOR
from firmware.web.server import WebServer
from tests.stand_in import StandIn

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
FEW = replace(
    WITHOUT_LIMITS,
    watchers_each=3,
    message_burst=5,
    watcher_messages_per_s=1e-6,
    player_messages_per_s=1e-6,
    request_burst=5,
    requests_per_s=1e-6,
)


@dataclass
class Board:
    """Something worth attacking: it can be pressed, and its files are served by a careless hand."""

    folder: Path
    port: int = 0
    pressed: int = 0
    heard: list[str] = field(default_factory=list)
    told: list[str | None] = field(default_factory=list)

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


class Careless(Guard):
    """Believes that everybody has been paired."""

    def may_act(self, asked: Asked) -> bool:
        return True


class Patient(Pairing):
    """Lets everybody guess for ever."""

    def _guessed_wrong(self, now: float) -> None:
        pass


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


# The attacks


async def another_website_opens_a_socket(attacker: Attacker) -> bool:
    with contextlib.suppress(aiohttp.WSServerHandshakeError):
        async with attacker.link(Origin=EVIL) as socket:
            await socket.send_str("press")
            await socket.receive()
    return attacker.board.pressed > 0


async def another_website_sends_a_form(attacker: Attacker) -> bool:
    await attacker.ask("POST", "/press", b"a=b", Origin=EVIL)
    return attacker.board.pressed > 0


async def a_page_in_a_frame_without_a_name_opens_a_socket(attacker: Attacker) -> bool:
    with contextlib.suppress(aiohttp.WSServerHandshakeError):
        async with attacker.link(Origin="null") as socket:
            await socket.send_str("press")
            await socket.receive()
    return attacker.board.pressed > 0


async def a_name_of_another_website_points_here(attacker: Attacker) -> bool:
    rebound = f"evil.example:{attacker.board.port}"
    with contextlib.suppress(aiohttp.WSServerHandshakeError):
        async with attacker.link(Host=rebound, Origin=f"http://{rebound}") as socket:
            await socket.send_str("press")
            await socket.receive()
    return attacker.board.pressed > 0


async def a_name_of_another_website_reads_a_file(attacker: Attacker) -> bool:
    rebound = f"evil.example:{attacker.board.port}"
    return await attacker.ask("GET", "/files/page.txt", Host=rebound, Origin=f"http://{rebound}") == 200


async def a_neighbour_presses_without_being_paired(attacker: Attacker) -> bool:
    async with attacker.link(Via=SOMEBODY) as socket:
        await socket.send_str("press")
        await socket.receive()
    return attacker.board.pressed > 0


async def a_neighbour_presses_with_a_made_up_secret(attacker: Attacker) -> bool:
    await attacker.ask("POST", "/press", Via=SOMEBODY, Cookie=f"{COOKIE}={'A' * 43}")
    return attacker.board.pressed > 0


async def a_neighbour_tries_one_code_after_the_other(attacker: Attacker) -> bool:
    await attacker.ask("POST", "/pair/code", Via=SOMEBODY)
    guesses = [f'{{"code": "{code}"}}'.encode() for code in range(111111, 111120)]
    return 200 in [await attacker.ask("POST", "/pair", guess, Via=SOMEBODY) for guess in guesses]


async def a_message_is_too_long(attacker: Attacker) -> bool:
    async with attacker.link() as socket:
        await socket.send_str("x" * 5000)
        await socket.receive()
    return attacker.board.heard != []


async def a_request_is_too_long(attacker: Attacker) -> bool:
    await attacker.ask("POST", "/press", b"x" * 5000)
    return attacker.board.pressed > 0


async def a_neighbour_opens_one_page_after_the_other(attacker: Attacker) -> bool:
    async with contextlib.AsyncExitStack() as pages:
        with contextlib.suppress(aiohttp.WSServerHandshakeError):
            for _ in range(10):
                await pages.enter_async_context(attacker.link(Via=SOMEBODY))
            return True
    return False


async def a_page_never_stops_talking(attacker: Attacker) -> bool:
    async with attacker.link() as socket:
        for _ in range(10):
            await socket.send_str("hello")
        answers = [await socket.receive() for _ in range(10)]
    return answers[-1].type is WSMsgType.TEXT


async def a_page_never_stops_pinging(attacker: Attacker) -> bool:
    async with attacker.link() as socket:
        for _ in range(10):
            await socket.ping()
        await socket.send_str("hello")
        answer = await socket.receive()
    return answer.type is WSMsgType.TEXT


async def a_neighbour_never_stops_asking(attacker: Attacker) -> bool:
    return [await attacker.ask("GET", "/files/page.txt") for _ in range(10)] == [200] * 10


async def a_path_leads_out_of_the_folder(attacker: Attacker) -> bool:
    return SECRET in await attacker.say(_get("/files/..%2fsecret.txt", attacker))


async def a_path_names_a_file_of_the_system(attacker: Attacker) -> bool:
    secret = attacker.board.folder.parent / "secret.txt"
    return SECRET in await attacker.say(_get(f"/files/{secret}", attacker))


async def a_path_asks_for_a_hidden_file(attacker: Attacker) -> bool:
    return SECRET in await attacker.say(_get("/files/.hidden", attacker))


async def another_website_shows_a_file_as_its_own(attacker: Attacker) -> bool:
    said = {"Host": attacker.board.host, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    async with attacker.session.get(f"{attacker.board.url}/files/page.txt", headers=said) as answer:
        return answer.status == 200


async def a_request_of_an_odd_kind_is_made(attacker: Attacker) -> bool:
    await attacker.ask("PROPFIND", "/press")
    return attacker.board.pressed > 0


async def all_connections_are_taken(attacker: Attacker) -> bool:
    async with contextlib.AsyncExitStack() as held:
        for _ in range(5):
            _, writer = await asyncio.open_connection("127.0.0.1", attacker.board.port)
            held.callback(writer.close)
        return await _is_served(attacker)


async def a_neighbour_knocks_again_and_again(attacker: Attacker) -> bool:
    with contextlib.suppress(ConnectionError):
        answers = [await attacker.say(_get("/files/page.txt", attacker)) for _ in range(10)]
        return all("200 OK" in answer for answer in answers)
    return False


async def a_neighbour_keeps_talking_after_a_no(attacker: Attacker) -> bool:
    refused = f"GET /files/.hidden HTTP/1.1\nHost: {attacker.board.host}\n\n"
    return (await attacker.say(refused + _get("/files/page.txt", attacker))).count("HTTP/1.1 ") > 1


def _get(path: str, attacker: Attacker) -> str:
    return f"GET {path} HTTP/1.1\nHost: {attacker.board.host}\nConnection: close\n\n"


NO_ORIGIN = standing(without=comes_from_our_page)
NO_NAME = standing(without=asks_by_our_name)
NO_PATH = standing(without=asks_for_a_plain_path)
NO_LIMITS = standing(limits=WITHOUT_LIMITS)
FULL = standing()
STRICT = standing(limits=FEW)

ATTACKS: list[tuple[Attack, MakeGuard, MakeGuard]] = [  # with the guard, and with that guard taken out
    (another_website_opens_a_socket, FULL, NO_ORIGIN),
    (another_website_sends_a_form, FULL, NO_ORIGIN),
    (a_page_in_a_frame_without_a_name_opens_a_socket, FULL, NO_ORIGIN),
    (another_website_shows_a_file_as_its_own, FULL, NO_ORIGIN),
    (a_name_of_another_website_points_here, FULL, NO_NAME),
    (a_name_of_another_website_reads_a_file, FULL, NO_NAME),
    (a_neighbour_presses_without_being_paired, FULL, standing(kind=Careless)),
    (a_neighbour_presses_with_a_made_up_secret, FULL, standing(kind=Careless)),
    (a_neighbour_tries_one_code_after_the_other, FULL, standing(pairing=Patient)),
    (a_message_is_too_long, FULL, NO_LIMITS),
    (a_request_is_too_long, FULL, NO_LIMITS),
    (a_neighbour_opens_one_page_after_the_other, STRICT, NO_LIMITS),
    (a_page_never_stops_talking, STRICT, NO_LIMITS),
    (a_page_never_stops_pinging, STRICT, NO_LIMITS),
    (a_neighbour_never_stops_asking, STRICT, NO_LIMITS),
    (a_path_leads_out_of_the_folder, FULL, NO_PATH),
    (a_path_names_a_file_of_the_system, FULL, NO_PATH),
    (a_path_asks_for_a_hidden_file, FULL, NO_PATH),
    (a_request_of_an_odd_kind_is_made, FULL, standing(without=uses_a_known_method)),
    (all_connections_are_taken, standing(limits=replace(WITHOUT_LIMITS, connections=5)), NO_LIMITS),
    (all_connections_are_taken, standing(limits=replace(WITHOUT_LIMITS, connections_each=5)), NO_LIMITS),
    (
        a_neighbour_knocks_again_and_again,
        standing(limits=replace(WITHOUT_LIMITS, connection_burst=5, connections_per_s=1e-6)),
        NO_LIMITS,
    ),
    (a_neighbour_keeps_talking_after_a_no, FULL, NO_PATH),
]


@pytest.fixture
def board(tmp_path: Path) -> Board:
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "page.txt").write_text("the page")
    (folder / ".hidden").write_text(SECRET)
    (tmp_path / "secret.txt").write_text(SECRET)
    return Board(folder)


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


EACH_ATTACK = pytest.mark.parametrize(
    ("attack", "full", "without"), ATTACKS, ids=[f"{attack.__name__}" for attack, *_ in ATTACKS]
)


@EACH_ATTACK
def test_an_attack_fails(board: Board, attack: Attack, full: MakeGuard, without: MakeGuard) -> None:
    assert not under(board, full, attack)


@EACH_ATTACK
def test_the_same_attack_succeeds_when_its_guard_is_taken_out(
    board: Board, attack: Attack, full: MakeGuard, without: MakeGuard
) -> None:
    assert under(board, without, attack)


def test_a_request_with_two_names_is_refused(board: Board) -> None:
    async def ask(attacker: Attacker) -> bool:
        names = f"Host: {board.host}\nHost: evil.example"
        answer = await attacker.say(f"GET /files/page.txt HTTP/1.1\n{names}\nConnection: close\n\n")
        return " 400 Bad Request" in answer

    assert under(board, FULL, ask)


@pytest.mark.parametrize(
    "garbage",
    [
        "hello\n\n",
        "GET / HTTP/9.9\n\n",
        "GET /\0 HTTP/1.1\n\n",
        "\N{SNOWMAN}\n\n",
        "\x16\x03\x01",
        "POST /press HTTP/1.1\nHost: here\nContent-Encoding: gzip\nContent-Length: 5\n\nhello",
    ],
)
def test_garbage_is_answered_and_does_not_fill_the_log(
    board: Board, garbage: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def say(attacker: Attacker) -> bool:
        answer = await attacker.say(garbage)
        return " 400 Bad Request" in answer or " 421 " in answer

    assert under(board, FULL, say)
    assert caplog.text == ""


def test_what_is_no_text_is_refused_and_does_not_fill_the_log(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    async def say(attacker: Attacker) -> bool:
        answer = await attacker.say(f"GET /link HTTP/1.1\nHost: {board.host}\nUpgrade: \udcff\nConnection: close\n\n")
        return answer.startswith("HTTP/1.1 400 ")

    assert under(board, FULL, say)
    assert caplog.text == ""


def test_a_mistake_of_our_own_is_in_the_log(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    async def ask(attacker: Attacker) -> bool:
        return await attacker.ask("GET", "/broken") == 500

    assert under(board, FULL, ask)
    assert "ZeroDivisionError" in caplog.text


def test_a_page_that_pings_is_answered(board: Board) -> None:
    async def ping(attacker: Attacker) -> bool:
        async with attacker.session.ws_connect(f"{board.url}/link", origin=board.url, autoping=False) as socket:
            await socket.ping(b"still there?")
            answer = await socket.receive()
        return answer.type is WSMsgType.PONG and answer.data == b"still there?"

    assert under(board, FULL, ping)


def test_a_connection_that_says_nothing_or_only_half_is_cut_off(board: Board) -> None:
    async def linger(attacker: Attacker) -> bool:
        return await attacker.say("") == await attacker.say("GET / HTTP/1.1\nHost: ") == ""

    assert under(board, standing(limits=replace(USUAL, idle_s=0.05)), linger)


def test_a_request_that_never_ends_is_given_up(board: Board) -> None:
    async def begin(attacker: Attacker) -> bool:
        head = f"POST /press HTTP/1.1\nHost: {board.host}\nOrigin: {board.url}\nContent-Length: 9\n\n"
        return (await attacker.say(head + "half")).startswith("HTTP/1.1 408 ")

    assert under(board, standing(limits=replace(USUAL, idle_s=0.05)), begin)
    assert board.pressed == 0


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux cuts off who takes nothing")
def test_whoever_does_not_take_the_answer_is_cut_off(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    (board.folder / "large.txt").write_text("x" * 10**7)

    async def take_nothing(attacker: Attacker) -> bool:
        with socket.create_connection(("127.0.0.1", board.port)) as connection:
            connection.sendall(_get("/files/large.txt", attacker).replace("\n", "\r\n").encode())
            while not await _is_served(attacker):  # there is only one place
                pass
        return True

    assert under(board, standing(limits=replace(WITHOUT_LIMITS, connections=1, idle_s=0.2)), take_nothing)
    assert caplog.text == ""


async def _is_served(attacker: Attacker) -> bool:
    with contextlib.suppress(ConnectionError):
        return "200 OK" in await attacker.say(_get("/files/page.txt", attacker))
    return False


@pytest.mark.parametrize(
    "rest",
    [
        "Content-Length: 5000\n\nhello",
        "Transfer-Encoding: chunked\n\n5\nhello\n0\n\n",
        "Content-Length: 5\nContent-Encoding: gzip\n\nhello",
    ],
)
def test_what_comes_with_a_request_says_its_length_and_is_short_and_plain(board: Board, rest: str) -> None:
    async def ask(attacker: Attacker) -> bool:
        head = f"POST /press HTTP/1.1\nHost: {board.host}\nOrigin: {board.url}\nConnection: close\n"
        return (await attacker.say(head + rest)).startswith("HTTP/1.1 413 ")

    assert under(board, FULL, ask)
    assert board.pressed == 0


def test_visitors_who_leave_in_the_middle_do_not_fill_the_log(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    begun = f"Host: {board.host}\r\nOrigin: {board.url}\r\n"

    async def leave(attacker: Attacker) -> bool:
        for said in ("GET / HTTP/1.1\r\n", f"POST /press HTTP/1.1\r\n{begun}Content-Length: 9\r\n\nhalf"):
            for abruptly in (False, True):
                _, writer = await asyncio.open_connection("127.0.0.1", board.port)
                writer.write(said.encode())
                await writer.drain()
                if abruptly:
                    writer.transport.abort()
                writer.close()
        await attacker.ask("GET", "/left")
        return await attacker.ask("GET", "/files/page.txt") == 200

    assert under(board, FULL, leave)
    assert caplog.text == ""


def test_what_a_visitor_calls_its_socket_does_not_fill_the_log(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    async def ask(attacker: Attacker) -> bool:
        headers = {"Origin": board.url, "Sec-WebSocket-Protocol": "x" * 4000}
        async with attacker.session.ws_connect(f"{board.url}/link", headers=headers):
            return True

    assert under(board, FULL, ask)
    assert caplog.text == ""


# The board's own page


@dataclass
class OwnPage(Board):
    """The page as it is served, with a game behind it."""

    table: StandIn = field(default_factory=StandIn)

    @property
    def has_been_changed(self) -> bool:
        return self.table.game.start.edition.name != "zen"


ANOTHER_GAME = '{"type": "new", "edition": "classic", "first": "red", "bestOf": 0}'
KEYS = '{"type": "key", "button": "done", "touch": "pressed"}'
MOVE = '{"type": "move", "pawn": 0, "x": 0, "y": 0, "height": 0}'
FAULT = '{"type": "fault", "text": "unplug"}'


def at_the_page(folder: Path, make: MakeGuard, visit: Callable[[OwnPage, Attacker], Awaitable[None]]) -> None:
    async def run() -> None:
        page = OwnPage(folder)
        server = WebServer(page.table, make(Devices(folder / "devices.json"), page.tell))
        page.port = await server.start("127.0.0.1", 0)
        try:
            async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
                await visit(page, Attacker(page, session))
        finally:
            await server.stop()

    asyncio.run(run())


async def complaint(link: aiohttp.ClientWebSocketResponse) -> str:
    """The next thing that the page complains of."""
    while True:
        message = json.loads(await link.receive_str())
        if message["type"] == "complaint":
            return str(message["detail"])


@pytest.mark.parametrize("command", [ANOTHER_GAME, KEYS, MOVE, FAULT])
def test_whoever_is_not_paired_watches_the_game_and_changes_nothing(tmp_path: Path, command: str) -> None:
    async def visit(page: OwnPage, neighbour: Attacker) -> None:
        before = page.table.view
        async with neighbour.link(Via=SOMEBODY) as link:
            hello = json.loads(await link.receive_str())
            assert (hello["mayAct"], hello["hasHands"]) == (False, False)
            await link.send_str(command)
            assert "not paired" in await complaint(link)
        assert page.table.view == before
        assert not page.has_been_changed

    at_the_page(tmp_path, FULL, visit)


def test_a_device_that_was_parted_with_acts_no_longer_on_a_page_that_is_still_open(tmp_path: Path) -> None:
    async def visit(page: OwnPage, device: Attacker) -> None:
        await device.ask("POST", "/pair/code", Via=SOMEBODY)
        cookie = (await device.answer("POST", "/pair", _guess(CODE), Via=SOMEBODY)).cookies[COOKIE]
        paired = {"Via": SOMEBODY, "Cookie": f"{COOKIE}={cookie.value}"}
        async with device.link(**paired) as link:
            assert json.loads(await link.receive_str())["mayAct"]
            assert await device.ask("DELETE", "/pair/devices", b"", **paired) == 200
            await link.send_str(ANOTHER_GAME)
            assert "not paired" in await complaint(link)
        assert not page.has_been_changed

    at_the_page(tmp_path, FULL, visit)


def test_only_who_may_act_parts_with_the_devices_of_others(tmp_path: Path) -> None:
    async def visit(page: OwnPage, visitor: Attacker) -> None:
        await visitor.ask("POST", "/pair/code", Via=SOMEBODY)
        cookie = (await visitor.answer("POST", "/pair", _guess(CODE), Via=SOMEBODY)).cookies[COOKIE]
        paired = {"Via": SOMEBODY, "Cookie": f"{COOKIE}={cookie.value}"}
        for odd in ({"Via": SOMEBODY}, {"Via": SOMEBODY, "Cookie": f"{COOKIE}=made-up"}):
            assert await visitor.ask("DELETE", "/pair/devices", b"", **odd) == 403
        assert await _content(visitor, "GET", "/pair", b"", **paired) == (200, {"mayAct": True, "isPaired": True})
        assert await visitor.ask("DELETE", "/pair/devices") == 200
        assert await _content(visitor, "GET", "/pair", b"", **paired) == (200, {"mayAct": False, "isPaired": False})

    at_the_page(tmp_path, FULL, visit)


def test_the_disk_is_not_written_by_whoever_likes(tmp_path: Path) -> None:
    async def visit(page: OwnPage, visitor: Attacker) -> None:
        assert await visitor.ask("DELETE", "/pair", b"", Via=SOMEBODY, Cookie=f"{COOKIE}=made-up") == 200

    at_the_page(tmp_path, FULL, visit)
    assert list(tmp_path.iterdir()) == []


REBOUND = {"Host": "evil.example", "Origin": "http://evil.example"}


@pytest.mark.parametrize("headers", [{"Origin": EVIL}, {"Origin": "null"}, REBOUND])
@pytest.mark.parametrize("path", ["/", "/record", "/link", "/pair", "/main.js"])
def test_no_other_website_gets_anything_of_the_page(tmp_path: Path, path: str, headers: dict[str, str]) -> None:
    async def visit(page: OwnPage, website: Attacker) -> None:
        assert await website.ask("GET", path, b"", **headers) in (403, 421)
        with pytest.raises(aiohttp.WSServerHandshakeError):
            async with website.link(**headers):
                pass

    at_the_page(tmp_path, FULL, visit)


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/..%2fserver.py",
        "/words/../../server.py",
        "//etc/passwd",
        "/%2e%2e/server.py",
        "/words",
        "/.git",
    ],
)
def test_nothing_outside_the_folder_of_the_page_is_served(tmp_path: Path, path: str) -> None:
    async def visit(page: OwnPage, visitor: Attacker) -> None:
        assert (await visitor.say(_get(path, visitor))).startswith("HTTP/1.1 404 ")

    at_the_page(tmp_path, FULL, visit)
    at_the_page(tmp_path, NO_PATH, visit)


# What is let through


def test_a_device_pairs_with_the_code_that_the_board_shows_and_then_acts(board: Board) -> None:
    async def pair_and_press(attacker: Attacker) -> bool:
        assert await attacker.ask("POST", "/press", Via=SOMEBODY) == 403
        assert await attacker.ask("POST", "/pair/code", Via=SOMEBODY) == 200
        assert board.told == [CODE]
        answer = await attacker.answer("POST", "/pair", _guess(CODE), Via=SOMEBODY)
        assert board.told == [CODE, None]
        cookie = answer.cookies[COOKIE]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
        paired = {"Via": SOMEBODY, "Cookie": f"{COOKIE}={cookie.value}"}
        assert await attacker.ask("POST", "/press", b"", **paired) == 200
        assert await attacker.ask("DELETE", "/pair", b"", **paired) == 200
        assert await attacker.ask("POST", "/press", b"", **paired) == 403
        return True

    assert under(board, FULL, pair_and_press)
    assert board.pressed == 1


def test_a_page_is_told_what_is_wrong_with_its_guess(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.guard.pairing.FIRST_GUESS_WAIT_S", 1e6)

    async def ask(attacker: Attacker) -> bool:
        no_code = {"error": "the board shows no code"}
        assert await _content(attacker, "POST", "/pair", _guess(CODE)) == (409, no_code)
        assert await _content(attacker, "POST", "/pair/code") == (200, {"isLit": True})
        for odd in (
            b"",
            b"{",
            b'{"code": "12345"}',
            b'{"code": "1234567"}',
            b'{"code": 123456}',
            b'{"code": "\xff"}',
            b"\xff",
        ):
            assert await attacker.ask("POST", "/pair", odd) == 400
        wrong = {"error": "that is not the code"}
        assert await _content(attacker, "POST", "/pair", _guess("111111")) == (403, wrong)
        status, not_yet = await _content(attacker, "POST", "/pair", _guess(CODE))
        assert (status, not_yet["error"]) == (429, "not yet")
        assert 1e6 - 120 < float(str(not_yet["waitS"])) <= 1e6
        return True

    assert under(board, FULL, ask)


def test_a_code_that_was_lost_to_guessing_is_shown_no_longer(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.guard.pairing.FIRST_GUESS_WAIT_S", 0.0)

    async def lose(attacker: Attacker) -> bool:
        await attacker.ask("POST", "/pair/code")
        statuses = [await attacker.ask("POST", "/pair", _guess("111111")) for _ in range(4)]
        assert statuses == [403, 403, 403, 409]
        assert await attacker.ask("POST", "/pair/code") == 429
        return True

    assert under(board, FULL, lose)
    assert board.told == [CODE, None]


def test_a_code_that_nobody_uses_is_shown_no_longer(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.guard.pairing_routes.CODE_S", 0.0)

    async def wait(attacker: Attacker) -> bool:
        await attacker.ask("POST", "/pair/code")
        while board.told == [CODE]:
            await asyncio.sleep(0)
        return True

    assert under(board, FULL, wait)
    assert board.told == [CODE, None]


@pytest.mark.parametrize("path", ["/files/page.txt", "/files/nothing.txt", "/nowhere", "/pair", "/link", "/../up"])
def test_every_answer_tells_the_browser_to_trust_nothing_else(board: Board, path: str) -> None:
    async def look(attacker: Attacker) -> bool:
        answer = await attacker.answer("GET", path)
        assert HEADERS.items() <= answer.headers.items()
        assert "Server" not in answer.headers
        return True

    assert under(board, FULL, look)


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    for loophole in ("unsafe", "*", "http:", "https:", "blob:", "ws:"):
        assert loophole not in policy


def test_a_place_is_free_again_when_a_page_has_gone(board: Board) -> None:
    async def come_and_go(attacker: Attacker) -> bool:
        for _ in range(10):
            async with attacker.link(Via=SOMEBODY) as socket:
                await socket.ping()
        return True

    limits = replace(WITHOUT_LIMITS, watchers_each=1)
    assert under(board, standing(limits=limits), come_and_go)


async def _content(
    attacker: Attacker, method: str, path: str, data: bytes = b"", **headers: str
) -> tuple[int, dict[str, object]]:
    answer = await attacker.answer(method, path, data, **headers)
    return answer.status, await answer.json()


def _guess(code: str) -> bytes:
    return f'{{"code": "{code}"}}'.encode()
