"""What is kept of a calibration that was stopped: the answers of its walk, beside the calibration that still holds."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from firmware.calibrate.walk import Answer
from hardware.calibration import fingerprint
from hardware.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hardware.layout import Layout

VERSION = 1


class _File(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    version: int
    board: str
    layout: str
    answers: dict[str, tuple[int, float]]


def draft_path(calibration: Path) -> Path:
    """Where the draft of this calibration is kept."""
    return calibration.with_name(calibration.name + ".unfinished")


def save(answers: Mapping[int, Answer], path: Path, layout: Layout, board: str) -> None:
    """Keep the answers; `OSError` when they cannot be."""
    file = {
        "version": VERSION,
        "board": board,
        "layout": fingerprint(layout),
        "answers": {layout.name(slot): (answer.channel, round(answer.levels, 1)) for slot, answer in answers.items()},
    }
    write_whole(path, json.dumps(file, indent=1))


def load(path: Path, layout: Layout, board: str) -> dict[int, Answer]:
    """The answers of this board, if there are any that can be used."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    if (file.version, file.board, file.layout) != (VERSION, board, fingerprint(layout)):
        return {}
    slots = {layout.name(slot): slot for slot in range(layout.slot_count)}
    channels = [channel for channel, _ in file.answers.values()]
    sound = (
        file.answers.keys() <= slots.keys()
        and len(set(channels)) == len(channels)
        and all(0 <= channel < layout.channel_count and levels for channel, levels in file.answers.values())
    )
    return {slots[name]: Answer(*answer) for name, answer in file.answers.items()} if sound else {}


def remove(path: Path) -> None:
    """The calibration is complete, or is begun anew."""
    with suppress(OSError):
        path.unlink()
