"""How a tournament stands: the games of each two players in each edition, added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine import Color, Edition
from simulator.tournament.games import Result
from simulator.tournament.players import Entrant


@dataclass(slots=True)
class Tally:
    """The games of two players in one edition, as the one sees them."""

    edition: Edition
    one: Entrant
    other: Entrant
    won: int = 0
    drawn: int = 0
    lost: int = 0
    margin: int = 0
    """Of all games together."""
    turns: int = 0

    def add(self, result: Result) -> None:
        mine = Color.RED if result.pairing.red == self.one else Color.BLACK
        self.won += result.winner is mine
        self.lost += result.winner is mine.opponent
        self.drawn += result.winner is None
        self.margin += result.margin if mine is Color.RED else -result.margin
        self.turns += result.turns

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """The share of the games won; a draw counts half."""
        return (self.won + self.drawn / 2) / self.games

    def as_json(self) -> dict[str, Any]:
        return {
            "edition": str(self.edition),
            "players": [self.one.name, self.other.name],
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "score": round(self.score, 4),
            "mean_margin": round(self.margin / self.games, 2),
            "mean_turns": round(self.turns / self.games, 1),
        }


class Standing:
    """All tallies, in the order in which their pairs are drawn up."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[Edition, frozenset[Entrant]], Tally] = {}

    def expect(self, edition: Edition, one: Entrant, other: Entrant) -> None:
        self._tallies.setdefault((edition, frozenset((one, other))), Tally(edition, one, other))

    def add(self, result: Result) -> None:
        pairing = result.pairing
        self._tallies[pairing.edition, frozenset((pairing.red, pairing.black))].add(result)

    @property
    def tallies(self) -> list[Tally]:
        """Those of which a game has been played."""
        return [tally for tally in self._tallies.values() if tally.games]


def table(tallies: Iterable[Tally]) -> Iterator[str]:
    yield (
        f"{'edition':16}  {'player':12}  {'opponent':12}  {'won':>4}  {'drawn':>5}  {'lost':>4}"
        f"  {'score':>7}  {'margin':>6}  {'turns':>5}"
    )
    for each in tallies:
        yield (
            f"{each.edition!s:16}  {each.one.name:12}  {each.other.name:12}"
            f"  {each.won:4}  {each.drawn:5}  {each.lost:4}"
            f"  {100 * each.score:5.1f} %  {each.margin / each.games:+6.1f}  {each.turns / each.games:5.1f}"
        )
    yield "The score counts a draw as half a game won; margin and turns are means of a game."
