"""Garbage in place of HTTP requests, byte by byte: an answer in HTTP, or the end of the connection."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from simulator.soak.fuzz import Unclear, Victim
from simulator.soak.fuzzed_page import HOST, FuzzedPage, fuzzed_page

WAITS_S = 0.1
"""A board that says nothing for so long waits for the rest of what was said to it."""
STATUS = re.compile(rb"HTTP/\d\.\d (\d{3}) ")
# PORT is where the board listens, without which every request would be for somebody else.
HANDSHAKE = (
    "GET /link HTTP/1.1\r\nHost: localhost:PORT\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: http://localhost:PORT\r\n\r\n"
)


GOODBYE = "GET /record HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n"
"""After each piece of garbage, so that the connection ends; the garbage may swallow it."""


def valid() -> list[bytes]:
    local = "HTTP/1.1\r\nHost: localhost:PORT\r\n"
    requests = (
        f"GET / {local}\r\n",
        f"GET /main.js {local}Cookie: linja=abc\r\nIf-None-Match: abc\r\nAccept-Encoding: gzip\r\n\r\n",
        f"GET /../../etc/passwd {local}\r\n",
        "HEAD /words/de.json HTTP/1.0\r\n\r\n",
        f"POST /pair {local}Origin: http://localhost:PORT\r\nContent-Length: 6\r\n\r\n123456",
        f"POST /pair {local}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        f"DELETE /record {local}\r\n",
        HANDSHAKE,
    )
    talk = HANDSHAKE.encode() + b"\x81\x85\x01\x02\x03\x04iglhn" + b"\x82\x80\0\0\0\0" + b"\x88\x82\1\2\3\4\2\xea"
    return [*(request.encode() for request in requests), talk]


async def _answer(port: int, piece: bytes) -> bytes:
    """All that comes back until the connection ends, or until the board waits for more."""
    reader, writer = await asyncio.open_connection(HOST, port)
    answer = b""
    try:
        writer.write((piece + GOODBYE.encode()).replace(b"PORT", str(port).encode()))
        with suppress(ConnectionError, TimeoutError):
            while True:
                async with asyncio.timeout(WAITS_S):
                    if not (more := await reader.read(65536)):
                        break
                    answer += more
        return answer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def _hear(board: FuzzedPage, piece: bytes) -> str | None:
    answer = board.conductor.run(_answer(board.port, piece))
    board.count()
    if not answer:
        return "cut off, or waited for"
    status = STATUS.match(answer)
    if status is None or status[1].startswith(b"5"):
        raise Unclear(f"the answer is {answer[:80]!r}")
    return None if status[1] in (b"200", b"101", b"304") else status[1].decode()


@contextmanager
def victim(folder: Path) -> Iterator[Victim]:
    with fuzzed_page() as board:
        yield lambda piece: _hear(board, piece)
