"""The score sheet: the game that is played, the match it belongs to, and which declines nobody said aloud."""

from __future__ import annotations

from engine import Action, Color, Edition, Game, Kind, Match, Phase, State
from firmware.events import ActionAccepted, ActionsTakenBack, AnotherTurn, Event, GameEnded, MatchEnded


class Sheet:
    """What is written down. Every change is told as events."""

    def __init__(self, game: Game, match: Match | None, implied_declines: frozenset[int] = frozenset()) -> None:
        self._begin(game, match)
        self._implied_declines |= implied_declines

    def _begin(self, game: Game, match: Match | None) -> None:
        self.game = game
        self._match_before = match
        self._implied_declines: set[int] = set()

    @property
    def match(self) -> Match | None:
        """The match with all finished games, this one included."""
        before, outcome = self._match_before, self.game.state.outcome
        return before if before is None or outcome is None else before.with_result(outcome.winner)

    @property
    def implied_declines(self) -> frozenset[int]:
        """The numbers of the declines that only the opponent's move had said."""
        return frozenset(self._implied_declines)

    def play(self, actions: tuple[Action, ...]) -> list[Event]:
        """Writes down actions; a decline before another action was said by that action alone."""
        events: list[Event] = []
        for number, action in enumerate(actions):
            implied = action.kind is Kind.DECLINE and number + 1 < len(actions)
            if implied:
                self._implied_declines.add(len(self.game.actions))
            self.game = self.game.play(action)
            events += [ActionAccepted(action, by_implication=implied), *self._consequences()]
        return events

    def _consequences(self) -> list[Event]:
        state, match = self.game.state, self.match
        if state.again and state.phase is Phase.OPENING:
            return [AnotherTurn(state.to_move)]
        if state.outcome is None:
            return []
        over: list[Event] = [MatchEnded(match)] if match is not None and match.is_over else []
        return [GameEnded(state.outcome), *over]

    def take_back(self, count: int) -> list[Event]:
        """Crosses out so many actions, with the decline that only the first of them had said."""
        return self._cross_out(self.with_implied_decline(count))

    def replay(self, count: int, actions: tuple[Action, ...]) -> list[Event]:
        """Writes other actions in the place of the last ones; a decline that was said before them stands."""
        return [*self._cross_out(count), *self.play(actions)]

    def _cross_out(self, count: int) -> list[Event]:
        self.game = self.game.undo(count)
        self._implied_declines = {number for number in self._implied_declines if number < len(self.game.actions)}
        return [ActionsTakenBack(count)]

    def with_implied_decline(self, count: int) -> int:
        return count + 1 if len(self.game.actions) - count - 1 in self._implied_declines else count

    def new_game(self, edition: Edition, first: Color, best_of: int) -> None:
        """A fresh sheet."""
        self._begin(Game.new(edition, first), Match(best_of, first) if best_of else None)

    def play_from(self, start: State) -> None:
        """A fresh sheet for a game that begins in the middle."""
        self._begin(Game.from_state(start), None)

    def next_game(self) -> None:
        """After a finished game the next one, which the loser starts; in the middle of one, the same once more."""
        start, outcome, match = self.game.start, self.game.state.outcome, self.match
        first = start.to_move
        if outcome is not None:
            first = outcome.winner.opponent if outcome.winner else first.opponent
        if match is not None and match.is_over:
            match = Match(match.best_of, first)
        self._begin(Game.new(start.edition, first), match)
