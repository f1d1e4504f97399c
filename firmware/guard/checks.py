"""The checks that every request passes before anything else is done with it. Pure: facts in, a refusal or nothing out.

A browser lets any website send requests to any address, and says honestly in `Origin` which website that was, and in
`Host` which name it thinks it talks to. The first keeps other websites out. The second keeps out a website that lets
its own name point to this machine: then both are its own name, which is not one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address

from firmware.guard.limits import Address

LOCAL_NAME = "localhost"
SAFE_METHODS = ("GET", "HEAD")
METHODS = (*SAFE_METHODS, "POST", "DELETE")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(?P<port>[0-9]{1,5}))?", re.IGNORECASE)
_PLAIN_PATH = re.compile(r"/(?:[\w-][\w.-]*/)*(?:[\w-][\w.-]*)?", re.ASCII)
HTTP_PORT = 80


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request says, none of which is believed, and what its connection shows, which is."""

    method: str
    path: str
    """As it came over the wire, with nothing decoded and without what follows a question mark."""
    host: str | None
    """None also where there is more than one."""
    origin: str | None
    fetch_site: str | None
    """What a newer browser says of where the request came from; with `is_navigation`, of a link that was followed."""
    is_navigation: bool
    is_socket: bool
    is_forwarded: bool
    """Whether somebody says to have passed it on: then it is not from this machine, whoever brought it."""
    is_text: bool
    """Whether its headers can be read as text at all."""
    token: str | None
    peer: Address
    address: Address
    """The own end of the connection."""
    port: int


class Refusal(Enum):
    """Why nothing is done, and the status that says so."""

    NO_TEXT = 400
    NOT_OUR_NAME = 421
    OTHER_WEBSITE = 403
    NO_SUCH_METHOD = 405
    NO_PLAIN_PATH = 404


Check = Callable[[Asked, frozenset[str]], Refusal | None]


def speaks_in_text(asked: Asked, names: frozenset[str]) -> Refusal | None:
    """What is no text cannot be answered either, where an answer would repeat it."""
    return None if asked.is_text else Refusal.NO_TEXT


def asks_by_our_name(asked: Asked, names: frozenset[str]) -> Refusal | None:
    """Our names are those in the settings, and the address that the connection came in on."""
    host = _HOST.fullmatch(asked.host or "")
    if host and int(host["port"] or HTTP_PORT) == asked.port:
        name = host["name"].lower().rstrip(".")
        if name in names or _is_our_address(name, asked.address):
            return None
    return Refusal.NOT_OUR_NAME


def comes_from_our_page(asked: Asked, names: frozenset[str]) -> Refusal | None:
    """What changes something, or keeps talking, must say that it comes from our page; nothing may say otherwise."""
    if asked.origin is not None:
        ours = asked.origin.lower() == f"http://{asked.host}".lower()
        return None if ours else Refusal.OTHER_WEBSITE
    if asked.is_socket or asked.method not in SAFE_METHODS:
        return Refusal.OTHER_WEBSITE
    from_elsewhere = asked.fetch_site in ("cross-site", "same-site") and not asked.is_navigation
    return Refusal.OTHER_WEBSITE if from_elsewhere else None


def uses_a_known_method(asked: Asked, names: frozenset[str]) -> Refusal | None:
    return None if asked.method in METHODS else Refusal.NO_SUCH_METHOD


def asks_for_a_plain_path(asked: Asked, names: frozenset[str]) -> Refusal | None:
    """Names of letters, digits, dots and hyphens that do not begin with a dot: no way leads up or around."""
    return None if _PLAIN_PATH.fullmatch(asked.path) else Refusal.NO_PLAIN_PATH


CHECKS: tuple[Check, ...] = (
    speaks_in_text,
    asks_by_our_name,
    comes_from_our_page,
    uses_a_known_method,
    asks_for_a_plain_path,
)


def plain_address(text: str) -> Address:
    """An address as a socket gives it, without its zone; the old kind in its own form even on a socket for both."""
    address = ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_our_address(name: str, own: IPv4Address | IPv6Address) -> bool:
    try:
        return plain_address(name.strip("[]")) == own
    except ValueError:
        return False
