"""A service's board on the screen: the web server beside the service, in the same loop, told of all that happens."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from ipaddress import ip_address

from engine import Color, Edition, Game, State
from firmware.advice import Computer
from firmware.guard.devices import Devices
from firmware.guard.guard import Guard, own_names
from firmware.guard.settings import WebSettings
from firmware.looking_back import LookingBack
from firmware.places import state_folder
from firmware.review import ReviewedTurn
from firmware.service import Service
from firmware.view import View
from firmware.web.host import Hands
from firmware.web.server import AddressTaken, WebServer
from firmware.workshop import Workshop
from hardware.interface import Frame, KeyEvent, Reading
from hardware.layout import Layout

logger = logging.getLogger(__name__)

ANY_PORT = 0


class ServedBoard:
    """The `Host` that a service is, with the hands of its board where it has any."""

    def __init__(
        self, service: Service, hands: Hands | None, workshop: Workshop | None, looking_back: LookingBack
    ) -> None:
        self._service = service
        self.hands = hands
        self.workshop = workshop
        self._looking_back = looking_back

    @property
    def layout(self) -> Layout:
        return self._service.layout

    @property
    def view(self) -> View:
        return self._service.view

    @property
    def game(self) -> Game:
        return self._service.game

    @property
    def readings(self) -> Sequence[Reading]:
        return self._service.readings

    @property
    def frame(self) -> Frame:
        return self._service.frame

    def touch(self, key: KeyEvent) -> None:
        self._service.touch(key)

    def new_game(self, edition: Edition, first: Color, best_of: int, computer: Computer | None = None) -> None:
        self._service.new_game(edition, first, best_of, computer)

    def play_from(self, start: State) -> None:
        self._service.play_from(start)

    def look_back(self) -> None:
        self._looking_back.look(self.game)


@asynccontextmanager
async def page(
    service: Service,
    settings: WebSettings,
    opened: Callable[[str], None],
    hands: Hands | None = None,
    workshop: Workshop | None = None,
    *,
    any_port: bool = False,
) -> AsyncIterator[None]:
    """The page for as long as the service runs; `opened` is told its address. `any_port`: where the port is taken."""
    devices = Devices(state_folder() / "devices.json")
    told = service.show_code if hands is None else _not_on_a_page

    def looked_at(game: Game, turns: Sequence[ReviewedTurn]) -> None:
        if game is service.game:
            server.review(game, turns)
        else:
            looking_back.stop()

    looking_back = LookingBack(looked_at, logger.warning)
    guard = Guard(own_names(settings.names), devices, told=told)
    server = WebServer(ServedBoard(service, hands, workshop, looking_back), guard)
    port = await _started(server, settings, any_port=any_port)
    service.on_change.append(server.refresh)
    service.on_frame.append(server.show)
    service.on_tune.append(server.play)
    service.on_event.append(server.tell)
    log = workshop.diagnosis.log.kept() if workshop else nullcontext()
    try:
        opened(f"http://{_name(settings)}:{port}/")
        with log:
            yield
    finally:
        await looking_back.close()
        await server.stop()


async def _started(server: WebServer, settings: WebSettings, *, any_port: bool) -> int:
    try:
        return await server.start(settings.host, settings.port)
    except AddressTaken:
        if not any_port:
            raise
        return await server.start(settings.host, ANY_PORT)


def _not_on_a_page(code: str | None) -> bool:
    """A board made of software has only pages to show its light on, and everybody may watch those."""
    return False


def _name(settings: WebSettings) -> str:
    """What to call this machine in an address: where it listens, if that is one place."""
    host = ip_address(settings.host)
    if host.is_unspecified:
        return own_names(settings.names)[0]
    return f"[{host}]" if host.version == 6 else str(host)
