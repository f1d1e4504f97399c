"""The rules of Linja a second time, as a careful onlooker would check them: the oracle for the engine.

Twenty-four single pawns stand on a table. A movement is legal if the rules allow it, asked of every pawn and every
row; what has happened is kept as a list of turns. Nothing is packed or worked out beforehand, and nothing of the
engine is used, so that the two share no mistake but one in reading the rules.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

Move: TypeAlias = tuple[str, str, int | None, int | None]  # kind, colour of the pawn, origin, destination
Counts: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]  # red and black pawns in rows 0 to 7
Result: TypeAlias = tuple[str | None, int, int, str]  # winner, red points, black points, reason

ROWS = range(8)
START_LINES = (0, 7)
GOAL = {"red": 7, "black": 0}
OPPONENT = {"red": "black", "black": "red"}
POINTS_FROM_THE_GOAL = {
    "classic": (5, 3, 2, 1, 0, 0, 0, 0),
    "bonus": (5, 3, 2, 1, -1, -2, -3, -5),
    "zen": (5, 3, 2, 1, -1, -1, -1, -1),
}


@dataclass
class Pawn:
    colour: str
    row: int

    def is_home(self) -> bool:
        return self.row == GOAL[self.colour]

    def rows_forward_to(self, row: int) -> int:
        return row - self.row if self.colour == "red" else self.row - row


def standing(red: Sequence[int], black: Sequence[int]) -> list[Pawn]:
    """Pawns that stand as these counts for rows 0 to 7 say."""
    return [
        Pawn(colour, row)
        for colour, counts in (("red", red), ("black", black))
        for row in ROWS
        for _ in range(counts[row])
    ]


class NaiveGame:
    """One game as it stands, from the set-up or from other `pawns`; once it is over, `to_move` means nothing."""

    def __init__(
        self, edition: str, aggressive: bool = False, first: str = "red", *, pawns: Sequence[Pawn] | None = None
    ) -> None:
        if edition not in POINTS_FROM_THE_GOAL or first not in GOAL or (edition == "classic" and aggressive):
            raise ValueError(f"no such game: {edition}, aggressive {aggressive}, {first} first")
        self.edition = edition
        self.aggressive = aggressive
        self.pawns = list(standing((6, 1, 1, 1, 1, 1, 1, 0), (0, 1, 1, 1, 1, 1, 1, 6)) if pawns is None else pawns)
        self.distance: int | None = None  # of a follow-up
        self.turns: list[tuple[str, Counts]] = []  # who was to play, and how the pawns stood, as each turn started
        self.colours_passed = self.colours_stand_apart()  # latches
        self.reason: str | None = None
        self.start_turn(first)
        if self.colours_passed:
            self.end_game("passed")

    # What can be seen on the table

    def pawns_in(self, row: int) -> int:
        return sum(pawn.row == row for pawn in self.pawns)

    def has_room(self, row: int) -> bool:
        return row in START_LINES or self.pawns_in(row) < 6

    def colours_stand_apart(self) -> bool:
        rearmost_red = min(pawn.row for pawn in self.pawns if pawn.colour == "red")
        rearmost_black = max(pawn.row for pawn in self.pawns if pawn.colour == "black")
        return rearmost_red > rearmost_black

    def counts(self) -> Counts:
        red = [pawn.row for pawn in self.pawns if pawn.colour == "red"]
        black = [pawn.row for pawn in self.pawns if pawn.colour == "black"]
        return tuple(red.count(row) for row in ROWS), tuple(black.count(row) for row in ROWS)

    def points(self) -> tuple[int, int]:
        points = {"red": 0, "black": 0}
        for pawn in self.pawns:
            points[pawn.colour] += POINTS_FROM_THE_GOAL[self.edition][pawn.rows_forward_to(GOAL[pawn.colour])]
        return points["red"], points["black"]

    def result(self) -> Result | None:
        if self.reason is None:
            return None
        red, black = self.points()
        if self.reason == "repetition" or red == black:
            return None, red, black, self.reason
        return "red" if red > black else "black", red, black, self.reason

    # What is allowed

    def may_open(self, player: str, pawn: Pawn, row: int) -> bool:
        return pawn.colour == player and not pawn.is_home() and pawn.rows_forward_to(row) == 1 and self.has_room(row)

    def may_follow_up(self, pawn: Pawn, row: int) -> bool:
        assert self.distance is not None
        forward = pawn.rows_forward_to(row)
        stops_short_in_its_goal = row == GOAL[pawn.colour] and 0 < forward < self.distance
        covers_the_distance = forward == self.distance or stops_short_in_its_goal
        return pawn.colour == self.to_move and covers_the_distance and self.has_room(row)

    def may_take_bonus(self, pawn: Pawn, row: int) -> bool:
        is_own = pawn.colour == self.to_move
        may_be_touched = is_own or (self.aggressive and not pawn.is_home())
        return may_be_touched and abs(pawn.rows_forward_to(row)) == 1 and self.has_room(row)

    def may_move(self, pawn: Pawn, row: int) -> bool:
        if self.phase == "opening":
            return self.may_open(self.to_move, pawn, row)
        if self.phase == "follow-up":
            return self.may_follow_up(pawn, row)
        return self.phase == "bonus" and self.may_take_bonus(pawn, row)

    def may_decline(self) -> bool:
        if self.phase == "follow-up":
            return self.edition == "zen" or self.colours_passed
        return self.phase == "bonus"

    def can_open(self, player: str) -> bool:
        return any(self.may_open(player, pawn, row) for pawn in self.pawns for row in ROWS)

    def can_move(self) -> bool:
        return any(self.may_move(pawn, row) for pawn in self.pawns for row in ROWS)

    def moves(self) -> set[Move]:
        moves: set[Move] = {
            (self.phase, pawn.colour, pawn.row, row) for pawn in self.pawns for row in ROWS if self.may_move(pawn, row)
        }
        if self.may_decline():
            moves.add(("decline", self.to_move, None, None))
        return moves

    # What happens

    def after(self, move: Move) -> "NaiveGame":
        if move not in self.moves():
            raise ValueError(f"{move} is not legal here")
        later = copy.copy(self)
        later.pawns = [replace(pawn) for pawn in self.pawns]
        later.turns = list(self.turns)
        kind, colour, origin, destination = move
        if destination is None:
            later.end_turn()
        else:
            pawn = next(pawn for pawn in later.pawns if (pawn.colour, pawn.row) == (colour, origin))
            later.move_pawn(kind, pawn, destination)
        return later

    def move_pawn(self, kind: str, pawn: Pawn, destination: int) -> None:
        stood_there = self.pawns_in(destination)
        was_exact = pawn.rows_forward_to(destination) == self.distance
        pawn.row = destination
        self.colours_passed = self.colours_passed or self.colours_stand_apart()
        if self.edition == "classic" and self.colours_passed:
            self.end_game("passed")
        elif kind == "opening":
            self.go_on_from_opening(pawn, stood_there)
        elif kind == "follow-up":
            self.go_on_from_follow_up(pawn, stood_there, was_exact)
        else:
            self.end_turn()

    def go_on_from_opening(self, pawn: Pawn, stood_there: int) -> None:
        if pawn.is_home() and self.edition == "classic":
            self.enter("follow-up", 1)
        elif pawn.is_home():
            self.enter("bonus")
        elif stood_there == 0:
            self.end_turn()
        else:
            self.enter("follow-up", stood_there)

    def go_on_from_follow_up(self, pawn: Pawn, stood_there: int, was_exact: bool) -> None:
        stopped_in_an_empty_row = stood_there == 0 and not pawn.is_home()
        if self.edition == "classic" and stopped_in_an_empty_row and not self.is_second_turn():
            self.start_turn(self.to_move)
        elif self.edition != "classic" and pawn.is_home() and was_exact:
            self.enter("bonus")
        else:
            self.end_turn()

    def is_second_turn(self) -> bool:
        return [player for player, _ in self.turns[-2:]] == [self.to_move, self.to_move]

    def enter(self, phase: str, distance: int | None = None) -> None:
        self.phase = phase
        self.distance = distance
        if not self.can_move():
            self.end_turn()

    def end_turn(self) -> None:
        if self.colours_passed:
            self.end_game("passed")
        else:
            self.start_turn(OPPONENT[self.to_move])

    def start_turn(self, player: str) -> None:
        self.to_move = player
        self.phase = "opening"
        self.distance = None
        self.turns.append((player, self.counts()))
        if self.edition != "classic" and self.turns.count(self.turns[-1]) == 3:
            self.end_game("repetition")
        elif not self.can_open("red") and not self.can_open("black"):
            self.end_game("blocked")  # a pass leaves the pawns as they stand, so both would pass in a row
        elif not self.can_open(player):
            self.start_turn(OPPONENT[player])

    def end_game(self, reason: str) -> None:
        self.phase = "over"
        self.distance = None
        self.reason = reason


def naive_perft(game: NaiveGame, depth: int) -> int:
    """The number of sequences of exactly that many actions from here; a game that ends earlier gives none."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.moves())
    return sum(naive_perft(game.after(move), depth - 1) for move in game.moves())
