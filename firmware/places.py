"""Where the board keeps what it must not lose, when nobody says where that is."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """The folder that systemd gives the service, else one in the home folder of whoever runs it."""
    given = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if given:
        return Path(given)
    configured = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (configured if configured.is_absolute() else Path.home() / ".local" / "state") / "linja"


def journal_file() -> Path:
    return state_folder() / "linja.db"


def black_box_folder() -> Path:
    return state_folder() / "blackbox"
