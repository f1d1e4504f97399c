"""`linja analyse`: games looked back at, as text with a plot of the expected end, or as JSON; and a summary of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from engine import Action, Color, Game
from engine.record import outcome_text
from firmware.cli import Command, CommandFailed, takes_a_journal

if TYPE_CHECKING:
    from firmware.review import Record, ReviewedTurn

HALF_PLOT = 12
POINTS_PER_MARK = 2.5

_Reviewed = tuple[str, Game, list["ReviewedTurn"]]
"""Where a game came from, the game, and its turns."""


def _analyse(arguments: argparse.Namespace) -> int:
    if arguments.solutions and not arguments.solutions.is_dir():
        raise CommandFailed(f"--solutions {arguments.solutions}: there is no such folder")
    games = [named for source in arguments.records for named in _games_of(source, arguments.journal)]
    reviews = _reviews(games, arguments.depth, arguments.solutions)
    if arguments.json:
        print(_json(list(reviews)))
        return 0
    done = []
    for review in reviews:
        for line in _text(*review):
            print(line)
        print(flush=True)
        done.append(review)
    if len(done) > 1:
        for line in _summary_text(done):
            print(line)
    return 0


def _games_of(source: str, journal: Path | None) -> Iterator[tuple[str, Game]]:
    """The games of a file, of standard input for `-`, or the one with this number in the journal."""
    from firmware.archive_commands import kept_game
    from firmware.game_files import GameFileError, games_in

    if source.isdecimal():
        yield f"game {source}", kept_game(int(source), journal).game
        return
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        games = [kept.game for kept in games_in(content)]
    except OSError as error:
        raise CommandFailed(f"{source} cannot be read: {error.strerror or error}") from error
    except GameFileError as error:
        raise CommandFailed(f"{source}: {error}") from error
    for number, game in enumerate(games, start=1):
        yield source if len(games) == 1 else f"{source}, game {number}", game


def _reviews(games: Sequence[tuple[str, Game]], depth: int | None, solutions: Path | None) -> Iterator[_Reviewed]:
    from firmware.places import state_folder
    from firmware.progress import Bar
    from firmware.review import DEPTH, Looker, reviewed
    from firmware.solutions import Searches

    searches = Searches(solutions or state_folder())
    with Bar() as bar, closing(searches):
        for done, (name, game) in enumerate(games):
            turns: list[ReviewedTurn] = []
            looker = Looker(searches, depth or DEPTH)
            for turn in reviewed(game, looker):
                turns.append(turn)
                bar.show((done + len(turns) / len(game.turns)) / len(games), f"{name}, turn {turn.number}")
            bar.clear()
            yield name, game, turns


# As text


def _text(name: str, game: Game, turns: list[ReviewedTurn]) -> Iterator[str]:
    from firmware.review import turning_points

    outcome = game.state.outcome
    yield f"{name}: {game.start.edition}, {outcome_text(outcome) if outcome else 'not finished'}"
    yield f"{'turn':>4}  {'player':6}  {'played':24}  {'expected':10}  {_axis()}  {'lost':>5}  better"
    for turn in turns:
        played, better = (_actions(actions, turn.player) for actions in (turn.actions, turn.better))
        lost = f"{turn.loss:5.1f}" if turn.loss >= 0.05 else "    -"
        line = f"{turn.number:4}  {turn.player!s:6}  {played:24}  {_lead(turn.after):10}  {_plot(turn.after)}  {lost}  "
        yield (line + (better if lost.strip() != "-" else "")).rstrip()
    for turn in turning_points(turns):
        played, better = (_actions(actions, turn.player) for actions in (turn.actions, turn.better))
        yield (
            f"Turn {turn.number} turned it: {turn.player} played {played} and gave away {turn.loss:.1f} points;"
            f" better was {better}."
        )
    for record in _records([(name, game, turns)]):
        yield _gave_away(record)
    if turns and not all(turn.is_exact for turn in turns):
        yield "What is expected is estimated, but for turns near the end."


def _axis() -> str:
    return f"{'black':{HALF_PLOT}}|{'red':>{HALF_PLOT}}"


def _plot(margin: float) -> str:
    marks = min(HALF_PLOT, round(abs(margin) / POINTS_PER_MARK))
    left, right = (marks, 0) if margin < 0 else (0, marks)
    return f"{'#' * left:>{HALF_PLOT}}|{'#' * right:{HALF_PLOT}}"


def _lead(margin: float) -> str:
    """Who is expected to win, and by how much."""
    if abs(margin) < 0.05:
        return "a draw"
    return f"{Color.RED if margin > 0 else Color.BLACK} {abs(margin):.1f}"


def _actions(actions: Sequence[Action], player: Color) -> str:
    return " ".join(action.short(player) for action in actions)


def _gave_away(record: Record) -> str:
    return (
        f"{str(record.color).capitalize()} gave away {record.lost_points:.1f} points in {record.turns} turns,"
        f" {record.mean_loss:.2f} a turn."
    )


def _records(reviews: Sequence[_Reviewed]) -> tuple[Record, Record]:
    from firmware.review import summary

    return summary([(game, turns) for _, game, turns in reviews])


def _summary_text(reviews: Sequence[_Reviewed]) -> Iterator[str]:
    red, black = _records(reviews)
    finished = sum(game.state.outcome is not None for _, game, _ in reviews)
    yield f"In all {len(reviews)} games, {finished} finished: red won {red.won}, black won {black.won}."
    for record in (red, black):
        points = "turning point" if record.turning_points == 1 else "turning points"
        yield f"{_gave_away(record)} {record.turning_points} {points}."


# As JSON


def _json(reviews: Sequence[_Reviewed]) -> str:
    import msgspec

    document = {
        "format": "linja analysis",
        "version": 1,
        "games": [_game_document(*review) for review in reviews],
        "summary": {str(record.color): _record_document(record) for record in _records(reviews)},
    }
    return msgspec.json.format(msgspec.json.encode(document)).decode()


def _game_document(name: str, game: Game, turns: list[ReviewedTurn]) -> dict[str, object]:
    from firmware.review import turning_points

    outcome = game.state.outcome
    return {
        "source": name,
        "edition": str(game.start.edition),
        "first": str(game.start.to_move),
        "result": outcome_text(outcome) if outcome else None,
        "turns": [
            {
                "number": turn.number,
                "player": str(turn.player),
                "actions": [str(action) for action in turn.actions],
                "expected_before": round(turn.before, 3),
                "expected_after": round(turn.after, 3),
                "loss": round(turn.loss, 3),
                "better": [str(action) for action in turn.better],
                "exact": turn.is_exact,
            }
            for turn in turns
        ],
        "turning_points": [turn.number for turn in turning_points(turns)],
    }


def _record_document(record: Record) -> dict[str, object]:
    return {
        "won": record.won,
        "turns": record.turns,
        "loss": round(record.lost_points, 3),
        "mean_loss": round(record.mean_loss, 3),
        "turning_points": record.turning_points,
    }


def _depth(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 9:
        raise argparse.ArgumentTypeError(f"a depth is 1 to 9 turns, not {text!r}")
    return int(text)


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records",
        metavar="RECORD",
        nargs="+",
        help="a file of games as linja export writes it, - for standard input, or the number of a game in the journal",
    )
    parser.add_argument("--json", action="store_true", help="JSON instead of text")
    parser.add_argument("--depth", type=_depth, metavar="N", help="turns to look ahead; else 4")
    parser.add_argument(
        "--solutions", metavar="FOLDER", type=Path, help="where files of linja solve lie; else where the board looks"
    )
    takes_a_journal(parser)


COMMANDS = (Command("analyse", "Say where recorded games turned, and what was better.", _analyse, _configure),)
