"""Thinking: from a wish to an advice; and the program that does it in a process of its own.

Python runs one thread at a time, so whoever thinks in the service's process holds up its lights. The program takes
requests as lines of JSON, the newest ends the one before, and answers in lines of JSON. When its input ends, so does
it, at once: it never outlives the service.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import msgspec

from engine import State
from engine.levels import choose, has_seen_enough, level
from engine.search import Search
from firmware.advice import Advice, AdviceText, Ranked, Wish
from firmware.places import state_folder
from firmware.solutions import Searches

NICENESS = 10


class Consider(msgspec.Struct, frozen=True, tag_field="type", tag="consider"):
    """A wish, and how long may be thought about it."""

    number: int
    """Goes with the answer."""
    state: str
    level: int | None
    seconds: float


class Enough(msgspec.Struct, frozen=True, tag_field="type", tag="enough"):
    """Nothing is to be thought about for now."""


class Considered(msgspec.Struct, frozen=True):
    """The answer to the request with this number."""

    number: int
    advice: AdviceText


Request = Consider | Enough

encode = msgspec.json.Encoder().encode
decode_request = msgspec.json.Decoder(Request).decode
decode_answer = msgspec.json.Decoder(Considered).decode


def consider(wish: Wish, search: Search, chance: Random, stop: Callable[[], bool]) -> Advice:
    """What comes of thinking about a wish until `stop`, or until the computer's level would look no further."""
    if wish.level is None:
        thought = search.think(wish.state, stop=stop)
        ranked = tuple(Ranked(judged.action, judged.margin) for judged in thought.judged)
        return Advice(wish, ranked, is_exact=thought.is_exact)
    player = level(wish.level)
    for thought in search.deepen(wish.state, stop):
        if has_seen_enough(thought, player):
            break
    return Advice(wish, line=choose(thought, player, chance).line, is_exact=thought.is_exact)


class Desk:
    """Where requests come in while another is thought about; only the newest lies on it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: Request = Enough()
        self._taken: Request | None = None

    def put(self, request: Request) -> None:
        with self._changed:
            self._newest = request
            self._changed.notify()

    def take(self) -> Request:
        """The newest request, as soon as there is one that was not taken yet."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not self._taken)
            self._taken = self._newest
            return self._newest

    @property
    def has_news(self) -> bool:
        return self._newest is not self._taken


def answer(request: Consider, searches: Searches, chance: Random, desk: Desk) -> Considered | None:
    """The answer, in time; None when it is no longer asked for."""
    until = time.monotonic() + request.seconds
    wish = Wish(State.parse(request.state), request.level)

    def is_enough() -> bool:
        return desk.has_news or time.monotonic() >= until

    advice = searches.use(wish.state.edition, lambda search: consider(wish, search, chance, is_enough))
    return None if desk.has_news else Considered(request.number, AdviceText.of(advice))


def be_modest() -> None:
    """A process that only thinks leaves the processor to others, and signals to the service, which sees to its end."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with suppress(AttributeError, OSError):  # not every system has it, and not every cage allows it
        os.nice(NICENESS)


def main() -> None:
    """Think about what comes in, until nothing can come any more."""
    be_modest()
    desk = Desk()
    threading.Thread(target=_read, args=(desk,), daemon=True).start()
    searches, chance = Searches(state_folder()), Random()
    while True:
        request = desk.take()
        if isinstance(request, Consider) and (found := answer(request, searches, chance, desk)):
            sys.stdout.buffer.write(encode(found) + b"\n")
            sys.stdout.buffer.flush()


def _read(desk: Desk) -> None:
    try:
        for line in sys.stdin.buffer:
            desk.put(decode_request(line))
    finally:
        os._exit(0)  # the thinking thread may be deep in thought


if __name__ == "__main__":
    main()
