"""Every scenario of tests/scenarios holds on the simulated board; a file is named by what must hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.scenario import Scenario
from simulator.stage import perform

SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*.txt"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    failure = perform(Scenario.read(path))
    assert failure is None, f"{path.name}, {failure}"
