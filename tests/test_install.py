"""Installing, on a machine whose disk is a folder: all of it or nothing, twice as once, and away without a trace."""

from __future__ import annotations

import argparse
import compileall
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from firmware import install_command, settings_file, unit
from firmware.config import SensorSettings, Settings
from firmware.install import CALIBRATION, COMMAND, NOTE, SPI_BUFFER, Installation, Source
from firmware.install_steps import CannotInstall, Machine
from firmware.uninstall import kept, removals
from tests.machines import (
    CAN_RUN_COMMANDS,
    StandInCommands,
    disk,
    make_source,
    with_real_commands,
    with_stand_ins,
)

PROJECT = Path(__file__).resolve().parent.parent
ON_SPI = settings_file.parse('[pixels]\nkind = "spi"\n', "settings")
UNIT = "/etc/systemd/system/linja.service"
SYSTEMS_OWN = {f"etc/{name}" for name in ("passwd", "group", "shadow", "gshadow")}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return with_stand_ins(tmp_path / "root")


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return make_source(tmp_path, ON_SPI, "[measured]\n")


def install(machine: Machine, source: Source) -> None:
    Installation(machine, source).make()


def uninstall(machine: Machine) -> None:
    for removal in removals(machine):
        removal.do()


def commands_of(machine: Machine) -> StandInCommands:
    assert isinstance(machine.run, StandInCommands)
    return machine.run


def arguments(**given: object) -> argparse.Namespace:
    return argparse.Namespace(**({"config": None, "uninstall": False, "dry_run": False, "yes": True} | given))


# Installing


def test_the_installed_program_runs_by_itself(machine: Machine, source: Source) -> None:
    install(machine, replace(source, project=PROJECT))
    shutil.rmtree(source.environment)
    python = machine.at(unit.PROGRAM) / ".venv/bin/python"
    where = "import firmware.__main__, pathlib; print(pathlib.Path(firmware.__file__).parent)"
    asked = subprocess.run([python, "-I", "-c", where], capture_output=True, text=True, check=True, cwd="/")
    assert Path(asked.stdout.strip()).resolve() == (machine.at(unit.PROGRAM) / "firmware").resolve()


def test_running_the_program_where_it_came_from_changes_nothing(machine: Machine, source: Source) -> None:
    install(machine, source)
    compileall.compile_dir(source.project, quiet=2)
    assert Installation(machine, source).to_do == []


def test_nothing_that_is_installed_can_be_changed_by_anybody_but_root(machine: Machine, source: Source) -> None:
    careless = source.environment / "careless.py"
    careless.touch()
    careless.chmod(0o666)
    secretive = source.environment / "secretive.py"
    secretive.touch(mode=0o600)
    install(machine, source)
    installed = [path for path in machine.at(unit.PROGRAM).rglob("*") if not path.is_symlink()]
    assert {careless.name, secretive.name} <= {path.name for path in installed}
    assert [path for path in installed if path.stat().st_mode & 0o022] == []
    assert [path for path in installed if not path.stat().st_mode & 0o004] == []


def test_the_settings_and_the_calibration_come_along(machine: Machine, source: Source) -> None:
    install(machine, source)
    installed = settings_file.read(machine.at(unit.SETTINGS))
    assert installed == msgspec.structs.replace(ON_SPI, sensors=SensorSettings(calibration=CALIBRATION))
    assert machine.at(CALIBRATION).read_text() == "[measured]\n"


def test_the_service_may_write_a_calibration_that_was_made_from_its_page() -> None:
    folder = unit.service(Settings()).partition("StateDirectory=")[2].partition("\n")[0]
    assert Path(CALIBRATION).parent == Path("/var/lib") / folder


def test_only_pixels_on_spi_change_the_buffer_of_the_bus(tmp_path: Path) -> None:
    machine = with_stand_ins(tmp_path / "root")
    install(machine, make_source(tmp_path, Settings()))
    assert not machine.at(SPI_BUFFER).exists()
    install(machine, make_source(tmp_path, ON_SPI))
    assert "options spidev bufsiz=32768\n" in machine.at(SPI_BUFFER).read_text()


def test_installing_twice_is_installing_once(machine: Machine, source: Source) -> None:
    install(machine, source)
    once, ran = disk(machine.root), list(commands_of(machine).ran)
    again = Installation(machine, source)
    assert again.to_do == []
    again.make()
    assert disk(machine.root) == once
    assert commands_of(machine).ran == ran


