"""Garbage on the serial line, between what a scanner says: no snapshot is made of it, and the game goes on.

Frames that are whole, with a right checksum and wrong fields, are among it; levels that are wrong and yet wear a right
checksum are not, because nobody could tell them from a board that shows them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine import Action, Game, Kind
from firmware.config import GameSettings
from firmware.session import Session
from firmware.settle import SettleSettings
from hardware import scanner_protocol as link
from hardware.calibration import Classifier
from hardware.errors import SensorLost
from hardware.interface import Reading
from hardware.scanner_conversation import Conversation
from hardware.serial_scanner import FULL_RATE
from simulator.board import SCAN_S, calibrated
from simulator.cable import Cable
from simulator.faults import Faults
from simulator.magnets import HallSensors
from simulator.scenario import LAYOUT
from simulator.soak.fuzz import Unclear, Victim
from simulator.table import Table

UNAMBIGUOUS = GameSettings(edition="classic")
"""Without a bonus, no move can mean two things."""
MOVE_EVERY = 500
"""A pawn is moved each time so many pieces of garbage have come, to see that the board sees."""
SETTLING_SCANS = 15


def valid() -> list[bytes]:
    chance = random.Random(0)
    count = LAYOUT.channel_count
    messages: list[link.Message] = [
        link.Hello((1, 0, 0), b"virtual\0", count),
        link.Hello((9, 9, 9), b"\xff" * 8, count + 1),
        link.Levels(7, 1000, tuple(chance.randrange(65536) for _ in range(count - 1))),
        link.Levels(0, 0, ()),
        link.Levels(65535, 2**32 - 1, (65535,) * 255),
        link.Faults((link.Fault(link.FaultKind.SATURATED, 3),)),
        link.Faults(tuple(link.Fault(link.FaultKind.SATURATED, channel) for channel in range(200))),
        link.Pong(1),
        link.HelloRequest(),
        link.Ping(2),
        link.Rate(100, 5),
        link.RawMode(True),
        link.Reset(to_repl=True),
    ]
    frames = [link.encode(message) for message in messages]
    return [*frames, link.encode(messages[0], protocol=2), b"".join(frames), b"MicroPython v1.22\r\n>>> "]


class Listener:
    """The driver's conversation and a session, at a cable into which garbage comes."""

    def __init__(self) -> None:
        self._table = Table(LAYOUT)
        self._table.set_up()
        self._cable = Cable(HallSensors(self._table), self._table, Faults(LAYOUT))
        self._conversation = Conversation(LAYOUT, Classifier(calibrated(LAYOUT)), FULL_RATE)
        self._session = Session(LAYOUT, UNAMBIGUOUS, SettleSettings(), 0.0)
        self._meant: Game = self._session.game
        self._chance = random.Random(0)
        self._pieces = 0
        self._conversation.begin(0.0)
        self._look()

    def hear(self, piece: bytes) -> str | None:
        answers = [self._receive(piece), self._exchange()]
        self._pieces += 1
        if self._pieces % MOVE_EVERY == 0:
            self._move()
        return next(filter(None, answers), None)

    def _receive(self, data: bytes) -> str | None:
        """Why the scanner was let go, if it was; it is greeted again at once."""
        now = self._cable.now
        try:
            for snapshot in self._conversation.receive(data, now):
                self._session.see(snapshot, now)
        except SensorLost as loss:
            self._session.lose(str(loss), now)
            self._conversation.begin(now)
            return str(loss)
        self._session.tick(now)
        return None

    def _exchange(self) -> str | None:
        """The zero that begins the scanner's next frame ends whatever garbage had begun."""
        self._cable.write(self._conversation.to_send(self._cable.now))
        return self._receive(self._cable.read(SCAN_S))

    def _look(self) -> None:
        for _ in range(SETTLING_SCANS):
            self._exchange()

    def _move(self) -> None:
        """Any move that can be seen; when there is none, another game."""
        self._look()
        self._check("before a move")
        choice = [action for action in self._meant.state.legal_actions() if self._can_be_seen(action)]
        if not choice:
            self._table.set_up()
            edition, first = self._meant.start.edition, self._meant.start.to_move
            self._session.new_game(edition, first, 0, self._cable.now)
            self._meant = Game.new(edition, first)
        else:
            action = self._chance.choice(choice)
            assert action.origin is not None
            self._table.lift(Reading(action.color.value), action.origin)
            self._look()
            self._table.place(action.destination or 0)
            self._meant = self._meant.play(action)
        self._look()
        self._check("after a move")

    def _can_be_seen(self, action: Action) -> bool:
        if action.kind is Kind.DECLINE or action.destination is None:
            return False
        row = LAYOUT.rows[action.destination]
        return sum(slot in row for slot in self._table.standing()) < len(row)

    def _check(self, when: str) -> None:
        if self._session.game.actions != self._meant.actions:
            raise Unclear(f"{when} the game is not what was played: {self._session.game}")


@contextmanager
def victim(folder: Path) -> Iterator[Victim]:
    yield Listener().hear
