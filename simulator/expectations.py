"""What a scenario expects to be so, one value each. `unmet` is None where it is so, and else what is there instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from engine import Action, Color, LinjaError, Match, Phase, Reason, State
from firmware.events import ActionAccepted, Event, KeyRefused, MoveRefused
from firmware.illuminate import meanings
from firmware.looks import Look
from firmware.view import Stage
from hardware.interface import Button
from simulator.steps import READINGS
from simulator.words import ScenarioError, Words

if TYPE_CHECKING:
    from simulator.stage import Performance

_T = TypeVar("_T")

QUESTIONS = ("bonus", "opened", "turn", "taken-back", "instead", "new-game")


class Expectation:
    """Something that must be so at its place in the scenario."""

    def unmet(self, performance: Performance) -> str | None:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Turn(Expectation):
    """Whose turn it is, in which phase, and how far a follow-up goes."""

    player: Color
    phase: Phase
    distance: int | None
    again: bool

    def unmet(self, performance: Performance) -> str | None:
        state = performance.session.game.state
        there = Turn(state.to_move, state.phase, state.distance, state.again)
        return None if there == self else f"turn {there}"

    def __str__(self) -> str:
        distance = f" {self.distance}" if self.distance else ""
        return f"{self.player} {self.phase.value}{distance}{' again' if self.again else ''}"

    @classmethod
    def read(cls, words: Words) -> Turn:
        player, phase = words.color(), words.one_of(Phase, "a phase")
        distance = words.number("the distance") if phase is Phase.FOLLOW_UP else None
        return cls(player, phase, distance, words.took("again"))


@dataclass(frozen=True, slots=True)
class Row(Expectation):
    """How many pawns the game has in a row."""

    row: int
    red: int
    black: int

    def unmet(self, performance: Performance) -> str | None:
        position = performance.session.game.state.position
        there = (position.red[self.row], position.black[self.row])
        return None if there == (self.red, self.black) else f"row {self.row} red {there[0]} black {there[1]}"

    @classmethod
    def read(cls, words: Words) -> Row:
        return cls(words.row(), *_both_counts("the row", words))


@dataclass(frozen=True, slots=True)
class InState(Expectation):
    """The state of the game, to the last detail."""

    state: State

    def unmet(self, performance: Performance) -> str | None:
        there = performance.session.game.state
        return None if there == self.state else f"state {there}"

    @classmethod
    def read(cls, words: Words) -> InState:
        return cls(_engine_value(State.parse, words.rest()))


@dataclass(frozen=True, slots=True)
class Accepted(Expectation):
    """Just these actions became part of the game since the last expectation of this kind."""

    actions: tuple[Action, ...]

    def unmet(self, performance: Performance) -> str | None:
        accepted = performance.events_since_mark("accepted")
        there = tuple(event.action for event in accepted if isinstance(event, ActionAccepted))
        return None if there == self.actions else f"accepted {' '.join(map(str, there)) or 'nothing'}"

    @classmethod
    def read(cls, words: Words) -> Accepted:
        texts = words.rest()
        if not texts:
            raise ScenarioError("actions are missing at the end: such as red:0-1 red:+0-2, or nothing")
        if texts == "nothing":
            return cls(())
        return cls(tuple(_engine_value(Action.parse, text) for text in texts.split()))


@dataclass(frozen=True, slots=True)
class Rejected(Expectation):
    """The last movement was refused for this reason."""

    reason: Reason

    def unmet(self, performance: Performance) -> str | None:
        there = [event.reason for event in performance.latest if isinstance(event, MoveRefused)]
        if self.reason in there:
            return None
        return f"rejected {', '.join(reason.value for reason in there)}" if there else "nothing was rejected"

    @classmethod
    def read(cls, words: Words) -> Rejected:
        return cls(words.one_of(Reason, "a reason"))


@dataclass(frozen=True, slots=True)
class KeyWasRefused(Expectation):
    """The key had nothing to do."""

    button: Button

    def unmet(self, performance: Performance) -> str | None:
        there = [event.button for event in performance.latest if isinstance(event, KeyRefused)]
        return None if self.button in there else f"the key {self.button.value} was not refused"

    @classmethod
    def read(cls, words: Words) -> KeyWasRefused:
        return cls(words.one_of(Button, "a key"))


@dataclass(frozen=True, slots=True)
class AtStage(Expectation):
    stage: Stage

    def unmet(self, performance: Performance) -> str | None:
        there = performance.session.view.stage
        return None if there is self.stage else f"stage {there.value}"

    @classmethod
    def read(cls, words: Words) -> AtStage:
        return cls(words.one_of(Stage, "a stage"))


@dataclass(frozen=True, slots=True)
class Asked(Expectation):
    """The players are asked this, or nothing."""

    kind: str | None

    def unmet(self, performance: Performance) -> str | None:
        question = performance.session.view.question
        there = question.kind if question else None
        return None if there == self.kind else f"question {there or 'nothing'}"

    @classmethod
    def read(cls, words: Words) -> Asked:
        kind = words.take("a question")
        if kind not in (*QUESTIONS, "nothing"):
            raise ScenarioError(f"a question is one of {', '.join(QUESTIONS)} or nothing; not {kind!r}")
        return cls(None if kind == "nothing" else kind)


@dataclass(frozen=True, slots=True)
class InHand(Expectation):
    """The rows that the pawns in hand came from."""

    rows: tuple[int, ...]

    def unmet(self, performance: Performance) -> str | None:
        there = tuple(sorted(hand.row for hand in performance.session.view.in_hand))
        return None if there == self.rows else f"in-hand {' '.join(map(str, there)) or 'nothing'}"

    @classmethod
    def read(cls, words: Words) -> InHand:
        return cls(() if words.took("nothing") else tuple(sorted(words.rows())))


@dataclass(frozen=True, slots=True)
class Doubted(Expectation):
    """This slot is doubted for this; or no slot is."""

    slot: int | None = None
    kind: str = ""

    def unmet(self, performance: Performance) -> str | None:
        there = performance.session.view.doubted_slots
        if (self.slot, self.kind) in there or (self.slot is None and not there):
            return None
        doubts = [f"{performance.board.layout.name(slot)} {kind}" for slot, kind in there]
        return f"doubt {', '.join(doubts) or 'nothing'}"

    @classmethod
    def read(cls, words: Words) -> Doubted:
        if words.took("nothing"):
            return cls()
        spot = words.spot()
        if spot.slot is None:
            raise ScenarioError(f"a slot is doubted, such as {spot.row}.0, not a row")
        return cls(words.layout.slot(spot.row, spot.slot), words.take("what is doubted about it"))


@dataclass(frozen=True, slots=True)
class Over(Expectation):
    """The game has ended with these points."""

    red: int
    black: int

    def unmet(self, performance: Performance) -> str | None:
        outcome = performance.session.game.state.outcome
        if outcome is None:
            return "the game is not over"
        there = (outcome.points.red, outcome.points.black)
        return None if there == (self.red, self.black) else f"over red {there[0]} black {there[1]}"

    @classmethod
    def read(cls, words: Words) -> Over:
        return cls(*_both_counts("over", words))


@dataclass(frozen=True, slots=True)
class InMatch(Expectation):
    match: Match

    def unmet(self, performance: Performance) -> str | None:
        there = performance.session.match
        return None if there == self.match else f"match {there or 'nothing'}"

    @classmethod
    def read(cls, words: Words) -> InMatch:
        return cls(_engine_value(Match.parse, words.rest()))


@dataclass(frozen=True, slots=True)
class Actions(Expectation):
    """How many actions the game has."""

    count: int

    def unmet(self, performance: Performance) -> str | None:
        there = performance.session.game.actions
        if len(there) == self.count:
            return None
        return f"{len(there)} actions, {' '.join(map(str, there)) or 'none'}"

    @classmethod
    def read(cls, words: Words) -> Actions:
        return cls(words.number("the number of actions"))


@dataclass(frozen=True, slots=True)
class Quiet(Expectation):
    """The pawns on the table stand as the game has them, and the board has nothing to say about them."""

    def unmet(self, performance: Performance) -> str | None:
        view = performance.session.view
        if view.stage not in (Stage.PLAYING, Stage.OVER):
            return f"stage {view.stage.value}"
        if view.misplaced is not None:
            return f"a pawn from row {view.misplaced.origin} stands wrong in row {view.misplaced.row}"
        if view.in_hand:
            return f"pawns in hand from {', '.join(f'row {hand.row}' for hand in view.in_hand)}"
        position = performance.session.game.state.position
        for color in Color:
            pawns = [pawn for pawn in performance.board.table.pawns if pawn.color is READINGS[color]]
            there = tuple(sum(pawn.row == row for pawn in pawns) for row in range(8))
            if there != position.of(color):
                return f"on the table {color} stands {there}, in the game {position.of(color)}"
        return None

    @classmethod
    def read(cls, words: Words) -> Quiet:
        return cls()


@dataclass(frozen=True, slots=True)
class Happened(Expectation):
    """The last movement made the session say this, or not."""

    event: str
    wanted: bool = True

    def unmet(self, performance: Performance) -> str | None:
        there = [event_name(type(event)) for event in performance.latest]
        return None if (self.event in there) is self.wanted else f"events {', '.join(there) or 'none'}"

    @classmethod
    def read(cls, words: Words) -> Happened:
        names = sorted(event_name(kind) for kind in Event.__subclasses__())
        name = words.take("an event")
        if name not in names:
            raise ScenarioError(f"there is no event {name!r}; events are {', '.join(names)}")
        return cls(name)


@dataclass(frozen=True, slots=True)
class Lit(Expectation):
    """A row says this in the language of light, or does not; where the look counts, so many."""

    row: int
    look: Look
    count: int | None = None
    wanted: bool = True

    def unmet(self, performance: Performance) -> str | None:
        glows = meanings(performance.session.view, performance.now).rows[self.row]
        lit = any(glow.look is self.look and self.count in (None, glow.count) for glow in glows)
        if lit is self.wanted:
            return None
        there = [f"{glow.look.value} {glow.count}" if glow.count else glow.look.value for glow in glows]
        return f"light {self.row} {', '.join(there) or 'nothing'}"

    @classmethod
    def read(cls, words: Words) -> Lit:
        row, look = words.row(), words.one_of(Look, "a look")
        return cls(row, look, words.number("how many") if words.next else None)


_READERS: dict[str, Callable[[Words], Expectation]] = {
    "turn": Turn.read,
    "row": Row.read,
    "state": InState.read,
    "accepted": Accepted.read,
    "rejected": Rejected.read,
    "key-refused": KeyWasRefused.read,
    "stage": AtStage.read,
    "question": Asked.read,
    "in-hand": InHand.read,
    "doubt": Doubted.read,
    "over": Over.read,
    "match": InMatch.read,
    "actions": Actions.read,
    "quiet": Quiet.read,
    "event": Happened.read,
    "light": Lit.read,
}


SUBJECTS = tuple(_READERS)
"""What can come after the word `expect`."""


def read_expectation(words: Words) -> Expectation:
    """What comes after the word `expect`."""
    unwanted = words.took("no")
    subject = words.take("what is expected")
    if subject not in _READERS:
        raise ScenarioError(f"nothing is known of {subject!r}; expect one of {', '.join(_READERS)}")
    expectation = _READERS[subject](words)
    words.finish()
    if not unwanted:
        return expectation
    if not isinstance(expectation, Happened | Lit):
        raise ScenarioError(f"'no' goes with event and light, not with {subject}")
    return replace(expectation, wanted=False)


def event_name(kind: type[Event]) -> str:
    """`PawnLifted` is written pawn-lifted."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def _both_counts(subject: str, words: Words) -> tuple[int, int]:
    counts = []
    for color in Color:
        if not words.took(color.value):
            raise ScenarioError(f"after {subject} come red, a number, black, a number")
        counts.append(words.number(f"the count of {color}"))
    return counts[0], counts[1]


def _engine_value(parse: Callable[[str], _T], text: str) -> _T:
    try:
        return parse(text)
    except LinjaError as error:
        raise ScenarioError(str(error)) from None
