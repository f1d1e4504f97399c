"""Work that takes long, done in another process that steps back for this one: no light waits for it.

A new Python is started, not a copy of this one, which would hold its devices and its locks.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
NICENESS = 10
START = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from firmware.other_process import obey; obey()"
)


async def in_another_process(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` returns. It must be a function of a module, and all else such that it can be sent there and back.

    Raises `CalledProcessError` when it fails; why is on standard error.
    """
    return await asyncio.to_thread(lambda: _wait_for(work, *args, **kwargs))


def _wait_for(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    order = pickle.dumps(sys.path) + pickle.dumps((work, args, kwargs))
    done = subprocess.run([sys.executable, "-c", START], input=order, stdout=subprocess.PIPE, check=True)
    return cast(T, pickle.loads(done.stdout))


def obey() -> None:
    """What the other process does."""
    with suppress(AttributeError, OSError):  # not every system can, and not every service may
        os.nice(NICENESS)
    work, args, kwargs = pickle.load(sys.stdin.buffer)
    result = pickle.dumps(work(*args, **kwargs))
    sys.stdout.buffer.write(result)
