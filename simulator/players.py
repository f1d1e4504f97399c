"""Tireless players: seeded, they choose legal turns, carry them out with clumsy hands, and want the session's game to
be what they meant after every turn. What they did is a scenario, so whatever goes wrong can be performed again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from engine import Action, Color, Edition, Game, Kind, Phase, State
from firmware.session import Session
from firmware.view import Question, Stage
from hardware.calibration import TYPICAL_NOISE_LEVELS
from hardware.interface import Button
from simulator.expectations import InState, Quiet
from simulator.hands import Hands, Move
from simulator.scenario import LAYOUT, Beginning
from simulator.stage import Performance

BOARDS = 8
"""How many boards, different in their sensors and magnets, the players take turns with."""
MOST_ANSWERS = 8


@dataclass(frozen=True, slots=True)
class Mishap:
    """A game that went wrong: what was there instead of what was meant, and the scenario that leads to it."""

    there: str
    script: str

    def __str__(self) -> str:
        return f"{self.there}\n{self.script}"


def play_games(
    edition: Edition, count: int, seed: int, noise_levels: float = TYPICAL_NOISE_LEVELS, *, digital: bool = False
) -> Mishap | None:
    """Plays games with this seed and those after it; the first that goes wrong ends it."""
    mishaps = (TirelessGame(edition, seed + game, noise_levels, digital=digital).play() for game in range(count))
    return next((mishap for mishap in mishaps if mishap is not None), None)


class _Misunderstood(Exception):
    """The session's game is not what was meant."""


