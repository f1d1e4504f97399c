"""The page as it is served, with a game behind it: who is not paired only watches, and nothing else gets out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest

from firmware.guard.devices import Devices
from firmware.guard.visit import COOKIE
from firmware.web.server import WebServer
from tests.attackers import CODE, EVIL, FULL, NO_PATH, SOMEBODY, Attacker, Board, MakeGuard, content, get, guess
from tests.stand_in import StandIn


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


async def pair(device: Attacker) -> dict[str, str]:
    """What a device says in every request once it has copied the code."""
    await device.ask("POST", "/pair/code", Via=SOMEBODY)
    cookie = (await device.answer("POST", "/pair", guess(CODE), Via=SOMEBODY)).cookies[COOKIE]
    return {"Via": SOMEBODY, "Cookie": f"{COOKIE}={cookie.value}"}


def test_a_device_that_was_parted_with_acts_no_longer_on_a_page_that_is_still_open(tmp_path: Path) -> None:
    async def visit(page: OwnPage, device: Attacker) -> None:
        paired = await pair(device)
        async with device.link(**paired) as link:
            assert json.loads(await link.receive_str())["mayAct"]
            assert await device.ask("DELETE", "/pair/devices", b"", **paired) == 200
            await link.send_str(ANOTHER_GAME)
            assert "not paired" in await complaint(link)
        assert not page.has_been_changed

    at_the_page(tmp_path, FULL, visit)


def test_only_who_may_act_parts_with_the_devices_of_others(tmp_path: Path) -> None:
    async def visit(page: OwnPage, visitor: Attacker) -> None:
        paired = await pair(visitor)
        for odd in ({"Via": SOMEBODY}, {"Via": SOMEBODY, "Cookie": f"{COOKIE}=made-up"}):
            assert await visitor.ask("DELETE", "/pair/devices", b"", **odd) == 403
        assert await content(visitor, "GET", "/pair", b"", **paired) == (200, {"mayAct": True, "isPaired": True})
        assert await visitor.ask("DELETE", "/pair/devices") == 200
        assert await content(visitor, "GET", "/pair", b"", **paired) == (200, {"mayAct": False, "isPaired": False})

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
        assert (await visitor.say(get(path, visitor))).startswith("HTTP/1.1 404 ")

    at_the_page(tmp_path, FULL, visit)
    at_the_page(tmp_path, NO_PATH, visit)
