"""How much of everything one visitor, and all of them together, may ask for. Pure, with the time given."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
MOST_REMEMBERED = 1024
"""Neighbours whose pace is remembered at a time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Generous to a page, which loads some sixty files, asks for 25 frames a second and then says little.

    Each is for one neighbour, or for one page, where it does not say that it is for all.
    """

    connections: int = 160
    """Of all."""
    connections_each: int = 40
    connections_per_s: float = 20.0
    connection_burst: int = 120
    requests_per_s: float = 50.0
    request_burst: int = 300
    request_bytes: int = 1024
    watchers: int = 32
    """Open pages of all who may only watch: they cannot take the places of those who play."""
    watchers_each: int = 8
    players: int = 16
    """Open pages of all who may act."""
    watcher_messages_per_s: float = 40.0
    player_messages_per_s: float = 400.0
    """A pawn that is dragged moves with the pointer, on a fast screen 240 times a second."""
    message_burst: int = 200
    message_bytes: int = 4096
    idle_s: float = 20.0
    """How long a connection may say nothing, not finish what it says, or not take what it asked for."""
    lingering_s: float = 10.0
    """How long the rest of a request that was answered before its end is waited for, so that the answer is read."""


USUAL = Limits()


class Pace:
    """A pace that may be exceeded for a while: `burst` at once, and `per_s` from then on."""

    def __init__(self, per_s: float, burst: int, now: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = float(burst)
        self._at = now

    def keeps(self, now: float) -> bool:
        """Whether one more is within the pace; if so, it counts."""
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Paces:
    """A pace for each neighbour. When there are too many to remember, who was quiet longest is forgotten."""

    def __init__(self, per_s: float, burst: int) -> None:
        self._per_s = per_s
        self._burst = burst
        self._paces: OrderedDict[str, Pace] = OrderedDict()

    def keeps(self, address: Address, now: float) -> bool:
        name = neighbour(address)
        if name not in self._paces:
            self._paces[name] = Pace(self._per_s, self._burst, now)
        self._paces.move_to_end(name)
        if len(self._paces) > MOST_REMEMBERED:
            self._paces.popitem(last=False)
        return self._paces[name].keeps(now)


class Places:
    """Places that are taken and given back: so many in all, so many for each neighbour."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._taken: Counter[str] = Counter()

    def take(self, address: Address) -> bool:
        name = neighbour(address)
        if self._taken.total() >= self._most or self._taken[name] >= self._most_each:
            return False
        self._taken[name] += 1
        return True

    def give_back(self, address: Address) -> None:
        name = neighbour(address)
        self._taken[name] -= 1
        if not self._taken[name]:
            del self._taken[name]


def neighbour(address: Address) -> str:
    """Who is behind an address: with the newer protocol, a machine has as many addresses as it likes in its network."""
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((address, 64), strict=False))
