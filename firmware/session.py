"""One board, one game after another: receives inputs with their time, gives events.

What the board means is found by `observe`; what it means for the game is decided here. The session owns all that is
known, never reads a clock and never waits.
"""

from __future__ import annotations

from engine import Action, Color, Edition, Game, IllegalAction, Kind, Match, Phase, Position, State
from firmware.advice import Advice, Computer, Wish
from firmware.config import GameSettings
from firmware.events import (
    AnotherTurn,
    BoardDisagreed,
    BoardQuiet,
    Event,
    GameStarted,
    KeyRefused,
    MoveRefused,
    NewGameOffered,
    PawnLifted,
    QuestionAsked,
    SetUpAsked,
    TakeBackAsked,
)
from firmware.observe import (
    Ambiguous,
    Disagreement,
    Meaning,
    PawnTooMany,
    Played,
    Quiet,
    Replayed,
    SetUpAgain,
    TakenBack,
    Unsettled,
    WronglyPlaced,
    observe,
)
from firmware.partner import Partner
from firmware.question import fitting_options, question
from firmware.settle import SettleSettings
from firmware.sheet import Sheet
from firmware.sight import Missing, Sighting
from firmware.view import Hand, RowDifference, Stage, View
from firmware.watch import Watch
from hardware.interface import Button, KeyEvent, Snapshot, Touch
from hardware.layout import Layout

