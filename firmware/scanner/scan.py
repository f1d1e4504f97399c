"""The multiplexers and the converter: from pins to levels."""

from time import sleep_us

import board
import micropython
from machine import ADC, Pin


class Multiplexers:
    """Reads every channel, and tells at start which multiplexers work."""

    def __init__(self):
        self._select = [Pin(pin, Pin.OUT, value=0) for pin in board.SELECT_PINS]
        self._enable = [Pin(pin, Pin.OUT, value=1) for pin in board.ENABLE_PINS]
        self._adc = ADC(Pin(board.SENSE_PIN))
        self._walk = self._gray_walk()

    def _gray_walk(self):
        """Every input once, as (input, the select line that changes, its new value).

        From one input to the next only one line changes, from the last back to the first too, so a step is one
        write and no third input is connected on the way.
        """
        inputs = [step ^ (step >> 1) for step in range(board.INPUTS)]
        walk = []
        for step, now in enumerate(inputs):
            changed = now ^ inputs[step - 1]
            line = len(bin(changed)) - 3
            walk.append((now, self._select[line], 1 if now & changed else 0))
        return walk

    @micropython.native
    def read(self, levels):
        """Fill `levels`, an array of CHANNELS. Allocates nothing."""
        sample = self._adc.read_u16
        samples = board.SAMPLES
        settle_us = board.SETTLE_US
        first = 0
        for enable in self._enable:
            enable(0)
            for at, line, value in self._walk:
                line(value)
                sleep_us(settle_us)
                total = 0
                for _ in range(samples):
                    total += sample()
                levels[first + at] = total // samples
            enable(1)  # before the next one is on: two sensors must never drive one line
            first += board.INPUTS

    def lets_go(self):
        """Whether the line falls low when all are off."""
        sleep_us(board.RELEASE_US)
        return self._adc.read_u16() < board.RAIL


@micropython.native
def differ(levels, others, by):
    """Whether any level is further than `by` from its counterpart."""
    for at in range(len(levels)):
        change = levels[at] - others[at]
        if change > by or change < -by:
            return True
    return False
