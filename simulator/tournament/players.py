"""Who plays in a tournament: levels, full strength with a limit of its own, and two plain strategies to measure by."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine import Color, LinjaError, State
from engine.levels import Level, choose, has_seen_enough, level
from engine.score import points
from engine.search import Search, Thought
from engine.search.sides import side_of
from engine.search.turn_ends import Turns
from engine.search.worth import Worth
from engine.turns import Line, goes_on, whole_turns

DEFAULT_SECONDS = 1.0
FORMS = "level1 to level5, full:1s, full:20000n, depth2, greedy or two-turns"
_FORM = re.compile(
    r"level(?P<level>\d+)|full:(?P<seconds>\d+(?:\.\d+)?)s|full:(?P<nodes>\d+)n|depth(?P<depth>[1-9]\d*)|greedy|two-turns"
)


class BadPlayer(LinjaError, ValueError):
    """Not the name of a player."""


class Player(Protocol):
    """Plays one game, or several one after the other."""

    def turn(self, state: State) -> Line:
        """What the player does until the turn is over. `state` is the start of a turn."""
        ...


@dataclass(frozen=True, slots=True)
class Entrant:
    """The name under which a player enters."""

    name: str

    def __post_init__(self) -> None:
        self.player(0)

    def player(self, seed: int) -> Player:
        form = _FORM.fullmatch(self.name)
        if form is None:
            raise BadPlayer(f"a player is {FORMS}, not {self.name!r}")
        if form["level"]:
            return Levelled(level(int(form["level"])), seed)
        if form["seconds"]:
            return FullStrength(seed, seconds=float(form["seconds"]))
        if form["nodes"]:
            return FullStrength(seed, nodes=int(form["nodes"]))
        if form["depth"]:
            return FullStrength(seed, depth=int(form["depth"]))
        return Greedy(seed) if self.name == "greedy" else TwoTurns(seed)


class FullStrength:
    """Takes the best it finds for the whole turn, within one limit: time of the processor, nodes, or depth."""

    def __init__(
        self, seed: int, *, seconds: float | None = None, nodes: int | None = None, depth: int | None = None
    ) -> None:
        self._search = Search(seed=seed)
        self._seconds, self._nodes, self._depth = seconds, nodes, depth

    def turn(self, state: State) -> Line:
        begin = time.thread_time()

        def stop() -> bool:
            if self._nodes is not None:
                return self._search.nodes >= self._nodes
            return self._seconds is not None and time.thread_time() - begin >= self._seconds

        thought: Thought
        for thought in self._search.deepen(state, stop):
            if thought.is_settled or thought.depth == self._depth:
                break
        return thought.best.line


class Levelled:
    """Chooses every action as its level does."""

    def __init__(self, level: Level, seed: int) -> None:
        self._level, self._random = level, Random(seed)
        self._search = Search(seed=seed)
        self._full = FullStrength(seed, seconds=DEFAULT_SECONDS)

    def turn(self, state: State) -> Line:
        if self._level.is_full_strength:
            return self._full.turn(state)
        line: Line = ()
        while not line or goes_on(state):
            thought: Thought
            for thought in self._search.deepen(state):
                if has_seen_enough(thought, self._level):
                    break
            action = choose(thought, self._level, self._random).action
            line, state = (*line, action), state.apply(action)
        return line


class Greedy:
    """Takes the turn after which it has most points more than the opponent; among equals, any."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def turn(self, state: State) -> Line:
        margins = [(_margin(after, state.to_move), line) for line, after in whole_turns(state)]
        best = max(margin for margin, _ in margins)
        return self._random.choice([line for margin, line in margins if margin == best])


class TwoTurns:
    """Looks at every turn of its own and every answer, and counts points; among equals, takes any."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._worth: Worth | None = None
        self._turns: Turns | None = None

    def turn(self, state: State) -> Line:
        if self._turns is None or self._turns.edition != state.edition:
            self._turns, self._worth = Turns.of(state.edition), Worth(state.edition)
        margins = [(self._after_answer(after, state.to_move), line) for line, after in whole_turns(state)]
        best = max(margin for margin, _ in margins)
        return self._random.choice([line for margin, line in margins if margin == best])

    def _after_answer(self, after: State, player: Color) -> int:
        """The margin after the best answer, by points alone."""
        if after.outcome is not None or after.to_move is player:
            return _margin(after, player)
        assert self._turns is not None
        assert self._worth is not None
        points = self._worth.points
        me, you = (side_of(after.position, color) for color in (player, player.opponent))
        ends = self._turns.ends(you, me)
        unpushed = points[me] - max((points[own] for own in ends.sides | ends.final), default=-1000)
        return min([unpushed, *(points[other] - points[own] for own, other in ends.pushed | ends.pushed_final)])


def _margin(state: State, player: Color) -> int:
    if state.outcome is not None and state.outcome.winner is None:
        return 0
    now = points(state.position, state.edition)
    return now.of(player) - now.of(player.opponent)
