"""Where the page is found and by which names: section `[web]` of the settings."""

from __future__ import annotations

import re
from ipaddress import ip_address

import msgspec

_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*", re.IGNORECASE)


class WebSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """By default the page is for the machine that it runs on alone."""

    host: str = "127.0.0.1"
    """The address to listen on; `0.0.0.0` is every one that the machine has."""
    port: int = 8080
    names: tuple[str, ...] = ()
    """What the machine is called in its network, such as `linja.local`. Asked for by any other name, it is silent."""

    def __post_init__(self) -> None:
        try:
            ip_address(self.host)
        except ValueError:
            raise ValueError(f"host is {self.host!r}: it must be an address, such as 127.0.0.1 or 0.0.0.0") from None
        if not 1024 <= self.port <= 65535:
            raise ValueError(f"port is {self.port}: it must be from 1024 to 65535")
        for name in self.names:
            if not _NAME.fullmatch(name):
                raise ValueError(f"names has {name!r}, which is not the name of a machine")

    @property
    def is_local(self) -> bool:
        """Whether nobody but this machine can reach the page."""
        return ip_address(self.host).is_loopback