ROWS_OF_ONE_MOVE, PAWNS_OF_ONE_MOVE = 2, 1


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
        implied_declines: frozenset[int] = frozenset(),
    ) -> None:
        if game is None and match is None and settings.best_of:
            match = Match(settings.best_of, settings.starter)
        self._watch = Watch(layout, settle)
        self._sheet = Sheet(game or Game.new(settings.rules, settings.starter), match, implied_declines)
        self._partner = Partner(settings.opponent)
        self._stage = Stage.SETTING_UP if game is None else Stage.OVER if game.state.outcome else Stage.PLAYING
        self._since = now
        self._meaning: Meaning = Quiet()
        self._swept = False
        self._take_back_count = 0
        self._asked: Ambiguous | PawnTooMany | SetUpAgain | None = None
        self._accepted_row: int | None = None
        self._accepted_at: float | None = None
        self._again_at: float | None = None
        self._ready_at: float | None = None
        self._touched_at = now

    @property
    def game(self) -> Game:
        return self._sheet.game

    @property
    def match(self) -> Match | None:
        """The match with all finished games, this one included."""
        return self._sheet.match

    @property
    def implied_declines(self) -> frozenset[int]:
        """The numbers of the declines that only the opponent's move had said: they are taken back with it."""
        return self._sheet.implied_declines

    @property
    def computer(self) -> Computer | None:
        """Who the computer is, where it plays."""
        return self._partner.computer

    @property
    def wish(self) -> Wish | None:
        """What is to be thought about now; the answer to it goes to `hear`."""
        return None if self._is_setting_up() else self._partner.wish(self.game.state)

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest."""
        return self._watch.deadline

    # What comes in

    def see(self, snapshot: Snapshot, now: float) -> list[Event]:
        """A snapshot of the board."""
        changed, events = self._watch.see(snapshot, now)
        return [*events, *self._look(now)] if changed else events

    def tick(self, now: float) -> list[Event]:
        """Time has passed."""
        return self._look(now) if self._watch.tick(now) else []

    def lose(self, why: str, now: float) -> list[Event]:
        """The sensors cannot be read; the next snapshot ends it."""
        self._touched_at = now
        return self._watch.lose(why)

    def touch(self, key: KeyEvent, now: float) -> list[Event]:
        """A finger on a key of the panel. The key for a new game must be held: nobody loses a game by a slip."""
        self._touched_at = now
        if key.button is Button.NEW:
            return self._next_game(now) if key.touch is Touch.HELD else []
        if key.touch is not Touch.PRESSED:
            return []
        if key.button is Button.DONE:
            return self._done(now)
        if key.button is Button.BACK:
            return self._back(now)
        return self._partner.hint(self.game.state, self._hands_in_play(), now)

    def hear(self, advice: Advice, now: float) -> list[Event]:
        """What thinking came to. Nothing is made of it when the game has moved on meanwhile."""
        return self._partner.hear(advice, self.wish, self._hands_in_play(), now)

    def new_game(
        self, edition: Edition, first: Color, best_of: int, now: float, computer: Computer | None = None
    ) -> list[Event]:
        """A new game, or a new match where `best_of` is not 0, by these rules."""
        self._sheet.new_game(edition, first, best_of)
        self._partner.sit_down(computer)
        return self._set_up(now)

    def play_from(self, start: State, now: float) -> list[Event]:
        """A game by itself that begins in this state, against whoever plays now."""
        self._sheet.play_from(start)
        return self._set_up(now)

    def _next_game(self, now: float) -> list[Event]:
        self._sheet.next_game()
        return self._set_up(now)

    # What the still board means

    def _set_up(self, now: float) -> list[Event]:
        self._partner.sit_down(self._partner.computer)
        self._asked = None
        self._swept = False
        self._enter(Stage.SETTING_UP, now)
        return [SetUpAsked(), *self._look(now)]

    def _look(self, now: float) -> list[Event]:
        self._touched_at = now
        if self._watch.lost:
            return []
        if self._is_setting_up():
            return self._look_at_set_up(now)
        too_many = self._pawn_too_many()
        if isinstance(too_many, PawnTooMany):
            return self._wonder(too_many, now)
        events = [] if too_many is None else self._watch.distrust(too_many)
        # Each round either leaves the game as it is, which ends it, or brings it closer to what the board shows.
        while True:
            game = self.game
            events += self._understand(self._meaning_of(self._watch.sighting), now)
            if self.game is game or self._is_setting_up():
                return events

    def _look_at_set_up(self, now: float) -> list[Event]:
        events = self._watch.find_false_pawn(self.game.state.position)
        if not self._watch.sighting.shows(self.game.state.position):
            return events
        self._ready_at = now
        self._enter(Stage.PLAYING, now)
        self._be_quiet()
        return [*events, GameStarted(self.game.start.edition, self.game.start.to_move)]

    def _is_setting_up(self) -> bool:
        return self._stage is Stage.SETTING_UP

    def _pawn_too_many(self) -> PawnTooMany | int | None:
        """When more pawns are seen than there are: the slot that must be wrong, or which two it may be."""
        asked = self._asked
        if isinstance(asked, PawnTooMany) and self._watch.shows_pawns_on(asked.left_slot, asked.false_slot):
            return self._answered_by_hands(asked)
        if not self._watch.sees_too_many():
            return None
        false = self._watch.false_slot(lambda sighting: isinstance(self._meaning_of(sighting), Quiet))
        suspects = self._watch.stuck_slots(self._actions_shown_by)
        if not suspects:
            return false  # no move explains it, and all the others stand as they did
        if len(suspects) > 1:
            return None
        (stuck,) = suspects
        shown = self._meaning_of(self._watch.without(stuck))
        may_ask = self._stage in (Stage.PLAYING, Stage.ASKING, Stage.DISAGREES)
        if false is None or not may_ask or not isinstance(shown, Played | TakenBack):
            return stuck
        if self._swept:
            return false  # all pawns are to stand as they did, and now they do
        liars = [slot for slot in (stuck, false) if self._watch.has_lied(slot)]
        return liars[0] if len(liars) == 1 else PawnTooMany(shown, stuck, false)

    def _answered_by_hands(self, asked: PawnTooMany) -> PawnTooMany | int | None:
        """Who plays on as the rules allow only if the one slot is wrong, or only if the other is, has said which."""
        if_left, if_false = (
            self._meaning_of(self._watch.without(slot)) for slot in (asked.left_slot, asked.false_slot)
        )
        if if_left == if_false == Disagreement(swept=True):
            return None
        against_the_rules = WronglyPlaced | Disagreement
        if isinstance(if_left, Played | TakenBack) and isinstance(if_false, against_the_rules):
            return asked.left_slot
        if isinstance(if_false, Played) and isinstance(if_left, against_the_rules):
            return asked.false_slot
        return asked

    def _meaning_of(self, sighting: Sighting) -> Meaning:
        return observe(self.game, sighting, self._watch.left_rows)

    def _actions_shown_by(self, sighting: Sighting) -> int | None:
        """How many actions the board would show by this sighting; None if it would show none."""
        match self._meaning_of(sighting):
            case Played(actions):
                return len(actions)
            case TakenBack(count):
                return count
        return None

    def _wonder(self, too_many: PawnTooMany, now: float) -> list[Event]:
        self._meaning = too_many
        if self._asked != too_many:
            self._asked = None
        return self._ask(too_many, now)

    def _understand(self, meaning: Meaning, now: float) -> list[Event]:
        before, self._meaning = self._meaning, meaning
        if isinstance(self._asked, Ambiguous) and meaning != Quiet():
            if isinstance(meaning, Quiet):
                return []  # the pawn that it is about was lifted again: where it is put down now will tell
            options = fitting_options(self.game, self._asked, self._watch.sighting, self._watch.left_rows)
            if options:
                return self._choose(options[0], now) if len(options) == 1 else []
        if meaning != self._asked:
            self._asked = None
        if self._stage is Stage.OVER and not isinstance(meaning, Quiet | TakenBack | Replayed):
            return self._look_after_the_end(now)
        if self._stage is Stage.TAKING_BACK:
            return self._look_for_take_back(now)
        if self._swept and meaning != Quiet() and not isinstance(meaning, SetUpAgain):
            self._enter(Stage.DISAGREES, now)
            return []
        match meaning:
            case Played(actions):
                return self._play(actions, now)
            case TakenBack(count):
                return self._take_back(count, now)
            case Replayed(count, actions):
                return self._play(actions, now, in_place_of=count)
            case Ambiguous() | SetUpAgain():
                return self._ask(meaning, now)
            case WronglyPlaced(misplaced):
                self._enter(Stage.PLAYING, now)
                refused = MoveRefused(misplaced.reason, (misplaced.origin, misplaced.row), misplaced.explanation)
                return [] if meaning == before else [refused]
            case Disagreement(swept):
                self._swept = swept
                self._enter(Stage.DISAGREES, now)
                return [] if meaning == before else [BoardDisagreed()]
            case Quiet(in_hand) | Unsettled(in_hand):
                return self._understand_hands(before, in_hand, now)
        raise AssertionError(f"{meaning} has no consequence")

    def _understand_hands(self, before: Meaning, in_hand: tuple[Missing, ...], now: float) -> list[Event]:
        self._play_on(now)
        known = list(before.in_hand) if isinstance(before, Quiet | Unsettled) else []
        lifted = [pawn for pawn in in_hand if not _removed(known, pawn)]
        if self._meaning != Quiet():
            return [PawnLifted(pawn.row, pawn.color) for pawn in lifted]
        self._be_quiet()
        return [] if before == Quiet() else [BoardQuiet()]

    def _be_quiet(self) -> None:
        self._swept = False
        self._meaning = Quiet()
        self._watch.remember_as_quiet()

    def _look_after_the_end(self, now: float) -> list[Event]:
        """The pawns are being set up for another game: guide it once it is clear that nothing is taken back."""
        sighting = self._watch.sighting
        position = self.game.state.position
        rows, pawns = len(sighting.differences(position)), sighting.surplus(position)
        cleared_away = rows > ROWS_OF_ONE_MOVE or pawns > PAWNS_OF_ONE_MOVE
        return self._next_game(now) if cleared_away or sighting.shows(Position.setup()) else []

    # What that means for the game

    def _play(self, actions: tuple[Action, ...], now: float, in_place_of: int = 0) -> list[Event]:
        events = self._sheet.replay(in_place_of, actions) if in_place_of else self._sheet.play(actions)
        self._accepted_row, self._accepted_at = actions[-1].destination, now
        if any(isinstance(event, AnotherTurn) for event in events):
            self._again_at = now
        self._play_on(now)
        return events

    def _take_back(self, count: int, now: float) -> list[Event]:
        events = self._sheet.take_back(count)
        self._swept = False
        self._accepted_row = self._accepted_at = None
        self._play_on(now)
        return events

    def _play_on(self, now: float) -> None:
        self._enter(Stage.PLAYING if self.game.state.outcome is None else Stage.OVER, now)

    def _enter(self, stage: Stage, now: float) -> None:
        if stage is not self._stage:
            self._stage, self._since = stage, now

    # Keys

    def _done(self, now: float) -> list[Event]:
        if self._stage is Stage.ASKING:
            return self._answer(yes=True, now=now)
        if self._stage is Stage.TAKING_BACK:
            self._play_on(now)
            return self._look(now)
        action = self._unseen_arrival()
        if self._meaning == Quiet() and self._stage is Stage.PLAYING and self.game.state.may_decline:
            action = Action(Kind.DECLINE, self.game.state.to_move)
        if action is None:
            return [KeyRefused(Button.DONE, self._why_not_done())]
        return [*self._play((action,), now), *self._look(now)]

    def _why_not_done(self) -> str:
        if self._stage is Stage.SETTING_UP:
            return "the pawns are not set up yet"
        if self._meaning != Quiet():
            return "a pawn is not in its place"
        try:
            self.game.state.apply(Action(Kind.DECLINE, self.game.state.to_move))
        except IllegalAction as refusal:
            return refusal.explanation
        return "there is nothing to be done with"

    def _unseen_arrival(self) -> Action | None:
        """The action of the one pawn in hand, if it can only have gone where no sensor would see it."""
        if self._stage is not Stage.PLAYING or not isinstance(self._meaning, Quiet) or len(self._meaning.in_hand) != 1:
            return None
        hand = self._hands()[0]
        unseen = [row for row in hand.landings if self._watch.sighting.room_unseen[row]]
        if len(unseen) != 1:
            return None
        fitting = [
            action
            for action in self.game.state.legal_actions()
            if (action.origin, action.destination) == (hand.row, unseen[0]) and hand.color in (None, action.color)
        ]
        return fitting[0] if len(fitting) == 1 else None

    def _back(self, now: float) -> list[Event]:
        if self._stage is Stage.ASKING:
            return self._answer(yes=False, now=now)
        if self._stage is Stage.SETTING_UP:
            return [KeyRefused(Button.BACK, "the game has not begun")]
        asked = self._take_back_count if self._stage is Stage.TAKING_BACK else 0
        if asked >= len(self.game.actions):
            return [KeyRefused(Button.BACK, "there is no action left to take back")]
        self._enter(Stage.TAKING_BACK, now)
        with_implied = self._sheet.with_implied_decline(asked + 1)
        self._take_back_count = self._partner.to_persons_turn(self.game, asked + 1, with_implied)
        return [TakeBackAsked(self._take_back_count), *self._look_for_take_back(now)]

    def _look_for_take_back(self, now: float) -> list[Event]:
        """Until all that was asked for is moved back; or until it is plain that it was not meant."""
        if self._watch.sighting.shows(self.game.undo(self._take_back_count).state.position):
            return [*self._take_back(self._take_back_count, now), *self._look(now)]
        match self._meaning:
            case TakenBack(count) if count > self._take_back_count:
                return self._take_back(count, now)
            case Played(actions) if self._watch.sighting.sees_color and _is_no_way_back(actions):
                return self._play(actions, now)
        return []

    def _hands_in_play(self) -> tuple[Missing, ...] | None:
        """The pawns in hand while all others stand as the game says; None while something else is to be done first."""
        if self._stage is not Stage.PLAYING or not isinstance(self._meaning, Quiet | Unsettled):
            return None
        return self._meaning.in_hand

    # Questions

    def _ask(self, meaning: Ambiguous | PawnTooMany | SetUpAgain, now: float) -> list[Event]:
        if self._asked is not None:
            return []
        if isinstance(meaning, Ambiguous):
            if (chosen := self._partner.chosen(self.game.state)) and Played((chosen,)) in meaning.options:
                return self._choose(Played((chosen,)), now)  # the light has asked for it
            options = fitting_options(self.game, meaning, self._watch.sighting, self._watch.left_rows)
            if len(options) == 1:
                return self._choose(options[0], now)
        self._asked = meaning
        self._enter(Stage.ASKING, now)
        offered: list[Event] = [NewGameOffered()] if isinstance(meaning, SetUpAgain) else []
        return [*offered, QuestionAsked(question(meaning).text)]

    def _answer(self, *, yes: bool, now: float) -> list[Event]:
        if isinstance(self._asked, Ambiguous):
            options = self._asked.options[:1] if yes else self._asked.options[1:]
            if len(options) == 1:
                return [*self._choose(options[0], now), *self._look(now)]
            self._asked = Ambiguous(options)
            return [QuestionAsked(question(self._asked).text)]
        asked, self._asked = self._asked, None
        if isinstance(asked, PawnTooMany):
            return [*self._watch.distrust(asked.left_slot if yes else asked.false_slot), *self._look(now)]
        if yes:
            return self._next_game(now)
        return [*self._take_back(len(self.game.actions), now), *self._look(now)]

    def _choose(self, option: Played | TakenBack | Replayed, now: float) -> list[Event]:
        self._asked = None
        if isinstance(option, TakenBack):
            return self._take_back(option.count, now)
        return self._play(option.actions, now, in_place_of=option.count if isinstance(option, Replayed) else 0)

    # The view

    @property
    def view(self) -> View:
        state = self.game.state
        opened = next((action for action in reversed(self.game.actions) if action.kind is Kind.OPENING), None)
        return View(
            stage=self._stage,
            since=self._since,
            state=state,
            match=self.match,
            sensors_lost=self._watch.lost,
            in_hand=self._hands(),
            misplaced=self._meaning.misplaced if isinstance(self._meaning, WronglyPlaced) else None,
            differences=self._differences(),
            question=question(self._asked) if self._asked else None,
            entered_row=opened.destination if opened and state.phase is Phase.FOLLOW_UP else None,
            accepted_row=self._accepted_row,
            accepted_at=self._accepted_at,
            again_at=self._again_at,
            ready_at=self._ready_at,
            computer=self.computer,
            thinking=self.wish is not None,
            advised=self._partner.advised(state, self._hands_in_play()),
            touched_at=self._touched_at,
            doubted_slots=self._watch.doubted_slots,
        )

    def _hands(self) -> tuple[Hand, ...]:
        in_hand = self._hands_in_play()
        if not in_hand:
            return ()
        state = self.game.state
        actions = state.legal_actions()
        if state.may_decline:
            declined = state.apply(Action(Kind.DECLINE, state.to_move))
            actions += [action for action in declined.legal_actions() if action.color is not state.to_move]
        return tuple(Hand(pawn.row, pawn.color, _landings(actions, pawn)) for pawn in in_hand)

    def _differences(self) -> tuple[RowDifference, ...]:
        if self._stage in (Stage.SETTING_UP, Stage.DISAGREES):
            return self._watch.sighting.differences(self.game.state.position)
        if self._stage is Stage.TAKING_BACK:
            return self._watch.sighting.differences(self.game.undo(self._take_back_count).state.position)
        return ()


def _is_no_way_back(actions: tuple[Action, ...]) -> bool:
    """Whether these can only be played on: a bonus may look like a pawn on its way back."""
    return all(action.kind is not Kind.BONUS for action in actions)


def _landings(actions: list[Action], pawn: Missing) -> tuple[int, ...]:
    rows = {
        action.destination
        for action in actions
        if action.destination is not None and action.origin == pawn.row and pawn.color in (None, action.color)
    }
    return tuple(sorted(rows))


def _removed(known: list[Missing], pawn: Missing) -> bool:
    """Whether the pawn was in hand already; each is counted once."""
    if pawn not in known:
        return False
    known.remove(pawn)
    return True
