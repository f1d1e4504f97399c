"""The rigs that the contract tests run over. To add one: a module with a class that is a `Rig`, and a line here."""

from tests.rigs.gpio import GpioRig
from tests.rigs.pico import PicoRig
from tests.rigs.rig import Rig, RigKind

RIGS: tuple[RigKind, ...] = (
    RigKind("gpio", GpioRig),
    RigKind("serial-with-firmware", PicoRig),
)

__all__ = ["RIGS", "Rig", "RigKind"]
