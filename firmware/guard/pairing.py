"""Pairing: a device may act on the board once somebody has typed into it the code that the board shows. Pure.

The code is good for one device and for a short time. Guessing is made hopeless, not only hard: each wrong guess costs
time, a few of them cost the code, and each code that was not used makes the wait for the next one twice as long.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hmac import compare_digest

DIGITS = 6
CODE_S = 120.0
"""How long a code is shown."""
GUESSES = 3
"""How many wrong guesses cost the code."""
FIRST_GUESS_WAIT_S = 1.0
FIRST_CODE_WAIT_S = 30.0
LONGEST_CODE_WAIT_S = 24 * 3600.0


class TooSoon(Exception):
    """Not yet. `wait_s` is how long that will be so."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"wait {wait_s:.0f} s")
        self.wait_s = wait_s


class NoCode(Exception):
    """The board shows no code."""


def new_code() -> str:
    """Six digits from 1 to 9: there is no way to show a 0 in light that is not also darkness."""
    return "".join(str(1 + secrets.randbelow(9)) for _ in range(DIGITS))


def counts(code: str) -> tuple[int, ...]:
    """How many pixels show each digit: in row 1 those of the first, in row 6 those of the last."""
    return tuple(map(int, code))


class Pairing:
    """The one code that can be shown at a time."""

    def __init__(self, make_code: Callable[[], str] = new_code) -> None:
        self._make_code = make_code
        self._code: str | None = None
        self._shown_until = 0.0
        self._next_guess_at = 0.0
        self._next_code_at = 0.0
        self._wrong = 0
        self._unused = 0
        """Codes in a row that nobody used."""

    def shown(self, now: float) -> str | None:
        """The code that the board has to show."""
        if self._code is not None and now >= self._shown_until:
            self._withdraw(self._shown_until)
        return self._code

    def show(self, now: float) -> str:
        """Show a code, or go on showing the one that is shown. Raises `TooSoon`."""
        if shown := self.shown(now):
            return shown
        if now < self._next_code_at:
            raise TooSoon(self._next_code_at - now)
        self._code = self._make_code()
        self._shown_until = now + CODE_S
        self._wrong = 0
        return self._code

    def guess(self, code: str, now: float) -> bool:
        """Whether this is the code, which then has served. Raises `NoCode` and `TooSoon`."""
        shown = self.shown(now)
        if shown is None:
            raise NoCode
        if now < self._next_guess_at:
            raise TooSoon(self._next_guess_at - now)
        if not compare_digest(code.encode(), shown.encode()):
            self._guessed_wrong(now)
            return False
        self._code = None
        self._unused = 0
        return True

    def _guessed_wrong(self, now: float) -> None:
        self._next_guess_at = now + FIRST_GUESS_WAIT_S * 2**self._wrong
        self._wrong += 1
        if self._wrong == GUESSES:
            self._withdraw(now)

    def _withdraw(self, at: float) -> None:
        self._code = None
        # The exponent is bounded because a number need not be: two to the power of a year of attacks has no float.
        self._next_code_at = at + min(LONGEST_CODE_WAIT_S, FIRST_CODE_WAIT_S * 2 ** min(self._unused, 30))
        self._unused += 1
