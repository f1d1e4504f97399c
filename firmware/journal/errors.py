"""What a journal says no to."""


class JournalError(Exception):
    """Something about the journal that a person is told, with the file's name in it."""


class NoSuchGame(JournalError, LookupError):
    """The journal has no game of that number, or none of that key is being played."""


class NotSound(JournalError):
    """A file that is not, or no longer, a journal of this program; the message is only why."""
