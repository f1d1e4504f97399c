"""The rigs that the contract tests run over. To add one: a module with a class that is a `Rig`, and a line here."""

from tests.rigs.rig import Rig, RigKind

RIGS: tuple[RigKind, ...] = ()

__all__ = ["RIGS", "Rig", "RigKind"]
