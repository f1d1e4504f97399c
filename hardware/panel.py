"""The panel: four keys and a buzzer on GPIO pins, with gpiozero.

A key's edges are taken down with their time as they happen; whoever reads works out from those times what was a hold.
So no timer runs beside the keys, and a hold that nobody was reading at the time still comes in its place.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Literal

import msgspec

from hardware.errors import GpioError, PanelUnavailable
from hardware.interface import Button, KeyEvent, Touch
from hardware.pins import check_pins
from hardware.tunes import TunePlayer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gpiozero import Factory

    from hardware.interface import Tune


class PanelSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the panel is connected, by GPIO numbers: section `[panel]` of the settings. A key closes to ground."""

    kind: Literal["gpio", "none"] = "gpio"
    """Pins, or a board without a panel."""
    new: int = 5
    back: int = 6
    done: int = 13
    hint: int = 19
    buzzer: int = 16
    hold_ms: int = 1000
    """How long a key is down when that is a hold."""
    bounce_ms: int = 20
    """How long a key's contact may chatter."""

    def __post_init__(self) -> None:
        check_pins(self.pins)
        if self.hold_ms < 1:
            raise GpioError(f"hold_ms is {self.hold_ms}: it must be at least 1")
        if self.bounce_ms < 0:
            raise GpioError(f"bounce_ms is {self.bounce_ms}: it must not be negative")

    @property
    def pins(self) -> dict[str, int]:
        """What is connected where; nothing on a board without a panel."""
        if self.kind == "none":
            return {}
        return {f"key {button.value}": getattr(self, button.value) for button in Button} | {"the buzzer": self.buzzer}


@dataclass(frozen=True, slots=True)
class Edge:
    """A key went down or up."""

    button: Button
    down: bool
    at: float


class Fingers:
    """Edges of the keys to what fingers did: pure, and in the order in which it happened."""

    def __init__(self, hold_s: float) -> None:
        self._hold_s = hold_s
        self._down: set[Button] = set()
        self._holds: dict[Button, float] = {}

    @property
    def next_hold(self) -> float:
        """When a key that is down will have been held, if it stays down."""
        return min(self._holds.values(), default=float("inf"))

    def holds(self, now: float) -> Iterator[KeyEvent]:
        """The holds that were complete by `now`, each reported once."""
        for button, due in sorted(self._holds.items(), key=lambda hold: hold[1]):
            if due <= now:
                del self._holds[button]
                yield KeyEvent(button, Touch.HELD)

    def feel(self, edge: Edge) -> Iterator[KeyEvent]:
        """What an edge means, after the holds that were complete before it."""
        yield from self.holds(edge.at)
        if edge.down:
            self._down.add(edge.button)
            self._holds[edge.button] = edge.at + self._hold_s
            yield KeyEvent(edge.button, Touch.PRESSED)
        elif edge.button in self._down:  # a key that was down from the start was never pressed
            self._down.discard(edge.button)
            self._holds.pop(edge.button, None)
            yield KeyEvent(edge.button, Touch.RELEASED)


class GpioPanel:
    """The panel of a real board. The pin factory must know PWM, for the buzzer."""

    def __init__(
        self,
        settings: PanelSettings,
        pin_factory: Factory,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[Event, float], object] = Event.wait,
    ) -> None:
        self._clock = clock
        self._edges: SimpleQueue[Edge] = SimpleQueue()
        self._events: deque[KeyEvent] = deque()
        self._fingers = Fingers(settings.hold_ms / 1000)
        with ExitStack() as opened:
            try:
                self._connect_keys(settings, pin_factory, opened)
                self._connect_buzzer(settings, pin_factory, opened)
            except Exception as error:  # each pin factory has errors of its own
                raise PanelUnavailable(
                    f"the panel cannot be used ({error}): check its pins and who may use GPIO"
                ) from error
            self._player = TunePlayer(self._sound, pause)
            opened.callback(self._player.close)
            self._opened = opened.pop_all()

    def _connect_keys(self, settings: PanelSettings, pin_factory: Factory, opened: ExitStack) -> None:
        from gpiozero import DigitalInputDevice

        for button in Button:
            key = opened.enter_context(
                DigitalInputDevice(
                    getattr(settings, button.value),
                    pull_up=True,
                    bounce_time=settings.bounce_ms / 1000 or None,
                    pin_factory=pin_factory,
                )
            )
            key.when_activated = partial(self._note_edge, button, True)
            key.when_deactivated = partial(self._note_edge, button, False)

    def _connect_buzzer(self, settings: PanelSettings, pin_factory: Factory, opened: ExitStack) -> None:
        from gpiozero import PWMOutputDevice

        self._buzzer = opened.enter_context(PWMOutputDevice(settings.buzzer, pin_factory=pin_factory))

    def read(self, timeout: float) -> KeyEvent | None:
        """The next thing a finger did, in order; None when nothing happened within `timeout` seconds. Blocks."""
        deadline = self._clock() + timeout
        while not self._events:
            wait_s = min(deadline, self._fingers.next_hold) - self._clock()
            try:
                self._events.extend(self._fingers.feel(self._edges.get(timeout=max(0.0, wait_s))))
            except Empty:
                self._events.extend(self._fingers.holds(self._clock()))
                if not self._events and self._clock() >= deadline:
                    return None
        return self._events.popleft()

    def play(self, tune: Tune) -> None:
        """Start a tune and return at once; a tune that is still sounding gives way."""
        self._player.play(tune)

    def close(self) -> None:
        """Fall silent and let go of the pins. Closing twice is harmless."""
        self._opened.close()

    def _note_edge(self, button: Button, down: bool) -> None:
        self._edges.put(Edge(button, down, self._clock()))

    def _sound(self, tone_hz: int) -> None:
        if tone_hz:
            self._buzzer.frequency = tone_hz
        self._buzzer.value = 0.5 if tone_hz else 0
