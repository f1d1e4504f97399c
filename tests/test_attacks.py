"""Attacks on a page behind the guard. Each fails; and each succeeds once its guard is taken out, which shows that it is
that guard which stops it."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from aiohttp import WSMsgType

from firmware.guard.checks import Asked, asks_by_our_name, comes_from_our_page, uses_a_known_method
from firmware.guard.guard import Guard
from firmware.guard.pairing import Pairing
from firmware.guard.visit import COOKIE
from tests.attackers import (
    EVIL,
    FULL,
    NO_PATH,
    SECRET,
    SOMEBODY,
    WITHOUT_LIMITS,
    Attack,
    Attacker,
    Board,
    MakeGuard,
    get,
    is_served,
    standing,
    under,
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


class Careless(Guard):
    """Believes that everybody has been paired."""

    def may_act(self, asked: Asked) -> bool:
        return True


class Patient(Pairing):
    """Lets everybody guess for ever."""

    def _guessed_wrong(self, now: float) -> None:
        pass


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
    return SECRET in await attacker.say(get("/files/..%2fsecret.txt", attacker))


async def a_path_names_a_file_of_the_system(attacker: Attacker) -> bool:
    secret = attacker.board.folder.parent / "secret.txt"
    return SECRET in await attacker.say(get(f"/files/{secret}", attacker))


async def a_path_asks_for_a_hidden_file(attacker: Attacker) -> bool:
    return SECRET in await attacker.say(get("/files/.hidden", attacker))


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
        return await is_served(attacker)


async def a_neighbour_knocks_again_and_again(attacker: Attacker) -> bool:
    with contextlib.suppress(ConnectionError):
        answers = [await attacker.say(get("/files/page.txt", attacker)) for _ in range(10)]
        return all("200 OK" in answer for answer in answers)
    return False


async def a_neighbour_keeps_talking_after_a_no(attacker: Attacker) -> bool:
    refused = f"GET /files/.hidden HTTP/1.1\nHost: {attacker.board.host}\n\n"
    return (await attacker.say(refused + get("/files/page.txt", attacker))).count("HTTP/1.1 ") > 1


NO_ORIGIN = standing(without=comes_from_our_page)
NO_NAME = standing(without=asks_by_our_name)
NO_LIMITS = standing(limits=WITHOUT_LIMITS)
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
    return Board.made_in(tmp_path)


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
