"""Clients that mean no good, in a process of their own: `python -m simulator.soak.rabble ADDRESS COUNT SEED`.

Each has an address of its own in 127.0.0.0/8, where the system allows it, and says to have been passed on, so that the
board takes it for a neighbour who may only watch. It connects, does one of the things below for a while, and comes
again when it was cut off. A line is printed when all have been there once; it ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from contextlib import suppress
from urllib.parse import urlsplit

WHILE_S = 3.0
AGAIN_S = 2.0


class Client:
    def __init__(self, host: str, port: int, number: int, seed: int) -> None:
        self._host, self._port = host, port
        self._own = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self._random = random.Random(f"{seed} {number}")
        self._deeds = (self._shout, self._say_nothing, self._ask_and_read_nothing, self._watch_and_shout, self._drip)
        self.was_there = asyncio.Event()

    async def misbehave(self) -> None:
        while True:
            with suppress(OSError, TimeoutError):
                await self._once()
            self.was_there.set()
            await asyncio.sleep(self._random.uniform(0, AGAIN_S))

    async def _once(self) -> None:
        reader, writer = await self._connected()
        try:
            async with asyncio.timeout(WHILE_S):
                await self._random.choice(self._deeds)(reader, writer)
        finally:
            writer.transport.abort()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await asyncio.open_connection(self._host, self._port, local_addr=(self._own, 0))
        except OSError:  # not every system has more than one address of its own
            return await asyncio.open_connection(self._host, self._port)

    async def _shout(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not writer.is_closing():
            writer.write(self._random.randbytes(1024))
            await writer.drain()
            await asyncio.sleep(0.05)

    async def _say_nothing(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async def _ask_and_read_nothing(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(20 * self._request("/", "Connection: keep-alive"))
        await asyncio.sleep(WHILE_S)

    async def _watch_and_shout(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self._request("/link", "Upgrade: websocket", "Connection: Upgrade", *SOCKET_HEADERS))
        while not writer.is_closing():
            # The next frame, please, which nobody will read; and a word that means nothing.
            word = bytes(self._random.randrange(32, 127) for _ in range(4))
            writer.write(b"\x82\x80\0\0\0\0" + b"\x81\x84\0\0\0\0" + word)
            await writer.drain()
            await asyncio.sleep(0.02)

    async def _drip(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for byte in self._request("/", "X-Slow: yes"):
            if writer.is_closing():
                return
            writer.write(bytes([byte]))
            await asyncio.sleep(0.1)

    def _request(self, path: str, *headers: str) -> bytes:
        own = f"{self._host}:{self._port}"
        lines = (f"GET {path} HTTP/1.1", f"Host: {own}", f"Origin: http://{own}", "Via: 1.1 rabble", *headers, "", "")
        return "\r\n".join(lines).encode()


SOCKET_HEADERS = ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")


async def main(address: str, count: int, seed: int) -> None:
    os.nice(10)  # the computers of other people, whose work is none of the board's
    place = urlsplit(address)
    assert place.hostname
    assert place.port
    clients = [Client(place.hostname, place.port, number, seed) for number in range(count)]
    tasks = [asyncio.create_task(client.misbehave()) for client in clients]
    for client in clients:
        await client.was_there.wait()
    print("all there", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
