"""What a journal says no to."""

from pathlib import Path


class JournalError(Exception):
    """Something about the journal that a person is told, with the file's name in it."""


class NoJournal(JournalError):
    """There is no file at that place, or one that nothing was written into yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"there is no journal at {path}")


class NoSuchGame(JournalError, LookupError):
    """The journal has no game of that number, or none of that key is being played."""


class NotSound(JournalError):
    """A file that is not, or no longer, a journal of this program; the message is only why."""
