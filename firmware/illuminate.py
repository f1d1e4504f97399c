"""What the board says with light at one moment: a pure function of what the session knows, and the time.

`meanings` gives the looks; `firmware.paint` makes a `Frame` of them. `changes_at` tells the service when to look
again: at rest nothing changes, so nothing is computed or sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine import ROWS, Color, Phase
from firmware import tempo
from firmware.counting import tally
from firmware.looks import STEADY, BoardLight, Glow, Hue, Look, Mood, ScoreLight
from firmware.view import Advised, Hand, RowDifference, Stage, View

IDLE_DIM = 0.45
"""What is left of the light when nobody touches the board: still to be read."""

_Lit = tuple[int, Glow]
"""A row and how it glows."""


def meanings(view: View, now: float) -> BoardLight:
    """What every row and both score strips say."""
    rows: list[list[Glow]] = [[] for _ in range(ROWS)]
    for row, glow in _glows(view, now):
        if glow not in rows[row]:
            rows[row].append(glow)
    return BoardLight(
        rows=tuple(_most_telling(glows) for glows in rows),
        scores=_scores(view, now),
        doubted_slots=() if view.sensors_lost else tuple(slot for slot, _ in view.doubted_slots),
        dim=_dim(view, now),
    )


def is_moving(view: View, now: float) -> bool:
    """Whether frames differ from moment to moment, so that they must be painted one after the other."""
    return changes_at(view, meanings(view, now), now) == now


def changes_at(view: View, light: BoardLight, now: float) -> float | None:
    """When the frame may next differ from that of `now`, which says `light`, if the view stays as it is: `now` while
    anything moves, None when nothing ever will."""
    fades = _fades(view)
    fading = any(start <= now < start + tempo.FADE_S for start in fades)
    if fading or (light.dim > 0 and _anything_moves(view, light, now)):
        return now
    return min((start for start in fades if start > now), default=None)


def _anything_moves(view: View, light: BoardLight, now: float) -> bool:
    if any(glow.look not in STEADY for glows in light.rows for glow in glows):
        return True
    return view.stage is Stage.OVER and not view.sensors_lost and now < _counted_at(view) + tempo.WINNING_S


# Rows


def _glows(view: View, now: float) -> Iterator[_Lit]:
    if view.sensors_lost:
        yield from ((row, Glow(Look.ATTENTION, Hue.ATTENTION)) for row in range(ROWS))
        return
    yield from _OF_STAGE[view.stage](view, now)
    yield from _moments(view, now)


def _most_telling(glows: list[Glow]) -> tuple[Glow, ...]:
    """A row with a pawn that stands against the rules says nothing else, and where one is asked for it is allowed."""
    wrong = tuple(glow for glow in glows if glow.look is Look.ERROR)
    is_asked_for = any(glow.look is Look.PUT_HERE for glow in glows)
    return wrong or tuple(glow for glow in glows if not (is_asked_for and glow.look is Look.LEGAL))


def _playing(view: View, now: float) -> Iterator[_Lit]:
    player = view.state.to_move
    yield player.start, Glow(Look.TURN, Hue.of(player))
    for hand in view.in_hand:
        yield from _in_hand(view, hand)
    if view.state.phase is Phase.FOLLOW_UP and view.state.distance and view.entered_row is not None:
        yield view.entered_row, Glow(Look.DISTANCE, Hue.DISTANCE, count=view.state.distance)
    if view.misplaced is not None:
        color = view.misplaced.color
        yield view.misplaced.row, Glow(Look.ERROR, Hue.ERROR, view.touched_at)
        yield view.misplaced.origin, Glow(Look.CAME_FROM, Hue.of(color) if color else Hue.ERROR, view.touched_at)
    elif view.advised is not None and _is_shown(view, view.advised, now):
        yield from _advice(view, view.advised)
    elif not view.is_computers_turn and not any(hand.landings for hand in view.in_hand):
        yield from _choices(view)
    if view.thinking:
        yield player.start, Glow(Look.THINKING, Hue.of(player))


def _is_shown(view: View, advised: Advised, now: float) -> bool:
    return view.is_computers_turn or now < advised.at + tempo.HINT_S


def _advice(view: View, advised: Advised) -> Iterator[_Lit]:
    action = advised.action
    if action.origin is None or action.destination is None:
        yield view.state.to_move.start, Glow(Look.LEAVE, Hue.LEGAL, advised.at)
        return
    if not any(hand.row == action.origin and hand.color in (None, action.color) for hand in view.in_hand):
        yield action.origin, Glow(Look.LIFT_HERE, Hue.of(action.color), advised.at, action.color)
    yield action.destination, Glow(Look.PUT_HERE, Hue.LEGAL, advised.at)


def _in_hand(view: View, hand: Hand) -> Iterator[_Lit]:
    player = view.state.to_move
    hue = Hue.of(hand.color or player)
    follows_up = view.state.phase is Phase.FOLLOW_UP and hand.color is not player.opponent
    yield hand.row, Glow(Look.ORIGIN, hue)
    for landing in hand.landings:
        yield landing, Glow(Look.LEGAL, Hue.LEGAL)
        if follows_up:
            onward = 1 if landing > hand.row else -1
            for steps, row in enumerate(range(hand.row, landing + onward, onward)):
                yield row, Glow(Look.PATH, hue, view.touched_at + steps * tempo.RUN_STEP_S)


def _choices(view: View) -> Iterator[_Lit]:
    """What may be done while no pawn is in hand. An opening goes one row, so its landing rows need no light."""
    landing_look = {
        Phase.FOLLOW_UP: Glow(Look.LEGAL, Hue.LEGAL),
        Phase.BONUS: Glow(Look.BONUS, Hue.BONUS),
    }.get(view.state.phase)
    for origin, destination, color in _movements(view):
        yield origin, Glow(Look.MOVABLE, Hue.of(color), pawns=color)
        if landing_look is not None:
            yield destination, landing_look


def _movements(view: View) -> Iterator[tuple[int, int, Color]]:
    """Origin, destination and colour of all that may move."""
    for action in view.state.legal_actions():
        if action.origin is not None and action.destination is not None:
            yield action.origin, action.destination, action.color


def _setting_up(view: View, now: float) -> Iterator[_Lit]:
    return _differences(view, Look.MISSING)


def _disagrees(view: View, now: float) -> Iterator[_Lit]:
    return _differences(view, Look.TOO_FEW)


def _taking_back(view: View, now: float) -> Iterator[_Lit]:
    return _differences(view, Look.TOO_FEW, Hue.CALM)


def _differences(view: View, when_missing: Look, hue: Hue | None = None) -> Iterator[_Lit]:
    for difference in view.differences:
        for color, pawns in _by_color(difference):
            look = Look.TOO_MANY if pawns > 0 else when_missing
            if pawns:
                yield difference.row, Glow(look, hue or Hue.of(color), view.since, color, abs(pawns))


def _by_color(difference: RowDifference) -> tuple[tuple[Color, int], ...]:
    return (Color.RED, difference.red), (Color.BLACK, difference.black)


def _asking(view: View, now: float) -> Iterator[_Lit]:
    for row in (view.question.rows if view.question else ()) or range(ROWS):
        yield row, Glow(Look.QUESTION, Hue.LEGAL, view.since, count=1)
        yield row, Glow(Look.QUESTION, Hue.CALM, view.since, count=2)


def _over(view: View, now: float) -> Iterator[_Lit]:
    for counted in tally(view.state.position, view.state.edition, now - view.since).rows:
        hue = Hue.of(counted.color)
        yield counted.row, Glow(Look.COUNTED, hue, view.since + counted.done_at, counted.color, counted.pawns)


_OF_STAGE: dict[Stage, Callable[[View, float], Iterator[_Lit]]] = {
    Stage.SETTING_UP: _setting_up,
    Stage.PLAYING: _playing,
    Stage.DISAGREES: _disagrees,
    Stage.TAKING_BACK: _taking_back,
    Stage.ASKING: _asking,
    Stage.OVER: _over,
}


def _moments(view: View, now: float) -> Iterator[_Lit]:
    """What shines once and is gone."""
    if view.accepted_at is not None and view.accepted_row is not None and now < view.accepted_at + tempo.ACCEPTED_S:
        yield view.accepted_row, Glow(Look.ACCEPTED, Hue.ACCEPTED, view.accepted_at)
    if view.again_at is not None and now < view.again_at + ROWS * tempo.SWEEP_STEP_S + tempo.SWEEP_ROW_S:
        player = view.state.to_move
        for steps, row in enumerate(range(player.start, player.goal + player.forward, player.forward)):
            yield row, Glow(Look.AGAIN, Hue.of(player), view.again_at + steps * tempo.SWEEP_STEP_S)
    if view.ready_at is not None and now < view.ready_at + tempo.READY_S:
        yield from ((row, Glow(Look.READY, Hue.ACCEPTED, view.ready_at)) for row in range(ROWS))


# Score strips


def _scores(view: View, now: float) -> tuple[ScoreLight, ScoreLight]:
    return _score(view, Color.RED, now), _score(view, Color.BLACK, now)


def _score(view: View, color: Color, now: float) -> ScoreLight:
    hue = Hue.of(color)
    if view.stage is Stage.SETTING_UP:
        return ScoreLight(0, hue)
    if view.stage is not Stage.OVER:
        return ScoreLight(view.state.points.of(color), hue)
    count = tally(view.state.position, view.state.edition, now - view.since)
    counted_at = view.since + count.done_at
    loser = view.state.outcome.winner.opponent if view.state.outcome and view.state.outcome.winner else None
    wins = color is not loser and counted_at <= now < counted_at + tempo.WINNING_S
    return ScoreLight(count.points.of(color), hue, Mood.WINNING if wins else Mood.COUNTED, counted_at)


def _counted_at(view: View) -> float:
    return view.since + tally(view.state.position, view.state.edition, 0.0).done_at


# Rest


def _dim(view: View, now: float) -> float:
    dim = 1.0
    for start, depth in zip(_fades(view), (IDLE_DIM, 0.0), strict=False):
        share = min(1.0, max(0.0, (now - start) / tempo.FADE_S))
        dim = (1 - share) * dim + share * depth
    return dim


def _fades(view: View) -> tuple[float, ...]:
    """When the board starts to dim and, where no game is on, to go dark."""
    advised_at = view.advised.at if view.advised else None
    moments = (view.since, view.touched_at, view.accepted_at, view.again_at, view.ready_at, advised_at)
    quiet_since = max(moment for moment in moments if moment is not None)
    if view.stage in (Stage.SETTING_UP, Stage.OVER):
        return quiet_since + tempo.IDLE_AFTER_S, quiet_since + tempo.SLEEP_AFTER_S
    return (quiet_since + tempo.IDLE_AFTER_S,)
