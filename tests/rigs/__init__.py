"""The rigs that the contract tests run over. To add one: a module with a class that is a `Rig`, and a line here."""

from tests.rigs.gpio import GpioRig
from tests.rigs.pico import PicoRig
from tests.rigs.rig import Rig, RigKind
from tests.rigs.simulated import SimulatedRig
from tests.rigs.virtual import VirtualRig

RIGS: tuple[RigKind, ...] = (
    RigKind("gpio", GpioRig),
    RigKind("simulated", SimulatedRig),
    RigKind("serial-with-virtual-scanner", VirtualRig),
    RigKind("serial-with-firmware", PicoRig),
)

__all__ = ["RIGS", "Rig", "RigKind"]
