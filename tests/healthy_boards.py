"""The doctor on sound boards of random spread in magnets, sensors and noise: nothing may be said of any of them.

The whole of it, which takes minutes: `python -m tests.healthy_boards 1000`; the tests take a few.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from firmware.doctor.finding import Finding, Grade, Part
from firmware.doctor.visit import Visit
from firmware.progress import Bar
from simulator.patient import SimulatedPatient

OF_THE_BOARD = (Part.LINK, Part.SENSORS, Part.LIGHTS, Part.PANEL)


def false_alarms(seeds: Iterable[int]) -> Iterator[tuple[int, list[Finding]]]:
    """Each seed with what the doctor should not have said."""
    for seed in seeds:
        findings = Visit(SimulatedPatient.healthy(seed)).findings()
        yield seed, [each for each in findings if each.part in OF_THE_BOARD and each.grade is not Grade.OK]


def main(count: int) -> int:
    alarms = 0
    with Bar() as bar:
        for seed, findings in false_alarms(range(count)):
            bar.show((seed + 1) / count, f"{seed + 1} boards")
            for finding in findings:
                alarms += 1
                print(f"board {seed}: {finding.line}", flush=True)
    print(f"{count} healthy boards, {alarms} false alarms")
    return min(alarms, 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
