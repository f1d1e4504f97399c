"""Levels: weaker players err as people do, and never by more than their level allows."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine import BadInput, Color, Kind
from engine.action import Action
from engine.levels import LEVELS, Level, choose, has_seen_enough, level
from engine.search import Judged, Thought

EACH_LEVEL = pytest.mark.parametrize("each", LEVELS, ids=str)


def thought(*margins: float, depth: int = 1, is_settled: bool = False) -> Thought:
    action = Action(Kind.DECLINE, Color.RED)
    return Thought(tuple(Judged(action, margin, (action,)) for margin in margins), depth, 0, False, is_settled)


@EACH_LEVEL
def test_no_mistake_costs_more_than_the_level_allows(each: Level) -> None:
    known = thought(*(-0.5 * step for step in range(30)))
    rng = random.Random(each.number)
    losses = {known.loss(choose(known, each, rng)) for _ in range(2_000)}
    assert max(losses) <= each.most_loss


@EACH_LEVEL
def test_a_smaller_mistake_is_the_likelier_one(each: Level) -> None:
    known = thought(0, -each.most_loss / 3, -each.most_loss * 0.99)
    rng = random.Random(each.number)
    margins = Counter(choose(known, each, rng).margin for _ in range(5_000))
    assert [margin for margin, _ in margins.most_common()] == sorted(margins, reverse=True)


def test_full_strength_takes_the_best() -> None:
    known = thought(2, 2, 1)
    assert {choose(known, LEVELS[-1], random.Random(seed)) for seed in range(50)} == {known.best}


def test_a_level_looks_as_far_as_it_does_or_until_nothing_is_open() -> None:
    shallow = LEVELS[2]
    assert shallow.depth is not None
    assert not has_seen_enough(thought(0, depth=shallow.depth - 1), shallow)
    assert has_seen_enough(thought(0, depth=shallow.depth), shallow)
    assert not has_seen_enough(thought(0, depth=50), LEVELS[-1])
    assert has_seen_enough(thought(0, is_settled=True), LEVELS[-1])


@pytest.mark.parametrize("number", [0, 6, -1])
def test_a_level_that_does_not_exist_is_named(number: int) -> None:
    with pytest.raises(BadInput, match=f"there is no level {number}"):
        level(number)
