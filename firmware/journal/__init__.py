"""What was played, on disk: `Journal` writes it, `Archive` reads it. How, and what happens to a file that was damaged
or a disk that is full, is in docs/journal.md.
"""

from firmware.journal.archive import Archive, EditionStatistics, Entry
from firmware.journal.errors import JournalError, NoJournal, NoSuchGame
from firmware.journal.keeper import Keeper
from firmware.journal.kept import KeptGame
from firmware.journal.merge import Merged, merge
from firmware.journal.store import Journal

__all__ = [
    "Archive",
    "EditionStatistics",
    "Entry",
    "Journal",
    "JournalError",
    "Keeper",
    "KeptGame",
    "Merged",
    "NoJournal",
    "NoSuchGame",
    "merge",
]
