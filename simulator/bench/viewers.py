"""Pages that watch, as plain clients: `python -m simulator.bench.viewers ADDRESS COUNT`.

Prints a line when all of them see light, and at the end how many frames the slowest has seen each second.
"""

from __future__ import annotations

import asyncio
import sys
import time

from aiohttp import ClientSession, WSMsgType


class Viewer:
    """Asks for the next frame as soon as it has one, until the service says goodbye."""

    def __init__(self) -> None:
        self.frames = 0
        self.sees = asyncio.Event()

    async def watch(self, client: ClientSession, address: str) -> None:
        async with client.ws_connect(f"{address}link", origin=address.rstrip("/")) as link:
            await link.send_bytes(b"")
            async for message in link:
                if message.type is WSMsgType.BINARY:
                    self.frames += 1
                    self.sees.set()
                    await link.send_bytes(b"")


async def main(address: str, count: int) -> None:
    viewers = [Viewer() for _ in range(count)]
    async with ClientSession() as client, asyncio.TaskGroup() as watching:
        for viewer in viewers:
            watching.create_task(viewer.watch(client, address))
        for viewer in viewers:
            await viewer.sees.wait()
        print("watching", flush=True)
        began, seen = time.monotonic(), [viewer.frames for viewer in viewers]
    seconds = time.monotonic() - began
    print(min(viewer.frames - before for viewer, before in zip(viewers, seen, strict=True)) / seconds)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
