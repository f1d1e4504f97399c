"""What the still board and the keys mean for the game: it is played on, taken back, refused or asked about.

What the board shows is found by `Watch`, what that means by `observe`; what is written down is the `Sheet`'s.
"""

from __future__ import annotations

from engine import Game, Position
from firmware.course import Course
from firmware.done import action_done, why_not_done
from firmware.events import (
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
from firmware.in_hand import lifted_since
from firmware.meaning import (
    Ambiguous,
    Disagreement,
    Meaning,
    Option,
    PawnTooMany,
    Played,
    Quiet,
    Replayed,
    SetUpAgain,
    TakenBack,
    Unsettled,
    WronglyPlaced,
)
from firmware.observe import observe, shows_the_next_set_up
from firmware.partner import Partner
from firmware.pawn_too_many import answered_by_hands, wrong_slot
from firmware.question import Doubtful, fitting_options, question
from firmware.sheet import Sheet
from firmware.sight import Missing, Sighting
from firmware.take_back import done_instead
from firmware.view import Misplaced, RowDifference, Stage
from firmware.watch import Watch
from hardware.interface import Button


class Referee:
    """Sees with the watch, knows the computer's plans, and is the one who writes on the sheet while a game lasts."""

    def __init__(self, watch: Watch, sheet: Sheet, partner: Partner, course: Course) -> None:
        self._watch = watch
        self._sheet = sheet
        self._partner = partner
        self._course = course
        self.asked: Doubtful | None = None
        """What the players are asked about."""
        self._meaning: Meaning = Quiet()
        self._swept = False
        """Whether so many pawns were gone that nothing counts until all stand again."""
        self._take_back_count = 0

    @property
    def _game(self) -> Game:
        return self._sheet.game

    @property
    def _stage(self) -> Stage:
        return self._course.stage

    # What is known now

    @property
    def is_setting_up(self) -> bool:
        return self._stage is Stage.SETTING_UP

    @property
    def hands_in_play(self) -> tuple[Missing, ...] | None:
        """The pawns in hand while all others stand as the game says; None while something else is to be done first."""
        if self._stage is not Stage.PLAYING or not isinstance(self._meaning, Quiet | Unsettled):
            return None
        return self._meaning.in_hand

    @property
    def misplaced(self) -> Misplaced | None:
        """The pawn that stands where the rules do not allow it."""
        return self._meaning.misplaced if isinstance(self._meaning, WronglyPlaced) else None

    @property
    def differences(self) -> tuple[RowDifference, ...]:
        """The rows that are to be put right before anything else."""
        if self._stage not in (Stage.SETTING_UP, Stage.DISAGREES, Stage.TAKING_BACK):
            return ()
        return self._watch.sighting.differences(self._position_due)

    @property
    def _position_due(self) -> Position:
        """How the pawns are to stand."""
        game = self._game.undo(self._take_back_count) if self._stage is Stage.TAKING_BACK else self._game
        return game.state.position

    # What the still board means

    def next_game(self, now: float) -> list[Event]:
        """The pawns are to be set up for the game after this one."""
        self._sheet.next_game()
        return self.set_up(now)

    def set_up(self, now: float) -> list[Event]:
        """The pawns are to be set up for the game on the sheet."""
        self._partner.sit_down(self._partner.computer)
        self.asked = None
        self._swept = False
        self._course.enter(Stage.SETTING_UP, now)
        return [SetUpAsked(), *self.look(now)]

    def look(self, now: float) -> list[Event]:
        """The still board is not as it was, or not what it was expected to be."""
        self._course.touch(now)
        if self._watch.lost:
            return []
        if self.is_setting_up:
            return self._look_at_set_up(now)
        too_many = self._pawn_too_many()
        if isinstance(too_many, PawnTooMany):
            return self._wonder(too_many, now)
        events = [] if too_many is None else self._watch.distrust(too_many)
        # Each round either leaves the game as it is, which ends it, or brings it closer to what the board shows.
        while True:
            game = self._game
            events += self._understand(self._meaning_of(self._watch.sighting), now)
            if self._game is game or self.is_setting_up:
                return events

    def _look_at_set_up(self, now: float) -> list[Event]:
        events = self._watch.find_false_pawn(self._position_due)
        if not self._watch.sighting.shows(self._position_due):
            return events
        self._course.begin(now)
        self._be_quiet()
        return [*events, GameStarted(self._game.start.edition, self._game.start.to_move)]

    def _pawn_too_many(self) -> PawnTooMany | int | None:
        """When more pawns are seen than there are: the slot that must be wrong, or which two it may be."""
        asked = self.asked
        if isinstance(asked, PawnTooMany) and self._watch.shows_pawns_on(asked.left_slot, asked.false_slot):
            return answered_by_hands(asked, self._watch, self._meaning_of)
        may_ask = self._stage in (Stage.PLAYING, Stage.ASKING, Stage.DISAGREES)
        return wrong_slot(self._watch, self._meaning_of, may_ask=may_ask, swept=self._swept)

    def _meaning_of(self, sighting: Sighting) -> Meaning:
        return observe(self._game, sighting, self._watch.left_rows)

    def _wonder(self, too_many: PawnTooMany, now: float) -> list[Event]:
        self._meaning = too_many
        if self.asked != too_many:
            self.asked = None
        return self._ask(too_many, now)

    def _understand(self, meaning: Meaning, now: float) -> list[Event]:
        before, self._meaning = self._meaning, meaning
        if isinstance(self.asked, Ambiguous) and meaning != Quiet():
            if isinstance(meaning, Quiet):
                return []  # the pawn that it is about was lifted again: where it is put down now will tell
            options = self._fitting_options(self.asked)
            if options:
                return self._choose(options[0], now) if len(options) == 1 else []
        if meaning != self.asked:
            self.asked = None
        if self._stage is Stage.OVER and not isinstance(meaning, Quiet | TakenBack | Replayed):
            return self.next_game(now) if shows_the_next_set_up(self._game, self._watch.sighting) else []
        if self._stage is Stage.TAKING_BACK:
            return self._look_for_take_back(now)
        if self._swept and meaning != Quiet() and not isinstance(meaning, SetUpAgain):
            self._course.enter(Stage.DISAGREES, now)
            return []
        return self._follow(meaning, before, now)

    def _follow(self, meaning: Meaning, before: Meaning, now: float) -> list[Event]:
        """What comes of a meaning; what was so before is not told again."""
        match meaning:
            case Played() | TakenBack() | Replayed():
                return self._take(meaning, now)
            case Ambiguous() | SetUpAgain():
                return self._ask(meaning, now)
            case WronglyPlaced(misplaced):
                self._course.enter(Stage.PLAYING, now)
                refused = MoveRefused(misplaced.reason, (misplaced.origin, misplaced.row), misplaced.explanation)
                return [] if meaning == before else [refused]
            case Disagreement(swept):
                self._swept = swept
                self._course.enter(Stage.DISAGREES, now)
                return [] if meaning == before else [BoardDisagreed()]
            case Quiet(in_hand) | Unsettled(in_hand):
                return self._understand_hands(before, in_hand, now)
        raise AssertionError(f"{meaning} has no consequence")

    def _understand_hands(self, before: Meaning, in_hand: tuple[Missing, ...], now: float) -> list[Event]:
        self._course.go_on(now)
        if self._meaning != Quiet():
            return [PawnLifted(pawn.row, pawn.color) for pawn in lifted_since(before, in_hand)]
        self._be_quiet()
        return [] if before == Quiet() else [BoardQuiet()]

    def _be_quiet(self) -> None:
        self._swept = False
        self._meaning = Quiet()
        self._watch.remember_as_quiet()

    def _take(self, option: Option, now: float) -> list[Event]:
        if isinstance(option, TakenBack):
            self._swept = False
        return self._course.take(option, now)

    # Keys

    def done(self, now: float) -> list[Event]:
        """Yes to a question; what is to be taken back, never mind; else the end of the turn, or of the move."""
        if self._stage is Stage.ASKING:
            return self._answer(yes=True, now=now)
        if self._stage is Stage.TAKING_BACK:
            self._course.go_on(now)
            return self.look(now)
        state = self._game.state
        action = action_done(self._stage, self._meaning, state, self._watch.sighting)
        if action is None:
            return [KeyRefused(Button.DONE, why_not_done(self._stage, self._meaning, state))]
        return [*self._take(Played((action,)), now), *self.look(now)]

    def back(self, now: float) -> list[Event]:
        """No to a question; else one more action is to be taken back."""
        if self._stage is Stage.ASKING:
            return self._answer(yes=False, now=now)
        if self._stage is Stage.SETTING_UP:
            return [KeyRefused(Button.BACK, "the game has not begun")]
        asked = self._take_back_count if self._stage is Stage.TAKING_BACK else 0
        if asked >= len(self._game.actions):
            return [KeyRefused(Button.BACK, "there is no action left to take back")]
        self._course.enter(Stage.TAKING_BACK, now)
        with_implied = self._sheet.with_implied_decline(asked + 1)
        self._take_back_count = self._partner.to_persons_turn(self._game, asked + 1, with_implied)
        return [TakeBackAsked(self._take_back_count), *self._look_for_take_back(now)]

    def _look_for_take_back(self, now: float) -> list[Event]:
        """Until all that was asked for is moved back; or until it is plain that it was not meant."""
        if self._watch.sighting.shows(self._position_due):
            return [*self._take(TakenBack(self._take_back_count), now), *self.look(now)]
        instead = done_instead(self._take_back_count, self._meaning, self._watch.sighting)
        return [] if instead is None else self._take(instead, now)

    # Questions

    def _ask(self, meaning: Doubtful, now: float) -> list[Event]:
        if self.asked is not None:
            return []
        if isinstance(meaning, Ambiguous):
            if (chosen := self._partner.chosen(self._game.state)) and Played((chosen,)) in meaning.options:
                return self._choose(Played((chosen,)), now)  # the light has asked for it
            options = self._fitting_options(meaning)
            if len(options) == 1:
                return self._choose(options[0], now)
        self.asked = meaning
        self._course.enter(Stage.ASKING, now)
        offered: list[Event] = [NewGameOffered()] if isinstance(meaning, SetUpAgain) else []
        return [*offered, QuestionAsked(question(meaning).text)]

    def _answer(self, *, yes: bool, now: float) -> list[Event]:
        if isinstance(self.asked, Ambiguous):
            options = self.asked.options[:1] if yes else self.asked.options[1:]
            if len(options) == 1:
                return [*self._choose(options[0], now), *self.look(now)]
            self.asked = Ambiguous(options)
            return [QuestionAsked(question(self.asked).text)]
        asked, self.asked = self.asked, None
        if isinstance(asked, PawnTooMany):
            return [*self._watch.distrust(asked.left_slot if yes else asked.false_slot), *self.look(now)]
        if yes:
            return self.next_game(now)
        return [*self._take(TakenBack(len(self._game.actions)), now), *self.look(now)]

    def _fitting_options(self, asked: Ambiguous) -> list[Option]:
        return fitting_options(self._game, asked, self._watch.sighting, self._watch.left_rows)

    def _choose(self, option: Option, now: float) -> list[Event]:
        self.asked = None
        return self._take(option, now)
