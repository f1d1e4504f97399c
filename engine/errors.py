"""What the engine says no to. Input that makes no sense is a `BadInput`; a move that makes sense but is against the
rules is an `IllegalAction`. Both are a `LinjaError`, and nothing has changed when one is raised."""

from __future__ import annotations

from enum import Enum

LONGEST_MESSAGE = 400


def shortened(message: str) -> str:
    """The message without its middle, where it quotes more than anybody would read."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    return f"{message[: LONGEST_MESSAGE * 3 // 4]} ... {message[-LONGEST_MESSAGE // 4 :]}"


class LinjaError(Exception):
    """Anything the engine refuses."""


class BadInput(LinjaError, ValueError):
    """What was asked makes no sense, whatever the rules."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


class BadColor(BadInput):
    """Not a colour of the game."""


class BadRow(BadInput):
    """Not a row of the board."""


class NoSuchPawn(BadInput):
    """There is no such pawn in that row."""


class BadPosition(BadInput):
    """Pawns stand in a way that no game allows."""


class BadEdition(BadInput):
    """No such edition, or no such option in it."""


class BadMatch(BadInput):
    """A match of that length, or that result in it, does not exist."""


class BadText(BadInput):
    """A text that does not read back to the value it should describe."""


class BadSolution(LinjaError):
    """A file that is not a solved game, or not a whole one."""


class NothingToUndo(LinjaError, IndexError):
    """The game has no such action to take back, or none to play again."""


class Reason(Enum):
    """Why a movement is not allowed: of all that apply, the one that helps a person most."""

    GAME_OVER = "game-over"
    WRONG_COLOR = "wrong-colour"
    NOT_MOVED = "not-moved"
    ALREADY_HOME = "already-home"
    LOCKED = "locked"
    BACKWARDS = "backwards"
    WRONG_DISTANCE = "wrong-distance"
    ROW_FULL = "row-full"
    WRONG_PHASE = "wrong-phase"
    MUST_MOVE = "must-move"


class IllegalAction(LinjaError):
    """Against the rules, for this `reason`; `rows` are the rows a person should look at."""

    def __init__(self, reason: Reason, rows: tuple[int, ...], explanation: str) -> None:
        super().__init__(explanation)
        self.reason = reason
        self.rows = rows
        self.explanation = explanation
