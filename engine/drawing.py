"""The board and the count of a game as plain text, for terminals, mails and error reports."""

from __future__ import annotations

from engine.board import LAST_ROW, Color, Position
from engine.edition import Edition
from engine.score import count, points
from engine.state import Outcome, Phase, State

# Bamboo has its nodes where it likes: one pattern for each stick.
_STICKS = (
    "=====|=======|=========|=======|====",
    "===|=========|======|========|======",
    "=======|========|=======|=======|===",
    "====|=======|=========|=====|=======",
    "======|=======|=====|=========|=====",
    "==|========|========|======|========",
    "=====|======|=======|========|======",
)


def draw_board(position: Position) -> str:
    """The rows from black's start line down to red's, as red sees them over the board."""
    lines = []
    for row in range(LAST_ROW, -1, -1):
        pawns = " ".join("R" * position.red[row] + "B" * position.black[row])
        lines.append(f" {row}  {pawns}".rstrip())
        if row:
            lines.append(f"   <{_STICKS[row - 1]}>")
    return "\n".join(lines)


def draw_count(position: Position, edition: Edition) -> str:
    """The points of both colours, row by row."""
    total = points(position, edition)
    lines = []
    for color in Color:
        lines.append(f"{color}")
        for line in count(position, edition):
            if line.color is color and line.pawns:
                place = " (goal)" if line.row == color.goal else ""
                lines.append(f"  row {line.row}{place:7} {line.pawns:2} x {line.worth:2} = {line.points:3}")
        lines.append(f"  {'in all':12} {total.of(color):13}")
    return "\n".join(lines)


def describe(state: State) -> str:
    """What is expected now, or how the game ended, in one sentence."""
    if state.outcome is not None:
        return describe_outcome(state.outcome)
    player = str(state.to_move).capitalize()
    if state.phase is Phase.OPENING:
        return f"{player}: move a pawn one row forward."
    left_out = ", or leave it" if state.may_decline else ""
    if state.phase is Phase.FOLLOW_UP:
        rows = "1 row" if state.distance == 1 else f"{state.distance} rows"
        return f"{player}: move any pawn {rows} forward{left_out}."
    whose = "any pawn" if state.edition.aggressive else "one of your pawns"
    return f"{player}: a bonus: move {whose} one row, forward or back{left_out}."


def describe_outcome(outcome: Outcome) -> str:
    why = {
        "passed": "the colours have passed",
        "blocked": "neither player can open",
        "repetition": "the same position has come a third time",
    }[outcome.reason.value]
    verdict = f"{outcome.winner} wins" if outcome.winner else "a draw"
    return f"Game over, {why}: {verdict}, red {outcome.points.red}, black {outcome.points.black}."
