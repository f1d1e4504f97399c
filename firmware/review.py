"""A game looked back at: how it was expected to end before each turn, where it turned, and what would have been better.

Points that are expected are told as red has them: 3 is red three points ahead at the end, -3 black. A turn is held
against the best one by what is expected after each, looked equally far ahead; what it gave away is the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine import Action, Color, Ending, Game, State
from engine.search import Search, Thought
from engine.turns import goes_on
from firmware.solutions import Searches

DEPTH = 4
"""Whole turns to look ahead."""
COSTLY = 3.0
"""A turn that gives away so many points is a turning point..."""
CHANGING = 1.0
"""... and so is one that changes who is expected to win, from here on."""
MOST_TURNING_POINTS = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is expected of a state: by how many points red ends ahead, and the best that can be done."""

    margin: float
    line: tuple[Action, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """One turn: what was expected before and after it, and what the player gave away."""

    number: int
    player: Color
    actions: tuple[Action, ...]
    before: float
    after: float
    loss: float
    better: tuple[Action, ...]
    """The best turn, where the one that was played gave anything away."""
    is_exact: bool

    @property
    def changes_winner(self) -> bool:
        ahead = self.player.forward  # the sign of what is good for the player
        return ahead * self.before > 0 >= ahead * self.after or ahead * self.before >= 0 > ahead * self.after

    @property
    def is_turning_point(self) -> bool:
        return self.loss >= COSTLY or (self.loss >= CHANGING and self.changes_winner)


Judge = Callable[[State], Verdict]


class Looker:
    """A `Judge` that searches each state once. Two depths are taken together: the last to move looks better."""

    def __init__(self, searches: Searches, depth: int = DEPTH) -> None:
        self._searches, self._depth = searches, depth
        self._known: dict[State, Verdict] = {}

    def __call__(self, state: State) -> Verdict:
        if state not in self._known:
            self._known[state] = self._judged(state)
        return self._known[state]

    def _judged(self, state: State) -> Verdict:
        if state.outcome is not None:
            return Verdict(_final(state), (), is_exact=True)
        thoughts = self._searches.use(state.edition, lambda search: self._last_thoughts(search, state))
        last = thoughts[-1]
        is_exact = last.is_exact or last.is_settled
        margins = [last.best.margin] if is_exact else [thought.best.margin for thought in thoughts]
        margin = sum(margins) / len(margins) * state.to_move.forward
        return Verdict(margin, last.best.line, is_exact)

    def _last_thoughts(self, search: Search, state: State) -> list[Thought]:
        thoughts: list[Thought] = []
        for thought in search.deepen(state):
            thoughts = [*thoughts[-1:], thought]
            if thought.depth >= self._depth or thought.is_settled:
                break
        return thoughts


def reviewed(game: Game, judge: Judge, first: int = 0) -> Iterator[ReviewedTurn]:
    """The turns of a game, one after the other; those before the number `first`, from 0, are left out."""
    start = 0
    for place, turn in enumerate(game.turns):
        end = start + len(turn.actions)
        if place >= first:
            yield _reviewed(turn.number, game.states[start], game.actions[start:end], game.states[end], judge)
        start = end


def _reviewed(number: int, start: State, actions: tuple[Action, ...], end: State, judge: Judge) -> ReviewedTurn:
    better, best_end = _whole_turn(start, judge)
    played, best = judge(end), judge(best_end)
    ahead = start.to_move.forward
    loss = max(0.0, ahead * (best.margin - played.margin))
    return ReviewedTurn(
        number,
        start.to_move,
        actions,
        before=best.margin if loss else played.margin,
        after=played.margin,
        loss=loss,
        better=better if loss else (),
        is_exact=best.is_exact and played.is_exact,
    )


def _whole_turn(state: State, judge: Judge) -> tuple[tuple[Action, ...], State]:
    """The best turn that is known, and the state after it."""
    actions: list[Action] = []
    line: tuple[Action, ...] = ()
    while True:
        line = line or judge(state).line
        state = state.apply(line[0])
        actions.append(line[0])
        line = line[1:]
        if not goes_on(state):
            return tuple(actions), state


def _final(state: State) -> float:
    assert state.outcome
    if state.outcome.reason is Ending.REPETITION:
        return 0.0
    return float(state.outcome.points.red - state.outcome.points.black)


def turning_points(turns: Iterable[ReviewedTurn]) -> tuple[ReviewedTurn, ...]:
    """Where the game turned, in the order it was played."""
    candidates = sorted((turn for turn in turns if turn.is_turning_point), key=lambda turn: turn.loss, reverse=True)
    return tuple(sorted(candidates[:MOST_TURNING_POINTS], key=lambda turn: turn.number))


@dataclass(frozen=True, slots=True)
class Record:
    """What one colour made of any number of games."""

    color: Color
    won: int
    turns: int
    lost_points: float
    turning_points: int

    @property
    def mean_loss(self) -> float:
        return self.lost_points / self.turns if self.turns else 0.0


def summary(games: Sequence[tuple[Game, Sequence[ReviewedTurn]]]) -> tuple[Record, Record]:
    """Red's games and black's, as far as they were reviewed."""
    red, black = (_record(color, games) for color in Color)
    return red, black


def _record(color: Color, games: Sequence[tuple[Game, Sequence[ReviewedTurn]]]) -> Record:
    turns = [turn for _, all_turns in games for turn in all_turns if turn.player is color]
    won = sum(game.state.outcome is not None and game.state.outcome.winner is color for game, _ in games)
    pivots = [turn for _, all_turns in games for turn in turning_points(all_turns) if turn.player is color]
    return Record(color, won, len(turns), sum(turn.loss for turn in turns), len(pivots))
