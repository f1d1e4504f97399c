"""The rigs that the contract tests run over. To add one: a module with a class that is a `Rig`, and a line here."""

import pytest

from tests.rigs.gpio import GpioRig
from tests.rigs.pico import PicoRig
from tests.rigs.real_board import RealBoardRig
from tests.rigs.rig import Rig, RigKind
from tests.rigs.simulated import SimulatedRig
from tests.rigs.virtual import VirtualRig

RIGS: tuple[RigKind, ...] = (
    RigKind("simulated", SimulatedRig),
    RigKind("serial-with-virtual-scanner", VirtualRig),
    RigKind("serial-with-firmware", PicoRig),
    RigKind("gpio", GpioRig),
    RigKind("real-board", RealBoardRig, lacks=frozenset({"silence"}), marks=(pytest.mark.hardware,)),
)

__all__ = ["RIGS", "Rig", "RigKind"]
