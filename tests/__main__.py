"""`./run test`: without arguments every test, with a browser for them, and beside them the checks of the code; with
arguments pytest alone, and with `--coverage` first the lines that no test reached.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import chromium
from tests.lint import ROOT, Lint

ON_EVERY_CORE = ["--numprocesses", "auto", "--maxprocesses", "4", "--dist", "loadfile"]
"""Each file of tests as a whole, for the sake of what its tests share."""


class LintSection:
    """Shows the result of the checks in pytest's closing summary, so that pytest's own last line stays the last."""

    def __init__(self) -> None:
        self._lint = Lint()
        self.well = False

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        self.well, report = self._lint.wait()
        terminalreporter.section("code")
        terminalreporter.line(report)


def located(argument: str) -> str:
    """A test file may be named from the working directory as well as from the checkout's root."""
    path = Path(argument.partition("::")[0])
    return argument if (ROOT / path).exists() or not path.exists() else str(Path.cwd() / argument)


def main(arguments: list[str]) -> int:
    arguments = [located(argument) for argument in arguments]
    os.chdir(ROOT)
    if "--coverage" in arguments:
        return measure([argument for argument in arguments if argument != "--coverage"])
    if arguments:
        return pytest.main(arguments)
    chromium.fetch_if_missing()
    section = LintSection()
    return pytest.main(ON_EVERY_CORE, plugins=[section]) or not section.well


def measure(arguments: list[str]) -> int:
    coverage = [sys.executable, "-m", "coverage"]
    result = subprocess.call([*coverage, "run", "-m", "pytest", *arguments])
    subprocess.call([*coverage, "report", "--show-missing", "--skip-covered"])
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
