"""A real Chromium for the tests of the page, found on the system, and pages that must not complain.

Where there is none the tests are skipped, unless `LINJA_REQUIRE_BROWSER=1` says that they must run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

from tests import chromium

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 375, "height": 667}
LANDSCAPE_PHONE = {"width": 844, "height": 390}
TABLET = {"width": 820, "height": 1180}
DESKTOP = {"width": 1280, "height": 800}
TOURED = "localStorage.linja ??= '{\"toured\": true}'"


def missing(what: str) -> NoReturn:
    """Skip the test, or fail it where it must run."""
    if os.environ.get("LINJA_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{what}, and LINJA_REQUIRE_BROWSER=1 requires it")
    pytest.skip(what)


@contextmanager
def launched() -> Iterator[Browser]:
    """A Chromium that runs for as long as it is needed."""
    path = chromium.find()
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        except Error:
            missing("there is no Chromium on this system: the tests of the page are skipped")
        yield browser
        browser.close()


class Addressed(Protocol):
    """Whatever a page can be opened on."""

    @property
    def address(self) -> str: ...


@dataclass
class OpenPage:
    """Opens pages; whatever one of them complains of in its console is kept."""

    browser: Browser
    complaints: list[str] = field(default_factory=list)

    def __call__(self, served: Addressed, *, toured: bool = True, **options: Any) -> Page:
        defaults = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", "color_scheme": "dark"}
        context = self.browser.new_context(**{**defaults, **options})
        context.set_default_timeout(10_000)
        if toured:
            context.add_init_script(TOURED)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.goto(served.address)
        page.wait_for_selector("html[data-lit]")
        return page

    def forgive(self, words: str) -> None:
        """Complaints with these words were to be expected."""
        self.complaints = [complaint for complaint in self.complaints if words not in complaint]

    def close(self) -> None:
        for context in self.browser.contexts:
            context.close()
        assert self.complaints == []
