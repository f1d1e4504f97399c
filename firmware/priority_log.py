"""The log on standard error. systemd's journal, when it listens there, is told with each line how urgent it is."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from typing import TextIO

_URGENCY = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


class _Urgent(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        urgency = _URGENCY.get(record.levelno, 5)
        # Each line by itself: the journal would take a second one for another message, and a calm one.
        return "\n".join(f"<{urgency}>{line}" for line in super().format(record).splitlines())


def handler(stream: TextIO, environment: Mapping[str, str]) -> logging.Handler:
    """Writes to a stream, in the way that suits whoever reads it."""
    writer = logging.StreamHandler(stream)
    writer.setFormatter(_Urgent() if _is_journal(stream, environment) else logging.Formatter())
    return writer


def start() -> None:
    """Log from now on."""
    logging.basicConfig(level=logging.INFO, handlers=[handler(sys.stderr, os.environ)])


def _is_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether the stream is the very one that systemd connected to its journal, and not redirected since."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:  # not a file at all
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
