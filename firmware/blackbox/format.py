"""The bytes of a recording: what the encoder and the decoder have to agree on.

A snapshot is written as what is not as it was: slots that read otherwise, and levels that have gone further than the
noise of a sensor. One that brings nothing new is a beat, and beats are gathered, about a byte each, until something
else comes or a minute of them is full: a session sees every one of them again at its time, and a board at rest costs
next to nothing. Readings are exact; levels are exact where they moved and within `DEADBAND_LEVELS` elsewhere.

An entry is a byte that says what it is, the time, and what belongs to it:

    time        microseconds since the entry before, signed; with EXACT a double, for times that are finer
    START       JSON; what comes after it owes nothing to what came before
    SNAPSHOT    flags, slots (gap, reading, sureness), levels (gap, difference), faults as JSON if they are others
    BEATS       microseconds in the unit, how many more, each interval as its difference to the one before; the unit
                is 0 where times are finer, and then each time is a double
    LOSS        text
    KEY         button, touch
    NEW_GAME    text: edition, first, best of, and where it plays the computer's colour and level
    TICK        nothing
    EVENT       text
    PLAY_FROM   text: the state
    ADVICE      JSON
"""

from __future__ import annotations

from enum import IntEnum

from hardware.interface import Button, Reading, Touch

DEADBAND_LEVELS = 160
MOST_BEATS = 300
MOST_SLOTS = 10_000
US = 1_000_000
MOST_SECONDS = 1e10
"""More than any clock of ours comes to."""

NO_UNIT = 0
"""The unit of beats whose times are not whole microseconds."""

NOTHING_SEEN = (Reading.EMPTY, 0)
READINGS, BUTTONS, TOUCHES = tuple(Reading), tuple(Button), tuple(Touch)


class Kind(IntEnum):
    """What an entry is."""

    START = 1
    SNAPSHOT = 2
    BEATS = 3
    LOSS = 4
    KEY = 5
    NEW_GAME = 6
    TICK = 7
    EVENT = 8
    PLAY_FROM = 9
    ADVICE = 10


EXACT = 0x80
"""Added to a kind: the time is not whole microseconds."""

# Flags of a snapshot
SURENESS_ANEW = 1
FAULTS_ANEW = 2
HAS_LEVELS = 4
