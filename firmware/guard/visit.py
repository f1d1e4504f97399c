"""A request in the words of the guard."""

from __future__ import annotations

from aiohttp import web

from firmware.guard.checks import Asked, plain_address
from firmware.guard.guard import Visitor

COOKIE = "linja"
VISITOR = web.RequestKey("visitor", Visitor)
"""Whose request it is; only those of a guarded application have one."""
_PASSED_ON = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")


def asked_of(request: web.Request) -> Asked:
    """The facts of a request. Raises `ConnectionError` when whoever made it has gone already."""
    if request.transport is None:
        raise ConnectionResetError
    peer = request.transport.get_extra_info("peername")
    own = request.transport.get_extra_info("sockname")
    headers, hosts = request.headers, request.headers.getall("Host", [])
    return Asked(
        method=request.method,
        path=request.raw_path.partition("?")[0],
        host=hosts[0] if len(hosts) == 1 else None,
        origin=headers.get("Origin"),
        fetch_site=headers.get("Sec-Fetch-Site"),
        is_navigation=headers.get("Sec-Fetch-Mode") == "navigate",
        is_socket=headers.get("Upgrade", "").strip().lower() == "websocket",
        is_forwarded=any(name in headers for name in _PASSED_ON),
        is_text=all(_is_text(value) for _, value in request.raw_headers),
        token=request.cookies.get(COOKIE),
        peer=plain_address(peer[0]),
        address=plain_address(own[0]),
        port=own[1],
    )


def _is_text(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True
