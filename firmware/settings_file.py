"""The settings as a TOML file: where it is, what is wrong in it and in which line, and how it is written.

What cannot be used is refused as a whole. Errors read `linja.toml, line 3: game.edition: ...`, in words that help.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec

from firmware.config import Settings, SettingsError

_AT = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<place>[^`]*)`)?", re.DOTALL)
"""How msgspec ends a message: with the place, unless that is the whole file."""
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_HEADER = re.compile(r"\s*\[\s*(?P<section>[\w-]+)\s*\]")
_KEY = re.compile(r"\s*(?P<key>[\w.-]+)\s*=")


def default_path() -> Path:
    """Where the settings are looked for when nobody says where they are."""
    configured = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (configured if configured.is_absolute() else Path.home() / ".config") / "linja" / "linja.toml"


def read(path: Path | None = None) -> Settings:
    """The settings of a file; without one, those at the default path or, where nothing is, the defaults."""
    if path is None and not default_path().exists():
        return Settings()
    path = path or default_path()
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: it is not text in UTF-8") from error
    return parse(text, str(path))


def parse(text: str, name: str) -> Settings:
    """The settings of a text; `name` is where it came from, for the error."""
    try:
        return msgspec.toml.decode(text, type=Settings)
    except msgspec.ValidationError as error:
        place, what = _explained(str(error))
        line = _line(text, place)
        raise SettingsError(f"{name}, line {line}: {what}" if line else f"{name}: {what}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{name}: this is not TOML: {error}") from None


def text(settings: Settings) -> str:
    """All settings, so that they read back."""
    sections = (f"[{section}]\n{_pairs(getattr(settings, section))}" for section in settings.__struct_fields__)
    return "\n".join(sections)


def _pairs(section: msgspec.Struct) -> str:
    return "".join(f"{key} = {value(getattr(section, key))}\n" for key in section.__struct_fields__)


def value(setting: object) -> str:
    """A setting as TOML, which writes strings, lists, numbers and truth as JSON does, except for one character."""
    return json.dumps(setting, ensure_ascii=False).replace("\x7f", "\\u007f")


def _explained(message: str) -> tuple[str, str]:
    """The place that a message of msgspec or of a check is about, and what to tell a person."""
    at = _AT.fullmatch(message)
    assert at
    what, place = at["what"], at["place"] or ""
    if unknown := _UNKNOWN.fullmatch(what):
        return _unknown(place, unknown[1])
    if not place:
        # A check of several sections together: it begins with the one to look at.
        place, _, what = what.partition(": ")
    section, _, key = place.partition(".")
    if what.startswith("Invalid enum value"):
        kind = get_type_hints(type(getattr(Settings(), section)))[key]
        what = f"{what.removeprefix('Invalid enum value ')} is none of {', '.join(get_args(kind))}"
    first_word = what.partition(" ")[0]
    if not key and section in Settings.__struct_fields__ and first_word in _keys(section):
        return f"{section}.{first_word}", f"{section}.{what}"
    return place, f"{place}: {what}"


def _unknown(section: str, key: str) -> tuple[str, str]:
    key = key if key.isidentifier() else value(key)
    if not section:
        return key, f"{key}: there is no such section; sections are {', '.join(Settings.__struct_fields__)}"
    place = f"{section}.{key}"
    return place, f"{place}: there is no such setting; [{section}] has {', '.join(_keys(section))}"


def _keys(section: str) -> tuple[str, ...]:
    keys: tuple[str, ...] = getattr(Settings(), section).__struct_fields__
    return keys


def _line(text: str, place: str) -> int | None:
    """The line in which a section or a key is written, if it is written in a plain way."""
    place = place.partition("[")[0]
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            section = header["section"]
            if section == place:
                return number
        elif key := _KEY.match(line):
            written = f"{section}.{key['key']}" if section else key["key"]
            if written == place:
                return number
    return None
