"""The editions: what differs between the three booklets, as data. No rule asks for an edition by name."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import BadEdition, BadText


@dataclass(frozen=True, slots=True)
class Edition:
    """One reading of the rules. As text, its name, with `+aggressive` when the option is on."""

    name: str
    row_points: tuple[int, ...]
    """What a pawn is worth by its row, counted from its goal."""
    goal_follow_up: int
    """The distance earned by opening into the goal; 0: no follow-up."""
    follow_up_optional: bool
    again_on_empty: bool
    """Whether a follow-up that stops in an empty inner row earns another full turn."""
    bonus: bool
    """Whether reaching the goal by the exact distance earns a bonus."""
    ends_at_once: bool
    """Whether the game ends in the moment the colours pass, or with the turn in which they do."""
    aggressive: bool = False
    """Whether a bonus may move a pawn of the opponent instead."""

    def __post_init__(self) -> None:
        if self.aggressive and not self.bonus:
            raise BadEdition(f"the edition {self.name} has no bonus, so it has no aggressive option")

    def __str__(self) -> str:
        return f"{self.name}+aggressive" if self.aggressive else self.name

    @classmethod
    def parse(cls, text: str) -> Edition:
        name, plus, option = text.partition("+")
        if name not in EDITIONS:
            raise BadEdition(f"the editions are {', '.join(EDITIONS)}; there is no {name!r}")
        if plus and option != "aggressive":
            raise BadText(f"the only option of an edition is aggressive, not {option!r}")
        return EDITIONS[name].with_option(aggressive=bool(plus))

    def with_option(self, *, aggressive: bool) -> Edition:
        return replace(self, aggressive=aggressive)


EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        Edition(
            name="classic",
            row_points=(5, 3, 2, 1, 0, 0, 0, 0),
            goal_follow_up=1,
            follow_up_optional=False,
            again_on_empty=True,
            bonus=False,
            ends_at_once=True,
        ),
        Edition(
            name="bonus",
            row_points=(5, 3, 2, 1, -1, -2, -3, -5),
            goal_follow_up=0,
            follow_up_optional=False,
            again_on_empty=False,
            bonus=True,
            ends_at_once=False,
        ),
        Edition(
            name="zen",
            row_points=(5, 3, 2, 1, -1, -1, -1, -1),
            goal_follow_up=0,
            follow_up_optional=True,
            again_on_empty=False,
            bonus=True,
            ends_at_once=False,
        ),
    )
}

DEFAULT_EDITION = EDITIONS["zen"]

RULE_SETS: tuple[Edition, ...] = tuple(
    edition.with_option(aggressive=aggressive)
    for edition in EDITIONS.values()
    for aggressive in ((False, True) if edition.bonus else (False,))
)
"""Every edition with every option: all the games there are."""
