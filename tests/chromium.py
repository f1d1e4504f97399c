"""A Chromium for the tests of the page: found on the system, and where that is possible, fetched for it."""

from __future__ import annotations

import os
import shutil
import subprocess

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def fetch_if_missing() -> None:
    """On Debian and its kin, for whoever may install packages; elsewhere the tests say that there is none."""
    may_install = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")
    if find() or not may_install:
        return
    print("Fetching a Chromium for the tests of the page ...", flush=True)
    null, environment = subprocess.DEVNULL, {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ("update -qq", "install -y -qq --no-install-recommends chromium fonts-dejavu-core"):
        subprocess.run(
            ["apt-get", *command.split()], check=False, env=environment, stdin=null, stdout=null, stderr=null
        )
