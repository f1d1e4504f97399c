"""The person at the terminal: is told what to do, and asked what is to be seen."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from firmware.calibrate.guide import Guide, Phase
from firmware.calibrate.words import request
from firmware.progress import Bar
from firmware.typed import TypedLines
from hardware.interface import Touch, Tune

if TYPE_CHECKING:
    from firmware.doctor.lights import Card
    from hardware.interface import Button, Panel
    from hardware.layout import Layout

KEY_S = 15.0
KEYS = {
    Phase.EMPTY: "s and Enter: there is no pawn where one is said to be; q: stop",
    Phase.WALK: "s and Enter: nothing is felt here, go on; b: back; q: stop, the rest can be done later",
}


class Typed(Protocol):
    """What the person types."""

    def poll(self) -> str | None: ...

    def wait(self) -> str: ...


class TerminalPerson:
    """Words go to the terminal, above a bar; answers are typed."""

    def __init__(self, bar: Bar, typed: Typed | None = None) -> None:
        self._bar = bar
        self._typed = typed or TypedLines()
        self._told = ""
        self._phase: Phase | None = None

    def follow(self, guide: Guide, layout: Layout) -> bool:
        words = request(guide, layout)
        if guide.phase is not self._phase:
            self._phase = guide.phase
            keys = KEYS.get(guide.phase)
            self._say(f"\n{guide.phase.value}" + (f" ({keys})" if keys else ""))
        if words != self._told:
            self._told = words
            self._say(words)
        self._bar.show(guide.progress, guide.phase.value)
        match self._typed.poll():
            case "s":
                guide.skip()
            case "b":
                guide.back()
            case "q":
                return False
        return True

    def see(self, card: Card) -> str:
        self._say(f"\n{card.question}\nType one of: {', '.join(card.choices)}. Only Enter: {card.expected}.")
        while True:
            answer = " ".join(self._typed.wait().lower().split()) or card.expected
            if answer in card.choices:
                return answer
            self._say(f"{answer!r} is none of them.")

    def press(self, button: Button, panel: Panel) -> Button | None:
        self._say(f"Press the key {button.value}, within {KEY_S:.0f} seconds.")
        deadline = time.monotonic() + KEY_S
        while (left_s := deadline - time.monotonic()) > 0:
            event = panel.read(left_s)
            if event and event.touch is Touch.PRESSED:
                return event.button
        return None

    def hears(self, panel: Panel) -> bool:
        panel.play(Tune.READY)
        self._say("Three tones were played. Did you hear them? y or n")
        return self._typed.wait().lower().startswith("y")

    def _say(self, words: str) -> None:
        self._bar.clear()
        print(words, flush=True)
