"""A few turns of a game, played by themselves in the terminal: what the board does, before there is a board."""

from __future__ import annotations

import sys
import time

from engine import Action, Color, Game, IllegalAction
from engine.drawing import describe, draw_board

PAUSE_S = 1.5
_RED_ON, _DIM_ON, _OFF = "\033[31;1m", "\033[2m", "\033[0m"

SCRIPT = (
    ("red", 0, 1, "Red opens: one pawn, one row forward. It meets two pawns there, so the follow-up goes two rows."),
    ("red", 0, 3, "Red goes three."),
    ("red", 5, 7, "Red takes the pawn from row 5: two rows, exactly into the goal. That earns a bonus."),
    ("red", 4, 5, "The bonus moves a pawn one row, forward or back."),
    ("black", 7, 6, "Black opens and meets two pawns."),
    ("black", 6, 4, "Black follows up with the same pawn or any other."),
    ("red", 3, 4, "Red opens into row 4 and counts who is there, both colours, itself left out."),
    ("red", 6, 7, "A pawn that reaches its goal with rows left over stops there: allowed, but no bonus."),
)


def demonstrate() -> int:
    """Plays the script at a pace a person can follow; at once where nobody watches."""
    game = Game.new()
    _show(game, "The set-up: six pawns on each start line, one of each colour in every row between the sticks.")
    for color, origin, destination, remark in SCRIPT:
        game = _played(game, Color(color), origin, destination, remark)
    print("And so on, until the colours have passed each other; then the points decide.")
    return 0


def _played(game: Game, color: Color, origin: int, destination: int, remark: str) -> Game:
    try:
        action: Action = game.state.judge(color, origin, destination)
    except IllegalAction as refusal:
        print(f"{remark} Not allowed: {refusal}. The pawn goes back.\n")
        _pause()
        return game
    game = game.play(action)
    _show(game, remark)
    return game


def _show(game: Game, remark: str) -> None:
    points = game.state.points
    print(remark)
    print(_colored(draw_board(game.state.position)))
    print(f"    red {points.red}, black {points.black}.  {describe(game.state)}\n")
    _pause()


def _colored(board: str) -> str:
    if not sys.stdout.isatty():
        return board
    return board.replace("R", f"{_RED_ON}R{_OFF}").replace("<", f"{_DIM_ON}<").replace(">", f">{_OFF}")


def _pause() -> None:
    sys.stdout.flush()
    if sys.stdout.isatty():
        time.sleep(PAUSE_S)