def test_settings_that_are_there_stay_and_shape_the_unit(machine: Machine, source: Source, tmp_path: Path) -> None:
    install(machine, source)
    machine.at(unit.SETTINGS).write_text('[pixels]\nkind = "none"\n')
    changed = make_source(tmp_path, settings_file.read(machine.at(unit.SETTINGS)))
    install(machine, changed)
    assert machine.at(unit.SETTINGS).read_text() == '[pixels]\nkind = "none"\n'
    assert "spidev" not in machine.at(UNIT).read_text()


def test_a_changed_program_replaces_the_installed_one(machine: Machine, source: Source) -> None:
    install(machine, source)
    (source.environment / "new_library.py").write_text("")
    assert Installation(machine, source).to_do[0] == f"copy the program from {source.project} to {unit.PROGRAM}"
    install(machine, source)
    assert (machine.at(unit.PROGRAM) / ".venv/new_library.py").exists()
    assert sorted(path.name for path in machine.at("/opt/linja").iterdir()) == ["installed.json", "program"]


def test_a_running_machine_starts_and_stops_the_units(tmp_path: Path, source: Source) -> None:
    machine = with_stand_ins(tmp_path / "root", is_running=True)
    install(machine, source)
    uninstall(machine)
    both = "linja.service linja-power-off.path"
    assert [words for words in commands_of(machine).ran if words.startswith("systemctl")] == [
        f"systemctl enable {both}",
        "systemctl daemon-reload",
        f"systemctl restart --no-block {both}",
        f"systemctl disable --now {both}",
        "systemctl daemon-reload",
    ]


# Failing


@pytest.mark.parametrize("command", ["enable", "systemd-sysusers", "restart"])
def test_a_failure_on_the_way_leaves_nothing_behind(tmp_path: Path, source: Source, command: str) -> None:
    machine = with_stand_ins(tmp_path / "root", is_running=True)
    before = disk(machine.root)
    commands_of(machine).failing = command
    with pytest.raises(CannotInstall, match=command):
        install(machine, source)
    assert disk(machine.root) == before


def test_a_failed_update_leaves_the_version_before(tmp_path: Path, source: Source) -> None:
    machine = with_stand_ins(tmp_path / "root", is_running=True)
    install(machine, source)
    before = disk(machine.root)
    (source.environment / "new_library.py").write_text("")
    commands_of(machine).failing = "restart"
    with pytest.raises(CannotInstall):
        install(machine, source)
    assert disk(machine.root) == before


def test_a_disk_that_cannot_be_written_leaves_nothing_behind(machine: Machine, source: Source) -> None:
    machine.at(UNIT).with_name(".linja.service.new").mkdir()
    before = disk(machine.root)
    with pytest.raises(CannotInstall, match=r"linja\.service cannot be written: Is a directory"):
        install(machine, source)
    assert disk(machine.root) == before


def test_leftovers_of_an_interrupted_installation_are_cleared_away(machine: Machine, source: Source) -> None:
    for name in ("program.new", "program.old"):
        (machine.at("/opt/linja") / name / "half").mkdir(parents=True)
    install(machine, source)
    assert sorted(path.name for path in machine.at("/opt/linja").iterdir()) == ["installed.json", "program"]


def test_a_file_of_somebody_else_is_not_overwritten(machine: Machine, source: Source) -> None:
    machine.at(COMMAND).write_text("#!/bin/sh\n")
    with pytest.raises(CannotInstall, match=f"{COMMAND} is there already and is not of the Linja board"):
        install(machine, source)
    assert machine.at(COMMAND).read_text() == "#!/bin/sh\n"


def test_a_machine_that_the_service_cannot_run_on_is_refused(machine: Machine, source: Source) -> None:
    machine.at("/etc/group").write_text("root:x:0:\ndialout:x:20:\n")
    with pytest.raises(CannotInstall, match="there is no group gpio or spi here"):
        Installation(machine, source)
    machine.at("/run/systemd/system").rmdir()
    with pytest.raises(CannotInstall, match="not run by systemd"):
        Installation(machine, source)


def test_a_python_that_a_service_cannot_see_is_refused(machine: Machine, source: Source) -> None:
    hidden = replace(source, python=Path("/home/pi/.pyenv"))
    with pytest.raises(CannotInstall, match=r"the Python in /home/pi/.pyenv is out of a service's sight"):
        Installation(machine, hidden)


# Taking it away


