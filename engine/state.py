"""The state of a game between two actions, and what an action makes of it.

A turn is an opening, then the follow-up and the bonus it earns. A phase in which no pawn can move never shows:
`apply` passes over it, and over the turn of a player who cannot open.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from engine import judge, movement
from engine.action import Action, Kind
from engine.board import Color, Position, is_inner, require_color
from engine.edition import Edition
from engine.errors import BadText
from engine.score import Points, points

REPETITIONS_TO_DRAW = 3

_E = TypeVar("_E", bound=Enum)


class Phase(Enum):
    """What the player to move is asked for."""

    OPENING = "opening"
    FOLLOW_UP = "follow-up"
    BONUS = "bonus"
    OVER = "over"


class Ending(Enum):
    """Why a game is over."""

    PASSED = "passed"  # the colours have passed each other
    BLOCKED = "blocked"  # neither player could open
    REPETITION = "repetition"  # the same position, the same player, the third time


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `winner` is None for a draw."""

    winner: Color | None
    points: Points
    reason: Ending


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A position at the start of a player's turn."""

    position: Position
    player: Color


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rest of a game depends on. Made by `initial`, `at` or `parse`, and from then on by `apply`.

    As text: the edition, the player to move, the phase, the position, and what else there is to know, for example
    `zen red follow-up 2 rrrrr/rrb/rb/rb/rb/rb/rb/bbbbbb since rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb:red`.
    """

    edition: Edition
    position: Position
    to_move: Color
    phase: Phase
    distance: int | None = None
    """How far a follow-up goes; None in any other phase."""
    again: bool = False
    """Whether this is a second full turn, which earns no third."""
    ending: bool = False
    """Whether the colours have passed in this turn, so that the game is over with it."""
    turn_starts: tuple[TurnStart, ...] = ()
    """Where a bonus can repeat positions: the turn starts since pawns last gained ground, up to this turn's own."""
    outcome: Outcome | None = None

    @classmethod
    def initial(cls, edition: Edition, first: Color = Color.RED) -> State:
        """The set-up, `first` to open."""
        return cls.at(edition, Position.setup(), first)

    @classmethod
    def at(cls, edition: Edition, position: Position, to_move: Color) -> State:
        """The start of a turn in any position; over at once if the colours have passed or nobody can open."""
        require_color(to_move)
        state = cls(edition, position, to_move, Phase.OPENING)
        return state._over(position, Ending.PASSED) if position.passed else state._next_turn(position, to_move)

    @classmethod
    def parse(cls, text: str) -> State:
        return parse_state(text)

    def __str__(self) -> str:
        return state_text(self)

    @property
    def points(self) -> Points:
        """The points as they stand."""
        return points(self.position, self.edition)

    @property
    def may_decline(self) -> bool:
        """Whether the player may leave out what is asked for."""
        if self.phase is Phase.FOLLOW_UP:
            return self.edition.follow_up_optional or self.ending
        return self.phase is Phase.BONUS

    def legal_actions(self) -> list[Action]:
        """All that the player to move may do now; nothing when the game is over."""
        actions = self._movements()
        if self.may_decline:
            actions.append(movement.DECLINES[self.to_move])
        return actions

    def judge(self, color: Color, origin: int, destination: int) -> Action:
        """The action that a movement of a pawn is, or `IllegalAction` with the reason why it is none."""
        return judge.movement(self, color, origin, destination)

    def apply(self, action: Action) -> State:
        """The state after a legal action; `IllegalAction` otherwise."""
        judge.action(self, action)
        if action.kind is Kind.DECLINE:
            return self._turn_ends(self.position, self.ending)
        assert action.origin is not None
        assert action.destination is not None
        return self._moved(action.color, action.origin, action.destination)

    def _movements(self) -> list[Action]:
        if self.phase is Phase.OPENING:
            return movement.openings(self.position, self.to_move)
        if self.phase is Phase.FOLLOW_UP:
            assert self.distance is not None
            return movement.follow_ups(self.position, self.to_move, self.distance)
        if self.phase is Phase.BONUS:
            return movement.bonuses(self.position, self.to_move, aggressive=self.edition.aggressive)
        return []

    def _moved(self, color: Color, origin: int, destination: int) -> State:
        met = self.position.total(destination)
        position = self.position.moved(color, origin, destination)
        ending = self.ending or position.passed
        if ending and self.edition.ends_at_once:
            return self._over(position, Ending.PASSED)
        if self.phase is Phase.OPENING:
            return self._opened(position, ending, destination, met)
        if self.phase is Phase.FOLLOW_UP:
            return self._followed_up(position, ending, origin, destination, met)
        return self._turn_ends(position, ending)

    def _opened(self, position: Position, ending: bool, destination: int, met: int) -> State:
        if destination != self.to_move.goal:
            return self._follow_up(position, ending, met)
        if self.edition.bonus:
            return self._bonus(position, ending)
        return self._follow_up(position, ending, self.edition.goal_follow_up)

    def _followed_up(self, position: Position, ending: bool, origin: int, destination: int, met: int) -> State:
        exact = abs(destination - origin) == self.distance
        if self.edition.bonus and exact and destination == self.to_move.goal:
            return self._bonus(position, ending)
        if self.edition.again_on_empty and not self.again and is_inner(destination) and met == 0:
            return self._next_turn(position, self.to_move, again=True)
        return self._turn_ends(position, ending)

    def _follow_up(self, position: Position, ending: bool, distance: int) -> State:
        if distance and movement.follow_ups(position, self.to_move, distance):
            return self._asks_for(Phase.FOLLOW_UP, position, ending, distance)
        return self._turn_ends(position, ending)

    def _bonus(self, position: Position, ending: bool) -> State:
        if movement.bonuses(position, self.to_move, aggressive=self.edition.aggressive):
            return self._asks_for(Phase.BONUS, position, ending)
        return self._turn_ends(position, ending)

    def _asks_for(self, phase: Phase, position: Position, ending: bool, distance: int | None = None) -> State:
        """A further phase of the same turn."""
        return State(self.edition, position, self.to_move, phase, distance, self.again, ending, self.turn_starts)

    def _turn_ends(self, position: Position, ending: bool) -> State:
        if ending:
            return self._over(position, Ending.PASSED)
        return self._next_turn(position, self.to_move.opponent)

    def _next_turn(self, position: Position, player: Color, *, again: bool = False) -> State:
        """The turn of `player`, or of the other where `player` cannot open."""
        if movement.openings(position, player):
            return self._turn_starts(position, player, again)
        if movement.openings(position, player.opponent):
            return self._turn_starts(position, player.opponent, False)
        return self._over(position, Ending.BLOCKED)

    def _turn_starts(self, position: Position, player: Color, again: bool) -> State:
        start = TurnStart(position, player)
        turn_starts = (*self._repeatable(position), start) if self.edition.bonus else ()
        if turn_starts.count(start) == REPETITIONS_TO_DRAW:
            return self._over(position, Ending.REPETITION)
        return State(self.edition, position, player, Phase.OPENING, None, again, False, turn_starts)

    def _repeatable(self, position: Position) -> tuple[TurnStart, ...]:
        # No turn loses ground: an opening gains a row and a bonus gives back one at most. Once a turn has gained
        # ground, no earlier position can come again.
        if self.turn_starts and _ground(self.turn_starts[-1].position) == _ground(position):
            return self.turn_starts
        return ()

    def _over(self, position: Position, reason: Ending) -> State:
        final = points(position, self.edition)
        winner = None if reason is Ending.REPETITION else final.leader
        return State(self.edition, position, self.to_move, Phase.OVER, outcome=Outcome(winner, final, reason))


