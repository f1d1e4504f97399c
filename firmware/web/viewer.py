"""One open page. Nothing queues up for it: of each kind of message only the newest waits to be sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hardware.interface import Frame

if TYPE_CHECKING:
    from aiohttp import web

    from firmware.guard.checks import Asked


class Viewer:
    """What a page is due. Pixels are due only when it has asked for them, which a hidden or a slow page does not."""

    def __init__(self, socket: web.WebSocketResponse, asked: Asked) -> None:
        self.asked = asked
        self._socket = socket
        self._due: dict[str, bytes] = {}
        self._frame: Frame | None = None
        self._shown: Frame | None = None
        self._asks_for_frame = False
        self._wake = asyncio.Event()

    def post(self, kind: str, message: bytes) -> None:
        """Send this message as soon as the page takes it, in place of one of the same kind that still waits."""
        self._due.pop(kind, None)  # the newest goes last, so that messages stay in the order in which they were said
        self._due[kind] = message
        self._wake.set()

    def offer(self, frame: Frame) -> None:
        """Show this frame when the page next asks for one."""
        self._frame = frame
        if self._asks_for_frame:
            self._wake.set()

    def ask(self) -> None:
        """The page has drawn what it had and is ready for the next frame."""
        self._asks_for_frame = True
        if self._frame is not self._shown:
            self._wake.set()

    async def deliver(self) -> None:
        """Send what is due, for as long as the page is open."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._due:
                kind = next(iter(self._due))
                # JSON is sent as text, so that a page tells it from pixels.
                await self._socket.send_str(self._due.pop(kind).decode())
            if self._asks_for_frame and self._frame is not None and self._frame != self._shown:
                self._asks_for_frame = False
                self._shown = self._frame
                await self._socket.send_bytes(self._shown.pixels)

    async def close(self, code: int) -> None:
        await self._socket.close(code=code)
