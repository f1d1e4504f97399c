"""What the session knows, put into the messages that a page understands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine import EDITIONS, Action, Game, Match, count, points
from firmware.advice import LEVEL_NUMBERS
from firmware.review import ReviewedTurn, turning_points
from firmware.view import Advised, Question, View
from firmware.web import messages
from firmware.web.host import Host
from hardware.layout import Layout


def hello(host: Host, page: str, *, may_act: bool) -> messages.Hello:
    hands = host.hands if may_act else None
    return messages.Hello(
        page=page,
        board=_board(host.layout),
        editions=tuple(messages.EditionPlan(edition.name, edition.bonus) for edition in EDITIONS.values()),
        may_act=may_act,
        levels=len(LEVEL_NUMBERS),
        has_hands=hands is not None,
        fault_kinds=tuple(hands.fault_kinds) if hands else (),
        has_workshop=host.workshop is not None,
        can_calibrate=host.workshop is not None and host.workshop.calibration is not None,
    )


def state(view: View, layout: Layout, faults: tuple[str, ...]) -> messages.State:
    now = view.state
    return messages.State(
        stage=view.stage,
        player=now.to_move,
        phase=now.phase,
        distance=now.distance,
        may_decline=now.may_decline,
        ways=tuple(
            messages.Way(action.color, action.origin, action.destination)
            for action in now.legal_actions()
            if action.origin is not None and action.destination is not None
        ),
        points=now.points,
        rows_to_pass=now.position.rows_to_pass,
        is_second_turn=now.again,
        in_hand=view.in_hand,
        misplaced=_misplaced(view),
        differences=view.differences,
        question=_question(view.question) if view.question else None,
        match=_match(view.match) if view.match else None,
        computer=messages.Seat(view.computer.color, view.computer.level) if view.computer else None,
        thinking=view.thinking,
        advised=_advised(view.advised) if view.advised else None,
        sensors_lost=view.sensors_lost,
        doubted=tuple(messages.DoubtedSlot(slot, layout.name(slot), kind) for slot, kind in view.doubted_slots),
        faults=faults,
    )


def game(played: Game) -> messages.Game:
    edition = played.start.edition
    return messages.Game(
        edition=edition.name,
        aggressive=edition.aggressive,
        first=played.start.to_move,
        start=played.start.position,
        start_points=points(played.start.position, edition),
        turns=tuple(_turns(played)),
        result=_result(played),
    )


def review(game: Game, turns: Sequence[ReviewedTurn]) -> messages.Review:
    return messages.Review(
        before=round(turns[0].before, 1) if turns else 0.0,
        turns=tuple(
            messages.TurnLookedAt(
                turn.number,
                turn.player,
                _movements(turn.actions),
                round(turn.after, 1),
                round(turn.loss, 1),
                _movements(turn.better),
            )
            for turn in turns
        ),
        turning_points=tuple(turn.number for turn in turning_points(turns)),
        is_whole=len(turns) == len(game.turns),
        is_exact=all(turn.is_exact for turn in turns),
    )


def _board(layout: Layout) -> messages.BoardPlan:
    return messages.BoardPlan(
        rows=tuple(tuple(layout.centres_mm[slot] for slot in row) for row in layout.rows),
        row_pixels=tuple(len(strip) for strip in layout.row_pixels),
        score_pixels=(len(layout.score_pixels[0]), len(layout.score_pixels[1])),
    )


def _question(question: Question) -> messages.OpenQuestion:
    actions = (Action.parse(word) for word in question.played.split())
    return messages.OpenQuestion(question.kind, _movements(actions))


def _movements(actions: Iterable[Action]) -> tuple[messages.Movement, ...]:
    return tuple(messages.Movement(a.kind, a.color, a.origin, a.destination) for a in actions)


def _advised(advised: Advised) -> messages.AdvisedAction:
    action = advised.action
    return messages.AdvisedAction(
        action.kind, action.color, action.origin, action.destination, advised.rank, round(advised.behind, 1)
    )


def _misplaced(view: View) -> messages.MisplacedPawn | None:
    pawn = view.misplaced
    return messages.MisplacedPawn(pawn.color, pawn.origin, pawn.row, pawn.reason) if pawn else None


def _match(match: Match) -> messages.MatchStanding:
    return messages.MatchStanding(match.best_of, match.results, match.is_over, match.winner)


def _turns(played: Game) -> list[messages.PlayedTurn]:
    after = iter(played.states[1:])
    turns = []
    for turn in played.turns:
        actions = tuple(
            messages.PlayedAction(action.kind, action.color, action.origin, action.destination, next(after).position)
            for action in turn.actions
        )
        so_far = points(actions[-1].position, played.start.edition)
        turns.append(messages.PlayedTurn(turn.number, turn.player, actions, so_far))
    return turns


def _result(played: Game) -> messages.Result | None:
    outcome = played.state.outcome
    if outcome is None:
        return None
    counted = count(played.state.position, played.state.edition)
    return messages.Result(outcome.winner, outcome.reason, outcome.points, counted)
