"""The catalogues of the page: every language says everything, and nothing is said that is in none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from engine import EDITIONS, Ending, Reason
from firmware.web.files import FOLDER
from simulator.page_hands import SimulatedHands

Saying = str | dict[str, str]

COUNTED = {"en": {"one", "other"}, "ro": {"one", "few", "other"}}
"""How a language counts, where it is not like English."""
NUMBERS = {"zero", "one", "two", "few", "many", "other"}


def catalogue(language: str) -> dict[str, Saying]:
    sections = json.loads((FOLDER / "words" / f"{language}.json").read_text("utf-8"))
    return {f"{section}.{name}": saying for section, names in sections.items() for name, saying in names.items()}


LANGUAGES = ["de", "en", "es", "fr", "it", "pt", "ro"]
ENGLISH = catalogue("en")


def texts(saying: Saying) -> list[str]:
    return [saying] if isinstance(saying, str) else list(saying.values())


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def scripts() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(FOLDER.rglob("*.js")))


def test_there_is_a_catalogue_for_every_language_of_the_page_and_no_other() -> None:
    offered = re.search(r"LANGUAGES = (\[.*\])", scripts())
    assert offered is not None
    assert sorted(json.loads(offered[1])) == LANGUAGES
    assert sorted(path.stem for path in (FOLDER / "words").iterdir()) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_says_all_that_the_english_one_does_in_the_same_order(language: str) -> None:
    assert list(catalogue(language)) == list(ENGLISH)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_leaves_nothing_empty(language: str) -> None:
    assert [key for key, saying in catalogue(language).items() if not all(text.strip() for text in texts(saying))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_saying_fills_in_what_the_english_one_does(language: str) -> None:
    for key, saying in catalogue(language).items():
        known = set().union(*map(places, texts(ENGLISH[key])))
        for text in texts(saying):
            # One of a thing need not be named by its number.
            assert places(text) | {"n"} == known | {"n"}, f"{key}: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_is_complete_as_the_language_counts(language: str) -> None:
    for key, saying in catalogue(language).items():
        english = ENGLISH[key]
        assert isinstance(saying, dict) is isinstance(english, dict), key
        if isinstance(saying, dict) and isinstance(english, dict):
            counts = set(english) <= NUMBERS
            assert set(saying) == (COUNTED.get(language, COUNTED["en"]) if counts else set(english)), key


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_a_catalogue_is_translated(language: str) -> None:
    long = {key for key, saying in ENGLISH.items() if min(map(len, texts(saying))) > 12}
    assert {key for key in long if catalogue(language)[key] == ENGLISH[key]} == set()


def asked_for() -> Iterator[str]:
    """Every saying that a script or the page names, and for a name that is put together its section."""
    for page in FOLDER.glob("*.html"):
        yield from re.findall(r'data-(?:say|label)="([\w.-]+)"', page.read_text("utf-8"))
    code = scripts()
    yield from re.findall(r'"([a-z-]+\.[a-z-]+(?:\.[a-z]+)?)"', code)
    yield from (f"{section}." for section in re.findall(r"`([a-z-]+)\.\$\{", code))


def test_every_saying_that_the_page_names_exists() -> None:
    sections = {key.partition(".")[0] for key in ENGLISH}
    named = {key for key in asked_for() if key.partition(".")[0] in sections}
    missing = {key for key in named if not any(known == key or known.startswith(key) for known in ENGLISH)}
    assert missing == set()


def test_nothing_is_in_the_catalogues_that_the_page_never_says() -> None:
    named = set(asked_for())
    assert [key for key in ENGLISH if key not in named and f"{key.partition('.')[0]}." not in named] == []


@pytest.mark.parametrize(
    ("section", "names"),
    [
        ("reason", [reason.value for reason in Reason]),
        ("result", [ending.value for ending in Ending]),
        ("edition", list(EDITIONS)),
        ("fault", [kind.name for kind in SimulatedHands.fault_kinds]),
        ("expect", ["setting-up", "disagrees", "taking-back", "opening", "follow-up", "bonus"]),
        ("question", ["bonus", "opened", "turn", "instead", "taken-back", "new-game"]),
    ],
)
def test_whatever_the_service_can_name_has_words(section: str, names: list[str]) -> None:
    assert [name for name in names if f"{section}.{name}" not in ENGLISH] == []
