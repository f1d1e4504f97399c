"""Every situation that the language of light has words for, as a session would see it, on real positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import Action, Color, Edition, IllegalAction, Position, State
from firmware.advice import Computer
from firmware.view import Advised, Hand, Misplaced, Question, RowDifference, Stage, View

NOW = 1000.0
"""When the last thing happened, in every situation."""
SETUP = "rrrrrr/rb/rb/rb/rb/rb/rb/bbbbbb"
MIDGAME = "rrrr/rb/rrbb/rb/rb/rrb/rb/bbbbb"
LATER = "rr/rb/r/rb/rrbb/rrb/rrbb/rbbbbb"
FINAL = "bbbbbb/bbbb/bb/r/-/rrr/rrr/rrrrr"

Counts = tuple[tuple[int, ...], tuple[int, ...]]
"""Red and black pawns in each row, as they stand."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A view, so many seconds after the last thing happened, and where the pawns stand."""

    caption: str
    view: View
    after_s: float
    stand: Counts

    @property
    def now(self) -> float:
        return NOW + self.after_s


def situations() -> dict[str, tuple[Moment, ...]]:
    """The moments that show each situation, by its name."""
    return {
        "turn": _turn(),
        "lifted": _lifted_pawn(),
        "follow-up": _follow_up(),
        "run": _run(),
        "bonus": _bonus(),
        "again": _again(),
        "score": (_moment("", _view(_played(LATER))),),
        "accepted": _accepted(),
        "thinking": _thinking(),
        "computer": _computer(),
        "hint": _hint(),
        "not-allowed": _not_allowed(),
        "question": _question(),
        "taking-back": _taking_back(),
        "disagrees": _disagrees(),
        "setting-up": _setting_up(),
        "ready": _ready(),
        "count": _count(),
        "over": _over(),
        "sensors-lost": _sensors_lost(),
        "doubted": _doubted(),
        "idle": _idle(),
    }


# In a turn


def _turn() -> tuple[Moment, ...]:
    black = _played(SETUP, "0-1 +5-7 done")
    return _moment("red's turn", _view(_played(SETUP))), _moment("black's turn", _view(black))


def _lifted_pawn() -> tuple[Moment, ...]:
    return (_moment("", *_lifted(_played(SETUP), 2)),)


def _follow_up() -> tuple[Moment, ...]:
    view = replace(_view(_played(MIDGAME, "1-2")), entered_row=2)
    return (_moment("", view),)


def _run() -> tuple[Moment, ...]:
    view, stand = _lifted(_played(MIDGAME, "1-2"), 0)
    view = replace(view, entered_row=2)
    return tuple(_moment(f"{after:.2f} s", view, stand, after) for after in (0.28, 0.56, 0.70))


def _bonus() -> tuple[Moment, ...]:
    actions = "0-1 +5-7"
    return (
        _moment("own pawns", _view(_played(SETUP, actions))),
        _moment("the option: the opponent's too", _view(_played(SETUP, actions, "zen+aggressive"))),
        _moment("one is lifted", *_lifted(_played(SETUP, actions), 4)),
    )


def _again() -> tuple[Moment, ...]:
    state = _played("rrrrrr/rb/rb/-/rrb/rb/rb/bbbbbbb", "0-1 +1-3", "classic")
    view = replace(_view(state), again_at=NOW)
    return tuple(_moment(f"{after:.1f} s", view, after_s=after) for after in (0.2, 0.5, 0.8))


def _accepted() -> tuple[Moment, ...]:
    view = replace(_view(_played(SETUP, "3-4")), entered_row=4, accepted_row=4, accepted_at=NOW)
    return tuple(_moment(f"{after:.2f} s", view, after_s=after) for after in (0.08, 0.3, 0.9))


# The computer


def _thinking() -> tuple[Moment, ...]:
    view = replace(_computers(""), thinking=True)
    return tuple(_moment(f"{after:.1f} s", view, after_s=after) for after in (0.8, 1.4, 2.0))


def _computer() -> tuple[Moment, ...]:
    opened = replace(_computers("7-6"), entered_row=6)
    return (
        _moment("its opening", replace(_computers(""), advised=_advised("black:7-6")), after_s=0.75),
        _moment("its follow-up", replace(opened, advised=_advised("black:+4-2")), after_s=0.75),
        _moment("it leaves it: press done", replace(opened, advised=_advised("black:done")), after_s=1.0),
    )


def _computers(actions: str) -> View:
    """A turn of black, which the computer plays."""
    return replace(_view(_played(SETUP, f"0-1 done {actions}")), computer=Computer(Color.BLACK, 4))


def _advised(action: str) -> Advised:
    return Advised(Action.parse(action), NOW)


# What is not right, or not clear


def _not_allowed() -> tuple[Moment, ...]:
    state = _played(SETUP)
    color, origin, row = Color.RED, 4, 3
    view = replace(_view(state), misplaced=_misplaced(state, color, origin, row))
    stand = _hands(state.position, (color, origin, row))
    return tuple(_moment(f"{after:.1f} s", view, stand, after) for after in (0.2, 0.6, 1.0))


def _misplaced(state: State, color: Color, origin: int, row: int) -> Misplaced:
    try:
        state.judge(color, origin, row)
    except IllegalAction as refusal:
        return Misplaced(color, origin, row, refusal.reason, refusal.explanation)
    raise ValueError(f"moving {color} from row {origin} to row {row} is allowed")


