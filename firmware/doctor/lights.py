"""The lights: what they may draw, and whether the chain runs as the settings say.

A chain cannot be asked how it is built, but a person can see it. So the doctor shows cards, one after the other, and
asks what is to be seen; the answers tell the order of colours, where the chain ends, and the strips' order and sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.doctor.finding import Finding, Grade, Part
from hardware.budget import Budget
from hardware.interface import Frame
from hardware.layout import ROWS, STRIPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from firmware.config import Settings
    from hardware.layout import Layout

NOTHING = "nothing"
WHITE, DIM = bytes((255, 255, 255)), bytes((0, 0, 60))
PURE = {"r": bytes((255, 0, 0)), "g": bytes((0, 255, 0)), "b": bytes((0, 0, 255))}


@dataclass(frozen=True, slots=True)
class Card:
    """A picture on the pixels, what is asked about it, and what is to be seen if all is well."""

    question: str
    frame: Frame
    expected: str
    choices: tuple[str, ...]


def cards(layout: Layout, chain: Sequence[str]) -> Iterator[Card]:
    """The colours of the first pixels, then every strip in the order of the chain."""
    yield _colour_card(layout)
    places = (*(f"{name} {end}" for name in STRIPS for end in _ends(name)), NOTHING)
    for name in chain:
        span = (*layout.row_pixels, *layout.score_pixels)[STRIPS.index(name)]
        if span:
            pixels = [bytes(3)] * layout.pixel_count
            pixels[span.start : span.stop] = [WHITE] + [DIM] * (len(span) - 1)
            question = "One strip is lit. Which, and at which end is its white pixel?"
            yield Card(question, Frame(b"".join(pixels)), f"{name} {_ends(name)[0]}", places)


def _ends(name: str) -> tuple[str, str]:
    return ("left", "right") if STRIPS.index(name) < ROWS else ("bottom", "top")


def _colour_card(layout: Layout) -> Card:
    pixels = [bytes(3)] * layout.pixel_count
    for place, colour in enumerate(PURE.values()):
        if place in layout.wire:
            pixels[layout.wire.index(place)] = colour
    orders = tuple(a + b + c for a in "rgb" for b in "rgb" for c in "rgb" if len({a, b, c}) == 3)
    question = "The first three pixels of the chain are lit. Which colours have they, in the chain's order?"
    return Card(question, Frame(b"".join(pixels)), "rgb", (*orders, NOTHING))


def check_budget(settings: Settings) -> Iterator[Finding]:
    """What the chain has and may draw."""
    layout, budget = settings.layout, Budget.of(settings.layout, settings.light)
    spare = layout.chain_pixels - layout.pixel_count
    text = (
        f"{layout.chain_pixels} pixels may draw {budget.pixels_ma:.0f} mA: a supply of {budget.supply_a:g} A, "
        f"a fuse of {budget.fuse_a:g} A, wires of {budget.main_mm2:g} mm²"
    )
    yield Finding(Part.LIGHTS, "current", Grade.OK, text)
    if spare:
        text = f"the chain has {spare} pixels more than its strips; they stay dark"
        yield Finding(Part.LIGHTS, "spare pixels", Grade.NOTE, text)


def check_cards(answers: Mapping[Card, str], settings: Settings) -> Iterator[Finding]:
    """What was seen, against what should have been."""
    shown = list(answers.items())
    (colours, seen), strips = shown[0], shown[1:]
    findings = [*_colours(colours, seen, settings.pixels.order), *_strips(strips)]
    yield from findings
    if not findings:
        yield Finding(Part.LIGHTS, "chain", Grade.OK, "every strip shines where it should, in the right colours")


def _colours(card: Card, seen: str, order: str) -> Iterator[Finding]:
    if seen == NOTHING:
        text, remedy = "the first pixels of the chain stay dark", "Check the data line, the level shifter and the 5 V"
        yield Finding(Part.LIGHTS, "dark", Grade.FAULT, text, remedy)
    elif seen != card.expected:
        # A byte that was meant for one colour was taken for the one that was seen in its place.
        taken = dict(zip(card.expected, seen, strict=True))
        true = "".join(taken[colour.lower()] for colour in order).upper()
        text = f"the pixels take colours in the order {true}, not {order}"
        yield Finding(Part.LIGHTS, "colour order", Grade.FAULT, text, f'Set order = "{true}" in [pixels]')


def _strips(strips: Sequence[tuple[Card, str]]) -> Iterator[Finding]:
    expected = [card.expected.rsplit(" ", 1)[0] for card, _ in strips]
    dark = [name for name, (_, seen) in zip(expected, strips, strict=True) if seen == NOTHING]
    if dark:
        text = f"the chain ends before {dark[0]}"
        remedy = f"Check the wire into {dark[0]} and its 5 V; the pixel before it may be broken"
        yield Finding(Part.LIGHTS, "chain ends", Grade.FAULT, text, remedy)
    seen = [answer.rsplit(" ", 1)[0] for _, answer in strips if answer != NOTHING]
    if seen != expected[: len(seen)]:
        text = f"the data line meets the strips in another order: {', '.join(seen)}"
        yield Finding(Part.LIGHTS, "chain order", Grade.FAULT, text, "Set chain in [board] to that order")
        return
    for name, (card, answer) in zip(expected, strips, strict=True):
        if answer not in (card.expected, NOTHING):
            text = f"{name} is entered at its other end"
            remedy = f'Add "{name}" to mirrored in [board], or take it out of there'
            yield Finding(Part.LIGHTS, "mirrored", Grade.FAULT, text, remedy)
