"""The guard: who somebody is, whether they may come in, and what they may do."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from firmware.guard.checks import CHECKS, LOCAL_NAME, Asked, Check, Refusal
from firmware.guard.devices import Devices
from firmware.guard.limits import USUAL, Limits, Pace, Paces, Places
from firmware.guard.pairing import Pairing


class TooMany(Exception):
    """There is no place for another one now."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who was let in."""

    asked: Asked
    may_act: bool
    """Whether buttons and settings were for them when they came; to watch is for everybody."""


class Guard:
    """Stands at the door of one page."""

    def __init__(
        self,
        names: Iterable[str],
        devices: Devices,
        *,
        pairing: Pairing | None = None,
        limits: Limits = USUAL,
        checks: tuple[Check, ...] = CHECKS,
        told: Callable[[str | None], bool] = lambda code: False,
    ) -> None:
        self.devices = devices
        self.pairing = pairing or Pairing()
        self.limits = limits
        self.told = told
        """Called with the code to show in light, and with None to show it no longer; says whether it can be seen."""
        self._names = frozenset({LOCAL_NAME, *map(str.lower, names)})
        self._checks = checks
        self._paces = Paces(limits.requests_per_s, limits.request_burst)
        self._watchers = Places(limits.watchers, limits.watchers_each)
        self._players = Places(limits.players, limits.players)

    def refuse(self, asked: Asked) -> Refusal | None:
        """Why nothing is to be done about a request, or None."""
        return next((refusal for check in self._checks if (refusal := check(asked, self._names))), None)

    def keeps_pace(self, asked: Asked, now: float) -> bool:
        return self._paces.keeps(asked.peer, now)

    def let_in(self, asked: Asked) -> Visitor:
        return Visitor(asked, self.may_act(asked))

    def may_act(self, asked: Asked) -> bool:
        """Whoever sits at this machine may do everything; others only from a device that is paired, as of now."""
        is_here = asked.peer.is_loopback and not asked.is_forwarded
        return is_here or self.is_paired(asked)

    def is_paired(self, asked: Asked) -> bool:
        return asked.token is not None and self.devices.know(asked.token)

    @contextmanager
    def seat(self, visitor: Visitor) -> Iterator[None]:
        """A place for an open page. Raises `TooMany`."""
        places = self._players if visitor.may_act else self._watchers
        if not places.take(visitor.asked.peer):
            raise TooMany
        try:
            yield
        finally:
            places.give_back(visitor.asked.peer)

    def pace_of_messages(self, visitor: Visitor, now: float) -> Pace:
        """For one open page."""
        limits = self.limits
        per_s = limits.player_messages_per_s if visitor.may_act else limits.watcher_messages_per_s
        return Pace(per_s, limits.message_burst, now)


def own_names(configured: Iterable[str]) -> tuple[str, ...]:
    """The names of this machine: those in the settings, and what it calls itself, alone and in the local network."""
    name = socket.gethostname().partition(".")[0]
    return (*configured, name, f"{name}.local")
