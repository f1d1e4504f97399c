"""A calibration on disk: a TOML file that a person can read, written whole or not at all, and doubted when read.

version = 1
board = "e66118604b5a2137"
layout = "9c3f1a0d77e2"         # slots and wiring that it was made for
channels = [0, 1, 3, 2, ...]    # the channel of each slot, where calibration has found them

[slots]
"0.0" = { baseline = 32801, noise = 38.2, red = 45702, black = 19866 }
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from hardware.calibration import RAIL_LEVELS, TOP_LEVEL, Calibration, SensorLevels, fingerprint
from hardware.calibration_run import LEAST_PAWN_LEVELS, MOST_NOISE_LEVELS
from hardware.errors import CalibrationError
from hardware.whole_file import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.layout import Layout

VERSION = 1
LONGEST_QUOTE = 200


class _Version(msgspec.Struct):
    version: int


class _File(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    version: int
    board: str
    layout: str
    channels: tuple[int, ...] = ()
    slots: dict[str, SensorLevels]


def save(calibration: Calibration, path: Path, layout: Layout) -> None:
    """Put the calibration at `path`. What was there before stays until this is complete, whatever happens."""
    try:
        write_whole(path, _text(calibration, layout))
    except OSError as error:
        raise CalibrationError(f"the calibration could not be written to {path}: {error.strerror or error}") from error


def load(path: Path, layout: Layout, board: str | None = None) -> Calibration:
    """The calibration at `path`, for this layout and, where its id is known, this board; else `CalibrationError`."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise CalibrationError(f"there is no calibration at {path}") from None
    except OSError as error:
        raise CalibrationError(f"the calibration at {path} cannot be read: {error}") from error
    try:
        return _read(text, layout, board)
    except CalibrationError as error:
        raise CalibrationError(f"the calibration at {path} is of no use: {error}") from None


def load_or_default(path: Path, layout: Layout, board: str | None = None) -> tuple[Calibration, str | None]:
    """The calibration at `path`, or the default one together with why."""
    try:
        return load(path, layout, board), None
    except CalibrationError as error:
        return Calibration.default(layout), str(error)


def _text(calibration: Calibration, layout: Layout) -> str:
    lines = [
        f"version = {VERSION}",
        f"board = {json.dumps(calibration.board)}",
        f'layout = "{fingerprint(layout)}"',
        *([f"channels = {list(calibration.channels)}"] if calibration.channels else []),
        "",
        "[slots]",
    ]
    for slot, sensor in enumerate(calibration.sensors):
        levels = ", ".join(f"{key} = {value}" for key, value in msgspec.structs.asdict(sensor).items())
        lines.append(f'"{layout.name(slot)}" = {{ {levels} }}')
    return "\n".join(lines) + "\n"


def _read(text: bytes, layout: Layout, board: str | None) -> Calibration:
    try:
        # The version first: a file of another one may differ in everything else.
        version = msgspec.toml.decode(text, type=_Version).version
        if version != VERSION:
            raise CalibrationError(f"it has version {version}, and this program reads version {VERSION}")
        file = msgspec.toml.decode(text, type=_File)
    except CalibrationError:
        raise
    except (ValueError, RecursionError) as error:  # of msgspec, and of Python for a number of thousands of digits
        raise CalibrationError(f"it is damaged: {str(error)[:LONGEST_QUOTE]}") from error
    if file.layout != fingerprint(layout):
        raise CalibrationError(
            f"it was made for slots wired as {file.layout[:LONGEST_QUOTE]}, not as {fingerprint(layout)}"
        )
    if board is not None and file.board != board:
        raise CalibrationError(f"it was made for board {file.board!r}, not for {board!r}")
    names = [layout.name(slot) for slot in range(layout.slot_count)]
    missing = [name for name in names if name not in file.slots]
    if missing:
        raise CalibrationError(f"it is damaged: slot {missing[0]} is missing")
    extra = file.slots.keys() - set(names)
    if extra:
        raise CalibrationError(f"it is damaged: there is no slot {min(extra)[:LONGEST_QUOTE]}")
    for name in names:
        _check(name, file.slots[name])
    _check_channels(file.channels, layout)
    return Calibration(board=file.board, sensors=tuple(file.slots[name] for name in names), channels=file.channels)


def _check(name: str, sensor: SensorLevels) -> None:
    below, above = min(sensor.red, sensor.black), max(sensor.red, sensor.black)
    if not RAIL_LEVELS < below < sensor.baseline < above < TOP_LEVEL - RAIL_LEVELS:
        raise CalibrationError(
            f"it is damaged: slot {name} has black {sensor.black}, baseline {sensor.baseline}, red {sensor.red}; the"
            f" baseline must be between them, and all more than {RAIL_LEVELS} from 0 and from {TOP_LEVEL}"
        )
    if min(above - sensor.baseline, sensor.baseline - below) < LEAST_PAWN_LEVELS:
        raise CalibrationError(f"it is damaged: slot {name} has a pawn less than {LEAST_PAWN_LEVELS} from its baseline")
    if sensor.noise > MOST_NOISE_LEVELS:
        raise CalibrationError(f"it is damaged: slot {name} has a noise of {sensor.noise}, above {MOST_NOISE_LEVELS}")


def _check_channels(channels: tuple[int, ...], layout: Layout) -> None:
    if channels and len(channels) != layout.slot_count:
        raise CalibrationError(f"it is damaged: channels names {len(channels)} of {layout.slot_count} slots")
    for channel in channels:
        if channel not in range(layout.channel_count):
            raise CalibrationError(f"it is damaged: there is no channel {channel}")
        if channels.count(channel) > 1:
            raise CalibrationError(f"it is damaged: channel {channel} has two slots")
