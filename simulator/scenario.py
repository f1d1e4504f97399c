"""Scenarios: plain text, one step a line, that says what hands do at the board and what must be so after it.

    edition zen                     how it begins, before anything is done
    lift red 0                      what a hand does; then the board is left alone for as long as pawns need to settle
    place 1
    lift red 0, place 3             without a pause between: only the end of it is seen
    slide red 0 1 & slide red 2 4   two hands at the same time
    expect turn black opening       what must be so

`#` starts a remark. docs/scenarios.md has every word of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from engine import DEFAULT_EDITION, Color, Edition, Game, LinjaError, Match, Position, State
from firmware.advice import Computer
from hardware.calibration import TYPICAL_NOISE_LEVELS
from hardware.layout import BoardSettings, Layout
from simulator.expectations import Expectation, read_expectation
from simulator.partner_steps import Follow, Think
from simulator.steps import HANDS, Readers, Step, parse_step
from simulator.words import ScenarioError, Words

LAYOUT = Layout.of(BoardSettings())
"""Scenarios are told of the board as it is designed."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The board and the game before anything is done."""

    edition: Edition = DEFAULT_EDITION
    first: Color = Color.RED
    best_of: int = 0
    position: Position | None = None
    digital: bool = False
    """Whether the sensors tell a pawn from none, but not its colour."""
    empty: bool = False
    """Whether the pawns are still beside the board."""
    computer: Computer | None = None
    seed: int = 0
    noise_levels: float = TYPICAL_NOISE_LEVELS

    @property
    def game(self) -> Game | None:
        """The game that is under way, where it does not begin with the set-up."""
        if self.position is None:
            return None
        return Game.from_state(State.at(self.edition, self.position, self.first))

    @property
    def match(self) -> Match | None:
        return Match(self.best_of, self.first) if self.best_of else None

    def __str__(self) -> str:
        lines = [f"edition {self.edition}", f"first {self.first}"]
        lines += [f"best-of {self.best_of}"] if self.best_of else []
        lines += [f"position {self.position}"] if self.position else []
        lines += ["board digital"] if self.digital else []
        lines += ["board empty"] if self.empty else []
        lines += [f"computer {self.computer}"] if self.computer else []
        return "\n".join([*lines, f"seed {self.seed}", f"noise {self.noise_levels:g}"])


@dataclass(frozen=True, slots=True)
class Movement:
    """What is done in one go: by each hand, one step after the other without a pause, all hands at the same time."""

    hands: tuple[tuple[Step, ...], ...]

    @classmethod
    def of(cls, *steps: Step) -> Movement:
        """One hand's movement."""
        return cls((steps,))

    def __str__(self) -> str:
        return " & ".join(", ".join(map(str, steps)) for steps in self.hands)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that does or expects something; its number counts from 1."""

    number: int
    text: str
    content: Movement | Expectation


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    beginning: Beginning
    lines: tuple[Line, ...]

    @classmethod
    def read(cls, path: Path) -> Scenario:
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise ScenarioError(f"{path} cannot be read: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise ScenarioError(f"{path} is not a scenario: it is not text") from error
        scenario = cls.parse(text, str(path))
        if not scenario.lines:
            raise ScenarioError(f"{path} is not a scenario: nothing is done in it, and nothing expected")
        return scenario

    @classmethod
    def parse(cls, text: str, name: str) -> Scenario:
        """The scenario of a text; a `ScenarioError` names the line that means nothing."""
        beginning = Beginning()
        seen: set[str] = set()
        lines: list[Line] = []
        for number, line in _content(text):
            try:
                if line.split()[0] in _BEGINNINGS:
                    beginning = _begun(beginning, line, seen, too_late=bool(lines))
                else:
                    lines.append(Line(number, line, _parse_line(line)))
            except (ScenarioError, LinjaError) as error:
                raise ScenarioError(f"{name}, line {number}, {line!r}: {error}") from None
        return cls(name, beginning, tuple(lines))


def _content(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if content:
            yield number, content


def _parse_line(line: str) -> Movement | Expectation:
    words = Words(line, LAYOUT)
    if words.took("expect"):
        return read_expectation(words)
    hands = tuple(tuple(parse_step(step, LAYOUT, VERBS) for step in hand.split(",")) for hand in line.split("&"))
    return Movement(hands)


# How it begins


def _begun(beginning: Beginning, line: str, seen: set[str], *, too_late: bool) -> Beginning:
    words = Words(line, LAYOUT)
    key = words.take("a word")
    if too_late:
        raise ScenarioError(f"{key} says how the scenario begins: it comes before all steps")
    if line in seen or (key in seen and key != "board"):
        raise ScenarioError(f"{key} is said a second time")
    seen |= {line, key}
    beginning = _BEGINNINGS[key](beginning, words)
    words.finish()
    return beginning


def _edition(beginning: Beginning, words: Words) -> Beginning:
    return replace(beginning, edition=Edition.parse(words.take("an edition")))


def _first(beginning: Beginning, words: Words) -> Beginning:
    return replace(beginning, first=words.color())


def _best_of(beginning: Beginning, words: Words) -> Beginning:
    return replace(beginning, best_of=Match(words.number("the number of games"), Color.RED).best_of)


def _position(beginning: Beginning, words: Words) -> Beginning:
    return replace(beginning, position=Position.parse(words.take("a position")))


def _board(beginning: Beginning, words: Words) -> Beginning:
    kind = words.take("what is special about the board")
    if kind == "digital":
        return replace(beginning, digital=True)
    if kind == "empty":
        return replace(beginning, empty=True)
    raise ScenarioError(f"a board is digital or empty, not {kind!r}")


def _computer(beginning: Beginning, words: Words) -> Beginning:
    return replace(beginning, computer=Computer(words.color(), words.number("the level")))


def _seed(beginning: Beginning, words: Words) -> Beginning:
    return replace(beginning, seed=words.number("the seed"))


def _noise(beginning: Beginning, words: Words) -> Beginning:
    levels = words.number("the noise in levels")
    if levels < 0:
        raise ScenarioError(f"noise is 0 levels or more, not {levels}")
    return replace(beginning, noise_levels=float(levels))


_BEGINNINGS: dict[str, Callable[[Beginning, Words], Beginning]] = {
    "edition": _edition,
    "first": _first,
    "best-of": _best_of,
    "position": _position,
    "board": _board,
    "computer": _computer,
    "seed": _seed,
    "noise": _noise,
}
VERBS: Readers = {**HANDS, "think": Think.read, "follow": Follow.read}
WORDS = (*_BEGINNINGS, *VERBS, "expect")
"""The words that a line can begin with."""
