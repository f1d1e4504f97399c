"""The words between the service and its pages.

Each message is one JSON object whose `type` says which. Pixels go beside them as binary messages: three bytes a
pixel, in the layout's order; a page asks for the next with an empty binary message when it has drawn the last. No
message carries text for people: the page has its own, in the reader's language.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engine import Color, Ending, Kind, Phase, Points, Position, Reason, RowCount
from firmware.view import Hand, RowDifference, Stage
from firmware.web.host import FaultKind, Pawn
from hardware.interface import Button, Touch, Tune

Row = Annotated[int, msgspec.Meta(ge=0, le=7)]
Millimetres = Annotated[float, msgspec.Meta(ge=-2000.0, le=2000.0)]
Height = Annotated[float, msgspec.Meta(ge=0.0, le=2000.0)]


class Part(msgspec.Struct, frozen=True, rename="camel"):
    """A piece of a message."""


class Message(Part, frozen=True, tag_field="type", tag=lambda name: name.lower()):
    """Anything the service says."""


class BoardPlan(Part, frozen=True):
    """Where things are on the board."""

    rows: tuple[tuple[tuple[float, float], ...], ...]
    """For each row the centres of its slots, in millimetres."""
    row_pixels: tuple[int, ...]
    """How many pixels the strip of each row has."""
    score_pixels: tuple[int, int]


class EditionPlan(Part, frozen=True):
    name: str
    has_bonus: bool


class Hello(Message, frozen=True):
    """Said first: all that stays as it is while the service runs."""

    page: str
    """Names the files of the page: one that was loaded with other files loads itself again."""
    board: BoardPlan
    editions: tuple[EditionPlan, ...]
    may_act: bool
    """Whether this page may press keys and begin games, or only watch."""
    levels: int
    """How many levels the computer can play at, from 1."""
    has_hands: bool
    """Whether the pawns can be moved from the page."""
    fault_kinds: tuple[FaultKind, ...] = ()
    has_workshop: bool = False
    """Whether the board can be looked into."""
    can_calibrate: bool = False


class Way(Part, frozen=True):
    """A movement that is allowed now."""

    color: Color
    origin: int
    destination: int


class MisplacedPawn(Part, frozen=True):
    color: Color | None
    origin: int
    row: int
    reason: Reason


class Movement(Part, frozen=True):
    """An action without what it leads to; a decline has no rows."""

    kind: Kind
    color: Color
    origin: int | None
    destination: int | None


class OpenQuestion(Part, frozen=True):
    """Whether this was meant: `done` says yes, `back` no."""

    kind: str
    actions: tuple[Movement, ...]


class Seat(Part, frozen=True):
    """The computer as a player."""

    color: Color
    level: int


class AdvisedAction(Movement, frozen=True):
    """What the light shows: the computer's action or a hint, and of a hint by how many points it is behind the best."""

    rank: int
    behind: float


class MatchStanding(Part, frozen=True):
    best_of: int
    results: tuple[Color | None, ...]
    is_over: bool
    winner: Color | None


class DoubtedSlot(Part, frozen=True):
    slot: int
    name: str
    kind: str


class State(Message, frozen=True):
    """What is expected now, and all that stands in its way."""

    stage: Stage
    player: Color
    phase: Phase
    distance: int | None
    may_decline: bool
    ways: tuple[Way, ...]
    points: Points
    rows_to_pass: int
    is_second_turn: bool
    in_hand: tuple[Hand, ...]
    misplaced: MisplacedPawn | None
    differences: tuple[RowDifference, ...]
    question: OpenQuestion | None
    match: MatchStanding | None
    computer: Seat | None
    thinking: bool
    advised: AdvisedAction | None
    sensors_lost: bool
    doubted: tuple[DoubtedSlot, ...]
    faults: tuple[str, ...]


class PlayedAction(Movement, frozen=True):
    """An action and the position after it."""

    position: Position


class PlayedTurn(Part, frozen=True):
    """A turn and the points after it."""

    number: int
    player: Color
    actions: tuple[PlayedAction, ...]
    points: Points


class Result(Part, frozen=True):
    winner: Color | None
    reason: Ending
    points: Points
    count: tuple[RowCount, ...]


class Game(Message, frozen=True):
    """The game so far."""

    edition: str
    aggressive: bool
    first: Color
    start: Position
    start_points: Points
    turns: tuple[PlayedTurn, ...]
    result: Result | None


