"""Visitors who talk garbage, stop in the middle, stay silent or leave: they are answered or cut off, and neither fill
the log nor keep a place."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import WSMsgType

from firmware.guard.limits import USUAL
from tests.attackers import FULL, SOMEBODY, WITHOUT_LIMITS, Attacker, Board, get, is_served, standing, under


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board.made_in(tmp_path)


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

    assert under(board, standing(limits=replace(USUAL, idle_s=0.05, lingering_s=0.05)), begin)
    assert board.pressed == 0


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux cuts off who takes nothing")
def test_whoever_does_not_take_the_answer_is_cut_off(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    (board.folder / "large.txt").write_text("x" * 10**7)

    async def take_nothing(attacker: Attacker) -> bool:
        with socket.create_connection(("127.0.0.1", board.port)) as connection:
            connection.sendall(get("/files/large.txt", attacker).replace("\n", "\r\n").encode())
            while not await is_served(attacker):  # there is only one place
                pass
        return True

    assert under(board, standing(limits=replace(WITHOUT_LIMITS, connections=1, idle_s=0.2)), take_nothing)
    assert caplog.text == ""


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

    assert under(board, standing(limits=replace(USUAL, lingering_s=0.05)), ask)
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


def test_a_place_is_free_again_when_a_page_has_gone(board: Board) -> None:
    async def come_and_go(attacker: Attacker) -> bool:
        for _ in range(10):
            async with attacker.link(Via=SOMEBODY) as socket:
                await socket.ping()
        return True

    limits = replace(WITHOUT_LIMITS, watchers_each=1)
    assert under(board, standing(limits=limits), come_and_go)
