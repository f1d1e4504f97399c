"""The black box: all that came in at the board in the last hours, so that a bug report can be played again. How it
is recorded, exported and replayed is in docs/journal.md.
"""

from firmware.blackbox.entry import BlackBoxError, Circumstances, Content, Entry, Happened, Tick
from firmware.blackbox.recording import Step, entries, export, replay
from firmware.blackbox.ring import BlackBox

__all__ = [
    "BlackBox",
    "BlackBoxError",
    "Circumstances",
    "Content",
    "Entry",
    "Happened",
    "Step",
    "Tick",
    "entries",
    "export",
    "replay",
]
