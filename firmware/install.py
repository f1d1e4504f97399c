"""`linja install`: puts the board on a Raspberry Pi as a service, says so before, and takes all of it away again.

What is there already is left as it is, so installing twice changes nothing. When something fails on the way, what was
done is taken back. A note beside the program says what was made, so that what was there before stays for ever.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec

from firmware import settings_file, unit
from firmware.config import Settings
from firmware.install_steps import (
    CannotInstall,
    Machine,
    OwnersFile,
    Program,
    ServiceUser,
    StartedUnits,
    Step,
    TextFile,
    digest_of,
    names_in,
    read_text,
    write_whole,
)

NOTE = str(Path(unit.PROGRAM).with_name("installed.json"))
CALIBRATION = "/var/lib/linja/calibration.toml"
"""Where the service may write: it can be calibrated from the page."""
COMMAND = "/usr/local/bin/linja"
UNITS = "/etc/systemd/system"
WANTS = f"{UNITS}/multi-user.target.wants"
STARTED = (unit.SERVICE, unit.POWER_OFF_WATCH)
SPI_BUFFER = "/etc/modprobe.d/linja.conf"
_HIDDEN_FROM_SERVICES = ("/home", "/root", "/run/user")

COMMAND_TEXT = f"""\
#!/bin/sh
{unit.MARK}
export STATE_DIRECTORY="${{STATE_DIRECTORY:-/var/lib/linja}}" XDG_CONFIG_HOME="${{XDG_CONFIG_HOME:-/etc}}"
exec {unit.PROGRAM}/.venv/bin/python -I -m simulator "$@"
"""
SPI_BUFFER_TEXT = f"""\
{unit.MARK}
# A frame must leave in one piece: a pause is the end of it for the pixels.
options spidev bufsiz=32768
"""


class Note(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What installations made on this machine."""

    folders: tuple[str, ...] = ()
    user: bool = False
    written: dict[str, str] = {}
    """The digests of the owner's files as they were written, by path."""


@dataclass(frozen=True, slots=True)
class Source:
    """What is installed, and how it is set."""

    project: Path
    environment: Path
    python: Path
    """The Python that the environment stands on."""
    settings: Settings
    calibration: str | None
    """What the scanner's sensors read, as a file; None where nobody has measured."""

    @classmethod
    def here(cls, settings: Settings, folder: Path) -> Source:
        """The program that is running. `folder` is where the settings came from."""
        if sys.prefix == sys.base_prefix:
            raise CannotInstall(
                "the program runs in no environment of its own that could be installed: use ./run install"
            )
        calibration = read_text(folder / Path(settings.sensors.calibration).expanduser())
        project, python = Path(__file__).resolve().parent.parent, Path(sys.base_prefix).resolve()
        return cls(project, Path(sys.prefix), python, settings, calibration)


class Installation:
    """All steps, in the order in which they are done."""

    def __init__(self, machine: Machine, source: Source) -> None:
        _check(machine, source)
        self._machine = machine
        self._program = Program(source.project, source.environment, unit.PROGRAM)
        steps: list[Step] = [
            self._program,
            *_owners_files(source),
            *([TextFile(SPI_BUFFER, SPI_BUFFER_TEXT)] if source.settings.pixels.kind == "spi" else []),
            TextFile(COMMAND, COMMAND_TEXT, 0o755),
            ServiceUser(unit.USER),
            TextFile(f"{UNITS}/{unit.SERVICE}", unit.service(source.settings)),
            TextFile(f"{UNITS}/{unit.POWER_OFF}", unit.power_off()),
            TextFile(f"{UNITS}/{unit.POWER_OFF_WATCH}", unit.power_off_watch()),
        ]
        changed = any(step.to_do(machine) for step in steps)
        steps.append(StartedUnits(STARTED, anew=changed))
        self._pending = [(step, what) for step in steps if (what := step.to_do(machine))]

    @property
    def to_do(self) -> list[str]:
        """What is still to be done, for people."""
        return [what for _, what in self._pending]

    def make(self) -> None:
        """Do it all, or nothing."""
        folders = self._missing_folders()
        with ExitStack() as taking_back:
            for folder in folders:
                self._machine.at(folder).mkdir(mode=0o755)
                taking_back.callback(self._machine.at(folder).rmdir)
            taking_back.callback(write_whole(self._machine.at(NOTE), self._new_note(folders), 0o644))
            for step, _ in self._pending:
                taking_back.callback(step.do(self._machine))
            taking_back.pop_all()
        self._program.clear(self._machine)

    def _missing_folders(self) -> list[str]:
        files = [NOTE, *(step.path for step, _ in self._pending if isinstance(step, TextFile | OwnersFile))]
        wanted = {str(folder) for path in files for folder in Path(path).parents} | {WANTS}
        return sorted(folder for folder in wanted if not self._machine.at(folder).exists())

    def _new_note(self, folders: Sequence[str]) -> str:
        before = read_note(self._machine)
        steps = [step for step, _ in self._pending]
        note = Note(
            folders=tuple(sorted({*before.folders, *folders})),
            user=before.user or any(isinstance(step, ServiceUser) for step in steps),
            written=before.written
            | {step.path: digest_of(step.text) for step in steps if isinstance(step, OwnersFile)},
        )
        return msgspec.json.encode(note).decode()


def read_note(machine: Machine) -> Note:
    """What installations made here so far."""
    try:
        return msgspec.json.decode(read_text(machine.at(NOTE)) or "{}", type=Note)
    except msgspec.DecodeError as error:
        raise CannotInstall(f"{NOTE} is damaged, so what was installed is not known: {error}") from error


def _owners_files(source: Source) -> Iterator[OwnersFile]:
    sensors = msgspec.structs.replace(source.settings.sensors, calibration=CALIBRATION)
    yield OwnersFile(unit.SETTINGS, settings_file.text(msgspec.structs.replace(source.settings, sensors=sensors)))
    if source.calibration is not None:
        yield OwnersFile(CALIBRATION, source.calibration)


def _check(machine: Machine, source: Source) -> None:
    """Whether the service could run here at all."""
    if not machine.at("/run/systemd/system").is_dir():
        raise CannotInstall("this machine is not run by systemd: only such a machine can be installed on")
    if any(source.python.is_relative_to(folder) for folder in _HIDDEN_FROM_SERVICES):
        raise CannotInstall(f"the Python in {source.python} is out of a service's sight there: use the system's own")
    missing = set(unit.needs(source.settings).groups) - names_in(machine.at("/etc/group"))
    if missing:
        raise CannotInstall(
            f"there is no group {' or '.join(sorted(missing))} here, whose members may use the devices: "
            "on Raspberry Pi OS they are there from the start"
        )
