"""Games as files for people and programs: records as text, one after the other, or JSON with all that is known.

Whatever is read is played through the engine before anybody gets to see it, and an error names the game and the action
or line that is wrong. docs/journal.md describes the JSON.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec

from engine import Action, Color, Edition, Game, LinjaError, Match, State
from engine.errors import shortened
from engine.record import outcome_text
from firmware.advice import Computer
from firmware.journal import KeptGame

TITLE = "Linja record"
MOST_BYTES = 64 * 1024 * 1024

Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class GameFileError(ValueError):
    """A file that does not hold games, or one that is against the rules; the message says where."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


class GameDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game in JSON."""

    edition: str
    first: str
    actions: tuple[str, ...]
    start: str | None = None
    """The state it began with, where that is not the set-up."""
    result: str | None = None
    match: str | None = None
    """The match as it stood before this game."""
    computer: str | None = None
    """Who the computer is, where it plays."""
    began: Moment | None = None
    ended: Moment | None = None


class GamesDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSON file."""

    format: Literal["linja games"]
    version: Literal[1]
    games: tuple[GameDocument, ...]


# Writing


def text_of(games: Iterable[KeptGame]) -> Iterator[str]:
    """The records, in pieces."""
    for number, kept in enumerate(games):
        yield f"\n{kept.game}" if number else str(kept.game)


def json_of(games: Iterable[KeptGame]) -> Iterator[str]:
    """The JSON, in pieces: a line for each game."""
    yield '{"format": "linja games", "version": 1, "games": ['
    for number, kept in enumerate(games):
        yield (",\n" if number else "\n") + msgspec.json.encode(_document(kept)).decode()
    yield "\n]}\n"


def _document(kept: KeptGame) -> GameDocument:
    start, outcome = kept.game.start, kept.game.state.outcome
    is_set_up = start == State.initial(start.edition, start.to_move)
    return GameDocument(
        edition=str(start.edition),
        first=str(start.to_move),
        actions=tuple(map(str, kept.game.actions)),
        start=None if is_set_up else str(start),
        result=outcome_text(outcome) if outcome else None,
        match=str(kept.match) if kept.match else None,
        computer=str(kept.computer) if kept.computer else None,
        began=_moment(kept.began),
        ended=_moment(kept.ended),
    )


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


# Reading


def games_in(content: bytes) -> Iterator[KeptGame]:
    """The games of a file of either kind, one by one; `GameFileError` at the first that is wrong."""
    if content.lstrip()[:1] == b"{":
        return _games_in_json(content)
    try:
        return _games_in_text(content.decode())
    except UnicodeDecodeError:
        raise GameFileError("it is neither JSON nor text") from None


def _games_in_json(content: bytes) -> Iterator[KeptGame]:
    try:
        document = msgspec.json.decode(content, type=GamesDocument)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GameFileError(f"it is not a file of games: {error}") from None
    for number, game in enumerate(document.games, start=1):
        try:
            yield _kept(game)
        except LinjaError as error:
            raise GameFileError(f"game {number}: {error}") from error


def _kept(document: GameDocument) -> KeptGame:
    edition, first = Edition.parse(document.edition), Color.parse(document.first)
    game = Game.new(edition, first) if document.start is None else Game.from_state(State.parse(document.start))
    if (game.start.edition, game.start.to_move) != (edition, first):
        raise LinjaError(f"its start says {game.start.edition} and {game.start.to_move}, not {edition} and {first}")
    for number, text in enumerate(document.actions, start=1):
        try:
            game = game.play(Action.parse(text))
        except LinjaError as error:
            raise LinjaError(f"action {number}, {text!r}: {error}") from error
    result = outcome_text(game.state.outcome) if game.state.outcome else None
    if document.result not in (None, result):
        raise LinjaError(f"its result is {document.result!r}, but its actions say {result or 'that it is not over'!r}")
    return KeptGame(
        key=secrets.token_hex(8),
        game=game,
        match=Match.parse(document.match) if document.match else None,
        computer=Computer.parse(document.computer) if document.computer else None,
        began=document.began.timestamp() if document.began else None,
        ended=document.ended.timestamp() if document.ended and result else None,
        imported=True,
    )


def _games_in_text(text: str) -> Iterator[KeptGame]:
    lines = text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.strip().startswith(TITLE)]
    # What stands before the first title is wrong, unless it is only remarks: the first record is told of it.
    starts[:1] = [0]
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True), start=1):
        try:
            game = Game.parse("".join(lines[start:end]))
        except LinjaError as error:
            place = f"game {number}, from line {start + 1} on: " if start else ""
            raise GameFileError(f"{place}{error}") from error
        yield KeptGame(key=secrets.token_hex(8), game=game, imported=True)
