"""What an installation consists of. Each step knows whether it is still to be done, does it, and takes it back.

Nothing here is ever half there: a file is written beside its place and moved into it, and so is the whole program.
"""

from __future__ import annotations

import compileall
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from firmware.unit import MARK

Run = Callable[[Sequence[str]], None]
TakeBack = Callable[[], object]
PACKAGES = ("engine", "hardware", "firmware", "simulator")
_DIGEST = "digest.txt"


class CannotInstall(Exception):
    """The installation cannot be made; the message says what is in its way."""


def run_command(words: Sequence[str]) -> None:
    """Run a command of the system."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CannotInstall(f"{words[0]} cannot be run: {error.strerror or error}") from error
    if done.returncode:
        complaint = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise CannotInstall(f"`{' '.join(words)}` failed: {complaint}")


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine to install on: this one, or one whose disk is a folder here and which does not run."""

    root: Path = Path("/")
    run: Run = run_command
    is_running: bool = True

    def at(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def systemctl(self, *words: str) -> None:
        self.run(["systemctl", *([] if self.is_running else [f"--root={self.root}"]), *words])


class Step(Protocol):
    """One thing that an installation puts on a machine."""

    def to_do(self, machine: Machine) -> str | None:
        """What is still to be done, for people; None when it is as it should be."""
        ...

    def do(self, machine: Machine) -> TakeBack:
        """Do it, and return how to bring back what was there before."""
        ...


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that belongs to the installation: it carries its mark."""

    path: str
    text: str
    mode: int = 0o644

    def to_do(self, machine: Machine) -> str | None:
        there = read_text(machine.at(self.path))
        if there is not None and MARK not in there:
            raise CannotInstall(f"{self.path} is there already and is not of the Linja board: move it away first")
        return None if there == self.text else f"write {self.path}"

    def do(self, machine: Machine) -> TakeBack:
        return write_whole(machine.at(self.path), self.text, self.mode)


@dataclass(frozen=True, slots=True)
class OwnersFile:
    """A file that belongs to whoever owns the board from the moment it is written."""

    path: str
    text: str

    def to_do(self, machine: Machine) -> str | None:
        return None if machine.at(self.path).exists() else f"write {self.path}"

    def do(self, machine: Machine) -> TakeBack:
        return write_whole(machine.at(self.path), self.text, 0o644)


@dataclass(frozen=True, slots=True)
class ServiceUser:
    """The user that the service runs as: it owns nothing else and cannot log in."""

    name: str

    def to_do(self, machine: Machine) -> str | None:
        return None if self.is_there(machine) else f"make the system user {self.name}"

    def do(self, machine: Machine) -> TakeBack:
        elsewhere = [] if machine.is_running else [f"--root={machine.root}"]
        line = f'u {self.name} - "Linja board" /var/lib/linja'
        machine.run(["systemd-sysusers", *elsewhere, "--inline", line])
        return lambda: self.remove(machine)

    def is_there(self, machine: Machine) -> bool:
        return self.name in names_in(machine.at("/etc/passwd"))

    def remove(self, machine: Machine) -> None:
        elsewhere = [] if machine.is_running else ["--prefix", str(machine.root)]
        machine.run(["userdel", *elsewhere, self.name])
        if self.name in names_in(machine.at("/etc/group")):  # some systems leave it behind
            machine.run(["groupdel", *elsewhere, self.name])


@dataclass(frozen=True, slots=True)
class StartedUnits:
    """The units that start with the machine, and now."""

    names: tuple[str, ...]
    anew: bool = False
    """Whether something under them has changed, so that they have to be started again."""

    def to_do(self, machine: Machine) -> str | None:
        if not self.anew and self.enabled(machine) == list(self.names):
            return None
        return f"start {' and '.join(self.names)}, now and whenever the machine starts"

    def do(self, machine: Machine) -> TakeBack:
        new = [name for name in self.names if name not in self.enabled(machine)]
        with ExitStack() as taking_back:
            machine.systemctl("enable", *self.names)
            taking_back.callback(self.disable, machine, new)
            if machine.is_running:
                machine.systemctl("daemon-reload")
                # Not waited for: what the board lacks is told in the log, and may need the machine to start anew.
                machine.systemctl("restart", "--no-block", *self.names)
            return taking_back.pop_all().close

    def disable(self, machine: Machine, names: Sequence[str]) -> None:
        if names:
            machine.systemctl("disable", *(["--now"] if machine.is_running else []), *names)

    def enabled(self, machine: Machine) -> list[str]:
        wanted = machine.at("/etc/systemd/system/multi-user.target.wants")
        return [name for name in self.names if (wanted / name).is_symlink()]


@dataclass(frozen=True, slots=True)
class Program:
    """The program and the environment it runs in, copied to where only root can write."""

    project: Path
    environment: Path
    path: str

    def to_do(self, machine: Machine) -> str | None:
        there = read_text(machine.at(self.path) / _DIGEST)
        return None if there == self._digest() else f"copy the program from {self.project} to {self.path}"

    def do(self, machine: Machine) -> TakeBack:
        target = machine.at(self.path)
        new, old = target.with_name("program.new"), target.with_name("program.old")
        for leftover in (new, old):
            remove_tree(leftover)
        try:
            self._copy(new)
        except (OSError, shutil.Error) as error:
            remove_tree(new)
            raise CannotInstall(f"the program cannot be copied to {self.path}: {error}") from error
        if target.exists():
            target.rename(old)
        new.rename(target)
        return lambda: self._bring_back(target, old)

    def clear(self, machine: Machine) -> None:
        """Let go of the version before this one."""
        remove_tree(machine.at(self.path).with_name("program.old"))

    def _copy(self, new: Path) -> None:
        new.mkdir(parents=True)
        for name in PACKAGES:
            shutil.copytree(self.project / name, new / name, ignore=shutil.ignore_patterns("__pycache__"))
            compileall.compile_dir(new / name, quiet=2)  # the service cannot write there
        shutil.copytree(self.environment, new / ".venv", symlinks=True)
        (packages,) = (new / ".venv").glob("lib/python3*/site-packages")
        (packages / "linja.pth").write_text(os.path.relpath(new, packages), encoding="utf-8")
        (new / _DIGEST).write_text(self._digest(), encoding="utf-8")
        for path in (new, *new.rglob("*")):
            if not path.is_symlink():
                # Readable by the service and writable by root alone, whatever they were where they came from.
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)

    def _bring_back(self, target: Path, old: Path) -> None:
        remove_tree(target)
        if old.exists():
            old.rename(target)

    def _digest(self) -> str:
        """Changes with anything that would be copied, except for what Python and a copy make by themselves."""
        result = hashlib.sha256()
        folders = {name: self.project / name for name in PACKAGES} | {".venv": self.environment}
        for name, folder in folders.items():
            for path in _files(folder):
                content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
                result.update(f"{name}/{path.relative_to(folder)} {len(content)}\n".encode() + content)
        return result.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if (
            "__pycache__" not in path.relative_to(folder).parts
            and path.name != "linja.pth"
            and (path.is_symlink() or path.is_file())
        ):
            yield path


def remove_tree(path: Path) -> None:
    if path.exists():
        shutil.rmtree(path)


def write_whole(path: Path, text: str, mode: int) -> TakeBack:
    """Write a file whole or not at all, and return how to bring back the one that was there."""
    before = read_text(path)
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(text, encoding="utf-8")
        new.chmod(mode)
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise CannotInstall(f"{path} cannot be written: {error.strerror or error}") from error
    return path.unlink if before is None else lambda: path.write_text(before, encoding="utf-8")


def read_text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CannotInstall(f"{path} cannot be read: {error.strerror or error}") from error


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def names_in(table: Path) -> set[str]:
    """The users of a passwd file or the groups of a group file."""
    return {line.partition(":")[0] for line in (read_text(table) or "").splitlines()}
