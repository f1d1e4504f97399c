"""What happened, as a line for people who read a log."""

from __future__ import annotations

import logging
import re
from dataclasses import fields
from enum import Enum

from firmware.events import Event
from hardware.layout import Layout

logger = logging.getLogger(__name__)
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


def line(event: Event, layout: Layout) -> str:
    """`action accepted: red:0-1`"""
    what = _WORD.sub(" ", type(event).__name__).lower()
    told = [_told(field.name, getattr(event, field.name), layout) for field in fields(event)]
    return f"{what}: {', '.join(filter(None, told))}" if any(told) else what


def note(event: Event, layout: Layout) -> None:
    """Write it into the log."""
    logger.info("%s", line(event, layout))


def _told(name: str, value: object, layout: Layout) -> str:
    match value:
        case None | False | ():
            return ""
        case True:
            return name.replace("_", " ")
        case int() if name == "slot":
            return f"slot {layout.name(value)}"
        case int():
            return f"{name} {value}"
        case tuple():
            return f"{name} {' '.join(map(str, value))}"
        case Enum():
            return str(value.value)
    return str(value)
