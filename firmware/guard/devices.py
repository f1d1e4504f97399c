"""The devices that were paired: each has a secret, of which only the hash is kept, in one small file."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

logger = logging.getLogger(__name__)

MOST_DEVICES = 32
"""The device that was paired longest ago makes room."""
PAIRED_FOR_S = 365 * 24 * 3600


class Device(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hash: str
    paired_at: float
    """In seconds of the calendar, which is all that survives a restart."""


class Devices:
    """Who may act. What changes is saved only by `save`, which may take as long as the disk does."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._devices = _read(path)
        self._saving = threading.Lock()

    def pair(self) -> str:
        """The secret of a new device."""
        token = secrets.token_urlsafe(32)
        self._devices = [*self._devices, Device(_hash(token), self._clock())][-MOST_DEVICES:]
        return token

    def know(self, token: str) -> bool:
        hashed, now = _hash(token), self._clock()
        return any(device.hash == hashed and now < device.paired_at + PAIRED_FOR_S for device in self._devices)

    def forget(self, token: str) -> None:
        hashed = _hash(token)
        self._devices = [device for device in self._devices if device.hash != hashed]

    def forget_all(self) -> None:
        self._devices = []

    def save(self) -> None:
        """Write the file whole or not at all. If it cannot be written, the log says so, and all stay paired for now."""
        new = self._path.with_name(f".{self._path.name}.new")
        try:
            with self._saving:
                self._write(new)
                new.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            logger.warning("the paired devices cannot be saved: at the next start they are as before (%s)", error)

    def _write(self, new: Path) -> None:
        new.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(self._devices))
            file.flush()
            os.fsync(file.fileno())


def _hash(token: str) -> str:
    """A secret of 256 random bits needs no salt and no slow hash: there is nothing to guess."""
    return hashlib.sha256(token.encode()).hexdigest()


def _read(path: Path) -> list[Device]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Device])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        aside = path.with_name(f"{path.name}.damaged")
        with suppress(OSError):
            path.replace(aside)
        logger.warning("the paired devices cannot be read and have to be paired again (%s); see %s", error, aside)
        return []
