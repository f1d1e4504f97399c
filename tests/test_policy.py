"""What every answer tells the browser: to trust nothing but the board itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.guard.headers import HEADERS
from tests.attackers import FULL, Attacker, Board, under


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board.made_in(tmp_path)


@pytest.mark.parametrize("path", ["/files/page.txt", "/files/nothing.txt", "/nowhere", "/pair", "/link", "/../up"])
def test_every_answer_tells_the_browser_to_trust_nothing_else(board: Board, path: str) -> None:
    async def look(attacker: Attacker) -> bool:
        answer = await attacker.answer("GET", path)
        assert HEADERS.items() <= answer.headers.items()
        assert "Server" not in answer.headers
        return True

    assert under(board, FULL, look)


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    for loophole in ("unsafe", "*", "http:", "https:", "blob:", "ws:"):
        assert loophole not in policy