def _question() -> tuple[Moment, ...]:
    state = _played(SETUP, "0-1 +5-7")
    question = Question("bonus", "red's bonus from row 1 to row 0?", (0, 1), "*1-0")
    view = replace(_view(state, Stage.ASKING), question=question)
    stand = _hands(state.position, (Color.RED, 1, 0))
    return _moment("done: yes", view, stand, 0.5), _moment("back: no", view, stand, 1.5)


def _taking_back() -> tuple[Moment, ...]:
    state, played = _played(SETUP), _played(SETUP, "0-1 +3-5")
    return _shifting(state, Stage.TAKING_BACK, _hands(played.position))


def _disagrees() -> tuple[Moment, ...]:
    state = _played(MIDGAME)
    movements = ((Color.BLACK, 2, 4), (Color.BLACK, 2, 4), (Color.RED, 5, 6), (Color.BLACK, 6, 4), (Color.RED, 0, 3))
    return _shifting(state, Stage.DISAGREES, _hands(state.position, *movements))


def _shifting(state: State, stage: Stage, stand: Counts) -> tuple[Moment, ...]:
    view = replace(_view(state, stage), differences=_differences(stand, state.position))
    return _moment("too many here", view, stand, 0.4), _moment("too few here", view, stand, 1.2)


# Before and after a game


def _setting_up() -> tuple[Moment, ...]:
    state = _played(SETUP)
    stands: tuple[tuple[str, Counts], ...] = (
        ("an empty board", ((0,) * 8, (0,) * 8)),
        ("half of it", ((4, 1, 1, 0, 1, 0, 0, 0), (0, 1, 0, 0, 1, 1, 1, 3))),
    )
    return tuple(
        _moment(words, replace(_view(state, Stage.SETTING_UP), differences=_differences(stand, state.position)), stand)
        for words, stand in stands
    )


def _ready() -> tuple[Moment, ...]:
    view = replace(_view(_played(SETUP)), ready_at=NOW)
    return tuple(_moment(f"{after:.1f} s", view, after_s=after) for after in (0.3, 0.6, 0.9))


def _count() -> tuple[Moment, ...]:
    view = _view(_played(FINAL), Stage.OVER)
    return (
        _moment("red's goal", view, after_s=2.4),
        _moment("red's last row: minus one", view, after_s=6.9),
        _moment("then black's rows", view, after_s=11.3),
    )


def _over() -> tuple[Moment, ...]:
    draw = _played("bbbbbb/bbbb/bb/-/-/rr/rrrr/rrrrrr")
    return (
        _moment("black has won", _view(_played(FINAL), Stage.OVER), after_s=14.9),
        _moment("a draw", _view(draw, Stage.OVER), after_s=14.9),
    )


# The board itself


def _sensors_lost() -> tuple[Moment, ...]:
    view = replace(_view(_played(MIDGAME)), sensors_lost=True)
    return tuple(_moment(f"{after:.0f} s", view, after_s=after) for after in (0, 1, 2))


def _doubted() -> tuple[Moment, ...]:
    return (_moment("", replace(_view(_played(MIDGAME)), doubted_slots=((33, "weak"),))),)


def _hint() -> tuple[Moment, ...]:
    opening = replace(_view(_played(SETUP)), advised=_advised("red:2-3"))
    lifted, stand = _lifted(opening.state, 2)
    return (
        _moment("the best", opening, after_s=0.75),
        _moment("the pawn is lifted", replace(lifted, advised=opening.advised), stand, 0.75),
    )


def _idle() -> tuple[Moment, ...]:
    view = _view(_played(LATER))
    return _moment("in play", view), _moment("five minutes later", view, after_s=300)


# How they are made


def _played(start: str, actions: str = "", edition: str = "zen") -> State:
    state = State.at(Edition.parse(edition), Position.parse(start), Color.RED)
    for word in actions.split():
        state = state.apply(Action.parse(word, state.to_move))
    return state


def _view(state: State, stage: Stage = Stage.PLAYING) -> View:
    return View(stage, NOW, state, None, sensors_lost=False, touched_at=NOW)


def _moment(caption: str, view: View, stand: Counts | None = None, after_s: float = 0.0) -> Moment:
    """A moment in which the pawns stand as the game says, unless told otherwise."""
    return Moment(caption, view, after_s, stand or _hands(view.state.position))


def _hands(position: Position, *movements: tuple[Color, int, int]) -> Counts:
    """Where the pawns stand after hands have moved some, whatever the rules say."""
    counts = {color: list(position.of(color)) for color in Color}
    for color, origin, row in movements:
        counts[color][origin] -= 1
        counts[color][row] += 1
    return tuple(counts[Color.RED]), tuple(counts[Color.BLACK])


def _lifted(state: State, row: int) -> tuple[View, Counts]:
    """A pawn of the player in hand, and the others as they stand."""
    landings = tuple(action.destination for action in state.legal_actions() if action.origin == row)
    hand = Hand(row, state.to_move, tuple(landing for landing in landings if landing is not None))
    counts = {color: list(state.position.of(color)) for color in Color}
    counts[state.to_move][row] -= 1
    return replace(_view(state), in_hand=(hand,)), (tuple(counts[Color.RED]), tuple(counts[Color.BLACK]))


def _differences(stand: Counts, should: Position) -> tuple[RowDifference, ...]:
    rows: Sequence[tuple[int, int, int, int]] = list(zip(*stand, should.red, should.black, strict=True))
    differences = (RowDifference(row, red - r, black - b) for row, (red, black, r, b) in enumerate(rows))
    return tuple(difference for difference in differences if difference.red or difference.black)
