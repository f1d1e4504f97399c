"""What the buzzer's tunes sound like, and a player that plays them while everybody else goes on."""

from __future__ import annotations

import logging
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple

from hardware.interface import Tune

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)


class Note(NamedTuple):
    """A tone and how long it sounds; tone 0 is a rest."""

    tone_hz: int
    length_ms: int


REST = 0

TUNES: dict[Tune, tuple[Note, ...]] = {
    Tune.ACCEPTED: (Note(1047, 60), Note(1568, 90)),
    Tune.REFUSED: (Note(220, 150), Note(REST, 40), Note(196, 250)),
    Tune.ATTENTION: (Note(880, 120), Note(REST, 80), Note(880, 120), Note(REST, 80), Note(880, 120)),
    Tune.AGAIN: (Note(784, 80), Note(1047, 80), Note(784, 80), Note(1047, 160)),
    Tune.BONUS: (Note(1047, 70), Note(1319, 70), Note(1568, 70), Note(2093, 160)),
    Tune.READY: (Note(523, 100), Note(659, 100), Note(784, 180)),
    Tune.OVER: (Note(784, 150), Note(659, 150), Note(523, 150), Note(REST, 50), Note(1047, 400)),
}


class TunePlayer:
    """Plays one tune at a time, in a thread of its own.

    `sound` starts a tone, or silence at 0. `pause` lets a note last, and ends early when its event is set.
    """

    def __init__(self, sound: Callable[[int], None], pause: Callable[[Event, float], object] = Event.wait) -> None:
        self._sound = sound
        self._pause = pause
        self._tunes: SimpleQueue[tuple[Tune, Event] | None] = SimpleQueue()
        self._give_way = Event()
        self._thread = Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tune: Tune) -> None:
        """Start a tune and return at once; the one that is sounding gives way."""
        self._give_way.set()
        self._give_way = Event()
        self._tunes.put((tune, self._give_way))

    def close(self) -> None:
        """Fall silent. Closing twice is harmless."""
        self._give_way.set()
        self._tunes.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (next_tune := self._tunes.get()) is not None:
            try:
                self._perform(*next_tune)
            except Exception as error:  # each pin factory has errors of its own, and a game goes on without sound
                logger.warning("the buzzer failed: %s", error)

    def _perform(self, tune: Tune, give_way: Event) -> None:
        for note in TUNES[tune]:
            if give_way.is_set():
                break
            self._sound(note.tone_hz)
            self._pause(give_way, note.length_ms / 1000)
        self._sound(REST)
