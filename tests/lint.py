"""Reads the code without running it: ruff, its formatter and mypy, side by side. `./run lint`"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKS = ("ruff check", "ruff format --check", "mypy")


class Lint:
    """The checks under way, from the moment it is made until `wait` gives their result."""

    def __init__(self) -> None:
        self._checks = {
            check: subprocess.Popen(
                [sys.executable, "-m", *check.split()],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for check in CHECKS
        }

    def wait(self) -> tuple[bool, str]:
        """Whether all is well, and what to tell: a line for a check that passed, everything for one that did not."""
        outputs = {check: process.communicate()[0].rstrip() for check, process in self._checks.items()}
        passed = {check: process.returncode == 0 for check, process in self._checks.items()}
        lines = [f"{check}: passed" if passed[check] else f"{check}: FAILED\n{outputs[check]}" for check in CHECKS]
        return all(passed.values()), "\n".join(lines)


def main() -> int:
    well, report = Lint().wait()
    print(report)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
