"""A host for the page's tests: pawns on a table and the real rules, without sensors, settling or a clock.

A pawn in the air counts as still in its row. What the pawns on the table say is judged as one movement or as two; what
is neither is a disagreement.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine import Action, Color, Edition, Game, IllegalAction, Match, Position, Reason
from firmware.events import MoveRefused
from firmware.view import Hand, Misplaced, Question, RowDifference, Stage, View
from firmware.web.host import FaultKind, Pawn
from hardware.interface import Button, Frame, KeyEvent, Reading, Touch, Tune
from hardware.layout import BoardSettings, Layout
from tests.stand_in_light import light

FOOT_MM = 12.0
SIDE_MM = 158.0
TOP_LEVEL = 65535
_READINGS = {Color.RED: Reading.RED, Color.BLACK: Reading.BLACK}
_LEVELS = {Reading.EMPTY: 32768, Reading.RED: 55000, Reading.BLACK: 11000}

Movement = tuple[Color, int, int]


class StandIn:
    """`Host` and `Hands` in one. It calls `on_frame`, `on_tune` and `on_refusal` when there is something to tell."""

    fault_kinds = (FaultKind("unplug", False), FaultKind("noise", False), FaultKind("stuck", True))
    top_level = TOP_LEVEL

    def __init__(self, game: Game | None = None) -> None:
        self.layout = Layout.of(BoardSettings())
        self.game = game or Game.new()
        self.match: Match | None = None
        self.question: Question | None = None
        self.doubted: tuple[tuple[int, str], ...] = ()
        self.on_frame: Callable[[Frame], None] = lambda frame: None
        self.on_tune: Callable[[Tune], None] = lambda tune: None
        self.on_refusal: Callable[[MoveRefused], None] = lambda refusal: None
        self._faults: list[str] = []
        self._misplaced: Misplaced | None = None
        self._taking_back = False
        self.arrange(self.game.state.position)

    # What the server asks for

    @property
    def hands(self) -> StandIn | None:
        return self

    @property
    def readings(self) -> Sequence[Reading]:
        standing = {self._slot_below(pawn): pawn.color for pawn in self._pawns if not pawn.height_mm}
        colors = (standing.get(slot) for slot in range(self.layout.slot_count))
        return tuple(_READINGS[color] if color else Reading.EMPTY for color in colors)

    @property
    def view(self) -> View:
        return View(
            stage=self._stage(),
            since=0.0,
            state=self.game.state,
            match=self.match,
            sensors_lost="unplug" in self._faults,
            in_hand=tuple(self._hand(pawn) for pawn in self._pawns if pawn.height_mm),
            misplaced=self._misplaced,
            differences=() if self._misplaced else self._differences(),
            question=self.question,
            doubted_slots=self.doubted,
        )

    @property
    def frame(self) -> Frame:
        return light(self.layout, self.view)

    def touch(self, key: KeyEvent) -> None:
        if key.touch is not Touch.PRESSED:
            return
        if self.question:
            self.question = None
        elif key.button is Button.BACK and self.game.actions:
            self._misplaced, self._taking_back = None, True
            self.game = self.game.undo()
        elif key.button is Button.DONE:
            self._decline()
        self.on_frame(self.frame)

    def new_game(self, edition: Edition, first: Color, best_of: int) -> None:
        self.match = Match(best_of, first) if best_of else None
        self.game = Game.new(edition, first)
        self._misplaced, self._taking_back = None, False
        self.on_frame(self.frame)

    def pawns(self) -> Sequence[Pawn]:
        return tuple(self._pawns)

    def move(self, number: int, x_mm: float, y_mm: float, height_mm: float) -> None:
        if not 0 <= number < len(self._pawns):
            raise ValueError(f"there is no pawn {number}")
        pawn = replace(self._pawns[number], x_mm=x_mm, y_mm=y_mm, height_mm=height_mm)
        self._pawns[number] = pawn
        if not height_mm:
            self._rows[number] = self._row_below(pawn)
            self._observe()
        self.on_frame(self.frame)

    def levels(self) -> Sequence[int]:
        return tuple(_LEVELS[reading] for reading in self.readings)

    def faults(self) -> Sequence[str]:
        return tuple(self._faults)

    def fault(self, text: str) -> None:
        if text == "clear":
            self._faults.clear()
        elif text.partition(" ")[0] in {kind.name for kind in self.fault_kinds}:
            self._faults.append(text)
        else:
            raise ValueError(f"there is no fault {text!r}")
        self.on_frame(self.frame)

    # The table

    def arrange(self, position: Position) -> None:
        """Put the pawns where a position says: red from the left, black from the right."""
        self._pawns: list[Pawn] = []
        self._rows: list[int | None] = []
        for row, slots in enumerate(self.layout.rows):
            red, black = list(slots)[: position.red[row]], list(slots)[::-1][: position.black[row]]
            for color, taken in ((Color.RED, red), (Color.BLACK, black)):
                for slot in taken:
                    self._pawns.append(Pawn(len(self._pawns), color, *self.layout.centres_mm[slot]))
                    self._rows.append(row)
        self.on_frame(self.frame)

    def _row_below(self, pawn: Pawn) -> int | None:
        slots = range(self.layout.slot_count)
        nearest = min(slots, key=lambda slot: abs(self.layout.centres_mm[slot][1] - pawn.y_mm))
        return self.layout.row_of[nearest] if abs(pawn.x_mm) <= SIDE_MM else None

    def _slot_below(self, pawn: Pawn) -> int | None:
        centre = (pawn.x_mm, pawn.y_mm)
        distance_mm, slot = min((math.dist(centre, there), slot) for slot, there in enumerate(self.layout.centres_mm))
        return slot if distance_mm <= FOOT_MM else None

    # The referee

    def _observe(self) -> None:
        self._misplaced = None
        moved = self._movements()
        while 1 <= len(moved) <= 2 and not self._taking_back:
            action, refusal = self._judge(moved)
            if action is None:
                self._refuse(moved, refusal)
                return
            self.game = self.game.play(action)
            self.on_tune(Tune.ACCEPTED)
            moved = self._movements()
        self._taking_back = self._taking_back and bool(moved)

    def _judge(self, moved: list[Movement]) -> tuple[Action | None, IllegalAction | None]:
        refusal = None
        for movement in moved:
            try:
                return self.game.state.judge(*movement), None
            except IllegalAction as error:
                refusal = error
        return None, refusal

    def _refuse(self, moved: list[Movement], refusal: IllegalAction | None) -> None:
        if len(moved) == 1 and refusal:
            self._misplaced = Misplaced(*moved[0], refusal.reason, refusal.explanation)
        self.on_tune(Tune.REFUSED)

    def _movements(self) -> list[Movement]:
        """What leads from the game's position to the table, colour by colour from its own side."""
        moved: list[Movement] = []
        for color in Color:
            changes = [(d.row, d.red if color is Color.RED else d.black) for d in self._differences()]
            changes = changes[:: color.forward]
            gone = [row for row, change in changes for _ in range(-change)]
            come = [row for row, change in changes for _ in range(change)]
            moved += [(color, origin, row) for origin, row in zip(gone, come, strict=False)]
        return moved

    def _differences(self) -> tuple[RowDifference, ...]:
        position = self.game.state.position
        there = Counter((pawn.color, row) for pawn, row in zip(self._pawns, self._rows, strict=True))
        differences = (
            RowDifference(row, there[Color.RED, row] - position.red[row], there[Color.BLACK, row] - position.black[row])
            for row in range(len(self.layout.rows))
        )
        return tuple(difference for difference in differences if difference.red or difference.black)

    def _decline(self) -> None:
        declines = [action for action in self.game.state.legal_actions() if action.origin is None]
        if declines:
            self.game = self.game.play(declines[0])
        else:
            self.on_refusal(MoveRefused(Reason.MUST_MOVE, (), "it is not a choice"))

    def _stage(self) -> Stage:
        if self.question:
            return Stage.ASKING
        if self._taking_back:
            return Stage.TAKING_BACK
        if self._differences() and not self._misplaced:
            return Stage.DISAGREES if self.game.actions else Stage.SETTING_UP
        return Stage.PLAYING if self.game.state.outcome is None else Stage.OVER

    def _hand(self, pawn: Pawn) -> Hand:
        row = self._rows[pawn.number]
        ways = (a for a in self.game.state.legal_actions() if a.color is pawn.color and a.origin == row)
        return Hand(row or 0, pawn.color, tuple(a.destination for a in ways if a.destination is not None))