class TurnLookedAt(Part, frozen=True):
    """A turn, what red is expected to end ahead by after it, and what the player gave away."""

    number: int
    player: Color
    actions: tuple[Movement, ...]
    after: float
    loss: float
    better: tuple[Movement, ...]


class Review(Message, frozen=True):
    """The game looked back at, as far as that has come."""

    before: float
    """What was expected at the start."""
    turns: tuple[TurnLookedAt, ...]
    turning_points: tuple[int, ...]
    """The numbers of these turns."""
    is_whole: bool
    is_exact: bool


class Pawns(Message, frozen=True):
    """Every pawn that can be seen."""

    pawns: tuple[Pawn, ...]


class SensorPlan(Part, frozen=True):
    """Where a sensor's wire ends and, where it has levels, what it reads: with no pawn, and with a good one."""

    name: str
    multiplexer: int
    input: int
    baseline: int | None = None
    red: int | None = None
    black: int | None = None


class Sensors(Message, frozen=True):
    """How levels are read, for pages that look inside. A share is how far a level has gone towards that of a pawn."""

    sensors: tuple[SensorPlan, ...]
    empty_share: float
    """Below it there is nothing."""
    pawn_share: float
    """From it on there is a pawn."""
    most_noise: int


class Levels(Message, frozen=True):
    """The level of every sensor, for pages that look inside."""

    levels: tuple[int, ...]


class LinkStanding(Part, frozen=True):
    port: str
    firmware: str
    lost: int
    damaged: int
    restarts: int


class Vitals(Message, frozen=True):
    """How the board does, for pages that look inside."""

    frames_per_s: float
    link: LinkStanding | None
    """None where there is no scanner, or none now."""
    noise: tuple[int, ...]
    latency_bounds_ms: tuple[int, ...]
    latency: tuple[int, ...]
    """How often light took so long; the last has no bound."""
    log: tuple[str, ...]
    """Only for those who may act: it has the code for pairing."""


class Marked(Part, frozen=True):
    slot: int
    mark: str


class Trouble(Part, frozen=True):
    slot: int
    name: str


class Calibration(Message, frozen=True):
    """How a guided calibration stands; without a phase none runs."""

    phase: str | None
    done: float
    target: int | None
    doubt: str | None
    marks: tuple[Marked, ...]
    troubles: tuple[Trouble, ...]
    can_go_on: bool
    outcome: str | None
    rewired: tuple[int, ...]
    face_down: tuple[int, ...]


class Played(Message, frozen=True):
    """What the buzzer says."""

    tune: Tune


class Refused(Message, frozen=True):
    """Something was asked for that the rules do not allow; no reason: a key was pressed that has nothing to do."""

    reason: Reason | None


class Complaint(Message, frozen=True):
    """A command could not be carried out. `detail` is for whoever wrote the page."""

    detail: str


class Command(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, rename="camel"):
    """Anything a page asks for."""


class Key(Command, frozen=True, tag="key"):
    button: Button
    touch: Touch


class NewGame(Command, frozen=True, tag="new"):
    edition: Annotated[str, msgspec.Meta(max_length=40)]
    first: Color
    best_of: Annotated[int, msgspec.Meta(ge=0, le=99)]
    computer: Color | None = None
    level: int = 0


class LookBack(Command, frozen=True, tag="review"):
    """Look back at the game that is over."""


class PlayFrom(Command, frozen=True, tag="from"):
    """Play on from where the turn with this number began."""

    turn: int


class Move(Command, frozen=True, tag="move"):
    """Bring a pawn to a point."""

    pawn: int
    x: Millimetres
    y: Millimetres
    height: Height


class Fault(Command, frozen=True, tag="fault"):
    text: Annotated[str, msgspec.Meta(max_length=80)]


class Look(Command, frozen=True, tag="look"):
    """Whether the page wants to see the levels of the sensors, and how the board does."""

    inside: bool


class Calibrate(Command, frozen=True, tag="calibrate"):
    """Begin a calibration, or go on with one that was stopped; or lead the one that runs."""

    wish: Literal["begin", "anew", "skip", "back", "stop"]


FOR_WATCHERS = (Look,)
"""What may be asked for without being paired: it changes nothing but what the asking page is told."""
AnyCommand = Key | NewGame | LookBack | PlayFrom | Move | Fault | Look | Calibrate

encode = msgspec.json.Encoder().encode
decode_command = msgspec.json.Decoder(AnyCommand).decode