def _ground(position: Position) -> int:
    """How many rows all pawns together have gone forward."""
    return sum(row * (red - black) for row, (red, black) in enumerate(zip(position.red, position.black, strict=True)))


def state_text(state: State) -> str:
    words = [str(state.edition), str(state.to_move), state.phase.value]
    if state.outcome is not None:
        words.append(state.outcome.reason.value)
    if state.distance is not None:
        words.append(str(state.distance))
    words.append(str(state.position))
    words += [flag for flag, is_set in (("again", state.again), ("ending", state.ending)) if is_set]
    # At an opening the last turn start is the state itself.
    starts = state.turn_starts[:-1] if state.phase is Phase.OPENING else state.turn_starts
    if starts:
        words += ["since", *(f"{start.position}:{start.player}" for start in starts)]
    return " ".join(words)


def parse_state(text: str) -> State:
    words = text.split()
    if len(words) < 4:
        raise BadText(f"a state is written as edition, player, phase and position; {text!r} has too few words")
    edition, player = Edition.parse(words[0]), Color.parse(words[1])
    phase = _parse_word(Phase, words[2], "phase")
    rest = words[3:]
    if phase is Phase.OVER:
        return _parse_over(edition, player, rest)
    distance = _parse_distance(rest.pop(0)) if phase is Phase.FOLLOW_UP else None
    if not rest:
        raise BadText(f"the state {text!r} has no position")
    position = Position.parse(rest.pop(0))
    again, ending = (bool(rest and rest[0] == flag and rest.pop(0)) for flag in ("again", "ending"))
    starts = tuple(_parse_turn_start(word) for word in rest[1:])
    if rest and (rest[0] != "since" or not starts):
        raise BadText(f"the state {text!r} ends in {' '.join(rest)!r}, which means nothing there")
    if phase is Phase.OPENING and edition.bonus:
        starts = (*starts, TurnStart(position, player))
    state = State(edition, position, player, phase, distance, again, ending, starts)
    _check_consistent(state)
    return state


def _parse_over(edition: Edition, player: Color, rest: list[str]) -> State:
    if len(rest) != 2:
        raise BadText("a state that is over is written with the reason and the position after the word over")
    reason, position = _parse_word(Ending, rest[0], "ending"), Position.parse(rest[1])
    return State(edition, position, player, Phase.OPENING)._over(position, reason)


def _parse_word(kind: type[_E], word: str, name: str) -> _E:
    try:
        return kind(word)
    except ValueError:
        raise BadText(f"{name} is one of {', '.join(str(member.value) for member in kind)}, not {word!r}") from None


def _parse_distance(word: str) -> int:
    if word not in ("1", "2", "3", "4", "5"):
        raise BadText(f"a follow-up goes 1 to 5 rows, not {word!r}")
    return int(word)


def _parse_turn_start(word: str) -> TurnStart:
    position, _, player = word.partition(":")
    return TurnStart(Position.parse(position), Color.parse(player))


def _check_consistent(state: State) -> None:
    edition, phase = state.edition, state.phase
    faults = {
        f"{edition} has no bonus": phase is Phase.BONUS and not edition.bonus,
        f"{edition} has no second turn": state.again and not edition.again_on_empty,
        f"in {edition} no position repeats": bool(state.turn_starts) and not edition.bonus,
        "the start of this turn is missing": edition.bonus
        and (not state.turn_starts or state.turn_starts[-1].player is not state.to_move),
        "the game would be over": state.ending and (edition.ends_at_once or phase is Phase.OPENING),
        "the colours have passed": state.position.passed and not state.ending,
        f"{state.to_move} has no legal {phase.value}": not state._movements(),
    }
    for fault, is_so in faults.items():
        if is_so:
            raise BadText(f"no game comes to the state {state}: {fault}")
