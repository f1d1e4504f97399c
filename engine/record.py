"""The record of a game as text: a heading, a line for each turn, and the result. It reads back to an equal game.

    Linja record 1
    edition zen
    first red

      1 red   0-1 +0-2
      2 black 7-6 done
      3 red   6-7 black:*3-4

    result red wins, red 41 black 39, passed

`#` starts a remark. A game that did not begin with the set-up has a line `start STATE` instead of edition and first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.action import Action
from engine.board import Color
from engine.edition import Edition
from engine.errors import BadText, LinjaError
from engine.game import Game
from engine.state import Outcome, State

_TITLE = "Linja record 1"
_TURN = re.compile(r"(?P<number>\d{1,6})\s+(?P<player>red|black)\s+(?P<actions>.+)")


def record_text(game: Game) -> str:
    start = game.start
    lines = [_TITLE]
    if start == State.initial(start.edition, start.to_move):
        lines += [f"edition {start.edition}", f"first {start.to_move}"]
    else:
        lines += [f"start {start}"]
    lines.append("")
    for turn in game.turns:
        actions = " ".join(action.short(turn.player) for action in turn.actions)
        lines.append(f"{turn.number:3} {turn.player!s:5} {actions}")
    if game.state.outcome is not None:
        lines += ["", f"result {outcome_text(game.state.outcome)}"]
    return "\n".join(lines) + "\n"


def outcome_text(outcome: Outcome) -> str:
    verdict = f"{outcome.winner} wins" if outcome.winner else "a draw"
    return f"{verdict}, red {outcome.points.red} black {outcome.points.black}, {outcome.reason.value}"


def parse_record(text: str) -> Game:
    lines = list(_lines(text))
    if not lines or lines[0][1] != _TITLE:
        found = f"this begins with {lines[0][1]!r}" if lines else "this is empty"
        raise BadText(f"a record begins with the line {_TITLE!r}; {found}")
    heading = dict(_heading(lines))
    try:
        game = _started(heading)
    except LinjaError as error:
        raise BadText(f"the heading of the record: {error}") from error
    for number, line in lines[1 + len(heading) :]:
        try:
            game = _result_checked(game, line) if line.startswith("result") else _turn_played(game, line)
        except LinjaError as error:
            raise BadText(f"line {number} of the record, {line!r}: {error}") from error
    return game


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if content:
            yield number, content


def _heading(lines: list[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for number, line in lines[1:]:
        key, _, value = line.partition(" ")
        if key not in ("edition", "first", "start"):
            return
        if key in seen:
            raise BadText(f"line {number} of the record says {key} a second time")
        seen.add(key)
        yield key, value.strip()


def _started(heading: dict[str, str]) -> Game:
    if set(heading) == {"start"}:
        return Game.from_state(State.parse(heading["start"]))
    if set(heading) == {"edition", "first"}:
        return Game.new(Edition.parse(heading["edition"]), Color.parse(heading["first"]))
    raise BadText("it has the lines edition and first, or the line start alone")


def _turn_played(game: Game, line: str) -> Game:
    match = _TURN.fullmatch(line)
    if match is None:
        raise BadText("a turn is written as number, player and actions")
    player = Color(match["player"])
    turns = len(game.turns)
    if int(match["number"]) != turns + 1:
        raise BadText(f"this is turn {turns + 1}, not turn {match['number']}")
    for word in match["actions"].split():
        if game.state.outcome is None and game.state.to_move is not player:
            raise BadText(f"{player} is not to move at {word!r}: it is {game.state.to_move}'s turn")
        game = game.play(Action.parse(word, player))
    return game


def _result_checked(game: Game, line: str) -> Game:
    true = "the game is not over" if game.state.outcome is None else f"result {outcome_text(game.state.outcome)}"
    if line != true:
        raise BadText(f"the actions say otherwise: {true}")
    return game
