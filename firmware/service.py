"""The service: the one loop around a session that reads a clock, blocks on drivers and shows what the session knows.

Drivers block in threads of their own and hand what they read to the loop, with the time. The loop alone owns all
state: it gives every input to the session, in order; waits for whoever must know of the events before they show; tells
everybody else; and paints a frame when the view has changed or something in it moves. At rest it does nothing.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, contextmanager, suppress

from engine import Color, Edition, Game, Match, State
from firmware.advice import Advice, Computer
from firmware.blackbox.entry import Tick
from firmware.code_light import has_room, with_code
from firmware.config import Settings
from firmware.driver_threads import WAIT_S, DriverFailed, DriverThread, LatestFrame
from firmware.events import Event
from firmware.illuminate import changes_at, meanings
from firmware.inputs import Input, Loss, NewGame, PlayFrom, give
from firmware.journal import KeptGame
from firmware.latency import Latency
from firmware.paint import paint
from firmware.palette import Palette
from firmware.session import Session
from firmware.tunes import tune_for
from firmware.view import View
from hardware.errors import SensorLost
from hardware.interface import Frame, KeyEvent, Lights, Panel, Reading, Sensors, Snapshot, Tune

FRAME_S = 0.036
"""The time between two frames while something moves. A breath stands still for some frames where it turns, and a frame
like the last is not sent: so many make 25 a second that differ."""


class Service:
    """One board and the game on it. Except where it says so, everything here is for the loop that `run` runs in.

    Whoever wants to know what happens appends to one of the lists, before `run`.
    """

    def __init__(
        self,
        settings: Settings,
        sensors: Sensors,
        lights: Lights,
        panel: Panel,
        clock: Callable[[], float] = time.monotonic,
        interrupted: KeptGame | None = None,
    ) -> None:
        self.before_showing: list[Callable[[Sequence[Event]], Awaitable[None]]] = []
        """Awaited with what has happened before anybody is told of it and before any light shows it."""
        self.recorders: list[Callable[[float, Input | Tick | Event], None]] = []
        """Given every input before the session is, and what it led to after it."""
        self.on_event: list[Callable[[Event], None]] = []
        self.on_change: list[Callable[[], None]] = []
        """Called when the view or a slot is not as it was."""
        self.on_tune: list[Callable[[Tune], None]] = [panel.play]
        self.on_frame: list[Callable[[Frame], None]] = []
        self.layout = settings.layout
        game = settings.game.against(interrupted.computer) if interrupted else settings.game
        self.session = Session(self.layout, game, settings.settle, clock(), *_resumed(interrupted))
        self._palette = Palette.of(settings.palette)
        self._sensors, self._lights, self._panel = sensors, lights, panel
        self._clock = clock
        self._now = clock()
        self._inbox: deque[tuple[float, Input]] = deque()
        self._woken = asyncio.Event()
        self._rounds: list[asyncio.Event] = []
        self._stopped = False
        self._failure: DriverFailed | None = None
        self._readings: tuple[Reading, ...] = (Reading.EMPTY,) * self.layout.slot_count
        self._view: View | None = None
        self._next_frame_at: float | None = None
        self._frame = Frame.dark(self.layout.pixel_count)
        self._instead: Frame | None = None
        self._lit = self._frame
        self._code: str | None = None
        self._can_show_code = settings.pixels.kind != "none" and has_room(self.layout)
        self._came_at: float | None = None
        self.latency = Latency()
        """From what came in to the light that shows it."""
        self._to_lights = LatestFrame()

    # What can be asked at any time

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def frame(self) -> Frame:
        """The last frame that was painted."""
        return self._frame

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What each slot holds, as the sensors last said."""
        return self._readings

    # What others ask for

    def touch(self, key: KeyEvent) -> None:
        """A finger on a key that is not the panel's."""
        self._receive(self._clock(), key)

    def new_game(self, edition: Edition, first: Color, best_of: int, computer: Computer | None = None) -> None:
        self._receive(self._clock(), NewGame(edition, first, best_of, computer))

    def play_from(self, start: State) -> None:
        """A game that begins in the middle."""
        self._receive(self._clock(), PlayFrom(start))

    def hear(self, advice: Advice) -> None:
        """What thinking about a wish of the session came to."""
        self._receive(self._clock(), advice)

    def show_code(self, code: str | None) -> bool:
        """Show the code for pairing, or no longer: on the board alone, so that whoever reads it stands there.

        Says whether this board can.
        """
        self._code = code if self._can_show_code else None
        self._light()
        return self._can_show_code

    def show_instead(self, frame: Frame | None) -> None:
        """Show this in place of what the session has to say, until told None."""
        self._instead = frame
        self._next_frame_at = self._now
        self._woken.set()

    async def go_round(self) -> None:
        """Comes back when the loop has gone round once more, from taking in what came to showing it."""
        gone_round = asyncio.Event()
        self._rounds.append(gone_round)
        self._woken.set()
        await gone_round.wait()

    def stop(self) -> None:
        """Let `run` come to its end."""
        self._stopped = True
        self._woken.set()

    # The loop

    async def run(self) -> None:
        """Serve until `stop`. Then, and whatever goes wrong, every thread is joined and every driver closed.

        Raises `DriverFailed` when a driver cannot go on.
        """
        stopping = threading.Event()
        with ExitStack() as running:
            for thread in self._threads(asyncio.get_running_loop(), stopping):
                thread.start()
                running.callback(thread.close)
            running.callback(stopping.set)
            while not self._stopped:
                rounds, self._rounds = self._rounds, []
                await self._turn()
                for gone_round in rounds:
                    gone_round.set()
                await self._rest()
                if self._failure is not None:
                    raise self._failure

    def _threads(self, loop: asyncio.AbstractEventLoop, stopping: threading.Event) -> Iterator[DriverThread]:
        def deliver(what: Input | None) -> None:
            if what is not None:
                loop.call_soon_threadsafe(self._receive, self._clock(), what)

        def look() -> None:
            try:
                deliver(self._sensors.read(WAIT_S))
            except SensorLost as loss:
                deliver(Loss(str(loss)))

        def feel() -> None:
            deliver(self._panel.read(WAIT_S))

        def shine() -> None:
            if taken := self._to_lights.take(WAIT_S):
                frame, since = taken
                self._lights.show(frame)
                if since is not None:
                    self.latency.note(self._clock() - since)

        def failed(failure: DriverFailed) -> None:
            loop.call_soon_threadsafe(self._fail, failure)

        yield DriverThread("lights", self._lights, shine, stopping, failed)
        yield DriverThread("panel", self._panel, feel, stopping, failed)
        yield DriverThread("sensors", self._sensors, look, stopping, failed)

    def _receive(self, at: float, what: Input) -> None:
        self._inbox.append((at, what))
        self._woken.set()

    def _fail(self, failure: DriverFailed) -> None:
        self._failure = failure
        self._woken.set()

    async def _turn(self) -> None:
        """Take in all that has come, and show what it leads to."""
        readings, happened = self._readings, self._take_in()
        if happened:
            await self._tell(happened)
        else:
            self._came_at = None  # nobody waits for light
        view = self.session.view
        changed = view != self._view or readings != self._readings
        self._shine(view)  # first, for a hand waits for its light
        if changed:
            for notice in self.on_change:
                notice()

    async def _rest(self) -> None:
        """Until something comes in, a slot has settled or the light has moved on."""
        wake_at = min((at for at in (self.session.deadline, self._next_frame_at) if at is not None), default=None)
        with suppress(TimeoutError):
            async with asyncio.timeout(None if wake_at is None else max(0.0, wake_at - self._clock())):
                await self._woken.wait()
        self._woken.clear()

    def _take_in(self) -> list[Event]:
        happened: list[Event] = []
        self._came_at = min((at for at, _ in self._inbox), default=self.session.deadline)
        while self._inbox:
            at, what = self._inbox.popleft()
            if isinstance(what, Snapshot):
                self._readings = what.readings
            happened += self._recorded(what, self._time(at))
        now = self._time(self._clock())
        deadline = self.session.deadline
        return happened if deadline is None or now < deadline else happened + self._recorded(Tick(), now)

    def _recorded(self, what: Input | Tick, now: float) -> list[Event]:
        for record in self.recorders:
            record(now, what)
        events = self.session.tick(now) if isinstance(what, Tick) else give(self.session, what, now)
        for event in events:
            for record in self.recorders:
                record(now, event)
        return events

    def _time(self, at: float) -> float:
        """Never earlier than before: two threads may have read the clock in one order and been heard in the other."""
        self._now = max(self._now, at)
        return self._now

    async def _tell(self, happened: Sequence[Event]) -> None:
        for known_to in self.before_showing:
            await known_to(happened)
        for event in happened:
            for hear in self.on_event:
                hear(event)
        tune = tune_for(happened, self.session.game.state)
        if tune is not None:
            for play in self.on_tune:
                play(tune)

    def _shine(self, view: View) -> None:
        now = self._time(self._clock())
        due = self._next_frame_at
        if view == self._view and (due is None or now < due):
            return
        self._view = view
        light = meanings(view, now)
        next_change = changes_at(view, light, now)
        self._next_frame_at = None if next_change is None else max(next_change, _in_time(due, now))
        frame = paint(light, self.layout, self._palette, now) if self._instead is None else self._instead
        is_new = frame != self._frame
        self._frame = frame
        self._light(self._came_at)
        if is_new:
            for show in self.on_frame:
                show(frame)

    def _light(self, since: float | None = None) -> None:
        """Give the lights what was painted, and the code for pairing unless a hand waits for its light."""
        frame, view = self._frame, self._view
        waits = self._instead is not None or (view is not None and (view.in_hand or view.misplaced))
        if self._code is not None and not waits:
            frame = with_code(frame, self._code, self.layout, self._palette)
        if frame != self._lit:
            self._lit = frame
            self._to_lights.put(frame, since)


def _in_time(due: float | None, now: float) -> float:
    """A frame's time after this one, which was due a little earlier: what wakes late each time is no slower for it."""
    return (due if due is not None and due <= now < due + FRAME_S else now) + FRAME_S


def _resumed(interrupted: KeptGame | None) -> tuple[Game | None, Match | None, frozenset[int]]:
    if interrupted is None:
        return None, None, frozenset()
    return interrupted.game, interrupted.match, interrupted.implied


def serve(service: Service, *beside: AbstractAsyncContextManager[None]) -> None:
    """Run a service, and what is to run beside it, until the program is told to stop, by ^C or by its starter."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        with _told_to_stop(lambda: loop.call_soon_threadsafe(service.stop)):
            async with AsyncExitStack() as running:
                for part in beside:
                    await running.enter_async_context(part)
                await service.run()

    asyncio.run(main())


@contextmanager
def _told_to_stop(stop: Callable[[], object]) -> Iterator[None]:
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stop()) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
