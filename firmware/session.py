"""One game or match at the board: owns all that is known, receives inputs, gives events.

Snapshots, key presses and commands come in with the time; what they mean is found by `observe`, and what it means
for the game is decided here. The session never reads a clock and never waits.
"""

from __future__ import annotations

from collections.abc import Callable

from engine import Action, Color, Edition, Game, Kind, Match, Phase, Position
from firmware.config import GameSettings
from firmware.doubt import Doubts
from firmware.events import (
    ActionAccepted,
    ActionsTakenBack,
    AnotherTurn,
    BoardDisagreed,
    BoardQuiet,
    Event,
    GameEnded,
    GameStarted,
    HintShown,
    KeyRefused,
    MatchEnded,
    MoveRefused,
    NewGameOffered,
    PawnLifted,
    QuestionAsked,
    SensorsBack,
    SensorsLost,
    SetUpAsked,
    TakeBackAsked,
)
from firmware.observe import (
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
    observe,
)
from firmware.settle import Settle, SettleSettings
from firmware.sight import Missing, Sighting
from firmware.view import Hand, Question, RowDifference, Stage, View
from hardware.interface import Button, KeyEvent, Reading, Snapshot, Touch
from hardware.layout import Layout


class Session:
    """The referee at one board. Begins with a set-up, or with a game that was interrupted."""

    def __init__(
        self,
        layout: Layout,
        settings: GameSettings,
        settle: SettleSettings,
        now: float,
        game: Game | None = None,
        match: Match | None = None,
    ) -> None:
        self._layout = layout
        self._settle = Settle(layout.slot_count, settle)
        self._doubts = Doubts(settle.doubt_ms / 1000)
        self._match = match
        self._game = game or Game.new(settings.rules, settings.starter)
        if match is None and game is None and settings.best_of:
            self._match = Match(settings.best_of, settings.starter)
        self._stage = Stage.PLAYING if game else Stage.SETTING_UP
        self._since = now
        self._lost: str | None = None
        self._sighting: Sighting | None = None
        self._meaning: Meaning = Quiet()
        self._lifted_rows: list[int] = []
        self._quiet_readings = self._settle.still
        self._implied_declines: set[int] = set()
        self._take_back_count = 0
        self._asked: Ambiguous | SetUpAgain | None = None
        self._accepted: tuple[int | None, float] | None = None
        self._again_at: float | None = None
        self._ready_at: float | None = None
        self._hint_at: float | None = None
        self._touched_at = now

    # What can be asked at any time

    @property
    def game(self) -> Game:
        return self._game

    @property
    def match(self) -> Match | None:
        """The match with all finished games, this one included."""
        outcome = self._game.state.outcome
        if self._match is None or outcome is None or self._match.is_over:
            return self._match
        return self._match.with_result(outcome.winner)

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest."""
        return self._settle.deadline

    # What comes in

    def see(self, snapshot: Snapshot, now: float) -> list[Event]:
        """A snapshot of the board."""
        events: list[Event] = []
        looked_before = self._sighting is not None
        if self._lost is not None:
            self._lost = None
            looked_before = False
            events.append(SensorsBack())
        changed = self._settle.feed(snapshot, now)
        events += self._doubts.judge(snapshot, self._settle.still, now)
        if changed or not looked_before:
            events += self._look(now)
        return events

    def tick(self, now: float) -> list[Event]:
        """Time has passed."""
        return self._look(now) if self._settle.due(now) else []

    def lose(self, why: str, now: float) -> list[Event]:
        """The sensors cannot be read; the next snapshot ends it."""
        if self._lost is not None:
            return []
        self._lost = why
        self._settle.forget()
        self._touched_at = now
        return [SensorsLost(why)]

    def touch(self, key: KeyEvent, now: float) -> list[Event]:
        """A finger on a key of the panel. The key for a new game must be held: nobody loses a game by a slip."""
        self._touched_at = now
        if key.button is Button.NEW:
            return self._restart(now) if key.touch is Touch.HELD else []
        if key.touch is not Touch.PRESSED:
            return []
        if key.button is Button.DONE:
            return self._done(now)
        if key.button is Button.BACK:
            return self._back(now)
        self._hint_at = now
        return [HintShown()]

    def new_game(self, edition: Edition, first: Color, best_of: int, now: float) -> list[Event]:
        """A new game, or a new match where `best_of` is not 0, by these rules."""
        self._match = Match(best_of, first) if best_of else None
        return self._set_up(Game.new(edition, first), now)

    # New games

    def _restart(self, now: float) -> list[Event]:
        """After a finished game the next one; in the middle of one, the same once more."""
        start, outcome = self._game.start, self._game.state.outcome
        first = start.to_move
        if outcome is not None:
            first = outcome.winner.opponent if outcome.winner else first.opponent
            self._match = self.match
        if self._match is not None and self._match.is_over:
            self._match = Match(self._match.best_of, self._match.starter)
        return self._set_up(Game.new(start.edition, first), now)

    def _set_up(self, game: Game, now: float) -> list[Event]:
        self._game = game
        self._implied_declines.clear()
        self._enter(Stage.SETTING_UP, now)
        return [SetUpAsked(), *self._look(now)]

    # What the still board means

    def _look(self, now: float) -> list[Event]:
        self._touched_at = now
        self._sighting = Sighting.of(self._settle.still, self._layout, self._doubts.stuck)
        if self._lost is not None:
            return []
        if self._stage is Stage.SETTING_UP:
            return self._look_at_set_up(now)
        events: list[Event] = []
        if self._sees_too_many():
            events += self._find_stuck_slot()
        # Each round either leaves the game as it is, which ends it, or brings it closer to what the board shows.
        while True:
            game = self._game
            events += self._understand(observe(game, self._sighting, self._lifted_rows), now)
            if self._game is game or not self._game.actions:
                return events

    def _look_at_set_up(self, now: float) -> list[Event]:
        assert self._sighting is not None
        if not self._sighting.shows(self._game.state.position):
            return []
        self._ready_at = now
        self._enter(Stage.PLAYING, now)
        self._be_quiet()
        return [GameStarted(self._game.start.edition, self._game.start.to_move)]

    def _understand(self, meaning: Meaning, now: float) -> list[Event]:
        before, self._meaning = self._meaning, meaning
        if isinstance(self._asked, Ambiguous):
            fitting = self._fitting(self._asked)
            if len(fitting) > 1:
                return []
            if fitting:
                return self._choose(fitting[0], now)
        if self._asked is not None and meaning != self._asked:
            self._asked = None
        if self._stage is Stage.OVER and not isinstance(meaning, Quiet | TakenBack):
            return self._look_after_the_end(now)
        if self._stage is Stage.TAKING_BACK and not isinstance(meaning, TakenBack):
            return self._look_for_take_back(now)
        match meaning:
            case Played(actions):
                return self._play(actions, now)
            case TakenBack(count):
                return self._take_back(count, now)
            case Replayed(count, actions):
                return [*self._take_back(count, now), *self._play(actions, now)]
            case Ambiguous() | SetUpAgain():
                return self._ask(meaning, now)
            case WronglyPlaced(misplaced):
                self._enter(Stage.PLAYING, now)
                if meaning == before:
                    return []
                rows = (misplaced.origin, misplaced.row)
                return [MoveRefused(misplaced.reason, rows, misplaced.explanation)]
            case Disagreement():
                self._enter(Stage.DISAGREES, now)
                return [] if meaning == before else [BoardDisagreed()]
            case Quiet(in_hand):
                return self._understand_quiet(before, in_hand, now)
        assert isinstance(meaning, Unsettled)
        return []

    def _understand_quiet(self, before: Meaning, in_hand: tuple[Missing, ...], now: float) -> list[Event]:
        if self._game.state.outcome is None:
            self._enter(Stage.PLAYING, now)
        known = list(before.in_hand) if isinstance(before, Quiet) else []
        lifted = [missing for missing in in_hand if not _removed(known, missing)]
        self._lifted_rows += [missing.row for missing in lifted]
        if in_hand:
            return [PawnLifted(missing.row, missing.color) for missing in lifted]
        self._be_quiet()
        return [] if before == Quiet() else [BoardQuiet()]

    def _be_quiet(self) -> None:
        self._lifted_rows.clear()
        self._quiet_readings = self._settle.still
        self._meaning = Quiet()

    def _look_after_the_end(self, now: float) -> list[Event]:
        """The pawns are being set up for another game: guide it once it is clear that nothing is taken back."""
        assert self._sighting is not None
        if len(self._sighting.differences(self._game.state.position)) > 2 or self._sighting.shows(Position.setup()):
            return self._restart(now)
        return []

    # Actions

    def _play(self, actions: tuple[Action, ...], now: float) -> list[Event]:
        self._enter(Stage.PLAYING, now)
        events: list[Event] = []
        for number, action in enumerate(actions):
            implied = action.kind is Kind.DECLINE and number + 1 < len(actions)
            events += self._accept(action, implied, now)
        return events

    def _accept(self, action: Action, implied: bool, now: float) -> list[Event]:
        if implied:
            self._implied_declines.add(len(self._game.actions))
        self._game = self._game.play(action)
        self._accepted = (action.destination, now)
        events: list[Event] = [ActionAccepted(action, by_implication=implied)]
        state = self._game.state
        if state.again and state.phase is Phase.OPENING:
            self._again_at = now
            events.append(AnotherTurn(state.to_move))
        if state.outcome is not None:
            self._enter(Stage.OVER, now)
            events.append(GameEnded(state.outcome))
            match = self.match
            if match is not None and match.is_over:
                events.append(MatchEnded(match))
        return events

    def _take_back(self, count: int, now: float) -> list[Event]:
        count = self._with_implied_decline(count)
        self._game = self._game.undo(count)
        self._implied_declines = {index for index in self._implied_declines if index < len(self._game.actions)}
        self._accepted = None
        self._enter(Stage.PLAYING, now)
        return [ActionsTakenBack(count)]

    def _with_implied_decline(self, count: int) -> int:
        """A decline that only the opponent's move had said is taken back with that move."""
        return count + 1 if len(self._game.actions) - count - 1 in self._implied_declines else count

    # Keys

    def _done(self, now: float) -> list[Event]:
        if self._stage is Stage.ASKING:
            return self._answer(first=True, now=now)
        if self._stage is Stage.TAKING_BACK:
            self._enter(Stage.PLAYING, now)
            return self._look(now)
        if self._meaning == Quiet() and self._game.state.may_decline and self._stage is Stage.PLAYING:
            return [*self._accept(Action(Kind.DECLINE, self._game.state.to_move), False, now), *self._look(now)]
        unseen = self._unseen_arrival()
        if unseen is not None:
            return [*self._accept(unseen, False, now), *self._look(now)]
        return [KeyRefused(Button.DONE, "there is nothing to be done with now")]

    def _unseen_arrival(self) -> Action | None:
        """The action of the one pawn in hand, if it can only have gone where no sensor would see it."""
        if not isinstance(self._meaning, Quiet) or len(self._meaning.in_hand) != 1 or self._sighting is None:
            return None
        pawn = self._meaning.in_hand[0]
        unseen = [
            action
            for action in self._game.state.legal_actions()
            if action.origin == pawn.row
            and pawn.color in (None, action.color)
            and action.destination is not None
            and self._sighting.room_unseen[action.destination]
        ]
        return unseen[0] if len(unseen) == 1 else None

    def _back(self, now: float) -> list[Event]:
        if self._stage is Stage.ASKING:
            return self._answer(first=False, now=now)
        if self._stage is Stage.SETTING_UP:
            return [KeyRefused(Button.BACK, "the game has not begun")]
        asked = self._take_back_count if self._stage is Stage.TAKING_BACK else 0
        if asked >= len(self._game.actions):
            return [KeyRefused(Button.BACK, "there is no action left to take back")]
        self._enter(Stage.TAKING_BACK, now)
        self._take_back_count = self._with_implied_decline(asked + 1)
        return [TakeBackAsked(self._take_back_count), *self._look_for_take_back(now)]

    def _look_for_take_back(self, now: float) -> list[Event]:
        assert self._sighting is not None
        if not self._sighting.shows(self._game.undo(self._take_back_count).state.position):
            return []
        return [*self._take_back(self._take_back_count, now), *self._look(now)]

    # Questions

    def _ask(self, meaning: Ambiguous | SetUpAgain, now: float) -> list[Event]:
        if self._asked is not None:
            return []
        if isinstance(meaning, Ambiguous):
            fitting = self._fitting(meaning)
            if len(fitting) == 1:
                return self._choose(fitting[0], now)
        self._asked = meaning
        self._enter(Stage.ASKING, now)
        offered: list[Event] = [NewGameOffered()] if isinstance(meaning, SetUpAgain) else []
        return [*offered, QuestionAsked(question(meaning).text)]

    def _fitting(self, asked: Ambiguous) -> list[Played | TakenBack]:
        """The answers that what hands have done since still allows: who plays on, and how, tells what was meant."""
        assert self._sighting is not None
        fitting: list[Played | TakenBack] = []
        for option in asked.options:
            game = self._game.undo(option.count) if isinstance(option, TakenBack) else self._game
            for action in option.actions if isinstance(option, Played) else ():
                game = game.play(action)
            meaning = observe(game, self._sighting, self._lifted_rows)
            if isinstance(meaning, Played) or (
                isinstance(meaning, Quiet) and all(pawn.color in (None, game.state.to_move) for pawn in meaning.in_hand)
            ):
                fitting.append(option)
        return fitting

    def _answer(self, *, first: bool, now: float) -> list[Event]:
        asked = self._asked
        if isinstance(asked, Ambiguous):
            options = asked.options[:1] if first else asked.options[1:]
            if len(options) == 1:
                return [*self._choose(options[0], now), *self._look(now)]
            self._asked = Ambiguous(options)
            return [QuestionAsked(question(self._asked).text)]
        self._asked = None
        if first:
            return self._restart(now)
        return [*self._take_back(len(self._game.actions), now), *self._look(now)]

    def _choose(self, option: Played | TakenBack, now: float) -> list[Event]:
        self._asked = None
        if isinstance(option, TakenBack):
            return self._take_back(option.count, now)
        return self._play(option.actions, now)

    # Slots that cannot be trusted

    def _sees_too_many(self) -> bool:
        assert self._sighting is not None
        return any(self._sighting.too_many(color) for color in (Color.RED, Color.BLACK, None))

    def _find_stuck_slot(self) -> list[Event]:
        """More pawns are seen than there are: one slot goes on showing a pawn that has left it. Which can that be?"""
        still = self._settle.still
        explained: dict[int, list[int]] = {}
        for slot, reading in enumerate(still):
            if reading in (Reading.EMPTY, Reading.UNSURE) or self._quiet_readings[slot] is not reading:
                continue
            row = self._layout.row_of[slot]
            if row in explained:
                explained[row].append(slot)
                continue
            without = Sighting.of(still, self._layout, {*self._doubts.stuck, slot})
            if isinstance(observe(self._game, without, self._lifted_rows), Played | TakenBack):
                explained[row] = [slot]
        if len(explained) != 1:
            return []
        (suspects,) = explained.values()
        events = self._doubts.stick(suspects[0], still[suspects[0]])
        self._sighting = Sighting.of(still, self._layout, self._doubts.stuck)
        return events

    # The view

    @property
    def view(self) -> View:
        state, stage = self._game.state, self._stage
        accepted_row, accepted_at = self._accepted or (None, None)
        opened = next((a for a in reversed(self._game.actions) if a.kind is Kind.OPENING), None)
        return View(
            stage=stage,
            since=self._since,
            state=state,
            match=self.match,
            sensors_lost=self._lost is not None,
            in_hand=self._hands(),
            misplaced=self._meaning.misplaced if isinstance(self._meaning, WronglyPlaced) else None,
            differences=self._differences(),
            question=question(self._asked) if self._asked else None,
            entered_row=opened.destination if opened and state.phase is Phase.FOLLOW_UP else None,
            accepted_row=accepted_row,
            accepted_at=accepted_at,
            again_at=self._again_at,
            ready_at=self._ready_at,
            hint_at=self._hint_at,
            touched_at=self._touched_at,
            doubted_slots=tuple(sorted(self._doubts.kinds.items())),
        )

    def _hands(self) -> tuple[Hand, ...]:
        if self._stage is not Stage.PLAYING or not isinstance(self._meaning, Quiet):
            return ()
        state = self._game.state
        actions = state.legal_actions()
        if state.may_decline:
            declined = state.apply(Action(Kind.DECLINE, state.to_move))
            actions += [action for action in declined.legal_actions() if action.color is not state.to_move]
        return tuple(Hand(pawn.row, pawn.color, _landings(actions, pawn)) for pawn in self._meaning.in_hand)

    def _differences(self) -> tuple[RowDifference, ...]:
        targets: dict[Stage, Callable[[], Position]] = {
            Stage.SETTING_UP: lambda: self._game.state.position,
            Stage.DISAGREES: lambda: self._game.state.position,
            Stage.TAKING_BACK: lambda: self._game.undo(self._take_back_count).state.position,
        }
        if self._sighting is None or self._stage not in targets:
            return ()
        return self._sighting.differences(targets[self._stage]())

    def _enter(self, stage: Stage, now: float) -> None:
        if stage is not self._stage:
            self._stage, self._since = stage, now


def _landings(actions: list[Action], pawn: Missing) -> tuple[int, ...]:
    return tuple(
        sorted(
            {
                action.destination
                for action in actions
                if action.destination is not None and action.origin == pawn.row and pawn.color in (None, action.color)
            }
        )
    )


def _removed(known: list[Missing], missing: Missing) -> bool:
    """Whether the pawn was in hand already; each is counted once."""
    if missing not in known:
        return False
    known.remove(missing)
    return True


def question(asked: Ambiguous | SetUpAgain) -> Question:
    """What the players are asked: is it the first of these that was meant?"""
    if isinstance(asked, SetUpAgain):
        return Question("new-game", "set up anew: done for a new game, back to take this one back to its start", (), "")
    option = asked.options[0]
    if isinstance(option, TakenBack):
        return Question("taken-back", "done if this was taken back, back if not", (), "")
    kinds = {action.kind for action in option.actions}
    kind = "opened" if Kind.DECLINE in kinds else "bonus" if kinds == {Kind.BONUS} else "turn"
    rows = tuple(sorted({row for a in option.actions for row in (a.origin, a.destination) if row is not None}))
    played = " ".join(str(action) for action in option.actions)
    return Question(kind, f"done if this was {played}, back if not", rows, played)