class TirelessGame:
    """One game of two players."""

    def __init__(
        self,
        edition: Edition,
        seed: int,
        noise_levels: float = TYPICAL_NOISE_LEVELS,
        *,
        digital: bool = False,
        errs: bool = True,
        begin: Callable[[Beginning], Performance] = Performance,
    ) -> None:
        self._random = random.Random(seed)
        first = self._random.choice(list(Color))
        beginning = Beginning(edition, first, digital=digital, seed=seed % BOARDS, noise_levels=noise_levels)
        self._lines = [f"# a game of {edition} by tireless hands, seed {seed}", str(beginning)]
        self._performance = begin(beginning)
        self._may_err = errs and not digital
        """Without colours, a mistake often looks like a legal move of another pawn, and nobody can know better."""
        self._hands = Hands(self._performance, self._random, self._lines.append)
        self._meant = self._session.game.state
        self._unsaid: Action | None = None
        """A decline that is left to the opponent's next movement to say."""

    @property
    def meant(self) -> State:
        """What the players want the game to be now."""
        return self._meant

    def play(self, goes_on: Callable[[], bool] = lambda: True) -> Mishap | None:
        """Plays to the end of the game, or to the first turn that the session understands otherwise; no turn is begun
        once it is not to go on."""
        try:
            while self._meant.outcome is None and (self._unsaid or goes_on()):
                self._play_turn()
        except Exception as error:  # whatever breaks, the way to it is what is needed
            there = str(error) if isinstance(error, _Misunderstood) else f"{type(error).__name__}: {error}"
            return Mishap(there, self.script)
        return None

    def play_turns(self, most: int) -> Mishap | None:
        """So many turns, unless the game ends or goes wrong before."""
        left = iter(range(most))
        return self.play(lambda: next(left, None) is not None)

    @property
    def script(self) -> str:
        """All that was done so far, as a scenario."""
        return "\n".join(self._lines) + "\n"

    @property
    def _session(self) -> Session:
        return self._performance.session

    # Turns

    def _play_turn(self) -> None:
        actions = self._chosen_turn()
        declined = actions.pop() if actions[-1].kind is Kind.DECLINE else None
        while actions:
            count = 2 if self._may_go_together(actions) and self._perhaps(0.35) else 1
            self._dawdle()
            self._make(actions[:count])
            del actions[:count]
        if declined is not None:
            self._decline(declined)
        if self._unsaid is None:
            self._check()

    def _chosen_turn(self) -> list[Action]:
        state, actions = self._meant, list[Action]()
        while not actions or (state.outcome is None and state.phase is not Phase.OPENING):
            actions.append(self._random.choice(state.legal_actions()))
            state = state.apply(actions[-1])
        return actions

    def _may_go_together(self, actions: list[Action]) -> bool:
        """Opening and follow-up may. A bonus can undo what nobody has seen yet: it is made on its own."""
        return [action.kind for action in actions[:2]] == [Kind.OPENING, Kind.FOLLOW_UP] and not any(
            self._is_crowded(action.destination) for action in actions[:2]
        )

    def _is_crowded(self, row: int | None) -> bool:
        """Whether the row may soon have no free slot, so that what goes there goes alone and with care."""
        assert row is not None
        return self._meant.position.total(row) > len(LAYOUT.rows[row]) - 2

    def _make(self, actions: list[Action]) -> None:
        """Carries out one action, or two together, and answers what the board asks about it."""
        moves = [_move(action) for action in actions]
        states = [self._meant]
        for action in actions:
            states.append(states[-1].apply(action))
        if len(moves) == 2:
            self._hands.move_two(*moves)
        elif not (self._errs(0.1) and self._correct_a_mistake(moves[0], states[-1])):
            self._hands.move(moves[0])
        self._meant, self._unsaid = states[-1], None
        self._hands.tidy()
        self._answer(states[1:])

    def _correct_a_mistake(self, move: Move, after: State) -> bool:
        """The pawn is put down wrong first, where there is room to err; whether it has arrived in the end."""
        game = self._session.game
        wrong = None if self._is_crowded(move[2]) else self._hands.put_down_wrong(move)
        if wrong is None:
            return False
        back_home = (move[0], wrong.spot.row, move[1])
        if self._perhaps(0.5) and self._is_still_the_players_own(game):
            self._hands.put_right(move, wrong)
            self._answer([after])
            if self._session.view.misplaced is None:
                return True
            # The board took the wrong move for a legal one of somebody else: it goes back all the way.
            back_home = (move[0], move[2], move[1])
        self._hands.move(back_home)
        self._answer(_as_it_stood(game))
        return False

    def _is_still_the_players_own(self, before: Game) -> bool:
        """Whether a mistake has not been taken for something else than a move of this turn: then it goes all the way
        back, as anyone would do who sees the light of another turn."""
        actions = self._session.game.actions
        since = actions[len(before.actions) :]
        return actions[: len(before.actions)] == before.actions and Kind.DECLINE not in [a.kind for a in since]

    def _dawdle(self) -> None:
        before = self._session.game
        if self._errs(0.05):
            self._hands.blunder()
        else:
            self._hands.dawdle()
        self._answer(_as_it_stood(before))

    def _decline(self, decline: Action) -> None:
        self._meant = self._meant.apply(decline)
        if self._meant.outcome is None and self._meant.to_move is not decline.color and self._perhaps(0.5):
            self._unsaid = decline
        else:
            self._hands.press(Button.DONE)

    # Understanding

    def _answer(self, meant: list[State]) -> None:
        """Says with the keys which of the board's explanations was meant."""
        for _ in range(MOST_ANSWERS):
            view = self._session.view
            if view.stage is not Stage.ASKING or view.question is None:
                return
            self._hands.press(Button.DONE if self._is_so(view.question, meant) else Button.BACK)

    def _is_so(self, question: Question, meant: list[State]) -> bool:
        game = self._session.game
        if question.kind == "taken-back":
            return meant[-1] in game.states[:-1]
        played = [Action.parse(word) for word in question.played.split()]
        state = game.undo().state if question.kind == "instead" else game.state
        for action in played:
            state = state.apply(action)
        return state in meant

    def _check(self) -> None:
        for expectation, text in ((InState(self._meant), f"state {self._meant}"), (Quiet(), "quiet")):
            self._lines.append(f"expect {text}")
            there = expectation.unmet(self._performance)
            if there is not None:
                raise _Misunderstood(there)

    def _errs(self, share: float) -> bool:
        return self._may_err and self._perhaps(share)

    def _perhaps(self, share: float) -> bool:
        return self._random.random() < share


def _as_it_stood(game: Game) -> list[State]:
    """What putting everything back may lead to: where the game is, or before what was declined, which moves no pawn."""
    states = [game.state]
    for action, before in zip(reversed(game.actions), reversed(game.states[:-1]), strict=True):
        if action.kind is not Kind.DECLINE:
            break
        states.insert(0, before)
    return states


def _move(action: Action) -> Move:
    assert action.origin is not None
    assert action.destination is not None
    return action.color, action.origin, action.destination