def test_an_installation_goes_without_a_trace(machine: Machine, source: Source) -> None:
    before = disk(machine.root)
    install(machine, source)
    uninstall(machine)
    assert disk(machine.root) == before
    assert removals(machine) == []


def test_what_people_made_stays(machine: Machine, source: Source) -> None:
    install(machine, source)
    machine.at(unit.SETTINGS).write_text('[game]\nedition = "classic"\n')
    machine.at("/var/lib/linja/linja.db").touch()
    assert kept(machine) == [unit.SETTINGS, "/var/lib/linja"]
    uninstall(machine)
    assert machine.at(unit.SETTINGS).read_text() == '[game]\nedition = "classic"\n'
    assert not machine.at(CALIBRATION).exists()


def test_a_calibration_that_nobody_changed_keeps_no_folder(machine: Machine, source: Source) -> None:
    install(machine, source)
    assert kept(machine) == []
    machine.at(CALIBRATION).write_text("measured anew")
    assert kept(machine) == [CALIBRATION]


def test_a_user_who_was_there_before_stays(machine: Machine, source: Source) -> None:
    passwd = machine.at("/etc/passwd")
    passwd.write_text(passwd.read_text() + "linja:x:1000:1000:Linja:/home/linja:/bin/bash\n")
    before = disk(machine.root)
    install(machine, source)
    uninstall(machine)
    assert disk(machine.root) == before


def test_a_damaged_note_is_told(machine: Machine, source: Source) -> None:
    install(machine, source)
    machine.at(NOTE).write_text('{"folders": 3}')
    with pytest.raises(CannotInstall, match=r"installed\.json is damaged"):
        removals(machine)


# With systemd's own commands


@pytest.mark.skipif(not CAN_RUN_COMMANDS, reason="needs systemd's commands, and root to make a user in a folder")
def test_systemds_own_commands_do_and_undo_it(tmp_path: Path, source: Source) -> None:
    machine = with_real_commands(tmp_path / "root")
    before = disk(machine.root)
    install(machine, source)
    assert Installation(machine, source).to_do == []
    wants = machine.at("/etc/systemd/system/multi-user.target.wants")
    assert sorted(path.name for path in wants.iterdir()) == ["linja-power-off.path", "linja.service"]
    uninstall(machine)
    after = disk(machine.root)
    gone_and_new = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert {name.rstrip("-") for name in gone_and_new} - SYSTEMS_OWN == {"etc/.pwd.lock"}
    assert "linja" not in machine.at("/etc/passwd").read_text() + machine.at("/etc/group").read_text()


# The command


@pytest.fixture
def here(machine: Machine, source: Source, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    monkeypatch.setattr(Source, "here", lambda settings, folder: source)
    return lambda **given: install_command.run(arguments(**given), machine)


def test_a_dry_run_shows_everything_and_does_nothing(
    here: Callable[..., int], machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    before = disk(machine.root)
    assert here(dry_run=True) == 0
    shown = capsys.readouterr().out
    assert disk(machine.root) == before
    assert here() == 0
    made = [path for path in disk(machine.root) if path not in before and not path.startswith("opt/linja/program/")]
    files = [path for path in made if not machine.at(path).is_dir() and "wants" not in path and f"/{path}" != NOTE]
    assert len(files) == 7
    assert [path for path in files if f"- write /{path}\n" not in shown] == []
    assert "- make the system user linja\n" in shown
    assert "- start linja.service and linja-power-off.path" in shown


@pytest.mark.parametrize(("answer", "is_done"), [("y", True), ("Yes", True), ("n", False), ("", False)])
def test_nothing_is_done_without_a_yes(
    here: Callable[..., int], machine: Machine, monkeypatch: pytest.MonkeyPatch, answer: str, is_done: bool
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    here(yes=False)
    assert machine.at(UNIT).exists() is is_done


def test_uninstalling_shows_what_goes_and_what_stays(
    here: Callable[..., int], machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    here()
    machine.at("/var/lib/linja/linja.db").touch()
    here(uninstall=True, dry_run=True)
    assert machine.at(UNIT).exists()
    here(uninstall=True)
    assert not machine.at(UNIT).exists()
    here(uninstall=True)
    shown = capsys.readouterr().out
    assert shown.count(f"- remove {UNIT}\n") == 2
    assert shown.count("/var/lib/linja stays: it is yours.\n") == 3
    assert "Nothing is installed." in shown
