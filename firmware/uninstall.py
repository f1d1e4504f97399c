"""`linja install --uninstall`: all that an installation made goes, and what people made since stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firmware import unit
from firmware.install import CALIBRATION, COMMAND, NOTE, SPI_BUFFER, STARTED, UNITS, read_note
from firmware.install_steps import Machine, ServiceUser, StartedUnits, digest_of, read_text, remove_tree

GAMES = "/var/lib/linja"
_MARKED = (*(f"{UNITS}/{name}" for name in (unit.SERVICE, unit.POWER_OFF, unit.POWER_OFF_WATCH)), COMMAND, SPI_BUFFER)


@dataclass(frozen=True, slots=True)
class Removal:
    what: str
    do: Callable[[], object]


def removals(machine: Machine) -> list[Removal]:
    """What there is to be removed, in this order. The program comes last: it may be the one that runs."""
    return [*_units(machine), *_files(machine), *_user(machine), *_program(machine)]


def kept(machine: Machine) -> list[str]:
    """What stays, because people made it."""
    note = read_note(machine)
    changed = [path for path in note.written if machine.at(path).exists() and not _is_as_written(machine, path)]
    return [*changed, *([GAMES] if _has_more_than_we_wrote(machine) else [])]


def _units(machine: Machine) -> Iterator[Removal]:
    units = StartedUnits(STARTED)
    if enabled := units.enabled(machine):
        yield Removal(f"stop {' and '.join(enabled)}, for good", lambda: units.disable(machine, enabled))


def _files(machine: Machine) -> Iterator[Removal]:
    marked = [path for path in _MARKED if unit.MARK in (read_text(machine.at(path)) or "")]
    unchanged = [path for path in (unit.SETTINGS, CALIBRATION) if _is_as_written(machine, path)]
    for path in (*marked, *unchanged):
        yield Removal(f"remove {path}", machine.at(path).unlink)
    if marked and machine.is_running:
        yield Removal("let systemd forget them", lambda: machine.systemctl("daemon-reload"))


def _has_more_than_we_wrote(machine: Machine) -> bool:
    """Whether games are there, or an empty folder that is not ours; a calibration is named by itself."""
    folder, calibration = machine.at(GAMES), machine.at(CALIBRATION)
    if not folder.exists():
        return False
    return any(path != calibration for path in folder.iterdir()) or GAMES not in read_note(machine).folders


def _is_as_written(machine: Machine, path: str) -> bool:
    there = read_text(machine.at(path))
    return there is not None and digest_of(there) == read_note(machine).written.get(path)


def _user(machine: Machine) -> Iterator[Removal]:
    user = ServiceUser(unit.USER)
    if read_note(machine).user and user.is_there(machine):
        yield Removal(f"remove the system user {unit.USER}", lambda: user.remove(machine))


def _program(machine: Machine) -> Iterator[Removal]:
    home = Path(unit.PROGRAM).parent
    if not machine.at(str(home)).exists():
        return
    folders = read_note(machine).folders

    def remove() -> None:
        for path in sorted(machine.at(str(home)).glob("program*")):
            remove_tree(path)
        machine.at(NOTE).unlink(missing_ok=True)
        for folder in sorted(folders, reverse=True):
            with suppress(OSError):  # something else is in it now
                machine.at(folder).rmdir()

    yield Removal(f"remove {home}", remove)
