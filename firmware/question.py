"""What the players are asked when the board can mean more than one thing."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Action, Game, Kind
from firmware.meaning import Ambiguous, Option, PawnTooMany, Played, Quiet, Replayed, SetUpAgain, TakenBack
from firmware.observe import observe
from firmware.sight import Sighting
from firmware.view import Question

Doubtful = Ambiguous | PawnTooMany | SetUpAgain
"""What only the players can say."""


def question(asked: Doubtful) -> Question:
    """What the players are asked: is it the first of these that was meant?"""
    if isinstance(asked, SetUpAgain):
        return Question("new-game", "set up anew: done for a new game, back to take this one back to its start", (), "")
    option = asked.shown if isinstance(asked, PawnTooMany) else asked.options[0]
    if isinstance(option, TakenBack):
        return Question("taken-back", "done if this was taken back, back if not", (), "")
    if isinstance(option, Replayed):
        played = " ".join(str(action) for action in option.actions)
        return Question("instead", f"done if this was {played} after all, back if not", _rows(option.actions), played)
    kinds = {action.kind for action in option.actions}
    kind = "opened" if Kind.DECLINE in kinds else "bonus" if kinds == {Kind.BONUS} else "turn"
    played = " ".join(str(action) for action in option.actions)
    return Question(kind, f"done if this was {played}, back if not", _rows(option.actions), played)


def _rows(actions: tuple[Action, ...]) -> tuple[int, ...]:
    return tuple(sorted({row for action in actions for row in (action.origin, action.destination) if row is not None}))


def fitting_options(game: Game, asked: Ambiguous, sighting: Sighting, left_rows: Sequence[int] | None) -> list[Option]:
    """The answers that what hands have done since still allows: who plays on, and how, tells what was meant."""
    fitting: list[Option] = []
    for option in asked.options:
        played = game if isinstance(option, Played) else game.undo(option.count)
        for action in () if isinstance(option, TakenBack) else option.actions:
            played = played.play(action)
        meaning = observe(played, sighting, left_rows)
        if isinstance(meaning, Played) or (
            isinstance(meaning, Quiet) and all(pawn.color in (None, played.state.to_move) for pawn in meaning.in_hand)
        ):
            fitting.append(option)
    return fitting
