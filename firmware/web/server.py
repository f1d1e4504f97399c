"""The web server, in the service's own loop. To the service it is one more set of lights and one more buzzer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

import msgspec
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from engine import Edition, Game, LinjaError, State
from engine.errors import shortened
from firmware.advice import Computer
from firmware.calibrate.beside import CalibrationBeside, Progress, Wish
from firmware.events import Event, KeyRefused, MoveRefused
from firmware.guard.door import Door
from firmware.guard.guard import Guard, Visitor
from firmware.guard.middleware import guarded, heard, open_socket
from firmware.guard.visit import VISITOR
from firmware.review import ReviewedTurn
from firmware.web import files, inside, messages, telling
from firmware.web.exports import ExportRoutes
from firmware.web.host import Host
from firmware.web.inside import Inside
from firmware.web.seen import SeenPawns
from firmware.web.viewer import Viewer
from hardware.interface import Frame, KeyEvent, Tune

HEARTBEAT_S = 15.0
CLOSING_S = 0.3


class AddressTaken(OSError):
    """The server cannot listen where it was told to."""


class OnlyWatching(ValueError):
    """Somebody who may only watch has asked for more."""


class WebServer:
    """Serves the page and keeps every open one up to date. All methods are for the loop it was started in."""

    def __init__(self, host: Host, guard: Guard) -> None:
        self._host = host
        self._guard = guard
        self._files = files.read_page()
        version = files.version(self._files)
        self._hellos = {
            may_act: messages.encode(telling.hello(host, version, may_act=may_act)) for may_act in (False, True)
        }
        self._seen = SeenPawns(host.layout)
        self._told: dict[str, bytes] = {}
        self._told_game: Game | None = None
        self._viewers: set[Viewer] = set()
        self._door: Door | None = None
        diagnosis = host.workshop.diagnosis if host.workshop else None
        self._inside = Inside(diagnosis, lambda viewer: guard.may_act(viewer.asked)) if diagnosis else None

    # What the service calls

    async def start(self, address: str, port: int) -> int:
        """Listen, and return the port: with port 0, any that is free."""
        application = web.Application()
        application.router.add_get("/link", self._link)
        application.router.add_get("/record", self._record)
        if self._host.workshop:
            ExportRoutes(self._host.workshop).add_to(application)
        guarded(application, self._guard)
        application.router.add_get("/{path:.*}", self._file)
        self._door = Door(application, self._guard.limits, closing_s=CLOSING_S)
        try:
            bound = await self._door.open(address, port)
        except OSError as error:
            raise AddressTaken(
                error.errno, f"the page cannot be served on {address}:{port}: {error.strerror}"
            ) from error
        self.refresh()
        if calibration := self._calibration:
            calibration.on_progress.append(self._tell_calibration)
            self._tell_calibration(calibration.progress)
        return bound

    async def stop(self) -> None:
        """Say goodbye to every page and stop listening."""
        if self._host.workshop:
            await self._host.workshop.close()
        await asyncio.gather(*(viewer.close(WSCloseCode.GOING_AWAY) for viewer in tuple(self._viewers)))
        if self._door is not None:
            await self._door.close()

    def refresh(self) -> None:
        """Something may have changed: tell the pages what has."""
        hands = self._host.hands
        faults = tuple(hands.faults()) if hands else ()
        pawns = tuple(hands.pawns()) if hands else self._seen.see(self._host.readings)
        if self._host.game is not self._told_game:
            self._told_game = self._host.game
            self._told.pop("review", None)
            self._tell("game", telling.game(self._told_game))
        self._tell("state", telling.state(self._host.view, self._host.layout, faults))
        self._tell("pawns", messages.Pawns(pawns))

    def review(self, game: Game, turns: Sequence[ReviewedTurn]) -> None:
        """So far the game on the board was looked back at."""
        self._tell("review", telling.review(game, turns))

    def show(self, frame: Frame) -> None:
        """The pixels look like this now."""
        for viewer in self._viewers:
            viewer.offer(frame)

    def play(self, tune: Tune) -> None:
        self._post("played", messages.encode(messages.Played(tune)))

    def tell(self, event: Event) -> None:
        """Something happened of which the board's state alone would not tell."""
        if isinstance(event, MoveRefused | KeyRefused):
            reason = event.reason if isinstance(event, MoveRefused) else None
            self._post("refused", messages.encode(messages.Refused(reason)))

    # What the pages ask for

    async def _file(self, request: web.Request) -> web.Response:
        file = self._files.get(request.path)
        if file is None:
            raise web.HTTPNotFound
        headers = {"ETag": f'"{file.tag}"', "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=304, headers=headers)
        headers |= {"Content-Encoding": "gzip", "Content-Type": file.content_type}
        return web.Response(body=file.compressed, headers=headers)

    async def _record(self, request: web.Request) -> web.Response:
        headers = {"Content-Disposition": 'attachment; filename="linja.txt"', "Cache-Control": "no-store"}
        return web.Response(text=str(self._host.game), headers=headers)

    async def _link(self, request: web.Request) -> web.WebSocketResponse:
        socket = open_socket(request, closing_s=CLOSING_S, heartbeat_s=HEARTBEAT_S)
        try:
            await socket.prepare(request)
        except ValueError:  # a key that is no text
            raise web.HTTPBadRequest from None
        async with self._watching(socket, request[VISITOR]) as viewer:
            async for message in heard(request, socket):
                self._heed(viewer, message)
        return socket

    @contextlib.asynccontextmanager
    async def _watching(self, socket: web.WebSocketResponse, visitor: Visitor) -> AsyncIterator[Viewer]:
        viewer = Viewer(socket, visitor.asked)
        viewer.post("hello", self._hellos[visitor.may_act])
        for kind, message in self._told.items():
            viewer.post(kind, message)
        viewer.offer(self._host.frame)
        self._viewers.add(viewer)
        delivery = asyncio.create_task(viewer.deliver())
        try:
            yield viewer
        finally:
            self._look(viewer, inside=False)
            self._viewers.discard(viewer)
            delivery.cancel()
            # A page that went away while something was being sent to it is no news.
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await delivery

    def _heed(self, viewer: Viewer, message: WSMessage) -> None:
        if message.type is WSMsgType.BINARY:
            viewer.ask()
        elif message.type is WSMsgType.TEXT:
            try:
                self._obey(viewer, messages.decode_command(message.data))
            except (msgspec.DecodeError, LinjaError, ValueError) as error:
                viewer.post("complaint", messages.encode(messages.Complaint(shortened(str(error)))))

    def _obey(self, viewer: Viewer, command: messages.AnyCommand) -> None:
        if not isinstance(command, messages.FOR_WATCHERS) and not self._guard.may_act(viewer.asked):
            viewer.post("hello", self._hellos[False])  # it may have been paired when it was greeted
            raise OnlyWatching("this device is not paired with the board: it may only watch")
        match command:
            case messages.Key(button, touch):
                self._host.touch(KeyEvent(button, touch))
            case messages.NewGame(edition, first, best_of, color, level):
                computer = Computer(color, level) if color else None
                self._host.new_game(Edition.parse(edition), first, best_of, computer)
            case messages.LookBack() if self._host.game.state.outcome is None:
                raise ValueError("the game is not over: there is nothing to look back at")
            case messages.LookBack():
                self._host.look_back()
            case messages.PlayFrom(turn):
                self._host.play_from(self._start_of(turn))
            case messages.Look(looks):
                self._look(viewer, inside=looks)
            case messages.Calibrate(wish):
                self._calibrate(wish)
            case messages.Move() | messages.Fault() if self._host.hands is None:
                raise ValueError("this board is a real one: its pawns are moved by hand")
            case messages.Move(pawn, x_mm, y_mm, height_mm):
                assert self._host.hands is not None
                self._host.hands.move(pawn, x_mm, y_mm, height_mm)
            case messages.Fault(text):
                assert self._host.hands is not None
                self._host.hands.fault(text)
        self.refresh()

    def _start_of(self, turn: int) -> State:
        game, match = self._host.game, self._host.view.match
        if match is not None and not match.is_over:
            raise ValueError("a match goes on: it would be given up")
        if not 1 <= turn <= len(game.turns):
            raise ValueError(f"the game has no turn {turn}")
        return game.states[sum(len(before.actions) for before in game.turns[: turn - 1])]

    @property
    def _calibration(self) -> CalibrationBeside | None:
        return self._host.workshop.calibration if self._host.workshop else None

    def _look(self, viewer: Viewer, *, inside: bool) -> None:
        if self._inside:
            self._inside.look(viewer, inside=inside)

    def _calibrate(self, wish: str) -> None:
        if self._calibration is None:
            raise ValueError("this board has nothing to calibrate")
        if wish in ("begin", "anew"):
            self._calibration.begin(anew=wish == "anew")
        else:
            self._calibration.wish(Wish(wish))

    # How pages are told

    def _tell_calibration(self, progress: Progress) -> None:
        self._tell("calibration", inside.calibration(progress))

    def _tell(self, kind: str, message: messages.Message) -> None:
        encoded = messages.encode(message)
        if self._told.get(kind) != encoded:
            self._told[kind] = encoded
            self._post(kind, encoded)

    def _post(self, kind: str, message: bytes) -> None:
        for viewer in self._viewers:
            viewer.post(kind, message)
