"""Garbage as messages of a page: each is carried out or complained about, and the page is served on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from simulator.soak.fuzz import Unclear, Victim
from simulator.soak.fuzzed_page import HOST, FuzzedPage, fuzzed_page

OVER = (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING, WSMsgType.ERROR)


def valid() -> list[bytes]:
    commands = (
        {"type": "key", "button": "done", "touch": "pressed"},
        {"type": "key", "button": "back", "touch": "pressed"},
        {"type": "key", "button": "new", "touch": "held"},
        {"type": "key", "button": "hint", "touch": "released"},
        {"type": "new", "edition": "bonus+aggressive", "first": "black", "bestOf": 3},
        {"type": "new", "edition": "zen", "first": "red", "bestOf": 0},
        {"type": "move", "pawn": 3, "x": 12.5, "y": -3, "height": 0},
        {"type": "fault", "text": "stuck 3.2"},
        {"type": "look", "inside": True},
    )
    return [b"", *(msgspec.json.encode(command) for command in commands)]


class Page:
    """An open page that says anything, and waits until it was heeded."""

    def __init__(self, board: FuzzedPage) -> None:
        self._board = board
        self._client: ClientSession | None = None
        self._link: ClientWebSocketResponse | None = None
        self._marks = 0

    def say(self, piece: bytes) -> str | None:
        answer = self._board.conductor.run(self._answered(piece))
        self._board.count()
        return answer

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def _answered(self, piece: bytes) -> str | None:
        """The complaint about the piece, if there is one; "cut off" where the service wants no more of it."""
        link = await self._opened()
        try:
            try:
                await link.send_str(piece.decode())
            except UnicodeDecodeError:
                await link.send_bytes(piece)
            await link.ping()
            complaints = await self._complaints_until_pong(link)
            self._marks += 1
            await link.send_json({"type": "new", "edition": f"mark {self._marks}", "first": "red", "bestOf": 0})
            complaints += await self._complaints_until_mark(link)
        except ConnectionError:
            self._link = None
            return "cut off"
        if len(complaints) > 1:
            raise Unclear(f"more than one complaint: {complaints}")
        return complaints[0] if complaints else None

    async def _opened(self) -> ClientWebSocketResponse:
        if self._client is None:
            self._client = ClientSession()
        if self._link is None or self._link.closed:
            address = f"http://{HOST}:{self._board.port}"
            self._link = await self._client.ws_connect(f"{address}/link", origin=address, autoping=False)
        return self._link

    async def _complaints_until_pong(self, link: ClientWebSocketResponse) -> list[str]:
        complaints: list[str] = []
        while True:
            message = await link.receive()
            if message.type in OVER:
                raise ConnectionResetError
            if message.type is WSMsgType.PONG:
                return complaints
            complaints += _complaint(message.data) if message.type is WSMsgType.TEXT else []

    async def _complaints_until_mark(self, link: ClientWebSocketResponse) -> list[str]:
        complaints: list[str] = []
        while True:
            message = await link.receive()
            if message.type in OVER:
                raise ConnectionResetError
            for complaint in _complaint(message.data) if message.type is WSMsgType.TEXT else []:
                if complaint.endswith(f"'mark {self._marks}'"):
                    return complaints
                complaints.append(complaint)


def _complaint(text: str) -> list[str]:
    said = msgspec.json.decode(text)
    return [said["detail"]] if said["type"] == "complaint" else []


@contextmanager
def victim(folder: Path) -> Iterator[Victim]:
    with fuzzed_page() as board:
        page = Page(board)
        try:
            yield page.say
        finally:
            board.conductor.run(page.close())
