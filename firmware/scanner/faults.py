"""What the scanner finds wrong with itself, kept as the bytes that the Faults message carries."""

import board

ADC_STUCK = 1
SATURATED = 2
MULTIPLEXER = 3
WATCHDOG = 4
WHOLE_BOARD = 255

PATIENCE = 5  # looks in a row before a channel or the converter is called faulty, or well again
WATCHDOG_SHOWN_MS = 10_000


class Faults:
    """Looks at the levels now and then. `pairs` holds (fault, channel) for all that stands."""

    def __init__(self, levels, lets_go, after_watchdog):
        self.pairs = b""
        self._self_test = self._tested(levels, lets_go)
        self._after_watchdog = after_watchdog
        self._stuck = 0
        self._at_rail = bytearray(board.CHANNELS)

    def _tested(self, levels, lets_go):
        """Each multiplexer must have lifted the line at one of its inputs, and all together must let go of it."""
        if not lets_go:
            return bytes((MULTIPLEXER, WHOLE_BOARD))
        found = bytearray()
        for first in range(0, board.CHANNELS, board.INPUTS):
            if max(levels[first : first + board.INPUTS]) < board.RAIL:
                found += bytes((MULTIPLEXER, first))
        return bytes(found)

    def look(self, levels, uptime_ms):
        """Whether `pairs` has changed."""
        found = bytearray(self._self_test)
        if self._after_watchdog and uptime_ms < WATCHDOG_SHOWN_MS:
            found += bytes((WATCHDOG, WHOLE_BOARD))
        self._stuck = min(self._stuck + 1, PATIENCE) if min(levels) == max(levels) else 0
        if self._stuck == PATIENCE:
            found += bytes((ADC_STUCK, WHOLE_BOARD))
        self._find_saturated(levels, found)
        changed = found != self.pairs
        self.pairs = found
        return changed

    def _find_saturated(self, levels, found):
        """A channel is reported after PATIENCE looks at a rail, until it was away from it for as many."""
        for channel in range(board.CHANNELS):
            looks = self._at_rail[channel]
            if board.RAIL <= levels[channel] <= 65535 - board.RAIL:
                looks = max(looks - 1, 0)
            else:
                looks = min(looks + 1, 2 * PATIENCE - 1)
            self._at_rail[channel] = looks
            if looks >= PATIENCE:
                found.append(SATURATED)
                found.append(channel)
