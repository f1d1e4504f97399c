"""The stage of a tried board: hands move its pawns in real time, and wait until the service has seen what they did."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import cast

from engine import Game, Position
from firmware.session import Session
from firmware.view import Stage
from hardware.interface import Reading
from simulator.arrangement import arrange
from simulator.scenario import Beginning, Movement
from simulator.soak.talk import Shown
from simulator.soak.tried_board import TriedBoard
from simulator.stage import Performance
from simulator.steps import Lift, Press, Put, Slide, Step

LONGEST_PAUSE_S = 0.2
"""Hands here do not hesitate as long as they say."""
ASK_AGAIN_S = 0.01
SEEN_S = 60.0
"""A service that lives so long and has not seen the board never will."""


class NeverSeen(Exception):
    """The board does not come to rest."""


class ServedPerformance(Performance):
    """A performance whose session is that of a service in another process: what it shows is all that is known of it.

    It begins with the set-up or, told to go on, with the game that the service has.
    """

    def __init__(self, tried: TriedBoard, beginning: Beginning, *, goes_on: bool = False) -> None:
        # Nothing of another session is needed here, and so nothing of the base's.
        self._tried = tried
        self.board = tried.board
        if goes_on:
            arrange(self.board.table, tried.shown().game.state.position)
            self.wait_until_seen()
        if not goes_on or self._shown.view.stage is not Stage.PLAYING:
            self._begin(Game.new(beginning.edition, beginning.first))

    def do(self, movement: Movement) -> None:
        """Once more, if it was a key that the service may not have felt because it was dead."""
        before, lives = self._shown.game.actions, self._tried.lives
        (steps,) = movement.hands
        for step in _without_slides(steps):
            for seconds in step.perform(self.board):
                self.let_pass(seconds)
            self._feel_keys()
        self.wait_until_seen()
        is_a_key = any(isinstance(step, Press) for step in steps)
        if is_a_key and self._tried.lives > lives and self._shown.game.actions == before:
            self.do(movement)

    def let_pass(self, seconds: float) -> None:
        self._feel_keys()
        time.sleep(min(seconds, LONGEST_PAUSE_S))

    def _begin(self, game: Game) -> None:
        arrange(self.board.table, Position.setup())
        self.wait_until_seen()
        while self._shown.game != game or self._shown.view.stage is not Stage.PLAYING:
            self._tried.new_game(game.start.edition, game.start.to_move)
            self.wait_until_seen()

    def _feel_keys(self) -> None:
        while key := self.board.panel.read(0):
            self._tried.touch(key)

    def wait_until_seen(self) -> None:
        """Until the service has seen what stands on the table, and is done with it."""
        lives, began = 0, 0.0
        while not self._is_seen(shown := self._tried.shown()):
            if self._tried.lives > lives:
                lives, began = self._tried.lives, time.monotonic()
            if time.monotonic() > began + SEEN_S:
                raise NeverSeen(f"after {SEEN_S:g} s the board shows {shown.view.stage} {shown.readings}")
            time.sleep(ASK_AGAIN_S)
        self._shown = shown
        self.session = cast(Session, shown)  # of which nothing but the game and the view is asked

    def _is_seen(self, shown: Shown) -> bool:
        if not shown.is_settled or shown.view.sensors_lost:
            return False
        standing = self.board.table.readings()
        # A pawn that is held low above a slot may be felt there or not; one that stands there is.
        held_low = (Reading.EMPTY, Reading.UNSURE)
        return all(
            seen is there or (there is Reading.EMPTY and seen in held_low)
            for seen, there in zip(shown.readings, standing, strict=True)
        )


def _without_slides(steps: tuple[Step, ...]) -> Iterator[Step]:
    """On a busy computer a hand may come to rest in the middle of a slide, where a pawn stands and counts."""
    for step in steps:
        if isinstance(step, Slide):
            yield Lift(step.color, step.spot)
            yield Put(step.color, step.to)
        else:
            yield step
