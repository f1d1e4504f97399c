"""How fast the lights move: every duration of the language of light, in seconds.

Nothing flashes more than three times a second, for the sake of people whom that harms. What blinks is lit first and
for `LEAST_LIT_S`, so even a blink that hands start anew all the time stays below.
"""

LEAST_LIT_S = 0.4
BLINK_S = 2 * LEAST_LIT_S
"""An error: the first half of it lit."""
SHIFT_S = 1.6
"""Pawns that stand elsewhere: the rows with too many are lit, then the rows with too few."""
ANSWERS_S = 2.0
"""A question: each of the two answers half of it."""
CALL_S = 1.6
"""The row that a pawn came from calls it back."""
ADVICE_PULSE_S = 1.5
THINKING_S = 2.4
LEAVE_S = 2.0
"""A light closes over the row once in that time."""
BREATH_S = 4.0

RUN_S = 1.8
"""From the start of one run to the next: time enough for seven rows."""
RUN_STEP_S = 0.14
"""How long a run takes from one row to the next."""
RUN_ROW_S = 0.28
"""How long its light is seen in one row."""

ACCEPTED_S = 0.8
ACCEPTED_SPREAD_S = 0.25
"""How long the flash takes from the middle of the row to its ends."""
SWEEP_STEP_S = 0.1
"""How long a sweep takes from one row to the next."""
SWEEP_ROW_S = 0.6
"""How long a row shines after the sweep has reached it."""
READY_S = 1.2
HINT_S = 20.0
"""How long a hint is shown, if nothing is done."""
COUNTED_FADE_S = 0.4
WINNING_S = 30 * BREATH_S
"""How long the winner's strip breathes: whole breaths, so that it comes to rest where a breath begins."""

IDLE_AFTER_S = 120.0
SLEEP_AFTER_S = 1800.0
"""When the board goes dark; never during a game."""
FADE_S = 3.0
