"""Pawns on slots moved by hand at once, with perfect sensors and no settle time: for tests of what a board means."""

from __future__ import annotations

from engine import Color, Edition, Game, Match, Position, State
from firmware.advice import Computer
from firmware.config import GameSettings
from firmware.events import Event
from firmware.session import Session
from firmware.settle import SettleSettings
from hardware.interface import Button, KeyEvent, Reading, SensorFault, Snapshot, Touch
from hardware.layout import BoardSettings, Layout

LAYOUT = Layout.of(BoardSettings())
AT_ONCE = SettleSettings(lift_ms=0, place_ms=0, doubt_ms=1000)
READING = {Color.RED: Reading.RED, Color.BLACK: Reading.BLACK}


class Bench:
    """A session and the slots it sees. Every change is shown at once, unless `hide` holds it back."""

    def __init__(
        self,
        edition: str = "zen",
        first: str = "red",
        start: State | None = None,
        best_of: int = 0,
        digital: bool = False,
        match: Match | None = None,
        computer: Computer | None = None,
    ) -> None:
        settings = GameSettings.of(Edition.parse(edition), Color(first), best_of)
        self.now = 0.0
        self.events: list[Event] = []
        self.digital = digital
        self.faults: tuple[SensorFault, ...] = ()
        self.stuck: dict[int, Reading] = {}
        self.slots = [Reading.EMPTY] * LAYOUT.slot_count
        self.left: set[int] = set()
        game = Game.from_state(start) if start else None
        self.session = Session(LAYOUT, settings.against(computer), AT_ONCE, self.now, game, match)
        self.arrange(start.position if start else Position.setup())
        self.show()

    def arrange(self, position: Position) -> None:
        self.slots = [Reading.EMPTY] * LAYOUT.slot_count
        for row, span in enumerate(LAYOUT.rows):
            pawns = [Reading.RED] * position.red[row] + [Reading.BLACK] * position.black[row]
            for slot, pawn in zip(span, pawns, strict=False):
                self.slots[slot] = pawn

    def show(self) -> list[Event]:
        """Let the session see the slots as they are."""
        self.now += 0.01
        self.left.clear()
        seen = [self.stuck.get(slot, reading) for slot, reading in enumerate(self.slots)]
        if self.digital:
            seen = [Reading.OCCUPIED if reading in READING.values() else reading for reading in seen]
        sureness = tuple(0 if reading is Reading.UNSURE else 100 for reading in seen)
        events = self.session.see(Snapshot(tuple(seen), sureness, (), self.faults), self.now)
        self.events += events
        return events

    def lift(self, color: str, row: int, *, show: bool = True) -> None:
        slot = next(slot for slot in LAYOUT.rows[row] if self.slots[slot] is READING[Color(color)])
        self.slots[slot] = Reading.EMPTY
        self.left.add(slot)
        if show:
            self.show()

    def place(self, color: str, row: int, *, show: bool = True) -> None:
        free = [slot for slot in LAYOUT.rows[row] if self.slots[slot] is Reading.EMPTY]
        # Nobody hits a slot that another pawn has left within the same blink of an eye, if there is another.
        slot = min(free, key=lambda slot: slot in self.left)
        self.slots[slot] = READING[Color(color)]
        if show:
            self.show()

    def move(self, color: str, origin: int, destination: int, *, show: bool = True) -> None:
        self.lift(color, origin, show=show)
        self.place(color, destination, show=show)

    def press(self, button: Button) -> list[Event]:
        self.now += 0.01
        events = self.session.touch(KeyEvent(button, Touch.PRESSED), self.now)
        self.events += events
        return events

    def hold(self, button: Button) -> list[Event]:
        self.now += 0.01
        events = self.session.touch(KeyEvent(button, Touch.HELD), self.now)
        self.events += events
        return events

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def state(self) -> State:
        return self.session.game.state

    @property
    def played(self) -> list[str]:
        return [str(action) for action in self.game.actions]
