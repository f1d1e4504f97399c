"""Garbage for the settings: they can be used as a whole, or the error names the file and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware import settings_file
from firmware.config import GameSettings, Settings, SettingsError
from simulator.soak.fuzz import Unclear, Victim


def valid() -> list[bytes]:
    whole = settings_file.text(Settings())
    sections = [f"[{section}" for section in whole.split("\n[")]
    short = '[game]\nedition = "bonus"\naggressive = true\n[sensors]\nport = "/dev/ttyACM0"\n'
    other = settings_file.text(Settings(game=GameSettings(edition="classic", first="black", best_of=5)))
    return [text.encode() for text in (whole, other, short, *sections[1:])]


@contextmanager
def victim(folder: Path) -> Iterator[Victim]:
    path = folder / "linja.toml"

    def read(piece: bytes) -> str | None:
        path.write_bytes(piece)
        try:
            settings = settings_file.read(path)
        except SettingsError as error:
            if not str(error).startswith(str(path)):
                raise Unclear(f"the answer does not name the file: {error}") from None
            return str(error)
        if settings_file.parse(settings_file.text(settings), "again") != settings:
            raise Unclear("what was read does not read back")
        return None

    yield read
