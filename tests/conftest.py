"""How random tests are run, and what the tests of the page share.

Findings of random tests do not depend on how fast or busy the machine is. A browser is started once for a file.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("board", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("board")

# A shell lets what it starts in the background ignore ^C, and every program that a test starts would too.
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["BLINKA_OS_AGNOSTIC"] = "1"  # Blinka reads it once, whichever test imports it first

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser import OpenPage
    from tests.serving import Serve, Served


@pytest.fixture(autouse=True)
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes into the journal of whoever runs it, and none finds a game that another left."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """For one file of tests: while Playwright runs, no test that runs a loop of its own could."""
    from tests.browser import launched  # only the tests of the page pay for it

    with launched() as browser:
        yield browser


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves stand-ins for the service, each with a web server of its own."""
    from tests.serving import Served

    with ExitStack() as running:
        yield lambda host=None, guard=None: running.enter_context(Served(host, guard))


@pytest.fixture
def served(serve: Serve) -> Served:
    """One stand-in, its pawns set up."""
    return serve()


@pytest.fixture
def open_page(chromium: Browser, serve: Serve) -> Iterator[OpenPage]:
    """Opens pages, and closes them before whatever serves them. None of them may complain in its console."""
    from tests.browser import OpenPage

    opener = OpenPage(chromium)
    yield opener
    opener.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line each why tests were skipped."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in sorted({report.longrepr[2].removeprefix("Skipped: ") for report in skipped}):
        terminalreporter.write_line(reason)
