"""Pairing over the network: the code that the board shows makes a device one that may act, and no guessing does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware.guard.visit import COOKIE
from tests.attackers import CODE, FULL, SOMEBODY, Attacker, Board, content, guess, under


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board.made_in(tmp_path)


def test_a_device_pairs_with_the_code_that_the_board_shows_and_then_acts(board: Board) -> None:
    async def pair_and_press(attacker: Attacker) -> bool:
        assert await attacker.ask("POST", "/press", Via=SOMEBODY) == 403
        assert await attacker.ask("POST", "/pair/code", Via=SOMEBODY) == 200
        assert board.told == [CODE]
        answer = await attacker.answer("POST", "/pair", guess(CODE), Via=SOMEBODY)
        assert board.told == [CODE, None]
        cookie = answer.cookies[COOKIE]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
        paired = {"Via": SOMEBODY, "Cookie": f"{COOKIE}={cookie.value}"}
        assert await attacker.ask("POST", "/press", b"", **paired) == 200
        assert await attacker.ask("DELETE", "/pair", b"", **paired) == 200
        assert await attacker.ask("POST", "/press", b"", **paired) == 403
        return True

    assert under(board, FULL, pair_and_press)
    assert board.pressed == 1


def test_a_page_is_told_what_is_wrong_with_its_guess(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.guard.pairing.FIRST_GUESS_WAIT_S", 1e6)

    async def ask(attacker: Attacker) -> bool:
        no_code = {"error": "the board shows no code"}
        assert await content(attacker, "POST", "/pair", guess(CODE)) == (409, no_code)
        assert await content(attacker, "POST", "/pair/code") == (200, {"isLit": True})
        for odd in (
            b"",
            b"{",
            b'{"code": "12345"}',
            b'{"code": "1234567"}',
            b'{"code": 123456}',
            b'{"code": "\xff"}',
            b"\xff",
        ):
            assert await attacker.ask("POST", "/pair", odd) == 400
        wrong = {"error": "that is not the code"}
        assert await content(attacker, "POST", "/pair", guess("111111")) == (403, wrong)
        status, not_yet = await content(attacker, "POST", "/pair", guess(CODE))
        assert (status, not_yet["error"]) == (429, "not yet")
        assert 1e6 - 120 < float(str(not_yet["waitS"])) <= 1e6
        return True

    assert under(board, FULL, ask)


def test_a_code_that_was_lost_to_guessing_is_shown_no_longer(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.guard.pairing.FIRST_GUESS_WAIT_S", 0.0)

    async def lose(attacker: Attacker) -> bool:
        await attacker.ask("POST", "/pair/code")
        statuses = [await attacker.ask("POST", "/pair", guess("111111")) for _ in range(4)]
        assert statuses == [403, 403, 403, 409]
        assert await attacker.ask("POST", "/pair/code") == 429
        return True

    assert under(board, FULL, lose)
    assert board.told == [CODE, None]


def test_a_code_that_nobody_uses_is_shown_no_longer(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.guard.pairing_routes.CODE_S", 0.0)

    async def wait(attacker: Attacker) -> bool:
        await attacker.ask("POST", "/pair/code")
        while board.told == [CODE]:
            await asyncio.sleep(0)
        return True

    assert under(board, FULL, wait)
    assert board.told == [CODE, None]
