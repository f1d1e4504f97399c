"""The rules of Linja: pure values, no clock, no input or output.

from engine import Color, EDITIONS, State

state = State.initial(EDITIONS["zen"])
state = state.apply(state.judge(Color.RED, 0, 1))
state.distance  # 2: one red and one black pawn stood in row 1
"""

from engine.action import Action, Kind
from engine.board import LAST_ROW, PAWNS, ROOM, ROWS, Color, Position
from engine.edition import DEFAULT_EDITION, EDITIONS, RULE_SETS, Edition
from engine.errors import (
    BadColor,
    BadEdition,
    BadInput,
    BadMatch,
    BadPosition,
    BadRow,
    BadSolution,
    BadText,
    IllegalAction,
    LinjaError,
    NoSuchPawn,
    NothingToUndo,
    Reason,
)
from engine.game import Game, Turn
from engine.match import Match
from engine.movement import landing_row
from engine.score import Points, RowCount, count, points
from engine.state import Ending, Outcome, Phase, State

__all__ = [
    "DEFAULT_EDITION",
    "EDITIONS",
    "LAST_ROW",
    "PAWNS",
    "ROOM",
    "ROWS",
    "RULE_SETS",
    "Action",
    "BadColor",
    "BadEdition",
    "BadInput",
    "BadMatch",
    "BadPosition",
    "BadRow",
    "BadSolution",
    "BadText",
    "Color",
    "Edition",
    "Ending",
    "Game",
    "IllegalAction",
    "Kind",
    "LinjaError",
    "Match",
    "NoSuchPawn",
    "NothingToUndo",
    "Outcome",
    "Phase",
    "Points",
    "Position",
    "Reason",
    "RowCount",
    "State",
    "Turn",
    "count",
    "landing_row",
    "points",
]
