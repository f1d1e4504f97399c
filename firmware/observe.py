"""What a still board means, given the game so far.

The board is compared with positions, not followed hand by hand, so the order of hands does not matter. In turn:
does it still show the game's position, with pawns in hand perhaps? does it show what legal actions lead to? an
earlier position of the game? a single pawn in a wrong place? If none of these, it disagrees. An action is believed
only when its pawn has been seen where it arrived and a pawn has left the row it came from. The order in which rows
lost pawns chooses between explanations that end alike; between explanations that differ in what follows nothing is
chosen here: the players are asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import Action, Color, Game, IllegalAction, Kind, Position, State
from firmware.explain import Explanation, explanations, were_seen_taken_back
from firmware.meaning import (
    Ambiguous,
    Disagreement,
    Meaning,
    Played,
    Quiet,
    Replayed,
    SetUpAgain,
    TakenBack,
    Unsettled,
    WronglyPlaced,
)
from firmware.sight import Sighting
from firmware.view import Misplaced

TURNS_TO_TAKE_BACK_TO_THE_START = 2
"""After more turns than these, pawns set up as at the start are offered as a new game."""
HANDS_FREE_TO_PLAY = 2
"""With more pawns in hand, no move is believed until some are put down: a sleeve may push a pawn too."""
HANDS = 4
"""Two players have no more; when more pawns are gone, something else has happened."""
ROWS_OF_ONE_MOVE, PAWNS_OF_ONE_MOVE = 2, 1


def observe(game: Game, sighting: Sighting, left_rows: Sequence[int] | None = None) -> Meaning:
    """The meaning of a board; `left_rows` are those that pawns left since it was quiet, in order, if that is known."""
    state = game.state
    surplus, missing = sighting.surplus(state.position), sighting.missing(state.position)
    if len(missing) - surplus > HANDS:
        return Disagreement(swept=True)
    if not surplus:
        return Quiet(missing)
    forward = explanations(state, sighting, left_rows)
    back = _taken_back(game, sighting, left_rows)
    left_rows = left_rows or ()
    if forward:
        # Without colours, one player's step forward looks like the other's step back, and nearly every turn would be
        # a question. There, what the rules allow next is believed, and taking back is told by the key.
        others = _other_than_forward(game, sighting, left_rows, back) if sighting.sees_color else ()
        if others and len(missing) > surplus:
            return Unsettled(missing)
        if others:
            return Ambiguous((*_options(forward, left_rows), *others))
        return _explained(state, forward, sighting, left_rows)
    if back is None and not _bonus_moved_a_pawn_of_the_next_player(game):
        replays = _replays(game, sighting, left_rows)
        if replays:
            return replays[0] if len(replays) == 1 else Ambiguous(replays)
    return back or _against_the_rules(state, sighting, left_rows) or Disagreement()


def shows_the_next_set_up(game: Game, sighting: Sighting) -> bool:
    """After the end: whether the pawns are being set up for another game, as it is clear that nothing is taken back."""
    position = game.state.position
    rows, pawns = len(sighting.differences(position)), sighting.surplus(position)
    cleared_away = rows > ROWS_OF_ONE_MOVE or pawns > PAWNS_OF_ONE_MOVE
    return cleared_away or sighting.shows(Position.setup())


def _other_than_forward(
    game: Game, sighting: Sighting, left_rows: Sequence[int], back: TakenBack | SetUpAgain | None
) -> tuple[TakenBack | Replayed, ...]:
    """What a board that can be explained by playing on may mean besides."""
    if isinstance(back, TakenBack):
        return (back,)
    return _replays(game, sighting, left_rows) if _bonus_moved_a_pawn_of_the_next_player(game) else ()


def _explained(state: State, forward: list[Explanation], sighting: Sighting, left_rows: Sequence[int]) -> Meaning:
    """What all explanations have in common is certain, as far as its pawns were seen to arrive."""
    if len({explanation.end for explanation in forward}) == 1:
        certain = _likeliest(forward, left_rows)
    else:
        certain = _common_beginning(forward)
    while certain and (
        certain[-1].kind is Kind.DECLINE or not sighting.shows_arrivals(state.position, _after(state, certain))
    ):
        certain = certain[:-1]
    if certain and _pawns_in_hand(_after(state, certain), sighting) <= HANDS_FREE_TO_PLAY:
        return Played(certain)
    if any(sighting.missing(explanation.end.position) for explanation in forward):
        return Unsettled(sighting.missing(state.position))
    return Ambiguous(_options(forward, left_rows))


def _pawns_in_hand(position: Position, sighting: Sighting) -> int:
    return len(sighting.missing(position)) - sighting.surplus(position)


def _options(forward: list[Explanation], left_rows: Sequence[int]) -> tuple[Played, ...]:
    """One explanation for each way it can go on from here, the shortest first."""
    by_end: dict[State, list[Explanation]] = {}
    for explanation in forward:
        by_end.setdefault(explanation.end, []).append(explanation)
    options = [_likeliest(alike, left_rows) for alike in by_end.values()]
    return tuple(Played(actions) for actions in sorted(options, key=lambda actions: (len(actions), str(actions))))


def _after(state: State, actions: tuple[Action, ...]) -> Position:
    for action in actions:
        state = state.apply(action)
    return state.position


def _likeliest(alike: list[Explanation], left_rows: Sequence[int]) -> tuple[Action, ...]:
    """Of explanations that end alike: the shortest, and of these the one that begins in the row left first."""
    order = {row: place for place, row in reversed(list(enumerate(left_rows)))}

    def unlikeliness(explanation: Explanation) -> tuple[int, int, str]:
        first = explanation.actions[0].origin
        left = len(left_rows) if first is None else order.get(first, len(left_rows))
        return len(explanation.actions), left, str(explanation.actions)

    return min(alike, key=unlikeliness).actions


def _common_beginning(forward: list[Explanation]) -> tuple[Action, ...]:
    shortest = min((explanation.actions for explanation in forward), key=len)
    length = 0
    while length < len(shortest) and all(explanation.actions[length] == shortest[length] for explanation in forward):
        length += 1
    return shortest[:length]


def _taken_back(game: Game, sighting: Sighting, left_rows: Sequence[int] | None) -> TakenBack | SetUpAgain | None:
    """The latest earlier position that the board shows; with pawns in hand, one that explains those put down."""
    if sighting.shows(Position.setup()) and len(game.turns) > TURNS_TO_TAKE_BACK_TO_THE_START:
        return SetUpAgain()
    here = game.state.position
    for count, earlier in enumerate(reversed(game.states[:-1]), start=1):
        if (
            not sighting.surplus(earlier.position)
            and len(sighting.missing(earlier.position)) <= HANDS
            and sighting.shows_arrivals(here, earlier.position)
            and were_seen_taken_back(game.actions[-count:], sighting, left_rows)
        ):
            return TakenBack(count)
    return None


def _replays(game: Game, sighting: Sighting, left_rows: Sequence[int]) -> tuple[Replayed, ...]:
    """The last action played differently: another one was made in its place."""
    last = game.actions[-1] if game.actions else None
    if last is None or last.origin is None or not were_seen_taken_back([last], sighting, left_rows):
        return ()
    shown = [
        other
        for other in explanations(game.undo().state, sighting, [*left_rows, last.origin])
        if sum(action.kind is not Kind.DECLINE for action in other.actions) == 1 and sighting.shows(other.end.position)
    ]
    return tuple(Replayed(1, option.actions) for option in _options(shown, left_rows))


def _bonus_moved_a_pawn_of_the_next_player(game: Game) -> bool:
    """Whether it cannot be told from the pawn who moves it now: the player who had the bonus, or its owner."""
    last, state = game.actions[-1] if game.actions else None, game.state
    return last is not None and last.kind is Kind.BONUS and last.color is state.to_move and state.outcome is None


def _against_the_rules(state: State, sighting: Sighting, left_rows: Sequence[int]) -> Meaning | None:
    """One pawn too many somewhere, and one missing that may be it; or a legal movement and such a pawn besides."""
    surplus = sighting.surplus(state.position)
    if surplus == 1:
        return _wrongly_placed(state, sighting, left_rows)
    if surplus == 2 and not sighting.missing(state.position)[surplus:]:
        begun = [
            action
            for action in state.legal_actions()
            if action.kind is not Kind.DECLINE and sighting.surplus(state.apply(action).position) == 1
        ]
        if len(begun) == 1 and _wrongly_placed(state.apply(begun[0]), sighting, left_rows):
            return Played((begun[0],))
    return None


def _wrongly_placed(state: State, sighting: Sighting, left_rows: Sequence[int]) -> WronglyPlaced | None:
    differences = sighting.differences(state.position)
    for color in (state.to_move, state.to_move.opponent):
        there = [d.row for d in differences if (d.red if color is Color.RED else d.black) > 0]
        gone = [d.row for d in differences if (d.red if color is Color.RED else d.black) < 0]
        if there and gone:
            origin = min(gone, key=lambda row: left_rows.index(row) if row in left_rows else len(left_rows))
            return _refused(state, color, origin, there[0])
    if not sighting.sees_color:
        there = [d.row for d in differences if d.red + d.black > 0]
        gone = [d.row for d in differences if d.red + d.black < 0]
        if there and gone:
            return _refused(state, _likely_color(state, gone[0], there[0]), gone[0], there[0])
    return None


def _likely_color(state: State, origin: int, row: int) -> Color:
    """Whose pawn it was that went from row to row, on a board that feels no polarity: the one that goes that way."""
    color = state.to_move if (row - origin) * state.to_move.forward > 0 else state.to_move.opponent
    return color if state.position.of(color)[origin] else color.opponent


def _refused(state: State, color: Color, origin: int, row: int) -> WronglyPlaced | None:
    try:
        state.judge(color, origin, row)
    except IllegalAction as refusal:
        return WronglyPlaced(Misplaced(color, origin, row, refusal.reason, refusal.explanation))
    return None
