"""A machine whose disk is a folder: enough of one to install on. Its commands are stand-ins, or systemd's own."""

from __future__ import annotations

import os
import shutil
import venv
from collections.abc import Sequence
from pathlib import Path

from firmware.config import Settings
from firmware.install import Source
from firmware.install_steps import PACKAGES, CannotInstall, Machine, run_command

GROUPS = ("root", "dialout", "gpio", "spi")
HAS_COMMANDS = os.name == "posix" and all(map(shutil.which, ("systemctl", "systemd-sysusers", "userdel")))
CAN_RUN_COMMANDS = HAS_COMMANDS and os.geteuid() == 0


class StandInCommands:
    """What the commands do to the disk, as far as an installation sees it; and those that only a running one obeys."""

    def __init__(self, root: Path) -> None:
        self.ran: list[str] = []
        self.failing = ""
        self._root = root

    def __call__(self, words: Sequence[str]) -> None:
        self.ran.append(" ".join(words))
        if self.failing and self.failing in words:
            raise CannotInstall(f"{self.failing} failed")
        known = [word for word in words if not word.startswith("-")]
        match known:
            case ["systemctl", "enable", *units]:
                for name in units:
                    self._wants(name).unlink(missing_ok=True)
                    self._wants(name).symlink_to(f"/etc/systemd/system/{name}")
            case ["systemctl", "disable", *units]:
                for name in units:
                    self._wants(name).unlink()
            case ["systemd-sysusers", line]:
                passwd = self._root / "etc/passwd"
                passwd.write_text(f"{passwd.read_text()}{line.split()[1]}:x:990:990::/:/usr/sbin/nologin\n")
            case ["userdel", *_, name]:
                passwd = self._root / "etc/passwd"
                lines = passwd.read_text().splitlines(keepends=True)
                passwd.write_text("".join(line for line in lines if not line.startswith(f"{name}:")))

    def _wants(self, name: str) -> Path:
        return self._root / "etc/systemd/system/multi-user.target.wants" / name


def make_root(root: Path) -> Path:
    for folder in ("etc/systemd/system", "run/systemd/system", "usr/local/bin", "opt", "var/lib"):
        (root / folder).mkdir(parents=True)
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    (root / "etc/group").write_text("".join(f"{name}:x:{number}:\n" for number, name in enumerate(GROUPS)))
    return root


def make_source(folder: Path, settings: Settings, calibration: str | None = None) -> Source:
    """A program that does nothing, in an environment that has nothing in it."""
    project, environment = folder / "project", folder / "environment"
    if not project.exists():
        for name in PACKAGES:
            (project / name).mkdir(parents=True)
            (project / name / "__init__.py").write_text("")
        venv.create(environment, symlinks=True)
    return Source(project, environment, Path("/usr"), settings, calibration)


def with_stand_ins(root: Path, *, is_running: bool = False) -> Machine:
    return Machine(make_root(root), StandInCommands(root), is_running)


def with_real_commands(root: Path) -> Machine:
    return Machine(make_root(root), run_command, is_running=False)


def disk(root: Path) -> dict[str, tuple[int, str]]:
    """Everything on the disk: what may be done with it, and what it holds."""
    return {str(path.relative_to(root)): _held(path) for path in sorted(root.rglob("*"))}


def _held(path: Path) -> tuple[int, str]:
    if path.is_symlink():
        return 0, os.readlink(path)
    return path.stat().st_mode, "" if path.is_dir() else path.read_bytes().decode("latin-1")
