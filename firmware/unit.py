"""The systemd units of the board as text: the service, in as small a cage as its settings allow, and the power switch.

A unit is the same for the same settings. It names only the devices that the settings need, and only the pixels that
are timed by the processor itself ask for root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firmware.config import Settings

SERVICE = "linja.service"
POWER_OFF = "linja-power-off.service"
POWER_OFF_WATCH = "linja-power-off.path"
USER = "linja"
PROGRAM = "/opt/linja/program"
SETTINGS = "/etc/linja/linja.toml"
POWER_OFF_REQUEST = "power-off"
"""The file in the service's runtime folder that asks for the Pi to be switched off."""

WATCHDOG_S = 20
MARK = "# Written by `linja install`, which will write it again."
_LAN = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10")
_SERIAL = ("ttyACM", "ttyUSB", "ttyAMA", "ttyS")
_MODULES = {"char-ttyACM": "cdc_acm", "char-ttyUSB": "usbserial", "char-spidev": "spidev"}

Section = dict[str, str | Sequence[str]]


@dataclass(frozen=True, slots=True)
class Needs:
    """What the service must be able to reach on the Pi."""

    devices: tuple[str, ...]
    groups: tuple[str, ...]
    """Who may use those devices."""
    is_root: bool

    @property
    def modules(self) -> tuple[str, ...]:
        """A kind of device is let through only if the kernel knows it when the service starts, plugged in or not."""
        return tuple(_MODULES[device] for device in self.devices if device in _MODULES)


def needs(settings: Settings) -> Needs:
    """The devices that these settings ask for, and nothing else."""
    devices, groups = [], []
    if settings.sensors.kind == "serial":
        devices += _serial_devices(settings.sensors.port)
        groups.append("dialout")
    if "gpio" in (settings.sensors.kind, settings.panel.kind):
        devices.append("char-gpiochip")
        groups.append("gpio")
    if settings.pixels.kind == "spi":
        devices.append("char-spidev")
        groups.append("spi")
    is_root = settings.pixels.kind == "neopixel"
    if is_root:
        # The registers of a Pi up to 4 and the memory that they read, or the engine for pins of a Pi 5.
        devices += ["/dev/mem", "/dev/vcio", "/dev/pio0"]
    return Needs(tuple(devices), () if is_root else tuple(groups), is_root)


def service(settings: Settings) -> str:
    """The service itself."""
    needed = needs(settings)
    modules = [f"modprobe@{module}.service" for module in needed.modules]
    return _text(
        Unit={
            "Description": "Linja board",
            "Wants": modules,
            "After": ["local-fs.target", *modules],
            "StartLimitIntervalSec": "0",
        },
        Service=_life() | _identity(needed) | _cage(needed) | _network(settings),
        Install={"WantedBy": "multi-user.target"},
    )


def power_off_watch() -> str:
    """Waits for the service's request. The service itself so needs no right over the machine at all."""
    return _text(
        Unit={"Description": "Watch for the Linja board's request to be switched off"},
        Path={"PathExists": f"/run/linja/{POWER_OFF_REQUEST}", "Unit": POWER_OFF},
        Install={"WantedBy": "multi-user.target"},
    )


def power_off() -> str:
    """Runs nothing, in a cage all the same: that it was started is enough for systemd to switch off in good order."""
    nothing = Needs((), (), is_root=False)
    alone: Section = {"Type": "oneshot", "PrivateNetwork": "yes", "RestrictAddressFamilies": "none"}
    return _text(
        Unit={"Description": "Switch off for the Linja board", "SuccessAction": "poweroff"},
        Service=alone | _identity(nothing) | _cage(nothing),
    )


def _serial_devices(port: str) -> list[str]:
    name = port.removeprefix("/dev/")
    fitting = [f"char-{kind}" for kind in _SERIAL if name.startswith(kind)]
    # Without a name it is a Pico; behind any other name, one by its serial number for example, it is one or the other.
    return fitting[:1] or (["char-ttyACM", "char-ttyUSB"] if port else ["char-ttyACM"])


def _life() -> Section:
    return {
        "Type": "notify",
        "ExecStart": f"{PROGRAM}/.venv/bin/python -I -m firmware play --config {SETTINGS}",
        "Restart": "on-failure",
        "RestartSec": "5",
        "WatchdogSec": str(WATCHDOG_S),
        "TimeoutStopSec": "10",
        "StateDirectory": "linja",
        "RuntimeDirectory": "linja",
    }


def _identity(needed: Needs) -> Section:
    if needed.is_root:
        return {"User": "root", "CapabilityBoundingSet": "CAP_SYS_RAWIO"}
    return {"User": USER, "SupplementaryGroups": needed.groups, "CapabilityBoundingSet": ""}


def _cage(needed: Needs) -> Section:
    return {
        "AmbientCapabilities": "",
        "NoNewPrivileges": "yes",
        "UMask": "0077",
        "ProtectSystem": "strict",
        "ProtectHome": "yes",
        "PrivateTmp": "yes",
        "PrivateMounts": "yes",
        "DevicePolicy": "closed",
        "DeviceAllow": [f"{device} rw" for device in needed.devices],
        "ProtectClock": "yes",
        "ProtectControlGroups": "yes",
        "ProtectHostname": "yes",
        "ProtectKernelLogs": "yes",
        "ProtectKernelModules": "yes",
        "ProtectKernelTunables": "yes",
        "ProtectProc": "invisible",
        "RestrictNamespaces": "yes",
        "RestrictRealtime": "yes",
        "RestrictSUIDSGID": "yes",
        "LockPersonality": "yes",
        "MemoryDenyWriteExecute": "yes",
        "RemoveIPC": "yes",
        "KeyringMode": "private",
        "SystemCallArchitectures": "native",
        "SystemCallFilter": ["@system-service", "~@privileged @resources", "setpriority"],
        "SystemCallErrorNumber": "EPERM",
    }


def _network(settings: Settings) -> Section:
    """The page is answered on this machine, or in the networks of homes; whatever is listened on, nowhere else."""
    near = ["localhost"] if settings.web.is_local else ["localhost", *_LAN]
    return {
        "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
        "IPAddressDeny": "any",
        "IPAddressAllow": " ".join(near),
    }


def _text(**sections: Section) -> str:
    return f"{MARK} Changes of your own: systemctl edit linja\n" + "".join(
        f"\n[{name}]\n{_lines(section)}" for name, section in sections.items()
    )


def _lines(section: Section) -> str:
    return "".join(f"{key}={value}\n" for key, values in section.items() for value in _each(values))


def _each(values: str | Sequence[str]) -> Iterator[str]:
    yield from [values] if isinstance(values, str) else values
