"""How random tests are run, and what the tests of the page share.

Findings of random tests do not depend on how fast or busy the machine is. A browser is started at most once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("board", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("board")

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser import OpenPage
    from tests.serving import Served


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from tests.browser import launched  # only the tests of the page pay for it

    with launched() as browser:
        yield browser


@pytest.fixture
def served() -> Iterator[Served]:
    """A stand-in for the service, with its web server."""
    from tests.serving import Served

    with Served() as served:
        yield served


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Opens pages. None of them may complain in its console."""
    from tests.browser import OpenPage

    opener = OpenPage(chromium)
    yield opener
    opener.close()
