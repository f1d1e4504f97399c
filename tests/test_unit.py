"""The systemd units: they name the devices that the settings need alone, and systemd finds no fault in them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import settings_file, unit
from firmware.config import Settings

PI_WITHOUT_ROOT = '[pixels]\nkind = "spi"\n'
SETTINGS = {
    "pixels on a pin": "",
    "pixels on SPI": PI_WITHOUT_ROOT,
    "in the network": PI_WITHOUT_ROOT + '[web]\nhost = "0.0.0.0"\n',
    "on a pin, in the network": '[web]\nhost = "0.0.0.0"\n',
    "no pixels and no panel": '[pixels]\nkind = "none"\n[panel]\nkind = "none"\n',
}
MOST_EXPOSURE = 2.0
EACH = pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
NEEDS_SYSTEMD = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed here")


def settings_of(text: str) -> Settings:
    return settings_file.parse(text, "settings")


def values(text: str, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)


def analyze(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *map(str, words)], capture_output=True, text=True, check=False)


def write_units(folder: Path, text: str) -> list[Path]:
    """The units, with a program that is on this machine: systemd looks whether there is one."""
    service = unit.service(settings_of(text)).replace(f"{unit.PROGRAM}/.venv/bin/python", f'"{sys.executable}"')
    units = {unit.SERVICE: service, unit.POWER_OFF: unit.power_off(), unit.POWER_OFF_WATCH: unit.power_off_watch()}
    for name, content in units.items():
        (folder / name).write_text(content)
    return [folder / name for name in units]


@pytest.mark.parametrize(
    ("text", "devices", "groups"),
    [
        (PI_WITHOUT_ROOT, ["char-ttyACM", "char-gpiochip", "char-spidev"], ["dialout", "gpio", "spi"]),
        (SETTINGS["no pixels and no panel"], ["char-ttyACM"], ["dialout"]),
        (PI_WITHOUT_ROOT + '[sensors]\nkind = "gpio"', ["char-gpiochip", "char-spidev"], ["gpio", "spi"]),
        (
            PI_WITHOUT_ROOT + '[panel]\nkind = "none"\n[sensors]\nport = "/dev/ttyAMA0"',
            ["char-ttyAMA", "char-spidev"],
            ["dialout", "spi"],
        ),
        (
            SETTINGS["no pixels and no panel"] + '[sensors]\nport = "/dev/serial/by-id/usb-Board"',
            ["char-ttyACM", "char-ttyUSB"],
            ["dialout"],
        ),
    ],
)
def test_only_the_devices_that_the_settings_need_are_let_through(
    text: str, devices: list[str], groups: list[str]
) -> None:
    service = unit.service(settings_of(text))
    assert values(service, "DevicePolicy") == ["closed"]
    assert values(service, "DeviceAllow") == [f"{device} rw" for device in devices]
    assert values(service, "SupplementaryGroups") == groups


def test_memory_and_root_are_for_pixels_on_a_pin_alone() -> None:
    on_a_pin, on_spi = (unit.service(settings_of(text)) for text in ("", PI_WITHOUT_ROOT))
    assert (values(on_a_pin, "User"), values(on_spi, "User")) == (["root"], ["linja"])
    assert "/dev/mem rw" in values(on_a_pin, "DeviceAllow")
    assert values(on_a_pin, "CapabilityBoundingSet") == ["CAP_SYS_RAWIO"]
    assert values(on_spi, "CapabilityBoundingSet") == [""]


def test_a_scanner_that_is_plugged_in_later_is_let_through() -> None:
    """systemd looks up the kinds of devices when a service starts: the kernel must know them by then."""
    service = unit.service(settings_of(PI_WITHOUT_ROOT))
    for module in ("cdc_acm", "spidev"):
        assert f"modprobe@{module}.service" in values(service, "Wants")
        assert f"modprobe@{module}.service" in values(service, "After")


def test_a_page_for_this_machine_alone_cannot_be_reached_from_another() -> None:
    alone, in_the_network = (unit.service(settings_of(SETTINGS[name])) for name in ("pixels on SPI", "in the network"))
    assert values(alone, "IPAddressDeny") == values(in_the_network, "IPAddressDeny") == ["any"]
    assert values(alone, "IPAddressAllow") == ["localhost"]
    assert "192.168.0.0/16" in values(in_the_network, "IPAddressAllow")[0].split()


def test_the_request_to_switch_off_is_looked_for_where_the_service_may_write_it() -> None:
    (folder,) = values(unit.service(Settings()), "RuntimeDirectory")
    (watched,) = values(unit.power_off_watch(), "PathExists")
    assert watched == f"/run/{folder}/{unit.POWER_OFF_REQUEST}"
    assert values(unit.power_off_watch(), "Unit") == [unit.POWER_OFF]


@NEEDS_SYSTEMD
@EACH
def test_systemd_has_nothing_to_say_about_the_units(text: str, tmp_path: Path) -> None:
    said = analyze("verify", "--man=no", *write_units(tmp_path, text))
    assert (said.stdout, said.stderr) == ("", "")


@NEEDS_SYSTEMD
@EACH
def test_the_units_are_not_exposed(text: str, tmp_path: Path) -> None:
    for path in write_units(tmp_path, text)[:2]:
        said = analyze("security", "--offline=true", "--no-pager", path)
        (exposure,) = re.findall(r"exposure level for \S+: ([\d.]+)", said.stdout)
        assert float(exposure) <= MOST_EXPOSURE, said.stdout
